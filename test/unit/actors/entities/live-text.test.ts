/** actors/entities/agent/live-text.ts. */
import { expect } from 'chai';
import { everyMs, LiveText, restMs } from '../../../../actors/entities/agent/live-text.js';
import type { TextPiece } from '../../../../src/bus/port.js';
import { ManualClock, topic } from '../../bus/support.js';

describe('live text', () => {
  let clock: ManualClock;
  let sent: TextPiece[];
  let listening: boolean | Promise<boolean>;
  let text: LiveText;
  beforeEach(() => {
    clock = new ManualClock();
    sent = [];
    listening = true;
    const bus = {
      publishText: (_: unknown, piece: TextPiece) => {
        sent.push(piece);
        return listening;
      },
    };
    text = new LiveText(bus, clock, topic, { step: 3, attempt: 7 });
  });
  const pieces = (): string[] => sent.splice(0).map(({ round, from, text }) => `${round}:${from}:${text}`);

  it('many words become one piece, and no news none', async () => {
    for (const word of ['\n', ' The', ' launch', ' is']) text.heard(word);
    expect(sent).to.deep.equal([]);
    await clock.advance(everyMs);
    expect(sent).to.deep.equal([{ step: 3, attempt: 7, round: 0, from: 0, text: 'The launch is' }]);
    sent.length = 0;
    await clock.advance(10 * everyMs);
    expect([sent, clock.pending]).to.deep.equal([[], 0]);
    text.heard(' on 12 May');
    await clock.advance(everyMs);
    expect(pieces()).to.deep.equal(['0:13: on 12 May']);
    await clock.advance(2 * restMs);
    expect([pieces(), clock.pending]).to.deep.equal([['0:0:The launch is on 12 May'], 0]);
  });

  it('the whole text comes once in a while', async () => {
    for (let n = 0; n < 30; n++) {
      text.heard('x');
      await clock.advance(everyMs);
    }
    const whole = sent.filter(({ from }) => from === 0);
    expect(whole.map((piece) => piece.text.length)).to.deep.equal([1, 21]);
    expect(sent).to.have.length(30);
  });

  for (const late of [false, true])
    it(`nobody listens: one whole text in a while, until somebody does${late ? ' (told later)' : ''}`, async () => {
      listening = late ? Promise.resolve(false) : false;
      for (let n = 0; n < 60; n++) {
        text.heard('x');
        await clock.advance(everyMs);
      }
      expect(sent.map(({ from, text }) => [from, text.length])).to.deep.equal([
        [0, 1],
        [0, 21],
        [0, 41],
      ]);
      listening = late ? Promise.resolve(true) : true;
      await clock.advance(2 * everyMs);
      text.heard('y');
      await clock.advance(everyMs);
      expect(sent.slice(3).map(({ from, text }) => [from, text.length])).to.deep.equal([
        [0, 60],
        [60, 1],
      ]);
    });

  it('a model that begins anew voids the text at once, and goes on under the next number', async () => {
    text.restart();
    await clock.advance(everyMs);
    expect(pieces()).to.deep.equal([]);
    text.heard('I look it up.');
    await clock.advance(everyMs);
    text.restart();
    expect(pieces()).to.deep.equal(['1:0:I look it up.', '2:0:']);
    text.heard('On 12 May.');
    await clock.advance(everyMs);
    expect(pieces()).to.deep.equal(['2:0:On 12 May.']);
  });

  it('keeps back half of a character, and makes text storable', async () => {
    text.heard('a\0b \ud83d');
    await clock.advance(everyMs);
    text.heard('\ude80 \udc00!');
    await clock.advance(everyMs);
    expect(pieces()).to.deep.equal(['0:0:ab ', '0:3:🚀 \ufffd!']);
  });

  it('nothing comes after its end', async () => {
    text.heard('half');
    text.end();
    text.heard(' more');
    await clock.advance(10 * restMs);
    expect([sent, clock.pending]).to.deep.equal([[], 0]);
  });
});
