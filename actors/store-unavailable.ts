/** A failure of the store as clients are told it: what it means for them. The store's own sentence, which names places and what to do there, is for whoever runs the service, and is the cause. */
import { type HivekeepError, unavailable } from '../src/domain/errors.js';
import type { StoreError } from '../src/store/port.js';

export function storeUnavailable(error: StoreError): HivekeepError {
  return unavailable(sentences[error.reason] ?? 'the store cannot be used now', { cause: error, retryAfter: 5 });
}

const sentences: Partial<Record<StoreError['reason'], string>> = {
  full: 'the store has no room left: reads work, and writes do again when there is room',
  unknown: 'the store did not answer in time; what was asked may have taken effect',
  closed: 'the service is stopping',
};
