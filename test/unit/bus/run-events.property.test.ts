/**
 * The follower against a hostile world (src/bus/run-events.ts): commits of several events that become visible one
 * document at a time in any order, an owner that crashes between apply and publish or publishes late, a bus that
 * drops, repeats, reorders and doubts itself, reads that take their time, a slow reader, and one that comes back with
 * Last-Event-ID.
 */
import fc from 'fast-check';
import { expect } from 'chai';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import { followRun, type StoredEvents } from '../../../src/bus/run-events.js';
import { isTerminal, type RunEvent } from '../../../src/domain/model/model.js';
import { answer, ManualClock, Reader, settle, status, topic } from './support.js';

type Op =
  | { kind: 'commit' | 'crash' | 'take' | 'poll' | 'respond' | 'doubt' }
  | { kind: 'apply' | 'publish' | 'repeat' | 'drop' | 'late'; pick: number }
  | { kind: 'reconnect'; back: number };

const op = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Op>({ kind: 'commit' }, { kind: 'take' }, { kind: 'respond' }) },
  { weight: 1, arbitrary: fc.constantFrom<Op>({ kind: 'crash' }, { kind: 'poll' }, { kind: 'doubt' }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('apply' as const, 'publish' as const), pick: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('repeat' as const, 'drop' as const, 'late' as const),
      pick: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconnect' as const), back: fc.nat(3) }) },
);

/** Each commit is how many events it has, and whether it ends the run (a later commit then resumes it). */
const history = fc.array(fc.record({ size: fc.integer({ min: 1, max: 3 }), ends: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
});

function eventsOf(commits: readonly { size: number; ends: boolean }[]): RunEvent[][] {
  let seq = 0;
  return commits.map(({ size, ends }, i) => {
    const group = Array.from({ length: size }, () => answer(++seq));
    if (ends || i === commits.length - 1) group[size - 1] = status(seq, 'timeout');
    return group;
  });
}

class World {
  readonly bus = createInProcessBus();
  /** Tells the present reader that events may be missing. */
  doubt = (): void => undefined;
  readonly clock = new ManualClock();
  committed = 0;
  readonly applied = new Set<RunEvent>();
  toPublish: RunEvent[] = [];
  late: RunEvent[] = [];
  readonly out: RunEvent[] = [];
  reads: { resolve: () => void; after: number; found: number }[] = [];
  lastRead = { after: -1, found: -1 };
  reader!: Reader<RunEvent>;
  abort!: AbortController;
  /** What the client says it has, and how much of `out` the present reader has given. */
  base = 0;

  constructor(
    readonly groups: RunEvent[][],
    readonly buffer: number,
  ) {
    this.connect(0);
  }

  connect(lastSeq: number): void {
    this.base = lastSeq;
    this.abort = new AbortController();
    this.reader = new Reader(
      followRun({
        bus: {
          subscribe: (channel, t, tell) => {
            this.doubt = () => tell([]);
            return this.bus.subscribe(channel, t, tell);
          },
        },
        read: (after) => this.read(after),
        topic,
        lastSeq,
        signal: this.abort.signal,
        clock: this.clock,
        pollMs: 1000,
        buffer: this.buffer,
      }),
    );
  }

  read(after: number): Promise<StoredEvents> {
    const events = [...this.applied].filter((e) => e.seq > after).sort((a, b) => a.seq - b.seq);
    return new Promise((resolve) => {
      this.reads.push({ after, found: events.length, resolve: () => resolve({ events, gone: false }) });
    });
  }
  respond(): void {
    const next = this.reads.shift();
    if (next) {
      this.lastRead = { after: next.after, found: next.found };
      next.resolve();
    }
  }
  get unapplied(): RunEvent[] {
    return this.groups
      .slice(0, this.committed)
      .flat()
      .filter((e) => !this.applied.has(e));
  }

  do(o: Op): void {
    const pick = <T>(list: T[], n: number): T | undefined => list.splice(n % Math.max(1, list.length), 1)[0];
    switch (o.kind) {
      case 'commit':
        if (this.unapplied.length === 0 && this.committed < this.groups.length) this.committed++;
        break;
      case 'apply': {
        const event = pick([...this.unapplied], o.pick);
        if (event) this.applied.add(event);
        if (event && this.unapplied.length === 0) this.toPublish.push(...this.groups[this.committed - 1]!);
        break;
      }
      case 'publish': {
        const event = pick(this.toPublish, o.pick);
        if (event) this.bus.publish('run', topic, [event]);
        break;
      }
      case 'repeat': {
        const event = pick(
          [...this.applied].filter((e) => !this.unapplied.length || e.seq < this.unapplied[0]!.seq),
          o.pick,
        );
        if (event) this.bus.publish('run', topic, [event]);
        break;
      }
      case 'drop':
        pick(this.toPublish, o.pick);
        break;
      case 'late':
        if (o.pick % 2) {
          this.late.push(...this.toPublish);
          this.toPublish = [];
        } else {
          this.toPublish.push(...this.late);
          this.late = [];
        }
        break;
      case 'crash':
        this.toPublish = [];
        break;
      case 'doubt':
        this.doubt();
        break;
      case 'take':
        this.reader.take();
        break;
      case 'poll':
        break;
      case 'respond':
        this.respond();
        break;
      case 'reconnect':
        this.abort.abort();
        this.collect();
        this.out.splice(Math.max(0, this.out.length - o.back));
        this.reads = [];
        this.connect(this.out.length);
        break;
    }
  }

  collect(): void {
    this.out.push(...this.reader.out.splice(0));
  }

  check(): void {
    this.collect();
    expect(this.reader.error).to.equal(null);
    expect(
      this.out.map((e) => e.seq),
      'S1',
    ).to.deep.equal(this.out.map((_, i) => i + 1));
    const durable = this.groups.slice(0, this.committed).flat();
    for (const event of this.out) expect(durable, 'S2').to.include(event);
    if (!this.reader.closed) return;
    const last = this.out.at(-1);
    expect(last?.type === 'status' && isTerminal(last.status), 'S3: ended at a terminal event').to.equal(true);
    expect(this.lastRead, 'S3: after the store had nothing more').to.deep.equal({ after: last!.seq, found: 0 });
  }
}

/** With a store that answers, heartbeats, and a reader that reads, everything arrives and the stream ends. */
async function finish(w: World): Promise<void> {
  for (; w.committed < w.groups.length || w.unapplied.length > 0; w.committed += w.committed < w.groups.length ? 1 : 0)
    for (const e of w.unapplied) w.applied.add(e);
  const total = w.groups.flat().length;
  for (let i = 0; i < 200; i++) {
    if (w.reader.closed) {
      if (w.out.length === total) break;
      // it ended at a terminal event that a later commit resumed; its last look at the store may have begun before that
      w.check();
      w.connect(w.out.length);
    }
    w.reader.take();
    w.respond();
    await settle();
    if (w.reads.length === 0 && w.reader.pending) await w.clock.advance(1000);
    w.collect();
  }
  w.check();
  expect(w.reader.closed, 'the stream ends').to.equal(true);
  expect(w.out.length, 'everything was given').to.equal(total);
}

describe('following a run: properties', () => {
  it('hold at every step, and every stream comes to its end', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(op, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        async (commits, ops, buffer) => {
          const w = new World(eventsOf(commits), buffer);
          for (const o of ops) {
            w.do(o);
            if (o.kind === 'poll') await w.clock.advance(1000);
            else await settle();
            w.check();
          }
          await finish(w);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
