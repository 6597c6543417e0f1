/** src/bus/run-updates.ts: text between the events of a run. */
import { expect } from 'chai';
import type { TextPiece } from '../../../src/bus/port.js';
import { bound, withText } from '../../../src/bus/run-updates.js';
import type { RunEvent, RunUpdate, Thought } from '../../../src/domain/model/model.js';
import { answer, Reader, settle, status } from './support.js';

const thought = (seq: number, step: number): RunEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'thought',
  thought: { step } as Thought,
});
const piece = (from: number, text: string, more: Partial<TextPiece> = {}): TextPiece => ({
  step: 1,
  attempt: 1,
  round: 0,
  from,
  text,
  ...more,
});

/** Events that the test says, one after another. */
class Source implements AsyncIterable<RunEvent> {
  private readonly ready: (RunEvent | null | Error)[] = [];
  private wake: () => void = () => undefined;
  returned = false;
  say(...events: (RunEvent | null | Error)[]): void {
    this.ready.push(...events);
    this.wake();
  }
  [Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    return {
      next: async () => {
        while (this.ready.length === 0 && !this.returned)
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        const next = this.ready.shift() ?? null;
        if (next instanceof Error) throw next;
        return next === null ? { done: true, value: undefined } : { done: false, value: next };
      },
      return: async () => {
        this.returned = true;
        this.wake();
        return { done: true, value: undefined };
      },
    };
  }
}

describe('run updates', () => {
  let source: Source;
  let tell: ((pieces: readonly TextPiece[]) => void) | null;
  let reader: Reader<RunUpdate>;
  beforeEach(() => {
    source = new Source();
    tell = null;
    reader = new Reader(
      withText({
        events: source,
        subscribe: (listener) => {
          tell = listener;
          return () => {
            tell = null;
          };
        },
        now: () => 0,
      }),
    );
  });
  /** What has come: events by name, text as what it is, with = where it replaces. */
  const told = async (): Promise<string[]> => {
    for (let n = 0; n < 3; n++) {
      await reader.drain();
      await settle();
    }
    return reader.out
      .splice(0)
      .map((u) => (u.type === 'delta' ? `${u.append ? '+' : '='}${u.text}` : u.type === 'status' ? u.status : u.type));
  };

  it('tells text as it comes, and the events as they are', async () => {
    source.say(status(1, 'running'));
    expect(await told()).to.deep.equal(['running']);
    tell?.([piece(0, 'The ')]);
    expect(await told()).to.deep.equal(['=The ']);
    tell?.([piece(4, 'launch'), piece(10, ' is')]);
    expect(await told()).to.deep.equal(['+launch is']);
    source.say(thought(2, 1), answer(3), status(4, 'completed'), null);
    expect(await told()).to.deep.equal(['thought', 'answer', 'completed']);
    expect([reader.closed, tell]).to.deep.equal([true, null]);
  });

  it('a repeated or a whole text adds what is new; after a gap the next whole text replaces', async () => {
    await reader.drain();
    tell?.([piece(0, 'one'), piece(3, ' two')]);
    tell?.([piece(3, ' two'), piece(0, 'one two three')]);
    expect(await told()).to.deep.equal(['=one two three']);
    tell?.([piece(20, 'lost what was before')]);
    expect(await told()).to.deep.equal([]);
    tell?.([piece(40, 'and this')]);
    expect(await told()).to.deep.equal([]);
    tell?.([piece(0, 'one two three four')]);
    expect(await told()).to.deep.equal(['=one two three four']);
  });

  it('who comes in the middle waits for a whole text', async () => {
    await reader.drain();
    tell?.([piece(10, 'middle')]);
    expect(await told()).to.deep.equal([]);
    tell?.([piece(0, 'the whole middle')]);
    expect(await told()).to.deep.equal(['=the whole middle']);
  });

  it('a model that begins anew replaces its text, and what is late of an older one is nobody’s', async () => {
    await reader.drain();
    tell?.([piece(0, 'I will look')]);
    expect(await told()).to.deep.equal(['=I will look']);
    tell?.([piece(0, '', { round: 1 })]);
    expect(await told()).to.deep.equal(['=']);
    tell?.([piece(11, ' it up'), piece(0, 'On 12', { round: 1 }), piece(0, 'I will look it up')]);
    expect(await told()).to.deep.equal(['+On 12']);
    tell?.([piece(0, 'Of another attempt', { attempt: 2 }), piece(5, ' May', { round: 1 })]);
    expect(await told()).to.deep.equal(['=Of another attempt']);
  });

  it('no text of a step that is over, before or after the answer', async () => {
    await reader.drain();
    tell?.([piece(0, 'half')]);
    source.say(thought(1, 1));
    expect(await told()).to.deep.equal(['thought']);
    tell?.([piece(0, 'half an answer')]);
    expect(await told()).to.deep.equal([]);
    tell?.([piece(0, 'the next', { step: 2, attempt: 2 })]);
    expect(await told()).to.deep.equal(['=the next']);
    source.say(answer(2));
    expect(await told()).to.deep.equal(['answer']);
    tell?.([piece(8, ' step', { step: 2, attempt: 2 })]);
    expect(await told()).to.deep.equal([]);
  });

  for (const ending of ['failed', 'cancelled', 'timeout', 'paused'] as const)
    it(`text is taken back before ${ending}`, async () => {
      await reader.drain();
      tell?.([piece(0, 'half')]);
      expect(await told()).to.deep.equal(['=half']);
      source.say(status(1, ending));
      expect(await told()).to.deep.equal(['=', ending]);
      tell?.([piece(4, ' more')]);
      expect(await told()).to.deep.equal([]);
      source.say(status(2, 'running'));
      await told();
      tell?.([piece(0, 'resumed', { step: 2, attempt: 2 })]);
      expect(await told()).to.deep.equal(['=resumed']);
    });

  it('text for a reader that does not read is merged, and dropped beyond the bound', async () => {
    await reader.drain();
    tell?.([piece(0, 'x')]);
    expect(await told()).to.deep.equal(['=x']);
    const much = 'y'.repeat(1000);
    for (let n = 0; n < 60; n++) tell?.([piece(1 + n * 1000, much)]);
    expect(await told()).to.deep.equal([`+${'y'.repeat(60_000)}`]);
    for (let n = 60; n < 200; n++) tell?.([piece(1 + n * 1000, much)]);
    expect((await told()).join('').length, 'what is kept').to.be.at.most(bound + 1);
    source.say(answer(1));
    expect(await told()).to.deep.equal(['answer']);
  });

  it('subscribes at the first read, and returning ends all of it, also while a read is pending', async () => {
    expect(tell).to.equal(null);
    reader.take();
    expect(tell).not.to.equal(null);
    await settle();
    await reader.iterator.return?.();
    await settle();
    expect([tell, source.returned, reader.closed]).to.deep.equal([null, true, true]);
  });

  it('fails as its source does', async () => {
    source.say(new Error('broken'));
    await told();
    expect([(reader.error as Error).message, tell]).to.deep.equal(['broken', null]);
  });
});
