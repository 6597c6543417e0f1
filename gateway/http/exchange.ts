/** What the gateway knows of one request while it is served. */
import type { Principal } from '../../src/service.js';

export interface Exchange {
  /** `req_...` (docs/api.md 7.1). */
  readonly id: string;
  /** The client's own id, where it sent a sane one. */
  readonly clientId: string | null;
  /** By the monotonic clock, ms. */
  readonly startedAt: number;
  /** The path template, for metrics; `unmatched` until a route is found. */
  route: string;
  principal: Principal | null;
  /** The request has no effect, whatever its method: it may be refused after it was served. */
  changesNothing?: boolean;
}
