/** What the grammar of endings reads (src/domain/endings.ts): only what leaves no doubt. */
import { expect } from 'chai';
import { endingOf } from '../../../src/domain/endings.js';
import { endsWhat } from '../../../src/domain/identities.js';

const ends = (was: string, said: string): boolean => endsWhat({ content: was }, { content: said });

describe('domain: endings', () => {
  it('"no longer" and "not any more" end what the same words without it say', () => {
    for (const [was, ...said] of [
      ['I work at Acme', 'I no longer work at Acme.', "I don't work at Acme any more", 'I do not work at Acme anymore'],
      ['I live in Rome.', "Actually, I don't live in Rome any longer", 'I moved out of Rome last year'],
      ['Ana works at Initech', 'Ana no longer works at Initech', "Ana doesn't work at Initech any more"],
      ["I'm a vegetarian", 'I am no longer a vegetarian', 'I’m not a vegetarian any more'],
      ['The gate code is 4512', "The gate code isn't 4512 any more."],
      ['Bob is our landlord', "Bob isn't our landlord any more"],
    ] as [string, ...string[]][])
      for (const each of said) expect(ends(was, each), each).to.equal(true);
  });

  it('a job and a couple end in other words', () => {
    for (const said of ['I quit my job', 'I got laid off yesterday', 'I left Acme in 2019', 'I quit my job at Acme'])
      expect(ends('I work for Acme', said), said).to.equal(true);
    for (const said of ['Amy and I broke up', 'I broke up with my girlfriend', 'Amy and I are no longer together'])
      for (const was of ['My girlfriend is called Amy', "My girlfriend's name is Amy", 'My girlfriend is Amy'])
        expect(ends(was, said), said).to.equal(true);
    expect(ends('My wife is Paula', 'Paula and I got divorced in March')).to.equal(true);
    for (const was of [
      "I'm married to Paula",
      'I am engaged to Paula',
      'Paula is my fiancée',
      'Paula and I are married',
    ])
      for (const said of ['Paula and I are no longer engaged', 'I broke up with Paula', 'Paula and I got separated'])
        expect(ends(was, said), `${was} ${said}`).to.equal(true);
    for (const was of ["I'm married", 'I am married to Paula', 'My wife is called Paula', 'My husband is Jan'])
      expect(ends(was, 'I got divorced last month'), was).to.equal(true);
  });

  it('somebody who died lives nowhere, has no age and no job, and keeps a name', () => {
    for (const [was, said] of [
      ['Luna lives in Bonn', 'Luna died'],
      ['Luna is 12', 'Luna passed away last week'],
      ['My grandmother lives in Bonn', 'My grandmother has died'],
      ['Ana works at Acme', 'Ana died in March'],
      ['Ana works at Acme', 'Ana has quit her job'],
    ] as const)
      expect(ends(was, said), said).to.equal(true);
    for (const [was, said] of [
      ['My dog is called Luna', 'Luna died'],
      ['Luna lives in Bonn', 'Max died'],
      ['Luna lives in Bonn', 'My dog died'],
      ['I live in Bonn', 'My grandmother died'],
      ['I live in Bonn', 'I died'],
      ['Luna lives in Bonn', 'Luna almost died'],
      ['Luna lives in Bonn', 'The battery of Luna died'],
    ] as const)
      expect(ends(was, said), said).to.equal(false);
  });

  it('what is said of another, or has another value, goes on', () => {
    for (const [was, said] of [
      ['I work at Acme', 'I no longer work at Globex'],
      ['I work at Acme', 'Ana no longer works at Acme'],
      ['I live in Rome', 'I quit my job'],
      ['My best friend is called Amy', 'Amy and I broke up'],
      ['My girlfriend is called Amy', 'Zoe and I broke up'],
      ['My girlfriend is called Amy', 'I broke up with my boyfriend'],
      ['I work at Acme', 'I left home'],
      ['I work at Acme', 'I quit my previous job'],
      ['I work at Acme', 'I lost my second job in March'],
      ['I work at Acme', 'I was laid off in 2019'],
      ['I work at Acme', 'I quit my job ten years ago'],
      ['I work at Acme', 'I left Acme on time'],
      ['My wife is Paula', 'My wife and I are not divorced'],
      ['My wife is Paula', 'Paula and I were never separated'],
      ['My wife is Paula', 'My wife and I got almost divorced'],
      ['My wife is Paula', 'Paula and I split up in the museum'],
      ['My wife is Paula', 'My wife and I divorced in 2010'],
      ['My wife is Paula', 'I got divorced in 2010'],
      ['My wife is Paula', 'My sister got divorced'],
      ["I'm married to Zoe", 'Paula and I got divorced'],
      ['Zoe is my fiancée', 'I broke up with Paula'],
    ] as const)
      expect(ends(was, said), said).to.equal(false);
  });

  it('what one speaker ends goes on for the others', () => {
    const by = (speaker: string, content: string) => ({ speaker, content });
    for (const [was, said] of [
      ["I'm a vegetarian", 'I am no longer a vegetarian'],
      ['I work at Acme', 'I quit my job'],
      ["I'm married to Paula", 'Paula and I got separated'],
      ['I am married', 'I got divorced'],
    ] as const) {
      expect(endsWhat(by('Tom', was), by('Ana', said)), said).to.equal(false);
      expect(endsWhat(by('Tom', was), by('tom', said)), said).to.equal(true);
    }
    expect(endsWhat(by('Tom', 'The gate code is 4512'), by('Ana', "The gate code isn't 4512 any more"))).to.equal(true);
  });

  it('nothing is read that is hedged, asked, reported or composed', () => {
    for (const text of [
      'I might quit my job',
      'I think I no longer work at Acme',
      'Bob says I no longer work at Acme',
      'Do I no longer live in Rome?',
      'If I quit my job, I am free',
      'I want to quit my job',
      'I never quit my job',
      'My sister quit her job',
      'Amy and I broke up the fight',
      'My brother and I split up the chores',
      'I work at Acme',
      'x'.repeat(10_000),
      '',
    ])
      expect(endingOf(text), text).to.equal(null);
  });

  it('reads any text in little time', () => {
    const words = [
      'I',
      'no',
      'longer',
      'not',
      'any',
      'more',
      'and',
      'broke',
      'up',
      'quit',
      'my',
      'job',
      'at',
      "n't",
      'last',
    ];
    let n = 7;
    for (let i = 0; i < 3000; i++) {
      let text = '';
      while (text.length < 110) text += `${words[(n = (n * 1103515245 + 12345) % 2147483648) % words.length]!} `;
      endingOf(text);
    }
  });
});
