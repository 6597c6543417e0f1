import { expect } from 'chai';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import type { Bus } from '../../../src/bus/port.js';
import { followRun, type StoredEvents } from '../../../src/bus/run-events.js';
import type { RunEvent } from '../../../src/domain/model/model.js';
import { answer, ManualClock, Reader, settle, status, topic } from './support.js';

const pollMs = 15_000;

/** A run's stored events, and a follower on them. */
function setUp(options: { lastSeq?: number; buffer?: number; stored?: RunEvent[]; page?: number } = {}) {
  const clock = new ManualClock();
  const abort = new AbortController();
  const inner = createInProcessBus();
  const world = {
    stored: options.stored ?? [],
    gone: false,
    reads: [] as number[],
    subscriptions: 0,
    failure: null as Error | null,
    hold: null as Promise<void> | null,
  };
  const bus: Bus = {
    ...inner,
    subscribe: (...args) => {
      world.subscriptions++;
      const leave = inner.subscribe(...args);
      let on = true;
      return () => {
        if (on) world.subscriptions--;
        on = false;
        leave();
      };
    },
  };
  const read = async (after: number): Promise<StoredEvents> => {
    world.reads.push(after);
    if (world.failure) throw world.failure;
    const answerOf = {
      events: world.stored.filter((e) => e.seq > after).slice(0, options.page ?? 100),
      gone: world.gone,
    };
    if (world.hold) await world.hold;
    return answerOf;
  };
  const reader = new Reader(
    followRun({
      bus,
      read,
      topic,
      lastSeq: options.lastSeq ?? 0,
      signal: abort.signal,
      clock,
      pollMs,
      buffer: options.buffer ?? 100,
    }),
  );
  const commit = (...events: RunEvent[]): void => {
    world.stored.push(...events);
  };
  const publish = (...events: RunEvent[]): void => bus.publish('run', topic, events);
  return {
    clock,
    abort,
    world,
    reader,
    commit,
    publish,
    both: (...events: RunEvent[]) => {
      commit(...events);
      publish(...events);
    },
    seqs: () => reader.out.map((e) => e.seq),
  };
}

describe('following a run: where events come from', () => {
  it('gives what is stored, page by page, then what the bus tells, without another look at the store', async () => {
    const t = setUp({ stored: [1, 2, 3, 4, 5].map((n) => answer(n)), page: 2 });
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2, 3, 4, 5]);
    const reads = t.world.reads.length;
    t.publish(answer(6), answer(7));
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect(t.world.reads.length).to.equal(reads);
  });

  it('drops what it has seen', async () => {
    const t = setUp({ stored: [answer(1), answer(2)] });
    await t.reader.drain();
    t.publish(answer(1), answer(2), answer(3));
    t.publish(answer(3));
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2, 3]);
  });

  it('a gap sends it to the store', async () => {
    const t = setUp({ stored: [answer(1)] });
    await t.reader.drain();
    t.commit(answer(2), answer(3));
    t.publish(answer(3));
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2, 3]);
  });

  it('stops at a hole in the store, and goes on when it has closed', async () => {
    const t = setUp({ stored: [answer(1), answer(3)] });
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1]);
    t.world.stored.splice(1, 0, answer(2));
    await t.clock.advance(pollMs);
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2, 3]);
  });

  it('what the bus loses comes at the next heartbeat, and no sooner', async () => {
    const t = setUp();
    await t.reader.drain();
    t.commit(answer(1));
    await t.clock.advance(pollMs - 1);
    expect(t.seqs()).to.deep.equal([]);
    await t.clock.advance(1);
    expect(t.seqs()).to.deep.equal([1]);
  });

  it('the bus says that events may be missing: looks into the store at once', async () => {
    let tell = (_: readonly RunEvent[]): void => undefined;
    const stored = [answer(1)];
    const read = async (after: number) => ({ events: stored.filter((e) => e.seq > after), gone: false });
    const bus: Pick<Bus, 'subscribe'> = {
      subscribe: (_channel, _topic, listener) => {
        tell = listener as typeof tell;
        return () => undefined;
      },
    };
    const reader = new Reader(
      followRun({
        bus,
        read,
        topic,
        lastSeq: 0,
        signal: new AbortController().signal,
        clock: new ManualClock(),
        pollMs,
        buffer: 100,
      }),
    );
    await reader.drain();
    stored.push(answer(2), answer(3));
    tell([answer(3)]);
    tell([]);
    await reader.drain();
    expect(reader.out.map((e) => e.seq)).to.deep.equal([1, 2, 3]);
    stored.push(answer(4));
    tell([]);
    await reader.drain();
    expect(reader.out.map((e) => e.seq)).to.deep.equal([1, 2, 3, 4]);
  });

  it('duplicates do not put the heartbeat off', async () => {
    const t = setUp({ stored: [answer(1)] });
    await t.reader.drain();
    t.commit(answer(2));
    for (let i = 0; i < 10; i++) {
      t.publish(answer(1));
      await t.clock.advance(pollMs / 10);
    }
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2]);
  });

  it('an overflow of its queue sends it to the store', async () => {
    const t = setUp({ buffer: 2 });
    await t.reader.drain();
    t.both(answer(1), answer(2));
    t.both(answer(3), answer(4));
    t.both(answer(5));
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('an overflow while a read is on its way sends it to the store again', async () => {
    const t = setUp({ buffer: 2 });
    let release = (): void => undefined;
    t.world.hold = new Promise((resolve) => {
      release = resolve;
    });
    t.reader.take();
    await settle();
    t.both(answer(1), answer(2), answer(3));
    t.world.hold = null;
    release();
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1, 2, 3]);
  });

  it('a reader that comes back is served from the event that it has, not from the beginning', async () => {
    const t = setUp({ stored: [1, 2, 3, 4, 5].map((n) => answer(n)), lastSeq: 4 });
    await t.reader.drain();
    expect([t.seqs(), t.world.reads]).to.deep.equal([[5], [3, 5]]);
  });

  it('subscribes before it reads: what is committed after the read was made is told by the bus', async () => {
    const t = setUp();
    let release = (): void => undefined;
    t.world.hold = new Promise((resolve) => {
      release = resolve;
    });
    t.reader.take();
    await settle();
    t.both(answer(1));
    t.world.hold = null;
    release();
    await t.reader.drain();
    expect(t.seqs()).to.deep.equal([1]);
  });
});

describe('following a run: where it ends', () => {
  it('ends after the terminal event of the store and of the bus', async () => {
    const stored = setUp({ stored: [status(1, 'running'), status(2, 'completed')] });
    await stored.reader.drain();
    expect([stored.seqs(), stored.reader.closed]).to.deep.equal([[1, 2], true]);
    const live = setUp({ stored: [status(1, 'running')] });
    await live.reader.drain();
    live.both(status(2, 'completed'));
    await live.reader.drain();
    expect([live.seqs(), live.reader.closed, live.world.subscriptions, live.clock.pending]).to.deep.equal([
      [1, 2],
      true,
      0,
      0,
    ]);
  });

  for (const value of ['completed', 'failed', 'timeout', 'cancelled'] as const) {
    it(`${value} is terminal`, async () => {
      const t = setUp({ stored: [status(1, value)] });
      await t.reader.drain();
      expect(t.reader.closed).to.equal(true);
    });
  }
  for (const value of ['pending', 'running', 'paused'] as const) {
    it(`${value} is not terminal`, async () => {
      const t = setUp({ stored: [status(1, value)] });
      await t.reader.drain();
      expect([t.seqs(), t.reader.closed]).to.deep.equal([[1], false]);
    });
  }

  it('a run that was resumed goes on past its old end, from whichever event the reader starts', async () => {
    const stored = [status(1, 'running'), status(2, 'timeout'), status(3, 'running'), status(4, 'completed')];
    for (const lastSeq of [0, 1, 2, 3, 4]) {
      const t = setUp({ stored: [...stored], lastSeq });
      await t.reader.drain();
      expect([t.seqs(), t.reader.closed], `after ${lastSeq}`).to.deep.equal([
        [1, 2, 3, 4].filter((n) => n > lastSeq),
        true,
      ]);
    }
  });

  it('a terminal event of the bus is not the end when the store has more', async () => {
    const t = setUp({ stored: [status(1, 'running')] });
    await t.reader.drain();
    t.commit(status(2, 'timeout'), status(3, 'running'));
    t.publish(status(2, 'timeout'));
    await t.reader.drain();
    expect([t.seqs(), t.reader.closed]).to.deep.equal([[1, 2, 3], false]);
    t.both(status(4, 'completed'));
    await t.reader.drain();
    expect([t.seqs(), t.reader.closed]).to.deep.equal([[1, 2, 3, 4], true]);
  });

  it('a reader that has the last terminal event gets the end at once', async () => {
    const t = setUp({ stored: [status(1, 'running'), status(2, 'failed')], lastSeq: 2 });
    await t.reader.drain();
    expect([t.seqs(), t.reader.closed]).to.deep.equal([[], true]);
  });

  it('a lastSeq that the run has not reached: gives nothing up to it, and ends with the run', async () => {
    const over = setUp({ stored: [status(1, 'running'), status(2, 'failed')], lastSeq: 99 });
    await over.reader.drain();
    expect([over.seqs(), over.reader.closed]).to.deep.equal([[], true]);
    const live = setUp({ stored: [status(1, 'running')], lastSeq: 3 });
    await live.reader.drain();
    live.both(answer(2), answer(3));
    await live.clock.advance(pollMs);
    live.both(answer(4));
    live.both(status(5, 'completed'));
    await live.reader.drain();
    expect([live.seqs(), live.reader.closed]).to.deep.equal([[4, 5], true]);
  });

  it('ends when the run is gone, after what is left of it', async () => {
    const t = setUp({ stored: [answer(1)] });
    await t.reader.drain();
    t.commit(answer(2));
    t.world.gone = true;
    await t.clock.advance(pollMs);
    await t.reader.drain();
    expect([t.seqs(), t.reader.closed, t.world.subscriptions]).to.deep.equal([[1, 2], true, 0]);
  });

  it('an abort and return() end it at once, though nothing comes, and leave nothing behind', async () => {
    for (const end of ['abort', 'return'] as const) {
      const t = setUp({ stored: [answer(1)] });
      await t.reader.drain();
      expect(t.reader.pending).to.equal(true);
      if (end === 'abort') t.abort.abort();
      else await t.reader.iterator.return?.();
      await settle();
      expect([t.reader.closed, t.world.subscriptions, t.clock.pending], end).to.deep.equal([true, 0, 0]);
    }
  });

  it('left while the store is read, it gives nothing more of it and leaves nothing behind', async () => {
    for (const stored of [[], [answer(1)]])
      for (const failure of [null, new Error('disk')])
        for (const end of ['abort', 'return'] as const) {
          const t = setUp({ stored });
          let release = (): void => undefined;
          t.world.hold = new Promise<void>((resolve, reject) => {
            release = () => (failure ? reject(failure) : resolve());
          });
          await t.reader.drain();
          if (end === 'abort') t.abort.abort();
          else await t.reader.iterator.return?.();
          await settle();
          expect(t.reader.closed, `${end}, before the store has answered`).to.equal(true);
          release();
          await settle();
          expect(
            [t.seqs(), t.reader.closed, t.reader.error, t.world.subscriptions, t.clock.pending],
            end,
          ).to.deep.equal([[], true, null, 0, 0]);
        }
  });

  it('aborted before it begins: neither subscribes nor reads', async () => {
    const t = setUp({ stored: [answer(1)] });
    t.abort.abort();
    await t.reader.drain();
    expect([t.seqs(), t.reader.closed, t.world.reads, t.world.subscriptions]).to.deep.equal([[], true, [], 0]);
  });

  it('an error of the store ends it with that error, and leaves nothing behind', async () => {
    const t = setUp();
    await t.reader.drain();
    t.world.failure = new Error('disk');
    await t.clock.advance(pollMs);
    expect([t.reader.error, t.world.subscriptions, t.clock.pending]).to.deep.equal([t.world.failure, 0, 0]);
  });
});
