/** The limiter as the rest of the gateway sees it; limits/limiter.ts implements it. */
import type { IncomingMessage } from 'node:http';
import type { HivekeepError } from '../../src/domain/errors.js';
import type { Principal } from '../../src/service.js';

/** A limiter's decision about one request. */
export interface Admission {
  /** Set on the response whether or not it is refused (docs/api.md 8.3). */
  headers: Readonly<Record<string, string>>;
  /** Answered instead of running the route. */
  refusal?: HivekeepError;
  /** Call this when the response is over; further calls have no effect. */
  release?: () => void;
}

/** Decides for every request which limit it counts against and whether it may proceed (limits/limiter.ts). */
export interface Limiter {
  /** For a request with a valid credential; `id` is its `req_...` id. */
  admit(
    request: Pick<IncomingMessage, 'method' | 'url'>,
    principal: Principal,
    id: string,
  ): Admission | Promise<Admission>;
  /** For a search that its request does not show by its path: it counts against the principal's searches too. */
  admitSearch(principal: Principal): Admission | Promise<Admission>;
  /** For a request without a valid credential, or that needs none: it counts against its address. */
  admitAddress(address: string): Admission | Promise<Admission>;
  /**
   * For a probe: it counts against its address, separately from other requests. Answers synchronously, whatever else is
   * down.
   */
  admitProbe(address: string): Admission;
  /** The headers of input that counts against nothing: failures before the caller is known. */
  uncounted(): Admission['headers'];
}
