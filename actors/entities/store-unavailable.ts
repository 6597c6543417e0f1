/** A failure of the store as clients are told it. */
import { type HivekeepError, unavailable } from '../../src/domain/errors.js';
import type { StoreError } from '../../src/store/port.js';

export const storeUnavailable = (error: StoreError): HivekeepError =>
  unavailable(error.forClients ?? error.message, { cause: error, retryAfter: 5 });
