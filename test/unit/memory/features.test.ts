/** What the features of a score do (docs/recall.md): each of them with two memories that differ in it alone. */
import { expect } from 'chai';
import type { RecallDocument } from '../../../src/memory/port.js';
import { weights } from '../../../src/memory/scoring.js';
import { ask, doc, here, ids, loaded, memoryId, now } from './support/fixtures.js';

const may = Date.UTC(2023, 4, 14, 12);
const august = Date.UTC(2023, 7, 3, 12);
const fillers = Array.from({ length: 40 }, (_, i) => doc(100 + i, `filler text about subject${i}`));

/** The ids of what is found among fillers, best first. */
async function order(query: string, ...documents: RecallDocument[]): Promise<string[]> {
  return ids(now((await loaded([...documents, ...fillers])).search(ask(query))));
}

/** Three memories that say the same, so that their words are no rarity; the second and third are as given. */
const alike = (content: string, a: Partial<RecallDocument>, b: Partial<RecallDocument>): RecallDocument[] => [
  doc(0, content, { importance: 0 }),
  doc(1, content, a),
  doc(2, content, b),
];

describe('features of a score', () => {
  it('importance decides between equal memories, and drowns no match', async () => {
    expect(
      (await order('harbour lights', ...alike('harbour lights', { importance: 1 }, { importance: 0.2 })))[0],
    ).to.equal(memoryId(1));
    const strong = doc(3, 'harbour lights at night', { importance: 0 });
    const weak = doc(4, 'the harbour', { importance: 1 });
    expect((await order('harbour lights at night', weak, strong))[0]).to.equal(memoryId(3));
  });

  it('recency decides between equal memories, and drowns no match', async () => {
    const at = 1000;
    const documents = alike('harbour lights', { occurredAt: at }, { occurredAt: at - 90 * 86_400_000 });
    expect((await order('harbour lights', ...documents))[0]).to.equal(memoryId(1));
    const old = doc(3, 'harbour lights at night', { occurredAt: at - 900 * 86_400_000 });
    expect((await order('harbour lights at night', doc(4, 'the harbour', { occurredAt: at }), old))[0]).to.equal(
      memoryId(3),
    );
  });

  it('what was said at the date that is asked about comes first', async () => {
    const documents = alike('walked to the harbour', { occurredAt: may }, { occurredAt: august });
    expect((await order('the harbour walk on 14 May 2023', ...documents))[0]).to.equal(memoryId(1));
    expect((await order('the harbour walk in August 2023', ...documents))[0]).to.equal(memoryId(2));
  });

  it('who is named in the query and said it comes first, by the field or by a leading name', async () => {
    const field = [doc(1, 'likes the harbour', { speaker: 'Ana' }), doc(2, 'likes the harbour', { speaker: 'Bo' })];
    expect((await order("What is Ana's harbour?", ...field))[0]).to.equal(memoryId(1));
    const leading = [doc(1, 'Ana: likes the harbour'), doc(2, 'Bo: likes the harbour')];
    expect((await order('What does Bo like?', ...leading))[0]).to.equal(memoryId(2));
  });

  it('what an assistant said comes after what a person said, unless the query asks for it', async () => {
    const documents = alike('you could try the harbour cafe', { byAssistant: true }, { importance: null });
    expect((await order('which harbour cafe?', ...documents))[0]).to.equal(memoryId(2));
  });

  it('a word with a letter wrong finds a rare word, and an order number with a digit wrong finds nothing', async () => {
    const documents = [doc(1, 'We keep our sources in Zotero'), doc(2, 'Order ORD-1234 was shipped')];
    for (const typed of ['zoteor', 'zotreo', 'zotro', 'zoterro', 'zotera'])
      expect((await order(`where is ${typed}?`, ...documents))[0], typed).to.equal(memoryId(1));
    expect(await order('1235', ...documents)).to.deep.equal([]);
  });

  it('words that frame a question count less than what it is about', async () => {
    const documents = [doc(1, 'tell me about our conversation, again'), doc(2, 'the harbour was closed')];
    expect((await order('can you tell me about our conversation on the harbour?', ...documents))[0]).to.equal(
      memoryId(2),
    );
  });

  it('a question of when finds the memory that tells a time', async () => {
    const documents = [doc(1, 'the boat leaves the harbour on Monday'), doc(2, 'the boat leaves the harbour at ease')];
    expect((await order('When does the boat leave the harbour?', ...documents))[0]).to.equal(memoryId(1));
  });

  it('the answer to a question that was asked stands before what follows nothing', async () => {
    const turns = ['who has seen the harbour?', 'we all have', 'so be it', 'the end'];
    const recall = await loaded([...turns.map((text, i) => doc(i, text, { sessionId: 's', position: i })), ...fillers]);
    const found = ids(now(recall.search(ask('harbour'))));
    expect(found.indexOf(memoryId(1))).to.be.below(found.indexOf(memoryId(2)));
  });

  it('explain tells the shares of the score, which add up to it', async () => {
    const recall = await loaded([
      doc(1, 'Ana: I saw the harbour on 14 May 2023', { sessionId: 's', position: 0, occurredAt: may, importance: 1 }),
      ...fillers,
    ]);
    const [hit] = now(recall.search(ask('When did Ana see the harbour in May 2023?', { explain: true })));
    expect(hit?.shares).to.include.all.keys('own', 'near', 'session', 'speaker', 'me', 'opens', 'whenTime', 'date');
    expect(hit?.shares).to.not.have.property('asks');
    expect(hit?.shares?.importance).to.equal(weights.importance / 2);
    const sum = Object.values(hit?.shares ?? {}).reduce((a, b) => a + b, 0);
    expect(sum).to.be.closeTo(hit?.score ?? NaN, 1e-3);
    expect(now(recall.search(ask('harbour')))[0]).to.not.have.property('shares');
  });

  it('filters by speaker and by time, which leave out hits and not their neighbours', async () => {
    const recall = await loaded([
      doc(1, 'Ana: the harbour', { sessionId: 's', position: 0, occurredAt: may }),
      doc(2, 'Bo: we will see', { sessionId: 's', position: 1, occurredAt: august }),
    ]);
    const found = (more: object): string[] => ids(now(recall.search(ask('harbour', more))));
    expect(found({ speaker: 'bo' })).to.deep.equal([memoryId(2)]);
    expect(found({ speaker: 'Cleo' })).to.deep.equal([]);
    expect(found({ from: august })).to.deep.equal([memoryId(2)]);
    expect(found({ until: august })).to.deep.equal([memoryId(1)]);
    expect(found({ from: may, until: may })).to.deep.equal([]);
    recall.put(here, doc(3, 'Cleo: the harbour'));
    expect(found({ speaker: 'Cleo' })).to.deep.equal([memoryId(3)]);
    recall.remove(here, 'memory', memoryId(3));
    expect(found({ speaker: 'Cleo' })).to.deep.equal([]);
  });
});
