/** Other wordings of a question (src/english/wordings.ts), and what recall finds by them. */
import { expect } from 'chai';
import { answersTo, otherWordings, SaidText } from '../../../src/english/wordings.js';
import { ask, doc, ids, loaded, memoryId } from '../memory/support/fixtures.js';

describe('other wordings', () => {
  it('are those of the words of a question, and of what it asks for by its form', () => {
    expect(otherWordings('Where do I live?').split(' ')).to.include.members(['move', 'address', 'base']);
    expect(otherWordings('Do I have any pets?').split(' ')).to.include('dog');
    expect(otherWordings('What is the dog called?').split(' ')).to.include('pet').and.not.to.include('cat');
    expect(otherWordings('How old am I?').split(' ')).to.include('34');
    expect(otherWordings('What is the gate code?')).to.equal('');
  });

  it('find what the words of the question do not, below what they do', async () => {
    const recall = await loaded([
      doc(1, 'I moved to Paris'),
      doc(2, 'The launch is in June'),
      doc(3, 'We live on a boat'),
    ]);
    const query = 'Where do I live?';
    const also = otherWordings(query);
    expect(ids(await recall.search(ask(query)))).to.deep.equal([memoryId(3)]);
    expect(ids(await recall.search(ask(query, { also })))).to.deep.equal([memoryId(3), memoryId(1)]);
  });

  it('lower no relevance: they add nothing to what a query asks for', async () => {
    const recall = await loaded([doc(1, 'We live on a boat'), doc(2, 'The launch is in June')]);
    const relevance = async (also?: string) => (await recall.search(ask('Where do I live?', { also })))[0]?.relevance;
    expect(await relevance(otherWordings('Where do I live?'))).to.equal(await relevance());
  });

  it('a question without a word to look for is looked for by its other wordings', async () => {
    const recall = await loaded([doc(1, 'My name is Ana'), doc(2, 'The launch is in June')]);
    const hits = await recall.search(ask('Who am I?', { also: otherWordings('Who am I?') }));
    expect(ids(hits)).to.deep.equal([memoryId(1)]);
  });

  for (const [question, right, wrong] of [
    ['How old am I?', "I'm 34", 'The meeting is at 3 pm'],
    ['What is my name?', "I'm Julia", "My dog's name is Rex"],
    ['Where do I live?', 'I moved to Paris', 'I moved the meeting'],
    ['What do I do for a living?', "I'm a nurse", 'I live in Rome'],
    ['What is my favourite film?', 'My favorite movie is Alien', 'My favourite colour is green'],
  ] as const)
    it(`"${question}" is answered by "${right}" and not by "${wrong}"`, () => {
      expect(answersTo(question)(new SaidText(right))).to.equal(true);
      expect(answersTo(question)(new SaidText(wrong))).to.equal(false);
    });
});
