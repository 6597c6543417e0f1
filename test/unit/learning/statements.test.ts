/** Which statements an agent learns (src/learning/statements.ts). */
import { expect } from 'chai';
import { isWhole, mostStatements, statementsIn } from '../../../src/learning/statements.js';
import { measure } from './labelled.js';

describe('learning: statements', () => {
  it('of some 300 labelled sentences, more than 95 % of those taken are worth keeping', () => {
    const { sentences, precision, recall, wrong } = measure(new URL('statements.txt', import.meta.url));
    expect(sentences).to.be.at.least(300);
    expect(precision, wrong.join('\n')).to.be.above(0.95);
    expect(recall).to.be.above(0.9);
  });

  it('are kept word for word, without what opens them (Learning.L1)', () => {
    expect(statementsIn('Hi! FYI: the launch moved to June. My dog is called Rex!')).to.deep.equal([
      'The launch moved to June.',
      'My dog is called Rex!',
    ]);
    expect(statementsIn('I live in Oslo.\nWhere do you live? I live in Oslo.')).to.deep.equal(['I live in Oslo.']);
  });

  it('two of a sentence that joins two, if each of its clauses is one (Learning.L3)', () => {
    expect(statementsIn('My name is Tom and I live in Rome.')).to.deep.equal(['My name is Tom', 'I live in Rome.']);
    expect(statementsIn('Actually, I moved to Paris, and my dog is called Rex!')).to.deep.equal([
      'I moved to Paris',
      'My dog is called Rex!',
    ]);
    for (const text of ['My name is Tom and you live in Rome.', 'Once the launch is in May, I live in Rome.'])
      expect(statementsIn(text), text).to.deep.equal([]);
  });

  it('none in material to work on, nor in a long text (Learning.L2)', () => {
    for (const text of [
      'Translate this into French. I live in Oslo.',
      'Here is the mail:\n> My name is Bob.\n> I live in Rome.\nWhat do you think?',
      'Imagine a story. The king lives in Rome. My name is Arthur.',
      'Bob wrote: the launch moved to June. My name is Bob.',
      `${'The weather is nice today in town. '.repeat(80)}My name is Ana.`,
      '',
    ])
      expect(statementsIn(text), text.slice(0, 60)).to.deep.equal([]);
  });

  it('a few of one text at most', () => {
    const text = ['Oslo', 'Rome', 'Bern', 'Cork', 'Graz', 'Lima'].map((place) => `Ana moved to ${place}.`).join(' ');
    expect(statementsIn(text)).to.have.length(mostStatements);
  });

  it('tells whether anything else was said', () => {
    expect(isWhole('Hello! My dog is called Rex.', ['My dog is called Rex.'])).to.equal(true);
    expect(isWhole('My dog is called Rex. He ate a whole cake yesterday.', ['My dog is called Rex.'])).to.equal(false);
  });

  it('reads any text in little time', () => {
    const words = [
      'the',
      'my',
      "'s",
      'is',
      'Ana',
      'I',
      'have',
      'a',
      'dog',
      'called',
      'prefer',
      'to',
      'over',
      '.',
      ',',
      'in',
    ];
    let n = 3;
    for (let i = 0; i < 300; i++) {
      let text = '';
      while (text.length < 1900) text += `${words[(n = (n * 1103515245 + 12345) % 2147483648) % words.length]!} `;
      statementsIn(text);
    }
  });
});
