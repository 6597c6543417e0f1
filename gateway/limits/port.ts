/** The limiter as the rest of the gateway sees it; limits/limiter.ts is the one that counts. */
import type { IncomingMessage } from 'node:http';
import type { HivekeepError } from '../../src/domain/errors.js';
import type { Principal } from '../../src/service.js';

/** What a limiter says of one request. */
export interface Admission {
  /** Go on the response either way (docs/api.md 8.3). */
  headers: Readonly<Record<string, string>>;
  /** Answered in place of the route. */
  refusal?: HivekeepError;
  /** Called once when the response is over; may be called again, which changes nothing. */
  release?: () => void;
}

/** Says for every request what it counts against and whether it may pass (limits/limiter.ts). */
export interface Limiter {
  /** A request with a valid credential; `id` is its own `req_...`. */
  admit(
    request: Pick<IncomingMessage, 'method' | 'url'>,
    principal: Principal,
    id: string,
  ): Admission | Promise<Admission>;
  /** One without, or for which none is needed: it counts against its address. */
  admitAddress(address: string): Admission | Promise<Admission>;
  /** A probe: it counts against its address, apart from other requests. Answered at once, whatever else is down. */
  admitProbe(address: string): Admission;
  /** Headers of what counts against nothing: failures before it is known who asks. */
  uncounted(): Admission['headers'];
}
