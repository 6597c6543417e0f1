/**
 * Carries what the limiter says of a request over to its response.
 *
 * Invariant: what was admitted is released when its response is over, once, however that came about: answered, aborted
 * by the client, or never begun because the client left while it was admitted.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Admission } from './port.js';
import type { GatewayRequest } from '../http/prototypes.js';

export function showHeaders(res: ServerResponse, headers: Admission['headers']): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}

/** The refusal, if that is what was said. It is handed on rather than thrown: refusing must cost little. */
export function applyAdmission(
  req: GatewayRequest,
  res: ServerResponse,
  { headers, refusal, release }: Admission,
): Admission['refusal'] {
  showHeaders(res, headers);
  if (release !== undefined) {
    if (res.destroyed || req.socket.destroyed) release();
    else releaseAtEnd(req, res, release);
  }
  return refusal;
}

function releaseAtEnd(req: GatewayRequest, res: ServerResponse, release: () => void): void {
  // a response that waits for the one before it (pipelining) is not told when its connection closes
  const queue = res.socket === null ? queueOf(req.socket) : null;
  queue?.add(release);
  res.on(
    'close',
    queue === null
      ? release
      : () => {
          queue.delete(release);
          release();
        },
  );
}

const queues = new WeakMap<Socket, Set<() => void>>();

/** The releases of requests that wait on this connection: one listener for all of them. */
function queueOf(socket: Socket): Set<() => void> {
  const known = queues.get(socket);
  if (known !== undefined) return known;
  const made = new Set<() => void>();
  queues.set(socket, made);
  socket.once('close', () => {
    for (const release of made) release();
  });
  return made;
}
