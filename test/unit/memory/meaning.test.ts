/** How hits by words and hits by meaning become one list (src/memory/meaning.ts). */
import type { StoredMemory } from '../../../src/domain/memory/stored-memory.js';
import { expect } from 'chai';
import { together } from '../../../src/memory/meaning.js';
import type { RecallHit } from '../../../src/memory/port.js';
import { createRecall } from '../../../src/memory/recall.js';
import { packed, quantized, vectorOf, contentHash } from '../../../src/domain/memory/vectors.js';
import { stillClock } from '../../helpers/engine.js';

const space = { workspace: 'w', kind: 'agent' as const, id: 'a' };
const hit = (id: string, score: number, relevance = 0.5, shares?: RecallHit['shares']): RecallHit => ({
  space,
  kind: 'memory',
  id,
  score,
  relevance,
  ...(shares && { shares }),
});

const document = (id: string, vector: number[], more: object = {}) => ({
  kind: 'memory' as const,
  id,
  type: 'semantic',
  content: 'nothing in common',
  sessionId: null,
  position: null,
  expiresAt: null,
  occurredAt: null,
  speaker: null,
  importance: null,
  validUntil: null,
  vector: quantized(vector),
  ...more,
});

describe('recall: by meaning', () => {
  it('what was found in both ways is one hit, and the best come first', () => {
    const found = together(
      [hit('a', 6.5, 0.3, { own: 5, meaning: 1.5 }), hit('b', 4.5)],
      [hit('c', 5, 0.6), hit('a', 1.5, 0.3, { meaning: 1.5 })],
      2,
    );
    expect(found).to.deep.equal([
      hit('a', 6.5, 0.3, { own: 5, meaning: 1.5 }),
      { ...hit('c', 5, 0.6), byMeaning: true },
    ]);
  });

  describe('adds to what words earn', () => {
    /** A vector that is as close to [1, 0, ...] as `cosine` says. */
    const towards = (cosine: number): number[] => [cosine, Math.sqrt(1 - cosine * cosine), 0];
    const found = async (query: string, cosines: readonly number[], content: (i: number) => string) => {
      const documents = cosines.map((cosine, i) => ({ ...document(`mem_${i}`, towards(cosine)), content: content(i) }));
      const recall = createRecall({
        source: async function* () {
          yield await Promise.resolve(documents);
        },
        clock: stillClock(),
        maxBytes: 1e9,
      });
      const asked = { query, spaces: [space], limit: 20, minRelevance: 0, now: 1000, explain: true };
      const meaning = { vector: [...quantized([1, 0, 0])], baseline: 0 };
      return { plain: await recall.search(asked), hits: await recall.search({ ...asked, meaning }) };
    };
    const crowd = Array.from({ length: 10 }, () => 0.5);

    it('eight times the closeness, of every hit by words, and says which hits were found by meaning', async () => {
      const { plain, hits } = await found('which zebra', [0.5, 0.2, ...crowd.slice(1)], (i) =>
        i < 2 ? 'the zebra' : 'other',
      );
      const score = (of: typeof hits, id: string) => of.find((one) => one.id === id)?.score ?? NaN;
      expect(score(hits, 'mem_0') - score(plain, 'mem_0')).to.be.closeTo(8 * 0.5, 0.1);
      expect(score(hits, 'mem_1') - score(plain, 'mem_1')).to.be.closeTo(8 * 0.2, 0.1);
      expect(hits.filter(({ byMeaning }) => byMeaning)).to.have.length(10);
      expect(hits.find(({ id }) => id === 'mem_1')).not.to.have.property('byMeaning');
      expect(hits.find(({ id }) => id === 'mem_0')?.shares?.['meaning']).to.be.closeTo(4, 0.1);
    });

    it('what is ahead of the tenth closest comes before those that have a word of the query by chance', async () => {
      const query = 'which black and white animal drank by the river';
      const strays = (i: number) => (i === 0 ? 'a striped horse' : i < 4 ? 'the big river' : 'which way they went');
      const ahead = await found(query, [0.75, ...crowd], strays);
      expect(ahead.plain.map(({ id }) => id)).not.to.include('mem_0');
      expect(ahead.hits[0]).to.include({ id: 'mem_0', byMeaning: true });
      expect(ahead.hits[0]?.shares?.['meaning']).to.be.closeTo(8 * 0.75 + 60 * 0.1, 0.3);
      const among = await found(query, [0.75, ...crowd.map(() => 0.75)], strays);
      expect(among.hits[0]?.id).not.to.equal('mem_0');
      expect(among.hits.find(({ id }) => id === 'mem_0')?.shares?.['meaning']).to.be.closeTo(6, 0.1);
    });
  });

  it('finds the closest within the filters of the search, and nothing near the baseline', async () => {
    const documents = [
      document('mem_1', [1, 0, 0]),
      document('mem_2', [0.9, 0.4, 0]),
      document('mem_3', [0, 1, 0]),
      document('mem_4', [1, 0, 0], { type: 'episodic' }),
      document('mem_5', [1, 0, 0], { superseded: true }),
      document('mem_6', [1, 0, 0], { expiresAt: 1 }),
      document('mem_7', [1, 0, 0, 0]),
    ];
    const recall = createRecall({
      source: async function* () {
        yield await Promise.resolve(documents);
      },
      clock: stillClock(),
      maxBytes: 1e9,
    });
    const search = async (baseline: number): Promise<string[]> =>
      (
        await recall.search({
          query: 'zebra',
          spaces: [space],
          limit: 5,
          minRelevance: 0.1,
          types: ['semantic'],
          now: 1000,
          meaning: { vector: [...quantized([1, 0, 0])], baseline },
        })
      ).map(({ id }) => id);
    expect(await search(0.2)).to.deep.equal(['mem_1', 'mem_2']);
    expect(await search(0.9)).to.deep.equal(['mem_1']);
    recall.remove(space, 'memory', 'mem_1');
    recall.put(space, document('mem_2', [0, 0, 1]));
    expect(await search(0.2)).to.deep.equal([]);
  });

  it('a stored vector is that of its model and content only', () => {
    const content = 'Our hound sleeps.';
    const vector = { model: 'm', of: contentHash(content), data: packed([0.1, -0.2, 0.05]) };
    const vectorIn = (memory: Pick<StoredMemory, 'content' | 'vector'>, model: string) =>
      vectorOf(memory as StoredMemory, model);
    expect([...(vectorIn({ content, vector }, 'm') ?? [])]).to.deep.equal([64, -127, 32]);
    expect(vectorIn({ content, vector }, 'n')).to.equal(null);
    expect(vectorIn({ content: `${content}!`, vector }, 'm')).to.equal(null);
    expect(vectorIn({ content }, 'm')).to.equal(null);
  });
});
