/** Logs how a stream ended if an operator should know: readers that were cut off, and internal errors. */
import { toHivekeepError } from '../http/error-envelope.js';
import type { Ended } from './pump.js';
import type { Logger } from '../../src/telemetry/logger.js';

export function logEnd(log: Pick<Logger, 'debug' | 'warn' | 'error'>, { end, error }: Ended, requestId: string): void {
  if (end === 'slow')
    log.warn(
      { event: 'stream.reader_too_slow', request_id: requestId },
      'closed a stream whose reader did not keep up',
    );
  if (end !== 'failed') return;
  const { code, cause } = toHivekeepError(error);
  if (code === 'INTERNAL_ERROR')
    log.error({ event: 'stream.failed', err: cause ?? error, request_id: requestId }, 'a stream failed');
  else log.debug({ event: 'stream.ended', err: error, request_id: requestId }, 'a stream ended with an error');
}
