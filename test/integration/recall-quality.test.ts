/**
 * How much of what a question needs recall finds, over two kinds of conversations: two people (LoCoMo), and people with
 * an assistant (BEAM). R@k is the mean share of a question's evidence among the first k hits; MRR the mean of one over
 * the rank of the first. `npm run bench -- recall` prints more of it. Without the data sets the suite is skipped.
 */
import { expect } from 'chai';
import { type Conversation, conversationsOf, type Given, qualityOf } from '../helpers/conversations.js';
import { Scorer } from '../../src/memory/scorer.js';

describe('recall over conversations', function () {
  this.timeout(120_000);
  let people: Conversation[];
  let assisted: Conversation[];
  let users: Conversation[];

  before(function () {
    const found = [conversationsOf('locomo-dev'), conversationsOf('beam-dev'), conversationsOf('beam-dev', true)];
    if (found.includes(null)) {
      process.stdout.write('    skipped: locomo-dev.json and beam-dev.json are not in ../shared/data\n');
      this.skip();
    }
    [people, assisted, users] = found as [Conversation[], Conversation[], Conversation[]];
  });

  const holds = (name: string, of: () => readonly Conversation[], given: Given, r5: number, r10: number): void => {
    it(`${name}: R@5 ${r5}, R@10 ${r10}`, async () => {
      const found = await qualityOf(of(), given);
      expect(found.r5).to.be.above(r5);
      expect(found.r10).to.be.above(r10);
    });
  };
  holds('two people, with times', () => people, { sessions: 'session', times: true }, 75.5, 84);
  holds('two people, without times', () => people, { sessions: 'session', times: false }, 73, 82);
  // BM25 with stems alone: 24.5 / 35.8, of what users said 51.4 / 59.0
  holds('with an assistant', () => assisted, { sessions: 'session', times: true }, 47, 57);
  holds('with an assistant, no sessions', () => assisted, { sessions: 'none', times: true }, 40, 50);
  holds('what users said', () => users, { sessions: 'session', times: true }, 55, 63);

  it('two stages lose next to nothing (all of one agent, R@10)', async () => {
    const given: Given = { sessions: 'session', times: true };
    const exact = await qualityOf(people, given, { together: true, scorer: new Scorer(Infinity) });
    const bounds = { postingsRead: 2000, compared: 1000, chosen: 200 };
    const narrowed = await qualityOf(people, given, { together: true, scorer: new Scorer(0, bounds) });
    expect(narrowed.r10).to.be.above(exact.r10 - 0.5);
  });
});
