/** Why a request has failed, in the words of the service. */
import { ApiError, ConnectionError } from '../../../client/src/errors.js';
import { passing } from '../../../client/src/transport.js';

export { ApiError, ConnectionError };

/** Whether the same request may succeed later without any change to it. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && passing.has(error.status));

/** A sentence for people. */
export function explain(error: unknown): string {
  if (error instanceof ConnectionError) return 'The service does not answer';
  const { issues } = (error instanceof ApiError ? error.details : {}) as {
    issues?: readonly { path: string; message: string }[];
  };
  if (issues && issues.length > 0)
    return issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
