/**
 * The answers to requests that begin a run, or continue one, and wait for its outcome.
 *
 * Invariants
 *  - An answer shows the run as of a commit, the latest one of this activation.
 *  - A request that waits is answered when its run settles, when its time is up, and when the activation ends,
 *    whichever comes first. The service follows the run from there.
 *  - A request that does not wait is also told the run's events of the commits up to its answer: each of them is in
 *    the store by then.
 */
import { BriefMap } from '../../../src/base/memoize.js';
import type { RunRecord } from '../../../src/domain/agent/agent-state.js';
import type { Clock } from '../../../src/domain/shared/clock.js';
import { type ConsultedMemory, isSettled, type RunEvent } from '../../../src/domain/model/model.js';

/** A run as its answer shows it. */
export interface AwaitedAnswer extends DirectAnswer {
  /** The events of the commits since the request was decided on, if it does not wait. */
  told: readonly RunEvent[];
}

/** The answer to a direct message: the run, and what its first step consulted; null if that is not known here. */
export interface DirectAnswer {
  run: RunRecord;
  consulted: readonly ConsultedMemory[] | null;
}

interface AwaitedRun extends DirectAnswer {
  /** The events of the commits since the first of these requests was decided on, while none of them waits. */
  events: RunEvent[];
  /** The number of requests that are not answered yet. */
  requests: number;
  /** Answers those that wait. */
  waiting: Set<() => void>;
}

export class RunAnswers {
  private readonly runs = new BriefMap<string, AwaitedRun>();

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  /** Call this when a request that is to be answered with this run has been decided on. */
  expect(run: RunRecord): void {
    const known = this.runs.get(run.id);
    if (known) known.requests++;
    else this.runs.set(run.id, { run, consulted: null, events: [], requests: 1, waiting: new Set() });
  }

  /** Call this when a step of the run has succeeded; the contents of what it consulted need then not be read again. */
  consulted(runId: string, memories: readonly ConsultedMemory[]): void {
    const awaited = this.runs.get(runId);
    if (awaited) awaited.consulted ??= memories;
  }

  /** Call this when a change of the run has been committed. */
  committed(run: RunRecord): void {
    const awaited = this.runs.get(run.id);
    if (!awaited) return;
    awaited.run = run;
    if (isSettled(run)) for (const answer of [...awaited.waiting]) answer();
  }

  /** Call this when events of the run have been committed. */
  published(runId: string, events: readonly RunEvent[]): void {
    const awaited = this.runs.get(runId);
    if (awaited?.waiting.size === 0) awaited.events.push(...events);
  }

  /** Calls `give` at once if the run has settled or the request does not wait; otherwise within `waitMs`. */
  answer(started: RunRecord, waitMs: number, give: (answer: AwaitedAnswer) => void): void {
    const awaited = this.runs.get(started.id);
    if (!awaited) give({ run: started, consulted: null, told: [] });
    else if (isSettled(awaited.run) || waitMs <= 0) this.give(awaited, give);
    else {
      const later = (): void => {
        cancel();
        awaited.waiting.delete(later);
        this.give(awaited, give);
      };
      const cancel = this.clock.after(waitMs, later);
      awaited.waiting.add(later);
      awaited.events = [];
    }
  }

  /** Answers everybody that waits: this activation will learn nothing more about the runs. */
  end(): void {
    for (const { waiting } of this.runs.take()) for (const answer of [...waiting]) answer();
  }

  private give(awaited: AwaitedRun, give: (answer: AwaitedAnswer) => void): void {
    if (--awaited.requests === 0) this.runs.delete(awaited.run.id);
    give({ run: awaited.run, consulted: fitting(awaited), told: awaited.events });
  }
}

/** Null after an attempt whose report did not count: it may have consulted other memories than the run says. */
function fitting({ run, consulted }: AwaitedRun): DirectAnswer['consulted'] {
  const fits =
    consulted?.length === run.consulted.length && run.consulted.every(({ id }, i) => consulted[i]?.id === id);
  return fits ? consulted : null;
}
