/** What relevance means to who reads it: from 0 to 1, the same for every query, with a floor. */
import { expect } from 'chai';
import fc from 'fast-check';
import { relevanceOf } from '../../../src/memory/scoring.js';
import { ask, doc, here, ids, loaded, memoryId, now } from './support/fixtures.js';

const facts = [
  'Caroline adopted a dog called Rex.',
  'The parade in Lisbon starts on Monday at noon.',
  'My favourite colour is teal.',
  'Order ORD-1234 was shipped to bob@example.com.',
  'We painted the kitchen last weekend.',
].map((text, i) => doc(i, text));

describe('relevance', () => {
  it('is high for a memory that says what is asked, also when it is the only one', async () => {
    const recall = await loaded(facts);
    const alone = await loaded([facts[2]!]);
    for (const r of [recall, alone])
      expect(now(r.search(ask('What is my favourite colour?')))[0])
        .to.include({ id: memoryId(2) })
        .and.have.property('relevance')
        .above(0.8);
  });

  it('is low for a query of which next to nothing is said, and there is no hit where nothing is', async () => {
    const recall = await loaded(facts);
    const [hit] = now(recall.search(ask('quantum chromodynamics lectures given by a dog on television')));
    expect(hit)
      .to.include({ id: memoryId(0) })
      .and.have.property('relevance')
      .below(0.3);
    expect(now(recall.search(ask('quantum chromodynamics lectures')))).to.deep.equal([]);
  });

  it('grows with the share of the query that is said', async () => {
    const recall = await loaded([doc(1, 'parade'), doc(2, 'parade Lisbon'), doc(3, 'parade Lisbon Monday')]);
    expect(ids(now(recall.search(ask('parade Lisbon Monday'))))).to.deep.equal([memoryId(3), memoryId(2), memoryId(1)]);
  });

  describe('in a script without spaces', () => {
    const character = (i: number): string => String.fromCodePoint(0x4e00 + 7 * i);
    const words = Array.from({ length: 10 }, (_, i) => character(2 * i) + character(2 * i + 1));

    it('a question finds each thing that it asks about', async () => {
      const recall = await loaded(words.map((word, i) => doc(i, word)));
      const found = ids(now(recall.search(ask(`${words.join('，')}？`, { limit: 20 }))));
      expect(found).to.have.members(words.map((_, i) => memoryId(i)));
    });

    it('a text is as long as its words', async () => {
      const lengthOf = async (text: string, query: string): Promise<number | undefined> => {
        const recall = await loaded([doc(1, text)]);
        return now(recall.search(ask(query, { explain: true })))[0]?.shares?.length;
      };
      // forty characters are 79 terms
      const dense = await lengthOf(Array.from({ length: 40 }, (_, i) => character(i)).join(''), character(3));
      const spaced = await lengthOf(Array.from({ length: 27 }, (_, i) => `wort${i}`).join(' '), 'wort3');
      expect(dense).to.be.a('number').and.equal(spaced);
    });
  });

  it('minRelevance leaves out what is below and keeps what is equal', async () => {
    const recall = await loaded(facts);
    const all = now(recall.search(ask('parade dog noon')));
    for (const { relevance } of all) {
      expect(now(recall.search(ask('parade dog noon', { minRelevance: relevance })))).to.deep.equal(
        all.filter((h) => h.relevance >= relevance),
      );
    }
    expect(now(recall.search(ask('parade', { minRelevance: 1 })))).to.deep.equal([]);
  });

  it('is above 0, below 1, and grows with the score', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-3, max: 5, noNaN: true }),
        fc.double({ min: 1e-3, max: 5, noNaN: true }),
        (x, y) => {
          const [low, high] = x < y ? [x, y] : [y, x];
          expect(relevanceOf(low)).to.be.above(0).and.at.most(relevanceOf(high));
          expect(relevanceOf(high)).to.be.below(1);
        },
      ),
    );
  });

  it('equal relevance: newest first, memories and messages alike', async () => {
    const recall = await loaded([
      doc(2, 'parade'),
      doc(3, 'parade', { kind: 'message', id: memoryId(3).replace('mem', 'msg') }),
      doc(1, 'parade'),
    ]);
    expect(ids(now(recall.search(ask('parade', { limit: 2 }))))).to.deep.equal([
      memoryId(3).replace('mem', 'msg'),
      memoryId(2),
    ]);
  });

  it('equal relevance in the same millisecond: the order of ids, whatever was put first', async () => {
    const tails = ['a', 'b', 'c'].map((tail) => doc(1, 'parade', { id: memoryId(1).slice(0, -1) + tail }));
    for (const order of [tails, tails.toReversed()]) {
      const recall = await loaded(order);
      for (const limit of [1, 2, 3])
        expect(
          ids(now(recall.search(ask('parade', { limit }))))
            .map((id) => id.at(-1))
            .join(''),
        ).to.equal('cba'.slice(0, limit));
    }
  });

  it('a query without a word to look for is answered with the newest, at a low fixed relevance', async () => {
    const recall = await loaded(facts);
    for (const query of ['', '???', 'what is it']) {
      expect(
        now(recall.search(ask(query, { limit: 2 }))).map(({ id, relevance }) => ({ id, relevance })),
      ).to.deep.equal([
        { id: memoryId(4), relevance: 0.05 },
        { id: memoryId(3), relevance: 0.05 },
      ]);
      expect(now(recall.search(ask(query, { minRelevance: 0.1 })))).to.deep.equal([]);
    }
  });

  it('a single word in 64 KiB of others is found, with more than a trace of relevance', async () => {
    const recall = await loaded(facts);
    recall.put(here, doc(9, `${'lorem ipsum dolor sit amet '.repeat(2400)} needle`));
    const [hit] = await recall.search(ask('needle'));
    expect(hit)
      .to.include({ id: memoryId(9) })
      .and.have.property('relevance')
      .above(0.2);
  });
});

describe('the context of a session', () => {
  const session = (texts: readonly string[], sessionId = 's') =>
    texts.map((text, i) => doc(i, text, { sessionId, position: i }));

  it('brings the turns whose window has a match (two before it, four after it), and no others', async () => {
    const recall = await loaded(
      session(['one', 'two', 'three', 'the parade in Lisbon', 'five', 'six', 'seven', 'eight', 'nine']),
    );
    const found = ids(now(recall.search(ask('parade Lisbon'))));
    expect(found[0]).to.equal(memoryId(3));
    expect(found.toSorted()).to.deep.equal([1, 2, 3, 4, 5, 6, 7].map(memoryId));
  });

  it('neighbours are the nearest that exist now, whatever was removed between', async () => {
    const recall = await loaded(session(['one', 'parade', 'two', 'three', 'four', 'five', 'six']));
    const found = (): string[] => ids(now(recall.search(ask('parade'))));
    expect(found()).to.include(memoryId(5)).and.not.include(memoryId(6));
    recall.remove(here, 'memory', memoryId(2));
    expect(found()).to.include(memoryId(6));
  });

  it('does not cross sessions', async () => {
    const recall = await loaded([
      ...session(['parade']),
      doc(7, 'other', { sessionId: 't', position: 1 }),
      doc(8, 'alone'),
    ]);
    expect(ids(now(recall.search(ask('parade'))))).to.deep.equal([memoryId(0)]);
  });

  it('types leave hits out, not neighbours', async () => {
    const recall = await loaded([
      doc(1, 'parade', { type: 'semantic', sessionId: 's', position: 0 }),
      doc(2, 'late', { sessionId: 's', position: 1 }),
    ]);
    expect(ids(now(recall.search(ask('parade', { types: ['episodic'] }))))).to.deep.equal([memoryId(2)]);
    expect(now(recall.search(ask('parade', { types: ['unheard'] })))).to.deep.equal([]);
  });
});
