/**
 * The index against a search that reads everything, over any sequence of writes (ContextIndex.X1, RecallScorer.C1-C4,
 * Recall.R5, RecallSessions.S1, RecallSessions.S2, RecallPostings.I1).
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { RecallDocument } from '../../../src/memory/port.js';
import { expectSame } from './support/expect-same.js';
import { ask, doc, here, loaded, memoryId, now, pagesOf, recallOver } from './support/fixtures.js';
import { naiveSearch } from './support/naive.js';

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
  from: fc.constantFrom(undefined, undefined, Date.UTC(2023, 0)),
  until: fc.constantFrom(undefined, undefined, Date.UTC(2023, 4, 20)),
  now: fc.constantFrom(400, 1000, 2000),
});

type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;
/** Without what is undefined, as the port wants it. */
const defined = (q: Question) => {
  const { types, speaker, from, until, ...rest } = q;
  return {
    ...rest,
    ...(types && { types }),
    ...(speaker !== undefined && { speaker }),
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
  it('RecallScorer.C1-C4, Recall.R2, Recall.R5: finds what a reading of everything finds, in the same order, with the same relevance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.array(question, { minLength: 1, maxLength: 4 }),
        async (steps, questions) => {
          const recall = await loaded([]);
          const kept = apply(steps, recall);
          for (const q of questions) {
            expectSame(await recall.search(ask(q.query, defined(q))), naiveSearch(kept, defined(q)));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('ContextIndex.X1: an index that was written to equals one that is built from what is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), question, async (steps, q) => {
        const written = await loaded([]);
        const kept = apply(steps, written);
        const built = recallOver(pagesOf(() => kept));
        expect(await written.search(ask(q.query, defined(q)))).to.deep.equal(
          await built.search(ask(q.query, defined(q))),
        );
        const { documents, terms } = written.stats();
        expect({ documents, terms }).to.deep.equal({ documents: kept.length, terms: built.stats().terms });
      }),
      { numRuns: 300 },
    );
  });

  it('ContextIndex.X1, RecallPostings.I2: an index from which everything was removed holds no term and no document', async () => {
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

  it('RecallScorer.C4: of many that say the same, the best are found among the older ones', async () => {
    const later = 1_700_000_000_000 + 10 * 86_400_000;
    const kinds: readonly Partial<RecallDocument>[] = [
      { sessionId: 'of its own' },
      { importance: 1 },
      { occurredAt: later },
    ];
    for (const better of kinds) {
      const documents = Array.from({ length: 300 }, (_, i): RecallDocument => {
        const more = i % 100 === 7 ? better : {};
        return { ...doc(i, 'the parade ran'), ...more, ...(more.sessionId && { sessionId: `s${i}` }) };
      });
      const recall = await loaded(documents);
      const found = await recall.search(ask('the parade', { limit: 3, now: later }));
      expect(found.map(({ id }) => id)).to.have.members([7, 107, 207].map(memoryId));
    }
  });

  it('RecallScorer.C4: the best of many are those that sorting all of them would give', async () => {
    let state = 1;
    const random = (n: number) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65_536) % n;
    const word = () => `w${Math.floor(40 ** (random(1000) / 1000))}`;
    const day = 86_400_000;
    const said = ['', '', 'Ana: ', 'Bo: ', 'I ', 'did you? ', 'on Monday ', 'seven '];
    // Two ids of each time, and now and then a document that is long, or says one word more than 255 times.
    const documents = Array.from({ length: 600 }, (_, i) =>
      doc(
        i,
        `${said[random(said.length)] ?? ''}${Array.from({ length: 1 + random(12) * (i % 50 === 7 ? 20 : 1) }, word).join(' ')} ${i % 100 === 3 ? 'w4 '.repeat(300) : ''}${random(5) === 0 ? '?' : ''}`,
        {
          id: memoryId(i >> 1).slice(0, -1) + String(i & 1),
          sessionId: random(4) === 0 ? null : `s${random(30)}`,
          position: i,
          occurredAt: random(3) === 0 ? null : Date.UTC(2023, 0) + random(300) * day,
          importance: random(3) === 0 ? random(101) / 100 : null,
        },
      ),
    );
    const recall = await loaded(documents);
    const asked = ['', '', 'When did Ana ', 'How many ', 'What did Bo '];
    const dates = ['', '', ' in May 2023', ' on May 14, 2023', ' in June'];
    for (let i = 0; i < 80; i++) {
      const words =
        i % 10 === 0
          ? Array.from({ length: 40 }, (_, n) => `w${n + 1}`).join(' ')
          : `w${1 + random(40)} w${1 + random(40)} w${1 + random(5)}`;
      const query = `${asked[random(asked.length)] ?? ''}${words}${dates[random(dates.length)] ?? ''}`;
      // The last of the words are common: below a relevance they do not decide alone which documents are found.
      const q = { query, limit: 1 + random(10), minRelevance: [0, 0.1, 0.3][i % 3] ?? 0, now: Date.UTC(2023, 10) };
      expectSame(now(recall.search(ask(q.query, q))), naiveSearch(documents, q));
    }
  });
});
