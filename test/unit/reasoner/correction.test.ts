/** Corrections and changes of what was said before: what is certainly one, and what only looks like it. */
import { expect } from 'chai';
import { changed } from '../../../src/reasoner/built-in/change.js';
import { corrected } from '../../../src/reasoner/built-in/correction.js';

const after = (said: string, then: string): string | null => corrected(then, [{ role: 'user', content: said, at: '' }]);

describe('corrections', () => {
  it('replace a name or a time by another', () => {
    expect(after('My sister lives in Rome.', 'No, Paris.')).to.equal('My sister lives in Paris');
    expect(after('The deadline is March 15.', 'No. March 20.')).to.equal('The deadline is March 20');
  });
  it('replace a code, also by what it is now', () => {
    expect(after('The gate is B2.', "No, it's C3.")).to.equal('The gate is C3');
    expect(after('The gate is B2.', "It's now C3.")).to.equal('The gate is C3');
    expect(after('The deadline is Monday.', "It's now Friday.")).to.equal(null);
  });
  it('correct what an answer has quoted, where it has quoted one statement alone', () => {
    const asked = (question: string, answer: string, then: string): string | null =>
      corrected(then, [
        { role: 'user', content: question, at: '' },
        { role: 'agent', content: answer, at: '' },
      ]);
    const carol = 'From memory: My manager is Carol.';
    expect(asked('Who is my manager?', carol, 'No, Bob.')).to.equal('My manager is Bob');
    expect(asked('Who is my manager?', carol, "No, it's Bob.")).to.equal('My manager is Bob');
    expect(asked('Who is my manager?', carol, 'No, thanks')).to.equal(null);
    expect(asked('Who is my manager?', carol, 'No, 5')).to.equal(null);
    expect(asked('Is Carol in?', 'From memory: I like Carol', 'No, Bob.'), 'no fact').to.equal(null);
    const two = 'From memory:\n- My manager is Carol.\n- Ana leads the team.';
    expect(asked('Who is my manager?', two, 'No, Bob.')).to.equal(null);
    expect(asked('Who is my manager?', 'I do not know.', 'No, Bob.')).to.equal(null);
    expect(asked('My boss is Eve.', carol, 'No, Bob.'), 'what was said before').to.equal('My boss is Bob');
  });
  for (const then of [
    'No. Thanks.',
    'Sorry. Hello.',
    'No! Wrong.',
    'No, Thanks',
    'No, Thank you!',
    'No, Sorry',
    'No, Wrong',
  ])
    it(`are not taken from a sentence of one word: ${then}`, () => {
      expect(after('My sister lives in Rome.', then)).to.equal(null);
    });
});

describe('changes', () => {
  const said = (...contents: string[]) => contents.map((content) => ({ role: 'user' as const, content, at: '' }));
  const known = (...contents: string[]) => contents.map((content) => ({ content }));
  const falcon = 'The project is called Falcon.';

  it('put a new name into what was said of the thing, in the session or else in memory', () => {
    for (const change of [
      'We changed the name to Eagle.',
      "It's now called Eagle",
      'It was renamed to Eagle last week',
      'The new name is Eagle',
      'We changed the name from Falcon to Eagle',
    ])
      for (const found of [
        changed(change, said(falcon), []),
        changed(change, [], known(falcon, 'My wife is called Ines')),
      ])
        expect(found, change).to.equal('The project is called Eagle');
  });

  it('are none where it is not certain what changes', () => {
    const boat = 'The boat is called Molly';
    expect(changed("It's now called Eagle", [], known(falcon, boat))).to.equal(null);
    expect(changed("It's now called Eagle", said(boat), known(falcon, boat))).to.equal('The boat is called Eagle');
    expect(changed("It's called Eagle", said(falcon), [])).to.equal(null);
    expect(changed('We changed the name from Hawk to Eagle', said(falcon), [])).to.equal(null);
    expect(changed("It's now gate C3", [], known('My seat is 14C'))).to.equal(null);
    expect(changed("It's now called Eagle", [], known('My wife is called Ines'))).to.equal(null);
  });

  it('put another home into what was said right before of others', () => {
    for (const [before, change, now] of [
      ['My parents live in Berlin.', 'They migrated to Canada', 'My parents live in Canada'],
      ['Ana lives in Bonn', 'She has just moved to Rome last month.', 'Ana lives in Rome'],
      ['Ana moved to Bonn', 'She moved from Bonn to Rome', 'Ana moved to Rome'],
    ] as const)
      expect(changed(change, said(before), []), change).to.equal(now);
    const bonn = 'Ana lives in Bonn';
    expect(changed('She moved to Rome', said(bonn, 'It is raining'), [])).to.equal(null);
    expect(changed('She moved to Rome', [], known(bonn))).to.equal(null);
    expect(changed('She moved from Kiel to Rome', said(bonn), [])).to.equal(null);
    expect(changed('They moved to Rome', said('I live in Bonn'), [])).to.equal(null);
    expect(changed('They moved to a bigger flat', said(bonn), [])).to.equal(null);
    expect(changed('She moved to Friday', said(bonn), [])).to.equal(null);
  });

  it('put another tool into what it is used for', () => {
    const jenkins = 'We use Jenkins for CI';
    expect(changed('We switched to GitLab', said(jenkins), [])).to.equal('We use GitLab for CI now');
    expect(changed('We switched to GitLab', said(jenkins, 'It is raining'), [])).to.equal(null);
    expect(changed('We switched to GitLab', [], known(jenkins))).to.equal(null);
    expect(changed('We moved to Bremen last year', said(jenkins), [])).to.equal(null);
    expect(changed('We switched to GitLab for the docs', said(jenkins), [])).to.equal(null);
    expect(changed('We moved from Jenkins to GitLab', [], known(jenkins))).to.equal('We use GitLab for CI now');
    expect(changed('We moved from Kiel to Bremen', [], known(jenkins))).to.equal(null);
  });
});
