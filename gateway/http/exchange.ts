/** The gateway's record of one request while it is being served. */
import type { Principal } from '../../src/service.js';

export interface Exchange {
  /** `req_...` (docs/api.md 7.1). */
  readonly id: string;
  /** The client's own request id, if it sent a valid one. */
  readonly clientId: string | null;
  /** Monotonic clock, ms. */
  readonly startedAt: number;
  /** The path template, for metrics; `unmatched` until a route is found. */
  route: string;
  principal: Principal | null;
  /** The request has no effect, whatever its method, so its response may still be replaced by a refusal. */
  changesNothing?: boolean;
}
