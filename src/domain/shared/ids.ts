/**
 * Ids have the form `<prefix>_<10 characters of time><2 of a counter><14 random>` in lower-case Crockford base 32, so
 * ids of one kind sort by creation time. A list by creation is therefore a list by id and needs no index of its own.
 * The counter orders the ids that one decision makes, which share one time and are made without interruption.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export const idPrefixes = {
  agent: 'agent',
  hive: 'hive',
  memory: 'mem',
  run: 'run',
  message: 'msg',
  thought: 'tht',
  checkpoint: 'ckpt',
  token: 'tok',
  key: 'key',
  workspace: 'ws',
  session: 'sess',
  outbox: 'out',
  audit: 'aud',
  schedule: 'sched',
  webhook: 'wh',
  block: 'block',
} as const;
export type IdKind = keyof typeof idPrefixes;

/** Whether the text has the form of an id of this kind, regardless of whether such an object exists. */
export const isIdOf = (kind: IdKind, text: string): boolean =>
  text.startsWith(`${idPrefixes[kind]}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(idPrefixes[kind].length + 1));

/** The id of a run's first journal entry. It differs by its prefix only, so that each can be found from the other. */
export const firstEntryId = (run: string): string => idPrefixes.checkpoint + run.slice(idPrefixes.run.length);

/** The session of a run that opens one which nobody has named. The store need not note what the two ids tell. */
export const ownSessionId = (run: string): string => idPrefixes.session + run.slice(idPrefixes.run.length);

/** Makes ids; `at` is the entity's clock in ms. It is a parameter so that tests get predictable ids. */
export type IdSource = (kind: IdKind, at: number) => string;

export function encodeTime(ms: number): string {
  let out = '';
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) out = alphabet.charAt(rest % 32) + out;
  return out;
}

/**
 * Every id of this kind that was made at `at` (ms) or later sorts at or after this text, and every earlier one before.
 */
export const idsFrom = (kind: IdKind, at: number): string =>
  `${idPrefixes[kind]}_${encodeTime(Math.max(0, Math.floor(at)))}`;

/** The time and the counter of an id, as one number. */
const startLength = 12;

/** The time and the counter of an id as a number that grows with them; 0 for an id of another form. */
export function startOfId(id: string): number {
  const from = id.indexOf('_') + 1;
  if (from === 0 || id.length < from + startLength) return 0;
  let start = 0;
  for (let i = from; i < from + startLength; i++) {
    const digit = alphabet.indexOf(id.charAt(i));
    if (digit < 0) return 0;
    start = start * 32 + digit;
  }
  return Number.isSafeInteger(start) ? start : 0;
}

/** With what the ids of this kind begin whose `startOfId` this is. */
export function idStart(kind: IdKind, start: number): string {
  const counter = start % 1024;
  return `${idsFrom(kind, (start - counter) / 1024)}${alphabet.charAt(counter >> 5)}${alphabet.charAt(counter & 31)}`;
}

const random = 14;
const mostInOrder = 32 * 32 - 1;

/**
 * An id source over a source of random bytes, which is read in blocks because a call for 14 bytes costs as much as one
 * for 4096.
 */
export function idSource(randomBytes: (n: number) => Uint8Array): IdSource {
  let block = randomBytes(4096);
  let used = 0;
  let lastMs = -1;
  let lastTime = '';
  let count = 0;
  return (kind, at) => {
    if (used + random > block.length) {
      block = randomBytes(4096);
      used = 0;
    }
    if (at === lastMs) count = Math.min(count + 1, mostInOrder);
    else {
      lastMs = at;
      lastTime = encodeTime(at);
      count = 0;
    }
    let rest = alphabet.charAt(count >> 5) + alphabet.charAt(count & 31);
    for (const end = used + random; used < end; used++) rest += alphabet.charAt((block[used] ?? 0) & 31);
    return `${idPrefixes[kind]}_${lastTime}${rest}`;
  };
}

/**
 * Whether a URL's path can have it as a segment. Clients and proxies resolve `.` and `..` as steps in the path, also
 * percent-encoded, so that a request for something of this name would reach another resource.
 */
export const isSegment = (name: string): boolean => name !== '.' && name !== '..';
export const notASegment = 'must not be "." or "..", which no path can name';

/** The time in an id, in milliseconds; 0 for an id of another format. */
export const timeOfId = (id: string): number => Math.floor(startOfId(id) / 1024);

/**
 * Positive if document `a` is newer than `b`, negative if it is older, and 0 only for equal ids. It reads the ids alone,
 * so that an index built from the store has the order of one that received the writes, and memories and messages are
 * ordered together by time.
 */
export function compareAge(a: string, b: string): number {
  const [ofA, ofB] = [a.slice(a.indexOf('_') + 1), b.slice(b.indexOf('_') + 1)];
  return ofA === ofB ? compareTexts(a, b) : compareTexts(ofA, ofB);
}

const compareTexts = (a: string, b: string): number => (a > b ? 1 : a < b ? -1 : 0);
