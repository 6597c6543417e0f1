/**
 * Recall as docs/recall.md says it, without an index and without passing over anything: what the real one is compared
 * with.
 */
import type { RecallDocument, RecallQuery } from '../../../../src/memory/port.js';
import { weights } from '../../../../src/memory/features.js';
import { dateMatch, formOf } from '../../../../src/memory/query-form.js';
import { timeOf, compareAge } from '../../../../src/memory/recency.js';
import { tokenize } from '../../../../src/memory/tokenizer.js';
import {
  ASKS,
  ENDS_ASKING,
  nameKey,
  SAYS_I,
  SAYS_YOU,
  TELLS_NUMBER,
  TELLS_TIME,
  traitsOf,
} from '../../../../src/memory/traits.js';

export interface NaiveHit {
  kind: string;
  id: string;
  relevance: number;
  score: number;
}

interface Counted {
  doc: RecallDocument;
  counts: Map<string, number>;
  length: number;
  speaker: string | null;
  bits: number;
  said: number;
}

type Query = Omit<RecallQuery, 'contexts'>;

function countTerms(...texts: string[]): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  for (const text of texts)
    tokenize(text, (t) => {
      length++;
      counts.set(t, (counts.get(t) ?? 0) + 1);
    });
  return { counts, length };
}

const counted = (doc: RecallDocument): Counted => ({
  doc,
  ...countTerms(doc.speaker ?? '', doc.content),
  ...traitsOf(doc.content, doc.speaker),
  said: doc.occurredAt ?? timeOf(doc.id),
});

const newestFirst = (a: { id: string }, b: { id: string }): number =>
  compareAge(timeOf(b.id), b.id, timeOf(a.id), a.id);
const inTenThousandths = (value: number): number => Math.round(value * 10_000 - 1e-6) / 10_000;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const othersOf = ({ also = '' }: Query, terms: readonly string[]): string[] =>
  [...countTerms(also).counts.keys()].filter((t) => !terms.includes(t));

export function naiveSearch(documents: readonly RecallDocument[], query: Query): NaiveHit[] {
  const all = documents.map(counted);
  const terms = [...countTerms(query.query).counts.keys()];
  const speaker = query.speaker === undefined ? null : nameKey(query.speaker);
  const passes = (d: Counted): boolean =>
    (d.doc.expiresAt === null || d.doc.expiresAt > query.now) &&
    isSo(d, query) &&
    (d.doc.kind !== 'turn' || timeOf(d.doc.id) >= (query.turnsSince ?? -Infinity)) &&
    (!query.types || query.types.includes(d.doc.type)) &&
    (speaker === null || d.speaker === speaker) &&
    d.said >= (query.from ?? -Infinity) &&
    d.said < (query.until ?? Infinity);
  const scores =
    terms.length === 0 && othersOf(query, terms).length === 0
      ? all.map((d) => ({ d, relevance: 0.05, score: 0.05 }))
      : scoresOf(all, terms, query);
  return scores
    .filter(({ d, relevance }) => passes(d) && relevance >= query.minRelevance - 1e-9)
    .map(({ d, relevance, score }) => ({ kind: d.doc.kind, id: d.doc.id, relevance, score }))
    .sort((a, b) => b.score - a.score || newestFirst(a, b))
    .slice(0, query.limit);
}

const window = [
  [-4, 0.2],
  [-3, 0.3],
  [-2, 0.5],
  [-1, 0.8],
  [0, 1],
  [1, 0.6],
  [2, 0.4],
] as const;

/** Whether what it says is so now, or was so and had been said at the time that is asked for. */
const isSo = ({ doc: { superseded, validUntil }, said }: Counted, { asOf, now, superseded: all }: Query): boolean =>
  asOf === undefined
    ? all === true || (superseded !== true && (validUntil ?? Infinity) > now)
    : said <= asOf && (validUntil ?? Infinity) > asOf;

interface Session {
  members: Counted[];
  /** In order. */
  line: Counted[];
}

function sessionsOf(all: readonly Counted[]): Map<Counted, Session> {
  const out = new Map<Counted, Session>();
  for (const d of all) {
    const members = d.doc.sessionId === null ? [d] : all.filter((o) => o.doc.sessionId === d.doc.sessionId);
    const line = [...members].sort(
      (a, b) => (a.doc.position ?? 1e9) - (b.doc.position ?? 1e9) || -newestFirst(a.doc, b.doc),
    );
    out.set(d, { members, line });
  }
  return out;
}

function scoresOf(
  all: readonly Counted[],
  terms: readonly string[],
  query: Query,
): { d: Counted; relevance: number; score: number }[] {
  const sessions = sessionsOf(all);
  const alive = ({ doc }: Counted): boolean => doc.expiresAt === null || doc.expiresAt > query.now;
  const tf = (d: Counted, term: string): number => (alive(d) ? Math.min(255, d.counts.get(term) ?? 0) : 0);
  const total = sum(all.map((d) => d.length));
  const groups =
    all.filter((d) => d.doc.sessionId === null).length +
    new Set(all.map((d) => d.doc.sessionId).filter((s) => s !== null)).size;
  const weight = (df: number): number => Math.log(1 + (all.length + 50 - df + 0.5) / (df + 0.5));
  const others = othersOf(query, terms);
  const df = new Map([...terms, ...others].map((t) => [t, all.filter((d) => d.counts.has(t)).length]));
  const ideal = sum(
    (terms.length > 0 ? terms : ['unknown'])
      .map((t) => weight(df.get(t) || 1))
      .sort((a, b) => b - a)
      .slice(0, 8),
  );
  const rarest = (some: readonly string[]): string[] =>
    some.filter((t) => df.get(t)).sort((a, b) => (df.get(a) ?? 0) - (df.get(b) ?? 0));
  const known = [...rarest(terms).slice(0, 32), ...rarest(others)].slice(0, 32);
  const rarity = new Map(
    known.map((t) => {
      const saying = new Set(all.filter((d) => tf(d, t) > 0).map((d) => d.doc.sessionId ?? d)).size;
      return [t, Math.log(1 + (groups + 5 - saying + 0.5) / (saying + 0.5))];
    }),
  );
  const neighbours = (d: Counted): [Counted, number][] => {
    const { line } = sessions.get(d) as Session;
    const at = line.indexOf(d);
    return window.flatMap(([offset, share]): [Counted, number][] => {
      const other = line[at + offset];
      return other ? [[other, share]] : [];
    });
  };
  const windowLength = (d: Counted): number => sum(neighbours(d).map(([o, share]) => share * o.length));
  const bm25 = (
    tfOf: (term: string) => number,
    idf: (term: string) => number,
    length: number,
    average: number,
    k1 = 0.9,
    b = 0.4,
  ): number =>
    sum(
      known.map((t) => {
        const times = tfOf(t);
        const norm = k1 * (1 - b + b * Math.min(8, length / Math.max(1, average)));
        return times === 0 ? 0 : (idf(t) * (k1 + 1) * times) / (times + norm);
      }),
    ) / ideal;
  const idf = (t: string): number => weight(df.get(t) ?? 0) * (terms.includes(t) ? 1 : 0.7);
  const averageWindow = sum(all.map(windowLength)) / all.length;
  const own = (d: Counted): number => bm25((t) => tf(d, t), idf, d.length, total / all.length);
  const near = (d: Counted): number =>
    bm25((t) => sum(neighbours(d).map(([o, share]) => share * tf(o, t))), idf, windowLength(d), averageWindow);
  const whole = (d: Counted): number => {
    const { members } = sessions.get(d) as Session;
    const length = sum(members.map((m) => m.length));
    return bm25(
      (t) => sum(members.map((m) => tf(m, t))),
      (t) => rarity.get(t) ?? 0,
      length,
      total / groups,
      1.2,
      0.75,
    );
  };
  const form = formOf(query.query);
  const speakers = new Set(
    all.flatMap((d) => (d.speaker !== null && form.names().includes(d.speaker) ? [d.speaker] : [])),
  );
  const named = speakers.size === 1 ? [...speakers][0] : undefined;

  return all.flatMap((d) => {
    const values = { own: own(d), near: near(d), session: whole(d) };
    if (values.near === 0) return [];
    const { line } = sessions.get(d) as Session;
    const before = line[line.indexOf(d) - 1];
    const gate = Math.min(1, values.own + values.near);
    const features = {
      ...values,
      answer: before && before.bits & ENDS_ASKING ? own(before) : 0,
      speaker: named !== undefined && d.speaker === named ? gate : 0,
      asks: d.bits & ASKS ? 1 : 0,
      length: Math.log(1 + Math.min(100, d.length)),
      me: d.bits & SAYS_I ? 1 : 0,
      you: d.bits & SAYS_YOU ? 1 : 0,
      opens: d.doc.sessionId !== null && !before ? 1 : 0,
      whenTime: form.asksWhen && d.bits & TELLS_TIME ? gate : 0,
      many: form.asksHowMany && d.bits & TELLS_NUMBER ? gate : 0,
      date: form.date ? (0.3 + gate) * dateMatch(form.date, d.said) : 0,
      rare: known.some((t) => (df.get(t) ?? 0) <= 2 && d.counts.has(t) && idf(t) >= 0.35 * ideal) ? 1 : 0,
      importance: (d.doc.importance ?? 0.5) - 0.5,
      recency: 2 ** (-Math.max(0, query.now - d.said) / (30 * 86_400_000)),
    };
    const score = sum(Object.entries(features).map(([name, value]) => weights[name as keyof typeof weights] * value));
    const match = (values.own + values.near) / 2;
    const relevance = match <= 0.75 ? match : 1 - 0.25 * Math.exp((0.75 - match) / 0.25);
    return [{ d, score: inTenThousandths(score), relevance: Math.max(1e-4, inTenThousandths(relevance)) }];
  });
}
