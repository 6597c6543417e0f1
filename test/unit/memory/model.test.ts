/** The index over any sequence of writes, and the two stages of a search. */
import { expect } from 'chai';
import fc from 'fast-check';
import { SpaceIndex } from '../../../src/memory/space-index.js';
import { type PreparedQuery, TopHits } from '../../../src/memory/offers.js';
import type { RecallDocument, RecallHit } from '../../../src/memory/port.js';
import { formOf, parseQuery } from '../../../src/memory/query.js';
import { Scorer } from '../../../src/memory/scorer.js';
import { ask, doc, here, loaded, memoryId, now, pagesOf, recallOver } from './support/fixtures.js';

/** Sums of the same numbers in another order may differ in their last digit. */
const rounded = ({ id, score, relevance }: RecallHit) => ({
  id,
  score: score.toFixed(3),
  relevance: relevance.toFixed(3),
});
const askedOf = (query: string): PreparedQuery => ({
  terms: parseQuery(query),
  profile: false,
  also: [],
  form: formOf(query),
  types: undefined,
  turnsSince: -Infinity,
  facets: { speaker: undefined, sessionId: undefined, pairs: [] },
  from: undefined,
  until: undefined,
  asOf: undefined,
  superseded: false,
  minRelevance: 0,
  explain: false,
  meaning: undefined,
  now: 1000,
});

const words = [
  'parade',
  'rex',
  'dog',
  'teal',
  'harbour',
  'ORD-1234',
  'the',
  'café',
  '猫が',
  'running',
  'ran',
  'Monday',
  'I went',
  'did you?',
  'Ana:',
  '14 May 2023',
];
const content = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((w) => w.join(' '));
const idOf = (n: number, kind: 'memory' | 'message'): string =>
  kind === 'message' ? memoryId(n).replace('mem', 'msg') : memoryId(n);
const someDocument = fc
  .record({
    n: fc.integer({ min: 0, max: 11 }),
    kind: fc.constantFrom('memory' as const, 'message' as const),
    content: fc.oneof(
      { weight: 20, arbitrary: content },
      // many may say the same
      { weight: 10, arbitrary: fc.constantFrom('Ana: the parade ran', 'the parade ran', 'rex dog') },
      { weight: 1, arbitrary: content.map((c) => `${c} `.repeat(1500)) },
    ),
    type: fc.constantFrom('episodic', 'semantic'),
    sessionId: fc.constantFrom(null, 's1', 's2', 'of its own'),
    position: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
    expiresAt: fc.constantFrom(null, null, 500, 1500),
    occurredAt: fc.constantFrom(null, Date.UTC(2023, 4, 14), Date.UTC(2023, 4, 20), Date.UTC(2022, 4, 14)),
    speaker: fc.constantFrom(null, 'Ana', 'Bo'),
    pairs: fc.subarray(['["source","mail"]', '["n",1]']),
    importance: fc.constantFrom(null, 0, 0.75, 1),
  })
  .map(({ n, sessionId, ...rest }): RecallDocument => ({
    ...doc(n, ''),
    ...rest,
    sessionId: sessionId === 'of its own' ? `s-${n}-${rest.kind}` : sessionId,
    id: idOf(n, rest.kind),
  }));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: someDocument }) },
  {
    weight: 1,
    arbitrary: fc.record({
      remove: fc.record({
        n: fc.integer({ min: 0, max: 11 }),
        kind: fc.constantFrom('memory' as const, 'message' as const),
      }),
    }),
  },
);
const question = fc.record({
  query: fc
    .tuple(
      fc.constantFrom('', '', 'When did ', 'How many ', 'Ana '),
      content,
      fc.constantFrom('', '', ' in May 2023', ' on May 14, 2023', ' in May'),
    )
    .map((parts) => parts.join('')),
  also: fc.constantFrom(undefined, undefined, 'dog rex', 'harbour the Monday'),
  limit: fc.integer({ min: 1, max: 12 }),
  minRelevance: fc.constantFrom(0, 0.05, 0.3, 0.7),
  types: fc.constantFrom(undefined, ['episodic'], ['semantic', 'episodic'], ['other']),
  speaker: fc.constantFrom(undefined, undefined, undefined, 'ana'),
  sessionId: fc.constantFrom(undefined, undefined, undefined, 's1', 'never'),
  pairs: fc.constantFrom(undefined, undefined, ['["n",1]'], ['["n",1]', '["source","mail"]'], ['["n",2]']),
  from: fc.constantFrom(undefined, undefined, Date.UTC(2023, 0)),
  until: fc.constantFrom(undefined, undefined, Date.UTC(2023, 4, 20)),
  now: fc.constantFrom(400, 1000, 2000),
});

type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;
/** Without what is undefined, as the port wants it. */
const defined = (q: Question) => {
  const { types, speaker, sessionId, pairs, from, until, ...rest } = q;
  return {
    ...rest,
    ...(types && { types }),
    ...(speaker !== undefined && { speaker }),
    ...(sessionId !== undefined && { sessionId }),
    ...(pairs && { pairs }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
};

type Step = { put: RecallDocument } | { remove: { n: number; kind: 'memory' | 'message' } };

/** Applies the steps to the recall and to a plain map. */
function apply(steps: readonly Step[], recall: ReturnType<typeof recallOver>): RecallDocument[] {
  const kept = new Map<string, RecallDocument>();
  for (const s of steps) {
    if ('put' in s) {
      recall.put(here, s.put);
      kept.set(s.put.kind + s.put.id, s.put);
    } else {
      const id = idOf(s.remove.n, s.remove.kind);
      recall.remove(here, s.remove.kind, id);
      kept.delete(s.remove.kind + id);
    }
  }
  return [...kept.values()];
}

describe('recall: any sequence of writes', () => {
  it('an index that was written to equals one that is built from what is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), question, async (steps, q) => {
        const written = await loaded([]);
        const kept = apply(steps, written);
        const built = recallOver(pagesOf(() => kept));
        const found = await written.search(ask(q.query, defined(q)));
        expect(found.map(rounded)).to.deep.equal((await built.search(ask(q.query, defined(q)))).map(rounded));
        const { documents, terms } = written.stats();
        expect({ documents, terms }).to.deep.equal({ documents: kept.length, terms: built.stats().terms });
      }),
      { numRuns: 300 },
    );
  });

  it('an index from which everything was removed holds no term and no document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const recall = await loaded([]);
        for (const d of apply(steps, recall)) recall.remove(here, d.kind, d.id);
        await recall.search(ask('parade'));
        const { documents, terms } = recall.stats();
        expect({ documents, terms }).to.deep.equal({ documents: 0, terms: 0 });
        expect(now(recall.search(ask('')))).to.deep.equal([]);
      }),
      { numRuns: 100 },
    );
  });

  it('a narrowed search finds what an exact one does, where all is within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), question, async (steps, q) => {
        const exact = await loaded([]);
        const narrowed = await loaded([], { scorer: new Scorer(0) });
        apply(steps, exact);
        apply(steps, narrowed);
        // a filter may leave out a document whose neighbours pass
        const { query, also, limit, minRelevance, now } = q;
        const asked = { limit, minRelevance, now, ...(also !== undefined && { also }) };
        const found = await exact.search(ask(query, asked));
        expect((await narrowed.search(ask(query, asked))).map(rounded)).to.deep.equal(found.map(rounded));
      }),
      { numRuns: 300 },
    );
  });

  it('a filter leaves out what does not have it, and changes nothing about the rest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), question, async (steps, q) => {
        const recall = await loaded([]);
        const kept = new Map(apply(steps, recall).map((d) => [d.kind + d.id, d]));
        const { sessionId, pairs, ...rest } = defined({ ...q, limit: 100 });
        const all = await recall.search(ask(q.query, rest));
        const filtered = await recall.search(
          ask(q.query, { ...rest, ...(sessionId !== undefined && { sessionId }), ...(pairs && { pairs }) }),
        );
        expect(filtered).to.deep.equal(
          all.filter(({ kind, id }) => {
            const d = kept.get(kind + id);
            const inSession = sessionId === undefined || d?.sessionId === sessionId;
            return inSession && (pairs ?? []).every((pair) => d?.pairs?.includes(pair));
          }),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('what few documents have is found among many that have the words, too', async () => {
    const many = Array.from({ length: 12_000 }, (_, i) =>
      doc(i, `the parade ran past rex ${i === 7 ? 'and the teal' : ''}`, {
        sessionId: `s${i >> 4}`,
        position: i,
        ...(i < 40 && { pairs: ['["n",1]'], speaker: 'Ana' }),
      }),
    );
    const recall = await loaded(many);
    for (const filter of [{ pairs: ['["n",1]'] }, { speaker: 'ana' }])
      for (const query of ['the parade of rex', '?'])
        expect(now(recall.search(ask(query, { limit: 100, ...filter }))), query).to.have.length(40);
    expect(now(recall.search(ask('parade', { limit: 100, sessionId: 's3' })))).to.have.length(16);
    expect(now(recall.search(ask('parade teal rex', { pairs: ['["n",1]'] })))[0]?.id).to.equal(memoryId(7));
  });

  it('a search of many documents that all have its words reads a bounded number of postings', () => {
    const index = new SpaceIndex(() => Promise.resolve());
    for (let i = 0; i < 3000; i++)
      index.put(
        doc(i, `the parade ran past rex ${i % 7 === 0 ? 'teal' : ''}`, { sessionId: `s${i >> 5}`, position: i }),
      );
    let read = 0;
    const { of } = index.postings;
    index.postings.of = (term) => {
      const numbers = of.call(index.postings, term);
      const list = new Proxy(numbers.list, { get: (target, key) => (read++, target[key as unknown as number]) });
      return { ...numbers, list };
    };
    const top = new TopHits(10);
    new Scorer(100, { postingsRead: 500, compared: 50, chosen: 10 }).collect(
      index,
      here,
      0,
      askedOf('teal parade rex'),
      top,
    );
    expect(top.hits()).to.have.length(10);
    expect(read).to.be.at.most(500);
  });
});
