/**
 * Parsers of single settings: text in, value out, or `Bad` with what was expected. They never repeat their input,
 * because it may be a secret.
 */
import { isIP, isIPv6 } from 'node:net';
import { parseUrl } from '../domain/shared/text-forms.js';

/**
 * The reason for refusing a value; it completes "HIVEKEEP_X ...", for example "must be a whole number from 1 to 100".
 */
export class Bad {
  constructor(readonly expected: string) {}
}

export type Parse<T> = (text: string) => T | Bad;

export const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const n = Number(text);
    return /^\d+$/.test(text) && n >= min && n <= max ? n : new Bad(`must be a whole number from ${min} to ${max}`);
  };

const decimal =
  (unit: string) =>
  (min: number, max: number): Parse<number> =>
  (text) => {
    const n = Number(text);
    return /^\d+(\.\d+)?$/.test(text) && n >= min && n <= max
      ? n
      : new Bad(`must be a number of ${unit} from ${min} to ${max}`);
  };
/** Decimals are allowed, for example 0.5. */
export const secondsSetting = decimal('seconds');
export const days = decimal('days');

export const oneOf =
  <const T extends string | number>(...values: readonly T[]): Parse<T> =>
  (text) =>
    values.find((v) => String(v) === text) ?? new Bad(`must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);

export const nonEmpty: Parse<string> = (text) => text;

/** `off`, or the name of a model server and a model of it. */
export const embeddingModel: Parse<string> = (text) =>
  /^(?:off|[a-z][a-z0-9-]{0,31}\/\S+)$/.test(text)
    ? text
    : new Bad('must be off, or <server>/<model>, such as openai/text-embedding-3-small');

/** A bind address or host name, without port or brackets. */
export const host: Parse<string> = (text) =>
  isIP(text) || isHostname(text) ? text : new Bad('must be an IP address or a host name, without a port');

/** http or https, without credentials, query or fragment. Returns it without a trailing slash. */
export const webUrl: Parse<string> = (text) => {
  const url = parseUrl(text);
  const fine = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  return fine
    ? url.href.replace(/\/+$/, '')
    : new Bad('must be an http or https URL without credentials, query or fragment');
};

/** The name of an authorization server, which is compared to the letter: a slash at its end stays. */
export const issuer: Parse<string> = (text) => {
  const url = webUrl(text);
  return url instanceof Bad ? url : text;
};

/** Ids, or `claim:<name>`. */
export const valueOrClaim: Parse<string> = (text) =>
  /^(?:claim:\S+|[\w-]+(?:\s*,\s*[\w-]+)*)$/.test(text)
    ? text
    : new Bad('must be an id, or claim:<name> for the claim of an access token that has it');

/** A key chosen by an operator: it must fit an Authorization header and be too long to guess. */
export const rootKey: Parse<string> = (text) =>
  /^svc_live_[A-Za-z0-9._~-]+$/.test(text) && text.length >= 32
    ? text
    : new Bad(
        'must start with svc_live_, go on with letters, digits, ".", "_", "~" or "-", and have 32 characters or more',
      );

/** One or more keys, separated by commas or line breaks, the current one first. */
export const secretKeys: Parse<readonly string[]> = (text) => {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  return keys.length > 0 && keys.every((key) => key.length >= 32)
    ? keys
    : new Bad(
        'must have 32 characters or more and no spaces, such as what "openssl rand -hex 32" prints; earlier keys may follow, separated by commas',
      );
};

/** A secret for an Authorization header, too long to guess. */
export const accessToken: Parse<string> = (text) =>
  /^[A-Za-z0-9._~+/=-]{16,512}$/.test(text)
    ? text
    : new Bad('must have 16 to 512 characters, of letters, digits and ".", "_", "~", "+", "/", "=", "-"');

const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Addresses and networks, separated by commas. The three names that express knows are expanded to networks. */
export const networks: Parse<readonly string[]> = (text) => {
  const entries = list(text).flatMap((entry) => namedNetworks[entry] ?? [entry]);
  return entries.every(isNetwork)
    ? entries
    : new Bad(
        'must be a list, separated by commas, of IP addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
      );
};

/** `host` or `host:port` ([v6]:port), separated by commas, converted to lower case. */
export const hostPorts: Parse<readonly string[]> = (text) => {
  const entries = list(text.toLowerCase());
  return entries.every(isHostPort) ? entries : new Bad('must be a list, separated by commas, of host or host:port');
};

/** Origins in the form that browsers send, or `*` alone. */
export const origins: Parse<readonly string[]> = (text) => {
  const entries = list(text);
  return entries.every((entry) =>
    entry === '*' ? entries.length === 1 : /^https?:\/\/[^*]+$/.test(entry) && parseUrl(entry)?.origin === entry,
  )
    ? entries
    : new Bad(
        'must be a list, separated by commas, of origins such as https://app.example.com (scheme, host in lower case, port unless it is the usual one, and no slash at the end), or *',
      );
};

const list = (text: string): string[] =>
  text
    .split(',')
    .map((s) => s.trim())
    .filter((s) => s !== '');

const isHostname = (text: string): boolean =>
  text.length <= 253 &&
  !/^[\d.]+$/.test(text) &&
  text.split('.').every((l) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/i.test(l));

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

export function isHostPort(entry: string): boolean {
  if (isIP(entry)) return true;
  const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(entry);
  if (!parts?.[1]) return false;
  const name = parts[1];
  const port = parts[2] === undefined ? 1 : Number(parts[2]);
  return (
    port >= 1 &&
    port <= 65535 &&
    (name.startsWith('[') ? isIPv6(name.slice(1, -1)) : isIP(name) !== 0 || isHostname(name))
  );
}
