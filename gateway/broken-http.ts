/**
 * Answers connections that never produce a request with the envelope of docs/api.md 7.1: malformed HTTP, oversized
 * headers, slow requests, CONNECT. The connection is closed after the answer, because the start of the next request is
 * unknown.
 *
 * Invariant: every connection handled here is closed, immediately or `flushMs` after its answer, whatever its client
 * does. Closing only our half would let a client keep the descriptor open. A failed or overdue TLS handshake gets no
 * answer, because there is no channel on which to send one.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../src/domain/shared/clock.js';
import { HivekeepError, invalid } from '../src/domain/shared/errors.js';
import { rawErrorResponse } from './http/responder.js';
import { hsts } from './http/head.js';

/** How long an answer may take to be flushed after reading has stopped. */
const flushMs = 2000;

/** `headers` are the rate-limit headers (docs/api.md 8.3). */
export function answerBrokenHttp(
  server: Server,
  clock: Clock,
  requestIds: () => string,
  headers: () => Readonly<Record<string, string>>,
): void {
  const closeSoon = (socket: Duplex): void => {
    socket.once(
      'close',
      clock.after(flushMs, () => socket.destroy()),
    );
  };
  const answer = (socket: Duplex, error: HivekeepError): void => {
    closeSoon(socket);
    socket.end(
      rawErrorResponse(error, requestIds(), (socket as TLSSocket).encrypted ? { ...hsts, ...headers() } : headers()),
    );
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const current = (socket as { _httpMessage?: ServerResponse<IncomingMessage> | null })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable || inHandshake(socket)) {
      socket.destroy();
      return;
    }
    if (current?.headersSent === true) {
      // a refusal may have been written in this turn (http/head.ts): let it be flushed
      (socket as Socket).destroySoon();
      closeSoon(socket);
      return;
    }
    // the previous request is complete and is still being served. Its answer must not be taken for this one's, so the
    // connection is closed after it
    if (current?.req.complete) {
      current.shouldKeepAlive = false;
      return;
    }
    answer(socket, invalid({ path: 'request', message: httpMistakes[error.code ?? ''] ?? 'must be valid HTTP/1.1' }));
  });
  server.on('connect', (_req: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    answer(
      socket,
      new HivekeepError('METHOD_NOT_ALLOWED', 'CONNECT is not allowed: this is not a proxy', {
        details: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
      }),
    );
  });
}

/** Node also emits `clientError` for TLS sockets on which nothing was ever read. */
const inHandshake = (socket: Duplex & { secureConnecting?: boolean }): boolean => socket.secureConnecting === true;

const httpMistakes: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'must have at most 16384 bytes of headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'was not complete in time',
};
