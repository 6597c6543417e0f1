/**
 * What is asked of a request's head beyond its syntax, which node checks (strictly: server-options.ts). Two readers of one
 * head must not come to two requests, so what a proxy in front could take otherwise than we do is refused, and the
 * connection ends with the refusal (entry.ts).
 *
 * Invariants
 *  1. HTTP/1.1 names one Host (RFC 9112, 3.2); whatever the version, Host and Authorization are there once at most. Node
 *     itself keeps the first of each and drops the others without a word.
 *  2. At most `maxFields` header fields. Node drops what is beyond its own bound without a word, so that bound is off
 *     (server.ts) and this one refuses.
 *  3. A body is as long as Content-Length says, or chunked and nothing else: node undoes the chunks of `gzip, chunked` and
 *     hands on what they hold as if it were the body. HTTP/1.0 has no chunks (RFC 9112, 6.1).
 *  4. It is HTTP/1.1 or 1.0: node reads what calls itself 0.9 or 2.0 as well.
 *  5. A WebSocket handshake passes the same checks, and has no body: its bytes would be read as frames.
 */
import { invalid } from '../../src/domain/errors.js';
import type { GatewayRequest } from './prototypes.js';

const maxFields = 100;

/** Node has answered an expectation that is met: `awaitsContinue` says so. */
export function checkHead(req: GatewayRequest): void {
  const { rawHeaders, headers, httpVersion } = req;
  const coding = headers['transfer-encoding'];
  if (rawHeaders.length > 2 * maxFields)
    throw invalid({ path: '', message: `must have at most ${maxFields} header fields` });
  checkSingle(rawHeaders);
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    throw invalid({ path: 'Transfer-Encoding', message: 'must be chunked, in HTTP/1.1' });
  if (httpVersion === '1.0') return;
  if (httpVersion !== '1.1') throw invalid({ path: '', message: 'must be HTTP/1.1 or HTTP/1.0' });
  if (headers.expect !== undefined && !req.awaitsContinue)
    throw invalid({ path: 'Expect', message: 'must be 100-continue' });
  if (headers.host === undefined) throw invalid({ path: 'Host', message: 'is required in HTTP/1.1' });
}

/** For the head of a WebSocket handshake, in HTTP/1.1 (RFC 6455, 4.1). */
export function checkHandshake(req: GatewayRequest): void {
  checkHead(req);
  if (req.httpVersion !== '1.1') throw invalid({ path: '', message: 'must be HTTP/1.1 for a WebSocket' });
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers;
  if (coding !== undefined || Number(length) !== 0)
    throw invalid({ path: '', message: 'must have no body, as it asks for a WebSocket' });
}

/** Names are compared only where their length is right, which hardly any other's is. */
function checkSingle(rawHeaders: readonly string[]): void {
  let host = 0;
  let authorization = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host' && ++host > 1)
      throw invalid({ path: 'Host', message: 'must be given once' });
    if (name.length === 13 && name.toLowerCase() === 'authorization' && ++authorization > 1)
      throw invalid({ path: 'Authorization', message: 'must be given once' });
  }
}
