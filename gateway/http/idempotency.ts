/**
 * Idempotency-Key: a POST that carries one takes effect once in 24 h. Keys are scoped by workspace and path. The
 * service stores the first result in the same commit as its effect; this file names the command after the request. A
 * repeat that arrives while the first is in progress waits for its outcome.
 */
import { createHash, hash as digest } from 'node:crypto';
import { invalid } from '../../src/domain/shared/errors.js';
import type { Caller, RequestKey } from '../../src/service.js';
import type { GatewayRequest } from './prototypes.js';

/** Returns null without the header. `path` is the request's path, including ids. */
export function requestKeyOf(req: GatewayRequest, caller: Caller, path: string, body: unknown): RequestKey | null {
  const header = req.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw invalid({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters, given once' });
  return idempotencyKeyNamed(header, caller, path, body);
}

/**
 * The request that a client gave this name, among those for the same `path`. Credentials that may not make an agent do
 * the same send different requests, so that none is told what another's came to.
 */
export function idempotencyKeyNamed(
  name: string,
  { workspace, powers }: Caller,
  path: string,
  body: unknown,
): RequestKey {
  return {
    id: `key_${digest('sha256', JSON.stringify([workspace, path, name]), 'base64url')}`,
    bodyHash: hashOf(powers ? [powers, body] : body),
    replayed: false,
  };
}

/** Equal for equal values of JSON, whatever the order of their keys and the spaces between. */
function hashOf(body: unknown): string {
  const hash = createHash('sha256');
  let written = '';
  const put = (text: string): void => {
    written += text;
    if (written.length < longWritten) return;
    hash.update(written);
    written = '';
  };
  // every text stands behind its length, so that no two values are written alike
  const add = (value: unknown): void => {
    if (typeof value === 'string') {
      put(`"${value.length}:`);
      put(value);
    } else if (Array.isArray(value)) {
      put(`[${value.length}:`);
      value.forEach(add);
    } else if (typeof value === 'object' && value !== null) {
      const fields = value as Readonly<Record<string, unknown>>;
      const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
      put(`{${names.length}:`);
      for (const name of names.sort()) {
        add(name);
        add(fields[name]);
      }
    } else put(`${JSON.stringify(value)},`);
  };
  add(body);
  return hash.update(written).digest('base64url');
}
const longWritten = 16 * 1024;
