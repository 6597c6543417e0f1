/**
 * What never becomes a request still gets the envelope of docs/api.md 7.1: bad HTTP, headers too long, a request that
 * takes too long, CONNECT. Its connection ends with the answer: nobody knows where the next request would begin.
 *
 * Invariant: every connection that comes here is closed, at once or `flushMs` after its answer, whatever its client
 * does. Ending only our half would leave its descriptor to a client that never ends the other. A TLS handshake that
 * failed or took too long gets no answer, because there is nothing to read it with.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../src/domain/clock.js';
import { HivekeepError, invalid } from '../src/domain/errors.js';
import { rawErrorResponse } from './http/responder.js';
import { hsts } from './http/security-headers.js';

/** How long an answer that was begun may take to reach its reader once nothing more is read. */
const flushMs = 2000;

/** `headers` are those of the limits (docs/api.md 8.3). */
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
      // a refusal may have been written in this very turn (http/head.ts): it is let out
      (socket as Socket).destroySoon();
      closeSoon(socket);
      return;
    }
    // the request before it was whole and is being served: its answer must not be mistaken for this one's, so the connection ends after it
    if (current?.req.complete) {
      current.shouldKeepAlive = false;
      return;
    }
    answer(socket, invalid({ path: '', message: httpMistakes[error.code ?? ''] ?? 'must be valid HTTP/1.1' }));
  });
  server.on('connect', (_req: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    answer(
      socket,
      new HivekeepError('METHOD_NOT_ALLOWED', 'CONNECT is not allowed: this is no proxy', {
        details: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
      }),
    );
  });
}

/** Node emits `clientError` for TLS sockets on which nothing was ever read, too. */
const inHandshake = (socket: Duplex & { secureConnecting?: boolean }): boolean => socket.secureConnecting === true;

const httpMistakes: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'headers must be at most 16384 bytes',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request was not complete in time',
};
