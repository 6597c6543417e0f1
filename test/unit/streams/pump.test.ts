import { expect } from 'chai';
import { HivekeepError, unavailable } from '../../../src/domain/shared/errors.js';
import { Pump, type Ended, type PumpOptions, type Sink, type StreamHandle } from '../../../gateway/streams/pump.js';
import { Turns } from '../../../gateway/limits/intake.js';
import { ManualClock, settle } from '../bus/support.js';

/** A source that a test feeds, and that knows when it is returned. */
class Source implements AsyncIterable<number>, AsyncIterator<number> {
  asked = 0;
  returned = 0;
  #ready: number[] = [];
  #waiting: { resolve: (step: IteratorResult<number>) => void; reject: (error: unknown) => void } | null = null;
  failure: Error | null = null;
  [Symbol.asyncIterator](): this {
    return this;
  }
  next(): Promise<IteratorResult<number>> {
    this.asked++;
    if (this.failure) return Promise.reject(this.failure);
    const value = this.#ready.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }
  /** As that of a plain async generator: never settles while a read is pending. */
  return(): Promise<IteratorResult<number>> {
    this.returned++;
    return new Promise(() => undefined);
  }
  give(value: number): void {
    if (this.#waiting) {
      this.#waiting.resolve({ done: false, value });
      this.#waiting = null;
    } else this.#ready.push(value);
  }
  end(): void {
    this.#waiting?.resolve({ done: true, value: undefined });
  }
  fail(error: unknown): void {
    this.#waiting?.reject(error);
  }
}

class TestSink implements Sink<number> {
  written: number[] = [];
  beats = 0;
  ends: string[] = [];
  destroyed = 0;
  full = false;
  constructor(readonly handle: StreamHandle) {}
  write(item: number): boolean {
    this.written.push(item);
    return !this.full;
  }
  beat(): boolean {
    this.beats++;
    return !this.full;
  }
  finish(end: string): void {
    this.ends.push(end);
  }
  destroy(): void {
    this.destroyed++;
  }
}

function setUp(options: Partial<PumpOptions> = {}) {
  const clock = new ManualClock();
  const pump = new Pump({
    clock,
    heartbeatMs: 100,
    maxMs: 1000,
    stallMs: 200,
    goodbyeMs: 50,
    maxStreams: 10,
    turns: new Turns({ monotonic: () => 0, turnMs: 5 }),
    ...options,
  });
  const open = async () => {
    const source = new Source();
    const opened = { source, sink: null as unknown as TestSink, ended: null as Ended | null };
    void pump
      .run(source, (handle) => (opened.sink = new TestSink(handle)))
      .then((ended) => {
        opened.ended = ended;
      });
    await settle();
    await settle();
    return opened;
  };
  return { clock, pump, open };
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return expect.fail('did not reject');
}

describe('the pump', () => {
  it('carries events in order and ends with the source', async () => {
    const t = setUp();
    const s = await t.open();
    s.source.give(1);
    await settle();
    s.source.give(2);
    await settle();
    s.source.end();
    await settle();
    expect([s.sink.written, s.sink.ends, s.ended?.end, s.source.returned, t.pump.open]).to.deep.equal([
      [1, 2],
      ['finished'],
      'finished',
      0,
      0,
    ]);
  });

  it('StreamPump.P7: one event for many streams is written over several turns, to all in order', async () => {
    const turns: (() => void)[] = [];
    let now = 0;
    const later = (then: () => void): void => void turns.push(then);
    const t = setUp({ turns: new Turns({ monotonic: () => now, turnMs: 5, nextTurn: later, settled: later }) });
    const all = [await t.open(), await t.open(), await t.open(), await t.open()];
    const written = (): number[] => all.map(({ sink }) => sink.written.length);
    for (const { source, sink } of all) {
      sink.write = (item) => {
        now += 3; // what it takes
        return sink.written.push(item) > 0;
      };
      source.give(1);
    }
    await settle();
    const seen = [written()];
    while (turns.length > 0) {
      for (const then of turns.splice(0)) then();
      await settle();
      seen.push(written());
    }
    expect(seen.map((counts) => counts.filter((n) => n === 1).length)).to.deep.equal([2, 3, 4]);
    expect(seen[1]).to.deep.equal([1, 1, 1, 0]);
  });

  it('asks for no more while the reader is behind, and goes on when it is not', async () => {
    const t = setUp();
    const s = await t.open();
    s.sink.full = true;
    for (const n of [1, 2, 3]) s.source.give(n);
    await settle();
    expect([s.sink.written, s.source.asked]).to.deep.equal([[1], 1]);
    s.sink.full = false;
    s.sink.handle.drained();
    await settle();
    expect(s.sink.written).to.deep.equal([1, 2, 3]);
  });

  it('cuts off the reader that takes nothing, and no other', async () => {
    const t = setUp();
    const slow = await t.open();
    const quick = await t.open();
    slow.sink.full = true;
    slow.source.give(1);
    await t.clock.advance(199);
    expect(slow.ended).to.equal(null);
    await t.clock.advance(101);
    expect([slow.ended?.end, slow.sink.ends, slow.source.returned]).to.deep.equal(['slow', ['slow'], 1]);
    quick.source.give(7);
    await settle();
    expect([quick.sink.written, quick.ended]).to.deep.equal([[7], null]);
  });

  it('a reader that takes something in time is not cut off', async () => {
    const t = setUp();
    const s = await t.open();
    s.sink.full = true;
    for (let i = 0; i < 8; i++) {
      s.source.give(i);
      await t.clock.advance(110);
      s.sink.handle.drained();
    }
    expect(s.ended).to.equal(null);
  });

  it('a heartbeat that is not taken counts, too', async () => {
    const t = setUp();
    const s = await t.open();
    s.sink.full = true;
    await t.clock.advance(100 + 200);
    expect([s.sink.beats, s.ended?.end]).to.deep.equal([1, 'slow']);
  });

  it('a reader who leaves ends the stream at once, though the source is being asked', async () => {
    const t = setUp();
    const s = await t.open();
    s.sink.handle.closed();
    await settle();
    expect([s.ended?.end, s.source.returned, s.sink.ends, t.pump.open]).to.deep.equal(['left', 1, [], 0]);
    s.source.give(1);
    await settle();
    expect(s.sink.written).to.deep.equal([]);
  });

  it('one reason only', async () => {
    const t = setUp();
    const s = await t.open();
    s.source.end();
    await settle();
    s.sink.handle.closed();
    t.pump.close();
    await t.clock.advance(5000);
    expect([s.sink.ends, s.ended?.end]).to.deep.equal([['finished'], 'finished']);
  });

  it('ends at its time, and destroys what does not close then', async () => {
    const t = setUp();
    const s = await t.open();
    await t.clock.advance(999);
    expect(s.ended).to.equal(null);
    await t.clock.advance(1);
    expect([s.ended?.end, s.sink.ends, s.source.returned, s.sink.destroyed]).to.deep.equal(['time', ['time'], 1, 0]);
    await t.clock.advance(50);
    expect(s.sink.destroyed).to.equal(1);
  });

  it('what closes in time is not destroyed', async () => {
    const t = setUp();
    const s = await t.open();
    await t.clock.advance(1000);
    s.sink.handle.closed();
    await t.clock.advance(50);
    expect(s.sink.destroyed).to.equal(0);
  });

  it('a heartbeat each period', async () => {
    const t = setUp();
    const all = [await t.open(), await t.open(), await t.open()];
    await t.clock.advance(100);
    expect(all.map((s) => s.sink.beats)).to.deep.equal([1, 1, 1]);
    await t.clock.advance(300);
    expect(all.map((s) => s.sink.beats)).to.deep.equal([4, 4, 4]);
  });

  it('StreamPump.P6: what the source refuses at once rejects, and no sink begins', async () => {
    const t = setUp();
    const source = new Source();
    source.failure = unavailable('not now');
    expect(await rejection(t.pump.run(source, () => expect.fail('began')))).to.equal(source.failure);
    expect(t.pump.open).to.equal(0);
  });

  it('StreamPump.P6: the source has been asked when the sink begins', async () => {
    const t = setUp();
    const source = new Source();
    let asked = -1;
    void t.pump.run(source, (handle) => {
      asked = source.asked;
      return new TestSink(handle);
    });
    await settle();
    await settle();
    expect(asked).to.equal(1);
  });

  it('a source that fails later, or a sink that cannot write, ends the stream with the error', async () => {
    const t = setUp();
    const s = await t.open();
    s.source.fail(new Error('broken'));
    await settle();
    expect([s.ended?.end, (s.ended?.error as Error).message, s.sink.ends]).to.deep.equal([
      'failed',
      'broken',
      ['failed'],
    ]);
    const w = await t.open();
    w.sink.write = () => {
      throw new TypeError('cannot');
    };
    w.source.give(1);
    await settle();
    expect([w.ended?.end, w.source.returned]).to.deep.equal(['failed', 1]);
  });

  it('a sink that refuses rejects, and the source is returned', async () => {
    const t = setUp();
    const source = new Source();
    const refusal = new Error('no');
    expect(
      await rejection(
        t.pump.run(source, () => {
          throw refusal;
        }),
      ),
    ).to.equal(refusal);
    expect([source.returned, t.pump.open, t.clock.pending]).to.deep.equal([1, 0, 0]);
  });

  it('refuses more streams than there is room for', async () => {
    const t = setUp({ maxStreams: 1 });
    const first = await t.open();
    const source = new Source();
    expect(await rejection(t.pump.run(source, (handle) => new TestSink(handle))))
      .to.be.instanceOf(HivekeepError)
      .with.property('code', 'UNAVAILABLE');
    expect(source.returned).to.equal(1);
    first.sink.handle.closed();
    expect((await t.open()).sink).to.not.equal(null);
  });

  it('close ends every stream and refuses more', async () => {
    const t = setUp();
    const all = [await t.open(), await t.open()];
    t.pump.close();
    await settle();
    expect(all.map((s) => [s.ended?.end, s.source.returned])).to.deep.equal([
      ['shutdown', 1],
      ['shutdown', 1],
    ]);
    expect(await rejection(t.pump.run(new Source(), (handle) => new TestSink(handle)))).to.have.property(
      'code',
      'UNAVAILABLE',
    );
  });
});
