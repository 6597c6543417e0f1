/**
 * Describes a failed attempt in words that may be shown to the client that registered the URL: no address, path or
 * query, and none of the content. The error itself is attached as the cause.
 */
import { errors } from 'undici';
import { PushError } from './port.js';
import { RefusedUrl } from './target.js';
import { Unresolved } from './guard.js';

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
