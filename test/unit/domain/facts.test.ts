/** What the grammar of facts reads (src/domain/facts.ts): only what leaves no doubt. */
import { expect } from 'chai';
import { factOf } from '../../../src/domain/facts.js';

const key = (text: string, speaker?: string): string | null => {
  const fact = factOf(text, speaker);
  return fact && `${fact.subject} | ${fact.relation}`;
};

describe('domain: facts', () => {
  it('statements in other words have the same subject and relation', () => {
    for (const [expected, ...texts] of [
      [
        'launch | when:date',
        'The launch is in May.',
        'the launch moved to June',
        'Actually, the launch is now in 2027',
      ],
      ['me | home', 'I live in Oslo', 'I moved to Bergen!', 'We are fine'].slice(0, 3),
      ['me | home', 'I emigrated to Canada', 'I am living in Oslo'],
      ['me:parents | home', 'My parents live in Oslo', 'My parents moved to Rome'],
      ['me | age', "I'm 34", 'I am 34'],
      ['me | marital status', "I'm married", 'I am engaged to Paula', 'I am single'],
      ['gate | code', 'The gate code is 4512', "The gate's code is now 77", 'The code of the gate is 12 34'],
      ['ana | manager', "Ana's manager is Bob", 'the manager of Ana is Carol Smith'],
      ['me | favorite color', 'My favourite colour is blue', 'my favorite color is now green'],
      ['gate | closes:when:clock', 'The gate closes at 8', 'FYI: the gate closes at 6 pm'],
      ['server | port', 'The server runs on port 8080', "The server's port is 9000"],
      ['coat | price', 'The coat costs 20 euros', 'The price of the coat is 30 euros'],
    ] as [string, ...string[]][])
      for (const text of texts) expect(key(text), text).to.equal(expected);
  });

  it('"I" is the speaker', () => {
    expect(key('I live in Oslo', 'Ana')).to.equal('ana | home');
    expect(key('Ana lives in Rome', 'Bob')).to.equal('ana | home');
    expect(key('My manager is Bob', 'Ana')).to.equal('ana | manager');
    expect(key('My seat is 14C', 'Ana')).to.equal('ana | seat');
  });

  it('who is single has no wife', () => {
    expect(factOf('I am single')?.ends).to.deep.equal(['wife', 'husband', 'spouse']);
    expect(factOf('I am married to Paula')?.ends).to.deep.equal([]);
  });

  it('a new day ends the old month and weekday; a new hour ends neither', () => {
    expect(factOf('The launch moved to Friday')?.ends).to.deep.equal(['when:date']);
    expect(factOf('The launch moved to 9 am')?.ends).to.deep.equal([]);
  });

  it('nothing that is hedged, negated, reported, conditional, composed, asked or of several', () => {
    for (const text of [
      'Is the launch in May?',
      'I think the launch is in May',
      'The launch may be in June',
      'The launch is not in June',
      "The launch isn't in June",
      'Ana said the launch is in June',
      'If it rains, the launch is in June',
      'The launch is in June and the party is in May',
      'The launch is in June or July',
      '"The launch is in June"',
      'The launch is in June. The party is in May.',
      'It is in June',
      'My sister lives in Oslo',
      'My dog is called Rex',
      'The price of the coat is too high',
      'The meeting is in trouble',
      'The meeting is at 5 on Mondays',
      'I am in love',
      'I moved to tears',
      'x'.repeat(10_000),
      '',
    ])
      expect(key(text), text).to.equal(null);
  });

  it('reads any text in little time', () => {
    const words = ['the', 'a', "'s", 'is', 'of', 'my', 'code', 'in', 'May', 'moved', 'to', '8', '-', 'for', 'from'];
    let n = 7;
    for (let i = 0; i < 3000; i++) {
      let text = '';
      while (text.length < 150) text += `${words[(n = (n * 1103515245 + 12345) % 2147483648) % words.length]!} `;
      factOf(text);
    }
  });
});
