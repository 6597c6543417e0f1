/** Recall as its documentation says it, without an index: what the real one is compared with. */
import type { RecallDocument, RecallQuery } from '../../../../src/memory/port.js';
import { timeOf, compareAge } from '../../../../src/memory/recency.js';
import { tokenize } from '../../../../src/memory/tokenizer.js';

export interface NaiveHit {
  kind: string;
  id: string;
  relevance: number;
}

interface Counted {
  doc: RecallDocument;
  counts: Map<string, number>;
  length: number;
}

function countTerms(text: string): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  tokenize(text, (t) => {
    length++;
    counts.set(t, (counts.get(t) ?? 0) + 1);
  });
  return { counts, length };
}

const newestFirst = (a: { id: string }, b: { id: string }): number =>
  compareAge(timeOf(b.id), b.id, timeOf(a.id), a.id);

export function naiveSearch(documents: readonly RecallDocument[], query: Omit<RecallQuery, 'contexts'>): NaiveHit[] {
  const all: Counted[] = documents.map((doc) => ({ doc, ...countTerms(doc.content) }));
  const terms = [...countTerms(query.query).counts.keys()];
  const alive = (d: RecallDocument): boolean => d.expiresAt === null || d.expiresAt > query.now;
  const scores = terms.length === 0 ? new Map(documents.map((d) => [d, 0.05])) : relevances(all, terms, alive);
  return [...scores]
    .filter(([d, r]) => alive(d) && r >= query.minRelevance - 1e-9 && (!query.types || query.types.includes(d.type)))
    .map(([d, relevance]) => ({ kind: d.kind, id: d.id, relevance }))
    .sort((a, b) => b.relevance - a.relevance || newestFirst(a, b))
    .slice(0, query.limit);
}

function relevances(
  all: readonly Counted[],
  terms: readonly string[],
  alive: (d: RecallDocument) => boolean,
): Map<RecallDocument, number> {
  const weight = (df: number): number => Math.log(1 + (all.length + 50 - df + 0.5) / (df + 0.5));
  const df = new Map(terms.map((t) => [t, all.filter((d) => d.counts.has(t)).length]));
  const average = Math.max(1, all.reduce((sum, d) => sum + d.length, 0) / Math.max(1, all.length));
  const weights = terms.map((t) => weight(df.get(t) || 1)).sort((a, b) => b - a);
  const best = weights.slice(0, 8).reduce((a, b) => a + b, 0);
  const known = terms
    .filter((t) => df.get(t))
    .sort((a, b) => (df.get(a) ?? 0) - (df.get(b) ?? 0))
    .slice(0, 32);
  const own = new Map(
    all.map((d) => {
      let score = 0;
      for (const t of known) {
        const tf = Math.min(255, d.counts.get(t) ?? 0);
        if (tf > 0)
          score += (weight(df.get(t) ?? 0) * 1.9 * tf) / (tf + 0.9 * (0.6 + 0.4 * Math.min(8, d.length / average)));
      }
      return [d.doc, alive(d.doc) ? score : 0];
    }),
  );
  const out = new Map<RecallDocument, number>();
  for (const { doc } of all) {
    const session = all.map((d) => d.doc).filter((d) => d.sessionId !== null && d.sessionId === doc.sessionId);
    const line = session
      .filter((d) => d.position !== null)
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || -newestFirst(a, b));
    const at = line.indexOf(doc);
    const of = (d: RecallDocument | undefined): number => (d ? (own.get(d) ?? 0) : 0);
    const self = of(doc);
    const before = at < 0 ? 0 : of(line[at - 1]);
    const after = at < 0 ? 0 : of(line[at + 1]);
    if (self === 0 && before === 0 && after === 0) continue;
    const top = doc.sessionId === null ? self : Math.max(...session.map(of));
    const ratio = (self + 0.5 * before + 0.3 * after + top) / (2 * best);
    const relevance = ratio <= 0.75 ? ratio : 1 - 0.25 * Math.exp((0.75 - ratio) / 0.25);
    // halves go down, whatever the last bit of this sum is
    out.set(doc, Math.max(1, Math.round(relevance * 10_000 - 1e-6)) / 10_000);
  }
  return out;
}
