/** Which memories fit a question: src/reasoner/built-in/fitting.ts. */
import { expect } from 'chai';
import { fitting, readMemory } from '../../../src/reasoner/built-in/fitting.js';

const turns = [
  { role: 'user' as const, content: 'Who is Ana?', at: '' },
  { role: 'agent' as const, content: 'From memory: Ana is our designer', at: '' },
];

const fit = (question: string, ...contents: string[]): string[] =>
  fitting(
    contents.map((content) => readMemory({ content })),
    question,
    turns,
  ).map(({ memory }) => memory.content);

describe('fitting memories', () => {
  for (const [question, fits, fitsNot] of [
    ['Where do I live?', 'I moved to Paris', 'My name is Tom'],
    ["When is my sister's birthday?", "My sister's birthday is on 3 March", 'My birthday is on 5 May'],
    ['Where does my brother live?', 'My brother Max lives in York', 'My sister lives in Leeds'],
    ['Where does Kenji work?', 'Kenji is at Sony, where he works', 'Yuki works at Sony'],
    ['What is my ferritin value?', 'My ferritin was 80 in May', 'That is a good value'],
    ['What is my ferritin value?', 'The value is 80', 'A good value'],
    ['What is the wifi password?', 'The new password is tuna', 'My bank password is tuna'],
    ['What is my password?', 'My password is tuna', "Tim's password is swordfish"],
    ['Is my wife allergic to anything?', 'My wife is allergic to nuts', "I'm allergic to penicillin"],
    ['Who is my husband?', "I'm married to Pedro", 'My brother is called Ben'],
    ['Do I have any pets?', 'My cat is called Tiger', 'My brother is called Ben'],
    ['What is my email?', 'My mail is a@example.org', 'My name is Tom'],
    ["Who is Ana's boss?", "Ana's manager is Bob", "Carl's manager is Dora"],
    ["What don't I like?", 'I hate spinach', 'My favourite colour is green'],
    ['What does Ana dislike?', "Ana can't stand golf", 'Ana likes golf'],
    ['Does Eva have kids?', 'Eva has two sons', 'Eva lives in Berlin'],
    ['What is the bell made of?', 'The bell of the tower is bronze', 'The gate is oak'],
    ['When is the tower closed?', 'The tower shuts on Mondays', 'The shop shuts on Mondays'],
    ['Where is the spare key kept?', 'The spare key is under the mat', 'The spare tyre is in the boot'],
    ['What is the production password?', 'The password of production is tuna', 'The product owner is Marek'],
    ['Does she live in Rome?', 'Ana lives in Rome', 'Carl lives in Rome'],
    ['Does she live in Rome?', 'She lives in Oslo', 'Carl lives in Oslo'],
    ['Wo ist das Büro in Berlin?', 'The office in Berlin is in Torstrasse 12', 'The office in Rome is closed'],
  ] as const)
    it(`"${question}" is answered by "${fits}" and not by "${fitsNot}"`, () => {
      expect(fit(question, fits)).to.deep.equal([fits]);
      expect(fit(question, fitsNot)).to.deep.equal([]);
    });

  it('whether something is liked is answered by what is said of it', () => {
    expect(fit('Do I like spinach?', 'My favourite colour is green', 'I hate spinach')).to.deep.equal([
      'I hate spinach',
    ]);
    expect(fit('Does Ana like tea?', 'Ana likes golf', 'Ana hates tea')).to.deep.equal(['Ana hates tea']);
  });

  it('of several sentences it is open which of them a memory answers', () => {
    expect(fit('Tell Bob: hi\nWhen is the launch?', 'The launch is on 12 May')).to.have.length(1);
  });

  it('people are known by the names that memories tell', () => {
    const about = ['My husband Jan is tall', 'Jan works at Philips', 'Eva works at Sony'];
    expect(fit('Where does my husband work?', ...about)).to.deep.equal(['Jan works at Philips']);
  });

  it('what meets more of the question goes alone', () => {
    expect(fit('Who is allergic to cats?', 'Lotte is allergic to cats', "I'm allergic to nuts")).to.deep.equal([
      'Lotte is allergic to cats',
    ]);
    const trips = ['The trip is in May', 'The trip was moved to June'];
    expect(fit('Is the trip in May?', ...trips)).to.deep.equal(trips);
  });
});
