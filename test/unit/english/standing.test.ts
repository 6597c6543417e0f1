/** What a profile keeps of a text (docs/recall.md). */
import { expect } from 'chai';
import { isStanding, standingIn } from '../../../src/english/sentences.js';

describe('what a profile keeps', () => {
  for (const text of [
    'Always include version numbers when I ask about libraries.',
    'Please, never use tables in your answers.',
    'From now on answer in French.',
    'Whenever I ask for code, show tests first.',
    'I prefer short answers.',
    'I’d rather not. I would strongly prefer the train.',
    'The user prefers metric units.',
  ])
    it(`is said by "${text}"`, () => {
      expect(isStanding(text)).to.equal(true);
    });

  for (const text of [
    'Always happy to help.',
    'Never tried it?',
    'I have always been fond of herons.',
    'She never came back.',
    "What's pushing you to keep going?",
    'Do you prefer tea?',
  ])
    it(`is not said by "${text}"`, () => {
      expect(standingIn(text)).to.deep.equal([]);
    });

  it('is the sentence and not what stands around it', () => {
    expect(standingIn('It rained. Always answer in French! And what is a heron?')).to.deep.equal([
      'Always answer in French!',
    ]);
  });

  it('is cut to the clause of a long sentence, and bounded whatever the text is', () => {
    const long = `${'We walked along the river and talked about it, '.repeat(20)}so I prefer trains, ${'and so on, '.repeat(50)}`;
    const [kept = ''] = standingIn(long);
    expect(kept).to.match(/^… so I prefer trains, /);
    expect(kept.length).to.be.at.most(170);
    expect(standingIn('Always answer in French. '.repeat(1000))).to.have.length(4);
  });
});
