/**
 * Parsers for the URLs of the servers of a cluster. They contain passwords, so no message repeats them, and they are
 * checked only enough to catch an operator's slip; `doctor` checks them against the servers.
 *
 * MongoDB's URLs name several hosts at once, which the platform's URL parser does not support.
 */
import { parseUrl } from '../domain/shared/text-forms.js';
import { Bad, isHostPort, type Parse } from './parse.js';

const badMongo = new Bad(
  'must be a URL such as mongodb://user:password@host:27017/hivekeep, or mongodb+srv://..., in which special characters of user and password are written as %40 and the like',
);
const badRedis = new Bad(
  'must be a URL such as redis://:password@host:6379, or rediss://..., in which special characters of the password are written as %40 and the like, or several of them, separated by commas, without a database number',
);

/** scheme, then optionally `user[:password]@`, then hosts, database and options */
const mongoShape =
  /^mongodb(\+srv)?:\/\/(?:([^:@/?#]+)(?::([^:@/?#]*))?@)?([^@/?#]+)(?:\/([^/\\?#. "$]*))?(?:\?([^#\s]*))?$/;

/** Options that the promises of docs/cluster.md rest on, each with the only value that keeps them. */
const promised = ['w=majority', 'journal=true', 'j=true', 'readConcernLevel=majority', 'readPreference=primary'];

export const mongodbUrl: Parse<string> = (text) => {
  const [, srv, user = '', password = '', hosts = '', , options] = mongoShape.exec(text) ?? [];
  for (const [name, value] of new URLSearchParams(options)) {
    const kept = promised.find((option) => option.toLowerCase().startsWith(`${name.toLowerCase()}=`));
    if (kept !== undefined && kept !== `${kept.split('=')[0]}=${value}`)
      return new Bad(
        `must not set the option ${kept.split('=')[0]} to anything else than ${kept}: what is acknowledged is on the disks of the majority, and reads show that and nothing older`,
      );
  }
  const names = hosts.split(',');
  const fine =
    srv === undefined ? names.every(isHostPort) : names.length === 1 && !hosts.includes(':') && isHostPort(hosts);
  return fine && isEscaped(user) && isEscaped(password) ? text : badMongo;
};

/** One URL, or several for a Redis Cluster. Returns it without spaces. */
export const redisUrl: Parse<string> = (text) => {
  const urls = text.split(',').map((part) => part.trim());
  const fine =
    urls.every((url) => isRedisUrl(url, urls.length > 1)) && new Set(urls.map((url) => url.split(':')[0])).size === 1;
  return fine ? urls.join(',') : badRedis;
};

function isRedisUrl(text: string, inCluster: boolean): boolean {
  const url = parseUrl(text);
  return (
    url !== null &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.hash === '' &&
    isEscaped(url.password) &&
    (inCluster ? /^\/?$/ : /^\/?\d*$/).test(url.pathname)
  );
}

function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
