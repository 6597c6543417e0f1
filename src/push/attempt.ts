/** One attempt to push: its headers, its time limit, and what is said of its failure. */
import { unlessAborted } from '../base/unless-aborted.js';
import type { Clock } from '../domain/shared/clock.js';
import { PushError } from './port.js';
import type { Receiver } from '../domain/task/task.js';
import { errors } from 'undici';
import { RefusedUrl } from './target.js';
import { Unresolved } from './guard.js';

export interface TimeLimit {
  /** Aborted, with a PushError as its reason, when the time is up or `outer` is aborted. */
  readonly signal: AbortSignal;
  /** Settles as `work` does, or rejects with the abort reason if that comes first. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Releases the timer and the listener on `outer`. */
  end(): void;
}

export function timeLimit(clock: Clock, ms: number, outer?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => {
    controller.abort(stopped());
  };
  const cancel = clock.after(ms, () => {
    controller.abort(new PushError(`no answer within ${ms / 1000} s`));
  });
  if (outer?.aborted) stop();
  else outer?.addEventListener('abort', stop, { once: true });
  return {
    signal,
    race: (work) => unlessAborted(work, signal),
    end() {
      cancel();
      outer?.removeEventListener('abort', stop);
    },
  };
}

/** The push is no longer wanted: the service is stopping, or the configuration was deleted. */
export const stopped = (): PushError => new PushError('stopped before there was an answer');

/** The characters that HTTP allows in a header value: no line breaks, and single-byte characters only. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const scheme = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Takes token and credentials from the configuration: the first scheme if there are several, and none without
 * credentials. A value that is not valid in a header makes the push fail for good (PushError, final) before anything is
 * sent.
 */
export function pushHeaders({ token, authentication }: Receiver, userAgent: string): Record<string, string> {
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

/*
 * A failure is described in words that may be shown to the client that registered the URL: no address, path or query,
 * and none of the content. The error itself is attached as the cause.
 */

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before there was an answer',
  EPIPE: 'the connection was closed before there was an answer',
  UND_ERR_SOCKET: 'the connection was closed before there was an answer',
  ENETUNREACH: 'the network is unreachable',
  EHOSTUNREACH: 'the host is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
};

export function pushFailure(error: unknown): PushError {
  if (error instanceof PushError) return error;
  if (error instanceof RefusedUrl) return new PushError(`the URL ${error.message}`, true, { cause: error });
  if (error instanceof Unresolved) return new PushError(error.message, false, { cause: error });
  if (error instanceof errors.HTTPParserError) return new PushError('the answer is not HTTP', false, { cause: error });
  const code = codeOf(error);
  if (code === undefined) return new PushError('the push failed', false, { cause: error });
  if (/^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|EPROTO$)/.test(code))
    return new PushError(`no trusted TLS connection (${code})`, false, { cause: error });
  return new PushError(words[code] ?? `the push failed (${code})`, false, { cause: error });
}

/** If several addresses failed, the code of the first. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
