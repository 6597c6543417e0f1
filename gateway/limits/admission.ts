/**
 * Applies the limiter's decision to a response.
 *
 * Invariant: an admitted request is released exactly once, when its response is over for any reason: it was answered,
 * the client aborted, or the client disconnected during admission.
 */
import type { Socket } from 'node:net';
import type { Admission } from './port.js';
import type { GatewayRequest, GatewayResponse } from '../http/prototypes.js';

export function showHeaders(res: GatewayResponse, headers: Admission['headers']): void {
  for (const name in headers) res.show(name, headers[name] ?? '');
}

/** Returns the refusal, if any, instead of throwing it, because refusing must be cheap. */
export function applyAdmission(
  req: GatewayRequest,
  res: GatewayResponse,
  { headers, refusal, release }: Admission,
): Admission['refusal'] {
  showHeaders(res, headers);
  if (release !== undefined) {
    if (res.destroyed || req.socket.destroyed) release();
    else releaseAtEnd(req, res, release);
  }
  return refusal;
}

function releaseAtEnd(req: GatewayRequest, res: GatewayResponse, release: () => void): void {
  // a pipelined response that waits for an earlier one is not told when its connection closes
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

/** The releases of pipelined requests of this connection, which share one listener. */
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
