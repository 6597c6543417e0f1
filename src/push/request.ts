/** The headers of a push (docs/api.md 5.5, 6.2; A2A 1.0, 4.3.3). */
import type { PushConfig } from '../domain/task.js';
import { PushError } from './port.js';

/** The characters that HTTP allows in a header value: no line breaks, and single-byte characters only. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const scheme = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Takes token and credentials from the configuration: the first scheme if there are several, and none without
 * credentials. A value that is not valid in a header makes the push fail for good (PushError, final) before anything is
 * sent.
 */
export function pushHeaders({ token, authentication }: PushConfig, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent };
  if (token !== undefined && token !== '') headers['x-a2a-notification-token'] = legal('token', token, headerValue);
  const first = authentication?.schemes[0];
  const credentials = authentication?.credentials;
  if (first !== undefined && credentials !== undefined && credentials !== '') {
    headers['authorization'] =
      `${legal('authentication scheme', first, scheme)} ${legal('credentials', credentials, headerValue)}`;
  }
  return headers;
}

function legal(what: string, value: string, pattern: RegExp): string {
  if (!pattern.test(value)) throw new PushError(`the ${what} of the push config cannot be sent in a header`, true);
  return value;
}
