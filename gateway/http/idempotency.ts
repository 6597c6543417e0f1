/**
 * Idempotency-Key: a POST that carries one takes effect once in 24 h. Keys count per
 * workspace and path. What the first came to is kept by the service, in the commit of its effect; here the request gets
 * its name. A repeat that comes while the first is in progress waits for its outcome.
 */
import { hash as digest } from 'node:crypto';
import { invalid } from '../../src/domain/errors.js';
import type { Caller, Command } from '../../src/service.js';
import type { GatewayRequest } from './prototypes.js';

/** Null without the header. `path` is the request's, with its ids. */
export function commandOf(req: GatewayRequest, { workspace }: Caller, path: string, body: Buffer): Command | null {
  const header = req.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw invalid({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters, given once' });
  return {
    id: `key_${digest('sha256', JSON.stringify([workspace, path, header]), 'base64url')}`,
    bodyHash: digest('sha256', body, 'base64url'),
    replayed: false,
  };
}
