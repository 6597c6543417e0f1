/**
 * Applies the limiter's decision to a response.
 *
 * Invariant: an admitted request is released exactly once, when its response is over for any reason: it was answered,
 * the client aborted, or the client disconnected during admission.
 */
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
    else res.on('close', release);
  }
  return refusal;
}
