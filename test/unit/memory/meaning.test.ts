/** How hits by words and hits by meaning become one list (src/memory/meaning.ts). */
import { expect } from 'chai';
import { together } from '../../../src/memory/meaning.js';
import type { RecallHit } from '../../../src/memory/port.js';
import { createRecall } from '../../../src/memory/recall.js';
import { packed, quantized, vectorOf, contentHash } from '../../../src/domain/vectors.js';
import { stillClock } from '../../helpers/engine.js';

const context = { workspace: 'w', kind: 'agent' as const, id: 'a' };
const hit = (id: string, score: number, relevance = 0.5, shares?: RecallHit['shares']): RecallHit => ({
  context,
  kind: 'memory',
  id,
  score,
  relevance,
  ...(shares && { shares }),
});

describe('recall: by meaning', () => {
  it('what was found in both ways has the sum of its scores, and the better relevance', () => {
    const found = together(
      [hit('a', 5, 0.2, { own: 5 }), hit('b', 4.5)],
      [hit('c', 3, 0.6), hit('a', 1.5, 0.3, { meaning: 1.5 })],
      2,
    );
    expect(found).to.deep.equal([hit('a', 6.5, 0.3, { own: 5, meaning: 1.5 }), hit('b', 4.5)]);
  });

  it('finds the closest within the filters of the search, and nothing near the baseline', async () => {
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
          contexts: [context],
          limit: 5,
          minRelevance: 0.1,
          types: ['semantic'],
          now: 1000,
          meaning: { vector: [...quantized([1, 0, 0])], baseline },
        })
      ).map(({ id }) => id);
    expect(await search(0.2)).to.deep.equal(['mem_1', 'mem_2']);
    expect(await search(0.9)).to.deep.equal(['mem_1']);
    recall.remove(context, 'memory', 'mem_1');
    recall.put(context, document('mem_2', [0, 0, 1]));
    expect(await search(0.2)).to.deep.equal([]);
  });

  it('a stored vector is that of its model and content only (Embeddings.V3)', () => {
    const content = 'Our hound sleeps.';
    const vector = { model: 'm', of: contentHash(content), data: packed([0.1, -0.2, 0.05]) };
    expect([...(vectorOf({ content, vector }, 'm') ?? [])]).to.deep.equal([64, -127, 32]);
    expect(vectorOf({ content, vector }, 'n')).to.equal(null);
    expect(vectorOf({ content: `${content}!`, vector }, 'm')).to.equal(null);
    expect(vectorOf({ content }, 'm')).to.equal(null);
  });
});
