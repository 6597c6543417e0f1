/**
 * Describes failures of Redis in words. The text never contains a password, because it is made from codes and the
 * server's replies.
 */

/** host:port of each server in a URL, for display, without credentials. */
export function serversOf(url: string): string {
  return url
    .split(',')
    .filter((one) => one.trim() !== '')
    .map((one) => {
      try {
        const { hostname, port } = new URL(one.trim());
        return `${hostname === '' ? 'localhost' : hostname}:${port === '' ? '6379' : port}`;
      } catch {
        return 'an address that is no URL';
      }
    })
    .join(', ');
}

/** One line: the system's code or the server's reply. */
export function failureText(error: unknown): string {
  const { code, message, lastNodeError, errors } = error as {
    code?: unknown;
    message?: unknown;
    lastNodeError?: unknown;
    errors?: unknown[];
  };
  if (lastNodeError) return failureText(lastNodeError);
  if (typeof message === 'string' && message !== '') return message;
  if (typeof code === 'string') return code;
  return errors?.[0] === undefined ? 'unknown error' : failureText(errors[0]);
}

/** It answers, and refuses whatever would need memory. */
export const isOutOfMemory = (error: unknown): boolean => /^OOM\b|\bOOM command not allowed/.test(failureText(error));

/** Whether the server could not be reached, or is not ready yet. */
export const isRedisAway = (error: unknown): boolean =>
  /ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|timed out|LOADING|CLUSTERDOWN|MASTERDOWN|Connection is closed/i.test(
    failureText(error),
  );

/** A sentence that also says what to do. `server` is host:port. */
export function failureSentence(error: unknown, server: string): string {
  const text = failureText(error);
  if (/WRONGPASS|NOAUTH|invalid password|without any password configured/i.test(text))
    return `Redis at ${server} refuses the credentials: correct user and password in HIVEKEEP_REDIS_URL.`;
  if (/NOPERM/i.test(text))
    return `Redis at ${server} does not let this user do what is needed (${text}): give it the keys and channels that begin with hk: and all their commands.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(text))
    return `The host of Redis, ${server}, has no address: correct HIVEKEEP_REDIS_URL.`;
  if (/ECONNREFUSED/.test(text))
    return `Nothing listens at ${server}: start Redis there, or correct HIVEKEEP_REDIS_URL.`;
  if (/ETIMEDOUT|timed out|Socket timeout/i.test(text))
    return `Redis at ${server} does not answer in time: see whether it hangs, whether a firewall is in between, and whether HIVEKEEP_REDIS_URL is right.`;
  if (/EPROTO|SSL|TLS|certificate/i.test(text))
    return `TLS with Redis at ${server} fails (${text}): use rediss:// only for a server that speaks TLS, with a certificate that Node trusts (NODE_EXTRA_CA_CERTS).`;
  if (/Protocol error|ParserError/i.test(text))
    return `What listens at ${server} is not Redis: correct HIVEKEEP_REDIS_URL.`;
  if (isOutOfMemory(error))
    return `Redis at ${server} is out of memory: raise its maxmemory, or find out what else fills it.`;
  if (/LOADING/.test(text)) return `Redis at ${server} is still loading its data: wait until it has.`;
  return `Redis at ${server} cannot be used (${text}): see that it runs and that HIVEKEEP_REDIS_URL is right, with rediss:// where it wants TLS.`;
}
