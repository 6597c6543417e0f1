/** What a receiver is sent beside the body (docs/api.md 5.5, 6.2; A2A 1.0, 4.3.3). */
import type { PushConfig } from '../domain/task.js';
import { PushError } from './port.js';

/** What HTTP lets a header's value hold: no line ends, and nothing beyond one byte a character. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const scheme = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Token and credentials as the config has them: the first scheme where there are several, and none without credentials.
 * A value that is no header value ends the push for good (PushError, final); it never reaches a socket.
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
