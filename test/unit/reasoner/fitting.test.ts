/** Which memories fit a question: Fitting.F1 to F3 of src/reasoner/built-in/fitting.ts. */
import { expect } from 'chai';
import { fitting } from '../../../src/reasoner/built-in/fitting.js';

const turns = [
  { role: 'user' as const, content: 'Who is Ana?', at: '' },
  { role: 'agent' as const, content: 'From memory: Ana is our designer', at: '' },
];

describe('fitting memories', () => {
  for (const [question, fits, fitsNot] of [
    ['Where do I live?', 'I moved to Paris', 'My name is Tom'],
    ["When is my sister's birthday?", "My sister's birthday is on 3 March", 'My birthday is on 5 May'],
    ['Where does my brother live?', 'My brother Max lives in York', 'My sister lives in Leeds'],
    ['Where does Kenji work?', 'Kenji is at Sony, where he works', 'Yuki works at Sony'],
    ['What is my password?', 'My password is tuna', "Tim's password is swordfish"],
    ['Is my wife allergic to anything?', 'My wife is allergic to nuts', "I'm allergic to penicillin"],
    ['Who is my husband?', "I'm married to Pedro", 'My brother is called Ben'],
    ['Do I have any pets?', 'My cat is called Tiger', 'My brother is called Ben'],
    ['What is my email?', 'My mail is a@example.org', 'My name is Tom'],
    ["Who is Ana's boss?", "Ana's manager is Bob", "Carl's manager is Dora"],
    ['Does she live in Rome?', 'Ana lives in Rome', 'Carl lives in Rome'],
    ['Does she live in Rome?', 'She lives in Oslo', 'Carl lives in Oslo'],
  ] as const)
    it(`"${question}" is answered by "${fits}" and not by "${fitsNot}"`, () => {
      expect(fitting(question, turns)(fits)).to.equal(true);
      expect(fitting(question, turns)(fitsNot)).to.equal(false);
    });

  it('of several sentences it is open which of them a memory answers', () => {
    expect(fitting('Tell Bob: hi\nWhen is the launch?')('The launch is on 12 May')).to.equal(true);
  });
});
