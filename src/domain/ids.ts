/**
 * Ids: `<prefix>_<10 characters of time><16 random>`, Crockford base 32 in lower case, so ids of one kind sort by the
 * time they were made. A list by creation is therefore a list by id, and needs no index of its own.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export const idPrefixes = {
  agent: 'agent', hive: 'hive', memory: 'mem', run: 'run', message: 'msg', thought: 'tht', checkpoint: 'ckpt',
  token: 'tok', key: 'key', workspace: 'ws', session: 'sess', outbox: 'out',
} as const;
export type IdKind = keyof typeof idPrefixes;

/** Makes ids; `at` is the entity's clock in ms. Passed in, so that tests know what they get. */
export type IdSource = (kind: IdKind, at: number) => string;

export function encodeTime(ms: number): string {
  let out = '';
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) out = alphabet.charAt(rest % 32) + out;
  return out;
}

/** An id source over a source of random bytes, which is read in blocks because a call for 16 bytes costs as much as one for 4096. */
export function idSource(randomBytes: (n: number) => Uint8Array): IdSource {
  let block = randomBytes(4096), used = 0, lastMs = -1, lastTime = '';
  return (kind, at) => {
    if (used + 16 > block.length) { block = randomBytes(4096); used = 0; }
    let random = '';
    for (let end = used + 16; used < end; used++) random += alphabet.charAt((block[used] ?? 0) & 31);
    if (at !== lastMs) { lastMs = at; lastTime = encodeTime(at); }
    return `${idPrefixes[kind]}_${lastTime}${random}`;
  };
}
