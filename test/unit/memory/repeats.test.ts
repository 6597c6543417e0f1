/** Documents that repeat one another (RecallRepeats.E1, RecallRepeats.E2). */
import { expect } from 'chai';
import type { RecallDocument } from '../../../src/memory/port.js';
import { ContextIndex } from '../../../src/memory/context-index.js';
import type { Asked } from '../../../src/memory/offers.js';
import { formOf } from '../../../src/memory/query-form.js';
import { parseQuery } from '../../../src/memory/query-terms.js';
import { Scorer } from '../../../src/memory/scorer.js';
import { TopHits } from '../../../src/memory/top-hits.js';
import { expectSame } from './support/expect-same.js';
import { ask, doc, here, loaded, memoryId, now } from './support/fixtures.js';
import { naiveSearch } from './support/naive.js';

const hour = 3_600_000;
const began = 1_700_000_000_000;
const turn = Promise.resolve.bind(Promise);
/** After `began`. */
const midnight = 24 * hour - (began % (24 * hour));
const text = 'the parade ran';

function indexOf(documents: readonly RecallDocument[]): ContextIndex {
  const index = new ContextIndex(() => turn());
  for (const document of documents) index.put(document);
  return index;
}

/** How many postings the word has, and how many documents. */
function countsOf({ postings }: ContextIndex, word: string): { postings: number; documents: number } {
  const term = postings.find(word);
  return term === undefined
    ? { postings: 0, documents: 0 }
    : { postings: postings.length(term), documents: postings.frequency(term) };
}

function randomSource(seed: number): (n: number) => number {
  let state = seed;
  return (n) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 8) % n;
}

/** Counts the documents that a search looks at. */
class CountingHits extends TopHits {
  looks = 0;
  override admits(score: number, time: number): boolean {
    this.looks++;
    return super.admits(score, time);
  }
}

function asked(query: string, more: Partial<Asked> = {}): Asked {
  return {
    terms: parseQuery(query),
    also: [],
    form: formOf(query),
    types: undefined,
    turnsSince: -Infinity,
    speaker: undefined,
    from: undefined,
    until: undefined,
    asOf: undefined,
    superseded: false,
    minRelevance: 0,
    explain: false,
    meaning: undefined,
    now: began + 5000 * hour,
    ...more,
  };
}

function looks(index: ContextIndex, query: string, more: Partial<Asked> = {}): number {
  const top = new CountingHits(5);
  new Scorer().collect(index, here, 0, asked(query, more), top);
  return top.looks;
}

describe('recall: documents that repeat one another', () => {
  it('RecallRepeats.E1: share one posting, and count each in the frequency of their words', () => {
    const index = indexOf(Array.from({ length: 1000 }, (_, n) => doc(n, text, { sessionId: `s${n}` })));
    expect(countsOf(index, 'parad')).to.deep.equal({ postings: 1, documents: 1000 });
    for (let n = 0; n < 1000; n += 2) index.remove('memory', memoryId(n));
    expect(countsOf(index, 'parad')).to.deep.equal({ postings: 1, documents: 500 });
    for (let n = 1; n < 1000; n += 2) index.remove('memory', memoryId(n));
    expect(countsOf(index, 'parad')).to.deep.equal({ postings: 0, documents: 0 });
  });

  it('RecallRepeats.E1: have postings of their own again when they get a neighbour', () => {
    for (const withNeighbour of [0, 1, 2]) {
      const index = indexOf([0, 1, 2].map((n) => doc(n, text, { sessionId: `s${n}` })));
      index.put(doc(3, 'something else', { sessionId: `s${withNeighbour}` }));
      expect(countsOf(index, 'parad')).to.deep.equal({ postings: 2, documents: 3 });
      index.put(doc(4, text, { sessionId: 's4' }));
      expect(countsOf(index, 'parad')).to.deep.equal({ postings: 2, documents: 4 });
    }
  });

  it('RecallRepeats.E2: are found among any number of other texts, of which none is taken for another', () => {
    const texts = Array.from({ length: 2000 }, (_, n) => `${text} ${n % 500}`);
    const index = indexOf(texts.map((content, n) => doc(n, content)));
    expect(countsOf(index, 'parad')).to.deep.equal({ postings: 500, documents: 2000 });
    for (const n of [0, 77, 499]) expect(countsOf(index, `${n}`)).to.deep.equal({ postings: 1, documents: 4 });
  });

  const different: readonly [string, Partial<RecallDocument>][] = [
    ['with other words', { content: `${text} twice` }],
    ['with a word more often', { content: `${text} ran` }],
    ['of another type', { type: 'semantic' }],
    ['of another kind', { kind: 'message' }],
    ['of another importance', { importance: 1 }],
    ['that asks', { content: `${text}?` }],
    ['that opens a session', { sessionId: 's' }],
    ['that expires', { expiresAt: began + 9000 * hour }],
    ['that is no longer so', { validUntil: began }],
    ['that is superseded', { superseded: true }],
    ['that was said at another time than stored', { occurredAt: began - 50 * hour }],
  ];
  for (const [what, more] of different)
    it(`RecallRepeats.E1: a document ${what} has postings of its own`, () => {
      const index = indexOf([doc(1, text), doc(2, text), doc(3, text, more)]);
      expect(countsOf(index, 'parad')).to.deep.equal({ postings: 2, documents: 3 });
    });

  it('RecallRepeats.E1: a document of another speaker has postings of its own, though the words are the same', () => {
    const index = indexOf(['Ana Bo', 'Bo Ana', 'Ana Bo'].map((name, n) => doc(n, `${name}: ${text}`)));
    expect(countsOf(index, 'parad')).to.deep.equal({ postings: 2, documents: 3 });
  });

  it('RecallRepeats.E1: a longer document has postings of its own, though its frequencies are capped alike', () => {
    const index = indexOf([300, 400].map((times, n) => doc(n, 'parade '.repeat(times))));
    expect(countsOf(index, 'parad')).to.deep.equal({ postings: 2, documents: 2 });
  });

  it('RecallScorer.C4: two documents with a rare word score alike', async () => {
    const documents = [doc(1, `${text} xyzzy`), doc(2, `${text} xyzzy`), doc(3, text), doc(4, 'rex dog')];
    const recall = await loaded(documents);
    const q = { query: 'xyzzy', limit: 5, minRelevance: 0, now: began };
    expectSame(now(recall.search(ask(q.query, q))), naiveSearch(documents, q));
  });

  it('RecallRepeats.E1: a search looks at no more of them than it may find', () => {
    const index = indexOf(
      Array.from({ length: 3000 }, (_, n) => doc(n * hour, text, { occurredAt: began + n * hour + (n % 7) * 1000 })),
    );
    const looksOf = (query: string, more?: Partial<Asked>): number => looks(index, query, more);
    expect(looksOf('the parade')).to.be.below(20);
    expect(looksOf('the parade', { until: began + 1000 * hour })).to.be.below(20);
    expect(looksOf('the parade', { asOf: began + 1000 * hour })).to.be.below(20);
    expect(looksOf('the parade', { types: ['episodic'], from: began + 2998 * hour })).to.be.below(20);
    expect(looksOf('the parade', { speaker: 'ana' })).to.equal(0);
    // one look at each of 125 days
    expect(looksOf('the parade in December')).to.be.below(200);
  });

  it('RecallScorer.C4: what was said a little before or after it was stored is found by when it was said', async () => {
    const said = (stored: number, shift: number): RecallDocument =>
      doc(stored, text, { occurredAt: began + stored + shift });
    const after = said(midnight - 20_000, 40_000);
    const before = said(midnight + 20_000, -40_000);
    const recall = await loaded([after, before, ...[10, 11, 12].map((days) => said(midnight + days * 24 * hour, 0))]);
    const at = began + midnight;
    const firstOf = (query: string, more: object): unknown =>
      now(recall.search(ask(query, { limit: 1, now: at + 500 * hour, ...more })))[0]?.id;
    expect(firstOf('the parade', { until: at })).to.equal(before.id);
    expect(firstOf('the parade', { asOf: at })).to.equal(before.id);
    expect(firstOf('the parade', { from: at, until: at + 30_000 })).to.equal(after.id);
    const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
    expect(firstOf(`the parade on ${day(at)}`, {})).to.equal(after.id);
    expect(firstOf(`the parade on ${day(at - 1)}`, {})).to.equal(before.id);
  });

  it('RecallScorer.C4: a query without words looks at the newest, in whatever order they came', () => {
    const documents = Array.from({ length: 9000 }, (_, n) => doc(n, `${text} ${n}`));
    const index = indexOf([...documents.slice(4500), ...documents.slice(0, 4500)]);
    const top = new CountingHits(3);
    new Scorer().collect(index, here, 0, asked('the'), top);
    expect(top.hits().map(({ id }) => id)).to.deep.equal([8999, 8998, 8997].map(memoryId));
    expect(top.looks).to.be.below(4000);
    expect(looks(index, 'the', { minRelevance: 0.1 })).to.equal(0);
  });

  it('RecallScorer.C4: of turns in one session that say the same, what reading everything finds is found', async () => {
    const random = randomSource(9);
    const texts = [text, 'did the parade run?', 'rex ran', 'Ana: the parade ran'];
    for (let round = 0; round < 8; round++) {
      const documents: RecallDocument[] = [];
      while (documents.length < 150) {
        const content = texts[random(texts.length)] ?? '';
        const importance = random(4) === 0 ? 1 : null;
        for (let left = 1 + random(25); left > 0; left--) {
          const n = documents.length * hour;
          documents.push(
            doc(n, content, {
              sessionId: 's',
              importance: random(20) === 0 ? 0 : importance,
              occurredAt: random(9) === 0 ? began + random(400) * hour : null,
              expiresAt: random(40) === 0 ? began : null,
              type: random(3) === 0 ? 'semantic' : 'episodic',
            }),
          );
        }
      }
      const recall = await loaded(documents);
      for (let i = 0; i < 12; i++) {
        const q = {
          query: ['the parade', 'ran', 'when did Ana run', 'the parade on 2023-11-16', 'parade'][i % 5] ?? '',
          limit: [1, 5, 20][i % 3] ?? 1,
          minRelevance: 0,
          now: began + 400 * hour,
          ...(random(3) === 0 && { types: ['episodic'] }),
          ...(random(3) === 0 && { until: began + random(200) * hour }),
        };
        expectSame(now(recall.search(ask(q.query, q))), naiveSearch(documents, q));
      }
    }
  });

  it('RecallScorer.C4: of turns in one session that say the same, few are scored', () => {
    const index = indexOf(Array.from({ length: 1000 }, (_, n) => doc(n * hour, text, { sessionId: 's' })));
    let scored = 0;
    const { sessions } = index.documents;
    const window = sessions.window;
    sessions.window = new Proxy(window, {
      get(target, at) {
        scored++;
        return Reflect.get(target, at) as unknown;
      },
    });
    looks(index, 'the parade');
    expect(scored).to.be.within(1, 30);
  });

  it('RecallScorer.C4: a search of few texts that were told often finds what reading everything finds', async () => {
    const random = randomSource(5);
    const texts = [text, text, text, 'Ana: the parade ran', 'rex ran on Monday', 'the parade ran by the harbour'];
    const pick = <T>(...some: readonly T[]): T => some[random(some.length)] as T;
    // Many times are near a midnight, where a document may have been said on another day than stored.
    const at = (): number =>
      random(2) === 0 ? random(1200) * hour : midnight + random(50) * 24 * hour + random(80_000) - 40_000;
    for (let round = 0; round < 6; round++) {
      const recall = await loaded([]);
      const kept = new Map<string, RecallDocument>();
      for (let i = 0; i < 300; i++) {
        const n = at();
        const kind = pick('memory', 'memory', 'turn');
        const id = kind === 'turn' ? memoryId(n).replace('mem', 'run') : memoryId(n);
        const time = began + n;
        const document = doc(n, texts[random(texts.length)] ?? '', {
          kind,
          id,
          sessionId: random(12) === 0 ? `s${random(60)}` : pick(null, `of ${id}`),
          occurredAt: pick(null, time, time + random(50_000), time - random(50_000), began + at()),
          importance: pick(null, null, null, 1),
          expiresAt: random(15) === 0 ? began + random(1200) * hour : null,
          validUntil: random(15) === 0 ? began + random(1200) * hour : null,
          type: pick('episodic', 'episodic', 'semantic'),
        });
        recall.put(here, document);
        kept.set(kind + id, document);
        if (random(4) > 0) continue;
        const gone = [...kept.values()][random(kept.size)] as RecallDocument;
        recall.remove(here, gone.kind, gone.id);
        kept.delete(gone.kind + gone.id);
      }
      for (let i = 0; i < 60; i++) {
        const q = {
          query: `${pick('the parade', 'ran', 'harbour parade', 'when did Ana', 'rex')}${pick('', '', ' in December', ' on November 20, 2023', ` on 2023-11-${15 + random(16)}`)}`,
          limit: pick(1, 5, 30),
          minRelevance: pick(0, 0, 0.3),
          now: pick(began + at(), began + 1200 * hour, began + 9000 * hour),
          ...(random(4) === 0 && { types: ['episodic'] }),
          ...(random(6) === 0 && { speaker: 'ana' }),
          ...(random(4) === 0 && { from: began + at() }),
          ...(random(4) === 0 && { until: began + at() }),
          ...(random(4) === 0 && { asOf: began + at() }),
          ...(random(4) === 0 && { turnsSince: began + at() }),
        };
        expectSame(now(recall.search(ask(q.query, q))), naiveSearch([...kept.values()], q));
      }
    }
  });
});
