/**
 * What makes two memories of one context the same: equal texts, one `metadata.key`, or statements of the same subject
 * and relation (facts.ts) or of its end (endings.ts). The last two are identities, short hashes by which the store finds
 * the present memory that has one; a text has a hash of its own, for which no index is kept. A hash only finds
 * candidates: the memories themselves are compared.
 *
 *  Identities.D1 A memory that has ended (superseded, or `valid_until` reached) is never the present one.
 *  Identities.D2 A statement supersedes only statements of whoever made it: in a hive, what another agent shared stays.
 *  Identities.D3 A repetition adds nothing: whatever a client stated beyond the text is equal too, so merging it loses
 *     nothing.
 *  Identities.D4 A statement that something is over ends what said that it was so, and has identities only if it did:
 *     what begins afterwards then ends the statement in its turn, and what goes on is not hidden by one that ended
 *     nothing.
 */
import { endingOf, type Ending } from './endings.js';
import { type Fact, factOf, speakerName } from './facts.js';
import type { Metadata } from './vocabulary.js';

/** What identities are made of; memories and the input of new ones both have it. */
export interface Statement {
  type: string;
  content: string;
  speaker?: string | null | undefined;
  shared_by?: string | null | undefined;
  sessionId?: string | null | undefined;
  occurred_at?: string | null | undefined;
  expires_at?: string | null | undefined;
  importance?: number | null | undefined;
  metadata?: Metadata | undefined;
  source?: string | null | undefined;
}

/** Texts of fewer words ("Yes.", "Thank you!") report events, and the same text again reports another. */
const fewestWords = 3;
const longestText = 4096;

/** The text without regard to case, spaces and final punctuation; null if it is too short or long to be the same. */
export function normalizedText(content: string): string | null {
  if (content.length > longestText) return null;
  const text = content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\s.!]+$/, '');
  let words = 1;
  for (let at = text.indexOf(' '); at >= 0 && words < fewestWords; at = text.indexOf(' ', at + 1)) words++;
  return words < fewestWords ? null : text;
}

/** 53 bits of a text, in base 36. */
export const shortHash = (text: string): string => hashOf(text).toString(36);

/** 53 bits of a text (the hash cyrb53). */
function hashOf(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

const keyOf = ({ metadata }: Statement): string | null => {
  const key = metadata?.['key'];
  return typeof key === 'string' && key !== '' ? key : null;
};
/**
 * A turn of a conversation has its place in the session, so it is never merged into an earlier one; what was learnt is.
 */
const mayRepeat = (s: Statement): boolean =>
  ((s.sessionId ?? null) === null || (s.source ?? null) !== null) && (s.expires_at ?? null) === null;

/**
 * A hash of the text as `normalizedText` has it, together with who shared it; null for what repeats nothing. It is
 * computed for every memory that is written, so plain ASCII is hashed in one pass.
 */
export function textHash(statement: Statement): number | null {
  if (!mayRepeat(statement) || statement.content.length > longestText) return null;
  const ascii = hashOfAscii(statement.content);
  const text = ascii === undefined ? normalizedText(statement.content) : null;
  const found = ascii === undefined ? (text === null ? null : hashOf(text)) : ascii;
  return found === null || (statement.shared_by ?? null) === null ? found : hashOf(`${statement.shared_by} ${found}`);
}

/** Null if the text has too few words; undefined if it is not plain ASCII. */
function hashOfAscii(content: string): number | null | undefined {
  let end = content.length;
  for (; end > 0; end--) {
    const c = content.charCodeAt(end - 1);
    if (c !== 0x20 && c !== 0x2e && c !== 0x21 && c !== 0x0a && c !== 0x0d && c !== 0x09) break;
  }
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  let words = 0;
  let inWord = false;
  for (let i = 0; i < end; i++) {
    let c = content.charCodeAt(i);
    if (c >= 0x80) return undefined;
    if (c <= 0x20) {
      inWord = false;
      continue;
    }
    if (!inWord) {
      inWord = true;
      if (words++ > 0) {
        a = Math.imul(a ^ 0x20, 2654435761);
        b = Math.imul(b ^ 0x20, 1597334677);
      }
    }
    if (c >= 0x41 && c <= 0x5a) c += 0x20;
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  return words < fewestWords ? null : 2097152 * (a >>> 0) + ((b >>> 0) & 2097151);
}

const factIdentity = (by: string, subject: string, relation: string): string =>
  shortHash(`fact ${by} ${relation} ${subject}`);

/** The identities that a memory is found by. */
export const identitiesOf = (statement: Statement & { supersedes?: string | null }): readonly string[] => {
  const { own, ending } = identitiesAround(statement);
  return ending && !statement.supersedes ? own.filter((identity) => !ending.identities.includes(identity)) : own;
};

export interface Identities {
  own: readonly string[];
  /** Those of the memories that it may end. */
  earlier: readonly string[];
  /** The statement ends something, which has one of these identities, or one of these hashes of its text. */
  ending?: { identities: readonly string[]; texts: readonly number[] };
}
const nothing: readonly string[] = [];
const none: Identities = { own: nothing, earlier: nothing };

/** What a statement says in the terms of facts.ts and endings.ts. */
type Told = Pick<Statement, 'content' | 'speaker'>;
const factIn = ({ content, speaker }: Told): Fact | null => factOf(content, speaker ?? null);
const endingIn = ({ content, speaker }: Told): Ending | null => endingOf(content, speaker ?? null);
export const tellsAnEnd = (statement: Told): boolean => endingIn(statement) !== null;

/** The identities of a new statement, and those of the memories that it may end. */
export function identitiesAround(statement: Statement): Identities {
  const key = keyOf(statement);
  const fact = factIn(statement);
  const ending = fact === null ? endingIn(statement) : null;
  if (key === null && fact === null && ending === null) return none;
  const by = statement.shared_by ?? '';
  const keyed = key === null ? [] : [shortHash(`key ${by} ${key}`)];
  if (ending !== null) {
    const identities = ending.facts.map(({ subject, relation }) => factIdentity(by, subject, relation));
    const own = [...keyed, ...identities];
    const texts = ending.texts.map((content) => textHash({ ...statement, content })).filter((hash) => hash !== null);
    return { own, earlier: own, ending: { identities, texts } };
  }
  if (fact === null) return { own: keyed, earlier: keyed };
  const own = [...keyed, factIdentity(by, fact.subject, fact.relation)];
  if (fact.adds) return { own, earlier: keyed };
  return fact.ends.length === 0
    ? { own, earlier: own }
    : { own, earlier: [...own, ...fact.ends.map((relation) => factIdentity(by, fact.subject, relation))] };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Identities.D3. */
export function repeats(memory: Statement, statement: Statement): boolean {
  const text = mayRepeat(memory) && mayRepeat(statement) ? normalizedText(statement.content) : null;
  return (
    text !== null &&
    text === normalizedText(memory.content) &&
    memory.type === statement.type &&
    same(memory.shared_by, statement.shared_by) &&
    same(memory.speaker, statement.speaker) &&
    same(memory.importance, statement.importance) &&
    (statement.occurred_at ?? null) === null &&
    same(memory.metadata ?? {}, statement.metadata ?? {})
  );
}

/** Whether the statement is about what the memory is about, so that the later of the two ends the other. */
export function concerns(memory: Statement, statement: Statement): boolean {
  if (!same(memory.shared_by, statement.shared_by)) return false; // Identities.D2
  const key = keyOf(statement);
  if (key !== null && key === keyOf(memory)) return true;
  const fact = factIn(statement);
  if (fact === null) return endsWhat(memory, statement);
  if (fact.adds) return false;
  const relations = [fact.relation, ...fact.ends];
  const before = factIn(memory);
  if (before !== null) return before.subject === fact.subject && relations.includes(before.relation);
  const over = endingIn(memory)?.facts ?? [];
  return over.some(({ subject, relation }) => subject === fact.subject && relations.includes(relation));
}

/** Whether the statement says that what the memory says is over (Identities.D4). */
export function endsWhat(memory: Told, statement: Told): boolean {
  const ending = endingIn(statement);
  if (ending === null) return false;
  // the same words of somebody else say something else
  const text = sameSpeaker(memory, statement) ? normalizedText(memory.content) : null;
  if (text !== null && ending.texts.some((was) => normalizedText(was) === text)) return true;
  const before = factIn(memory);
  if (before === null || !ending.facts.some((f) => f.subject === before.subject && f.relation === before.relation))
    return false;
  return ending.value === null || names(before.value, ending.value);
}

const sameSpeaker = (a: Told, b: Told): boolean => speakerName(a.speaker ?? null) === speakerName(b.speaker ?? null);

/** Whether a value has this name, or begins with it: "Acme in Berlin" is Acme. */
const names = (value: string, name: string): boolean => {
  const bare = (text: string): string => text.replace(/^the /, '');
  return `${bare(value)} `.startsWith(`${bare(name)} `);
};

const closing = new Set(' \t\n\r.!?');

/**
 * A text without the spaces and marks at its end. It takes linear time, which a pattern for a run at the end does not.
 */
export function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && closing.has(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A text without what makes no difference to what it says: case, spaces, and the marks at its end. */
export const wordingOf = (text: string): string => withoutClosing(text.toLowerCase().replace(/\s+/g, ' ')).trim();
