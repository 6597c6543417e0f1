/**
 * Idempotency-Key: a POST that carries one takes effect once in 24 h. Keys are scoped by workspace and path. The
 * service stores the first result in the same commit as its effect; this file names the command after the request. A
 * repeat that arrives while the first is in progress waits for its outcome.
 */
import { hash as digest } from 'node:crypto';
import { invalid } from '../../src/domain/errors.js';
import type { Caller, RequestKey } from '../../src/service.js';
import type { GatewayRequest } from './prototypes.js';

/** Returns null without the header. `path` is the request's path, including ids. */
export function idempotencyKeyOf(req: GatewayRequest, caller: Caller, path: string, body: Buffer): RequestKey | null {
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
  body: Buffer | string,
): RequestKey {
  return {
    id: `key_${digest('sha256', JSON.stringify([workspace, path, name]), 'base64url')}`,
    bodyHash: digest('sha256', powers ? `${JSON.stringify(powers)} ${body.toString()}` : body, 'base64url'),
    replayed: false,
  };
}
