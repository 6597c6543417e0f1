/**
 * Interprets the driver's errors: what they mean for a write, and a sentence that says what to do. No sentence contains
 * a password: sentences are made of hosts, codes and the server's replies, and the URL's password is removed from them.
 */
import {
  MongoBulkWriteError,
  MongoClientBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  type WriteError,
} from 'mongodb';
import { StoreError } from '../port.js';

export const duplicateKey = 11000;

/**
 * Codes that say nothing about the write itself, or that last only until the server has recovered: the write may have
 * taken effect, and may be sent again. A mongos relays some of them from shards, also as the error of a single write.
 */
const transientCodes: ReadonlyMap<unknown, string> = new Map([
  [6, 'HostUnreachable'],
  [7, 'HostNotFound'],
  [43, 'CursorNotFound'],
  [50, 'MaxTimeMSExpired'],
  [64, 'WriteConcernFailed'],
  [89, 'NetworkTimeout'],
  [91, 'ShutdownInProgress'],
  [100, 'UnsatisfiableWriteConcern'],
  [112, 'WriteConflict'],
  [133, 'FailedToSatisfyReadPreference'],
  [134, 'ReadConcernMajorityNotAvailableYet'],
  [189, 'PrimarySteppedDown'],
  [202, 'NetworkInterfaceExceededTimeLimit'],
  [237, 'CursorKilled'],
  [262, 'ExceededTimeLimit'],
  [365, 'TemporarilyUnavailable'],
  [384, 'ConnectionPoolExpired'],
  [462, 'IngressRequestRateLimitExceeded'],
  [9001, 'SocketException'],
  [10058, 'LegacyNotPrimary'],
  [10107, 'NotWritablePrimary'],
  [11600, 'InterruptedAtShutdown'],
  [11601, 'Interrupted'],
  [11602, 'InterruptedDueToReplStateChange'],
  [13435, 'NotPrimaryNoSecondaryOk'],
  [13436, 'NotPrimaryOrSecondary'],
]);
const fullCodes: ReadonlySet<unknown> = new Set([14031 /* OutOfDiskSpace */, 12501 /* quota */]);
const loginCodes: ReadonlySet<unknown> = new Set([18 /* AuthenticationFailed */]);
const rightsCodes: ReadonlySet<unknown> = new Set([13 /* Unauthorized */]);
const credentials = /Authentication failed|auth(?:entication)? failed|bad auth/i;

/** The driver wraps errors that affect a whole bulk write. */
const inner = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? inner(error.errorResponse) : error;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The writes of a bulk that the server reported as failed. Null if its answer was lost or is not final: a mongos also
 * reports a write of which it lost the shard's answer.
 */
export function writeErrors(error: unknown): WriteError[] | null {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return null;
  const errors = [error.writeErrors].flat();
  return errors.length > 0 && !errors.some(({ code }) => transientCodes.has(code)) ? errors : null;
}

export function isTransient(wrapped: unknown): boolean {
  const error = inner(wrapped);
  if (error instanceof MongoBulkWriteError && error.result.getWriteConcernError()) return true;
  if (error instanceof MongoBulkWriteError && [error.writeErrors].flat().some(({ code }) => transientCodes.has(code)))
    return true;
  if (credentials.test(messageOf(error))) return false;
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    isQueueTimeout(error) ||
    transientCodes.has(codeOf(error))
  );
}

/** No connection of the pool became free in time. The driver does not export the class. */
const isQueueTimeout = (error: unknown): boolean =>
  error instanceof MongoError && error.name === 'MongoWaitQueueTimeoutError';

/** Whether the server has answered that it does not do what was asked, apart from what single writes have met. */
export function isRefusal(error: unknown): boolean {
  const cause = error instanceof MongoClientBulkWriteError && error.writeErrors.size === 0 ? error.cause : error;
  return cause instanceof MongoServerError && !(cause instanceof MongoClientBulkWriteError) && !isTransient(cause);
}

export const closed = (): StoreError =>
  new StoreError('closed', 'The store is closed. Start the service again to use it.');

/** The host:port of the servers that a URL names, and its database, but never its credentials. */
export function serversOfUrl(url: string): string {
  const [, hosts = '', rest = ''] = /^mongodb(?:\+srv)?:\/\/(?:[^/?]*@)?([^/?]*)(\/[^?]*)?/.exec(url) ?? [];
  return hosts === '' ? 'an address that is no URL' : rest.length > 1 ? `${hosts}${rest}` : hosts;
}

/** The driver's message without the user's password. */
function scrubbed(text: string, url: string): string {
  const [, userInfo = ''] = /^mongodb(?:\+srv)?:\/\/([^/?]*)@/.exec(url) ?? [];
  const password = userInfo.slice(userInfo.indexOf(':') + 1);
  let clean = text;
  for (const secret of [userInfo, password, plain(password)])
    if (secret.length > 0) clean = clean.replaceAll(secret, '[password]');
  return clean.replace(/\s+/g, ' ').replace(/\.$/, '');
}

function plain(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return '';
  }
}

/** A sentence that says what is wrong with the server or the URL, and what to do about it. */
export function sentence(wrapped: unknown, url: string): string {
  const error = inner(wrapped);
  const where = `MongoDB at ${serversOfUrl(url)}`;
  const text = scrubbed(messageOf(error), url);
  const code = codeOf(error);
  if (loginCodes.has(code) || credentials.test(text))
    return `${where} refuses the credentials: correct user and password in HIVEKEEP_MONGODB_URL, and authSource where the user stands in another database.`;
  if (rightsCodes.has(code) || /not authorized|requires authentication/i.test(text))
    return `${where} does not let this user do what is needed (${text}): give the user of HIVEKEEP_MONGODB_URL the role readWrite on the database.`;
  if (fullCodes.has(code))
    return `The disk of ${where} is full; nothing of this write was kept. Free some space: reads work, and writes do again as soon as there is room.`;
  if (error instanceof MongoParseError)
    return `HIVEKEEP_MONGODB_URL is not of the form mongodb://user:password@host:port/database (${text}): correct it.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return `The host of ${where} has no address: correct HIVEKEEP_MONGODB_URL.`;
  if (/ECONNREFUSED/.test(text))
    return `Nothing listens at ${serversOfUrl(url)}: start MongoDB there, or correct HIVEKEEP_MONGODB_URL.`;
  if (/SSL|TLS|certificate/i.test(text))
    return `TLS with ${where} fails (${text}): use tls=true only for a server that speaks TLS, with a certificate that Node trusts (NODE_EXTRA_CA_CERTS).`;
  if (isQueueTimeout(error))
    return `All connections to ${where} were busy for too long: see whether it is slow, or raise maxPoolSize in HIVEKEEP_MONGODB_URL.`;
  if (error instanceof MongoServerSelectionError || /timed out|timeout/i.test(text))
    return `${where} does not answer in time (${text}): see whether it runs, has a primary, and can be reached from here.`;
  return `${where} could not be read or written (${text}): look at its log, and see that HIVEKEEP_MONGODB_URL is right.`;
}

export function toStoreError(error: unknown, url: string): StoreError {
  if (error instanceof StoreError) return error;
  const cause = inner(error);
  if (cause instanceof MongoClientClosedError || cause instanceof MongoTopologyClosedError) return closed();
  return fullCodes.has(codeOf(cause))
    ? new StoreError('full', sentence(cause, url), {
        cause,
        forClients: 'the store has no room left; reads work, and writes do again when there is room',
      })
    : new StoreError('io', sentence(cause, url), {
        cause,
        forClients: 'the store cannot be reached now',
        // A host without an address counts: its name may yet be made.
        away: isTransient(cause) && !/SSL|TLS|certificate/i.test(messageOf(cause)),
      });
}

const inTime = 'the store did not answer in time; what was asked may have taken effect';

export const unknownOutcome = (url: string, cause?: unknown): StoreError =>
  new StoreError(
    'unknown',
    `Whether a commit took effect could not be found out from MongoDB at ${serversOfUrl(url)} in time: load the entity again before anything is decided on it.`,
    { cause, forClients: inTime },
  );

export const unfinished = (url: string, cause?: unknown): StoreError =>
  new StoreError(
    'unknown',
    `A commit took effect in MongoDB at ${serversOfUrl(url)}, but its documents could not be written in time: the next load of the entity finishes it.`,
    { cause, forClients: inTime },
  );
