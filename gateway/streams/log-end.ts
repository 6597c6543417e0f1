/** What an operator should know of how a stream ended: readers that were cut off, and faults of ours. */
import { toHivekeepError } from '../http/error-envelope.js';
import type { Ended } from './pump.js';
import type { Logger } from '../../src/telemetry/logger.js';

export function logEnd(log: Pick<Logger, 'debug' | 'warn' | 'error'>, { end, error }: Ended, requestId: string): void {
  if (end === 'slow') log.warn({ request_id: requestId }, 'cut off a reader of events that did not keep up');
  if (end !== 'failed') return;
  const { code, cause } = toHivekeepError(error);
  if (code === 'INTERNAL_ERROR') log.error({ err: cause ?? error, request_id: requestId }, 'a stream failed');
  else log.debug({ err: error, request_id: requestId }, 'a stream was ended');
}
