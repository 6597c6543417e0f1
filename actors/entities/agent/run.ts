/**
 * The actor of a run whose step has to wait for its reasoner. It holds the step in progress, its abort signal, and the
 * timer of the runtime budget. The agent's actor, which is its parent, decides what follows from a step, because an
 * agent and its runs are one entity with one history. A run whose steps never wait needs no such actor.
 *
 * Invariants
 *  RunActor.N1 A step in progress can be stopped at any moment: cancel, pause and timeout never wait for the reasoner.
 *  RunActor.N2 At most one result of each attempt is reported, its end or its deadline; after an abort, nothing is.
 */
import type { StepReport } from '../../../src/domain/agent-state.js';
import type { MonotonicClock } from '../../../src/domain/clock.js';
import type { ActorContext, Behavior } from '../../runtime/port.js';
import type { TimeAway } from '../outages.js';

export type RunMessage =
  | {
      type: 'work';
      attempt: number;
      step: Promise<StepReport>;
      abort: AbortController;
      /** When the step started, as given by the clock's `elapsed`. */
      startedMs: number;
      budgetMs: number;
      /** The part of the time since then that does not count (Outage.W2). */
      away: TimeAway;
    }
  | { type: 'ended'; attempt: number; report: StepReport }
  | { type: 'due'; attempt: number }
  | { type: 'abort' };

export interface RunParent {
  ended(attempt: number, report: StepReport, usedMs: number): void;
  deadline(attempt: number, usedMs: number): void;
}

interface Work {
  attempt: number;
  abort: AbortController;
  startedMs: number;
  budgetMs: number;
  away: TimeAway;
  cancelTimer: () => void;
}

export class RunBehavior implements Behavior<RunMessage> {
  private work: Work | null = null;
  private context!: ActorContext<RunMessage>;

  constructor(
    private readonly parent: RunParent,
    private readonly clock: MonotonicClock,
  ) {}

  activate(context: ActorContext<RunMessage>): void {
    this.context = context;
  }
  idle(): boolean {
    return this.work === null;
  }
  passivate(): void {
    this.stop('the service is stopping');
  }
  dropped(reason: Error): void {
    this.stop(reason.message);
  }

  receive(message: RunMessage): void {
    switch (message.type) {
      case 'work':
        this.begin(message);
        break;
      case 'ended':
        this.finish(message.attempt, (usedMs) => {
          this.parent.ended(message.attempt, message.report, usedMs);
        });
        break;
      case 'due':
        this.due(message.attempt);
        break;
      case 'abort':
        this.stop('the run does not go on');
        break;
      default:
        message satisfies never;
    }
  }

  private begin({ attempt, step, abort, startedMs, budgetMs, away }: Extract<RunMessage, { type: 'work' }>): void {
    this.stop('another attempt begins');
    const { context } = this;
    this.work = { attempt, abort, startedMs, budgetMs, away, cancelTimer: this.dueIn(attempt, budgetMs) };
    step.then(
      (report) => {
        context.self({ type: 'ended', attempt, report });
      },
      (error: unknown) => {
        context.self({
          type: 'ended',
          attempt,
          report: { ok: false, error: { code: 'internal', message: String(error) } },
        });
      },
    );
  }

  private dueIn(attempt: number, ms: number): () => void {
    const { context } = this;
    return this.clock.after(Math.max(0, ms), () => {
      context.self({ type: 'due', attempt });
    });
  }

  /** The timer has fired. The budget is not used up if part of the time does not count. */
  private due(attempt: number): void {
    const { work } = this;
    if (work?.attempt !== attempt) return;
    const leftMs = work.budgetMs - this.usedMs(work);
    if (work.away.ms > 0 && leftMs > 0) {
      work.cancelTimer = this.dueIn(attempt, leftMs);
      return;
    }
    this.finish(
      attempt,
      (usedMs) => {
        this.parent.deadline(attempt, usedMs);
      },
      'the runtime budget is used up',
    );
  }

  private usedMs({ startedMs, away }: Work): number {
    return Math.max(0, Math.round(this.clock.elapsed() - startedMs - away.ms));
  }

  private finish(attempt: number, tell: (usedMs: number) => void, abortReason?: string): void {
    const { work } = this;
    if (work?.attempt !== attempt) return;
    const usedMs = this.usedMs(work);
    if (abortReason === undefined) {
      work.cancelTimer();
      this.work = null;
    } else this.stop(abortReason);
    tell(usedMs);
  }

  private stop(reason: string): void {
    this.work?.cancelTimer();
    this.work?.abort.abort(new Error(reason));
    this.work = null;
  }
}
