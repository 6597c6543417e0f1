import type { MonotonicClock } from '../../../src/domain/shared/clock.js';
import type { RunEvent, WorkspaceEvent } from '../../../src/domain/model/model.js';
import type { RunStatus } from '../../../src/domain/shared/vocabulary.js';
import type { RunTopic } from '../../../src/bus/port.js';
import { turn } from '../../helpers/turn.js';

/** Time that moves when a test says so. */
export class ManualClock implements MonotonicClock {
  #now = 1_000_000;
  #timers = new Map<object, { at: number; fn: () => void }>();

  #offset = 0;

  now(): number {
    return this.#now + this.#offset;
  }
  elapsed(): number {
    return this.#now;
  }
  after(ms: number, fn: () => void): () => void {
    const key = {};
    this.#timers.set(key, { at: this.#now + ms, fn });
    return () => {
      this.#timers.delete(key);
    };
  }
  get pending(): number {
    return this.#timers.size;
  }
  /** Moves time on, calls what is due in order, and lets the promises that it settles run. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, t]) => t.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].fn();
      await turn();
    }
    this.#now = end;
    await turn();
  }
  /** A wall clock may go back; timers do not. */
  jump(ms: number): void {
    this.#offset += ms;
  }
}

/** Lets every promise that is ready run. */
export { turn as settle };

export const topic: RunTopic = { workspace: 'ws_1', agent: 'agent_1', run: 'run_1' };
export const status = (seq: number, value: RunStatus): RunEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'status',
  status: value,
  stopReason: null,
  message: null,
});
export const answer = (seq: number, content = `answer ${seq}`): RunEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'answer',
  content,
});
export const change = (n: number, type: WorkspaceEvent['type'] = 'memory.created'): WorkspaceEvent => ({
  type,
  at: '2026-01-01T00:00:00.000Z',
  data: { id: `mem_${n}` },
});

/** Reads an iterable step by step, and knows whether a read is pending. */
export class Reader<E> {
  readonly out: E[] = [];
  closed = false;
  error: unknown = null;
  pending = false;
  readonly iterator: AsyncIterator<E>;
  constructor(source: AsyncIterable<E>) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  take(): void {
    if (this.pending || this.closed || this.error !== null) return;
    this.pending = true;
    this.iterator.next().then(
      (step) => {
        this.pending = false;
        if (step.done) this.closed = true;
        else this.out.push(step.value);
      },
      (error: unknown) => {
        this.pending = false;
        this.error = error;
      },
    );
  }
  /** Takes until nothing more is ready. */
  async drain(): Promise<void> {
    for (let before = -1; before !== this.out.length;) {
      before = this.out.length;
      this.take();
      await turn();
    }
  }
}
