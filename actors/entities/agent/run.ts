/**
 * The actor of a run whose steps have to be waited for: a child of its agent, whose work is the loop of the run's
 * steps. A step begins, the agent decides on its report, and the next step begins when that is committed. The actor
 * holds what it takes to stop the run at any moment, which are the abort signal and the timer of the runtime budget. It
 * decides nothing, because an agent and its runs are one entity with one history: that is for the agent, its parent.
 *
 * Invariants
 *  - A step in progress can be stopped at any moment: cancel, pause and timeout never wait for the reasoner.
 *  - At most one result of each attempt is reported, its end or its deadline; after a stop, nothing is.
 */
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { StepReport } from '../../../src/domain/agent/agent-state.js';
import type { MonotonicClock } from '../../../src/domain/shared/clock.js';
import type { Work } from '../../runtime/port.js';
import type { TimeAway } from '../outages.js';

/** A step that has begun. */
export interface StepAtWork {
  attempt: number;
  report: StepReport | Promise<StepReport>;
  /** When it began, as given by the clock's `elapsed`. */
  startedMs: number;
  /** The part of the time since then that does not count (Outage.W2). */
  away: TimeAway;
  budgetMs: number;
  /** The trace that its report belongs to, where it is traced. */
  trace?: string;
}

/** Begins a step; null if the run is no longer at that step. */
export type BeginStep = (signal: AbortSignal) => StepAtWork | null;

export class RunActor implements Work {
  private next: (begin: BeginStep) => void = () => undefined;
  private cancelTimer: () => void = () => undefined;

  /** `tell` reports to its agent, which has it go on (`takeStep`) when there is a next step. */
  constructor(
    /** The run, and the attempt at its latest step. */
    private readonly run: { readonly id: string; readonly attempt: number },
    private readonly first: BeginStep,
    private readonly tell: (message: AgentCommand<'step' | 'deadline'> & { trace?: string }) => void,
    private readonly clock: MonotonicClock,
    private readonly abort: AbortController,
  ) {}

  async begin(): Promise<void> {
    try {
      await this.takeSteps();
    } catch (error) {
      // nobody else would report the step
      if (!this.abort.signal.aborted) this.reportStep(this.run.attempt, failed(error), 0);
      throw error;
    }
  }

  takeStep(begin: BeginStep): void {
    this.next(begin);
  }

  stop(reason: string): void {
    this.cancelTimer();
    this.abort.abort(new Error(reason));
  }

  private async takeSteps(): Promise<void> {
    for (let begin = this.first; ;) {
      const next = new Promise<BeginStep>((resolve) => {
        this.next = resolve;
      });
      const step = begin(this.abort.signal);
      if (step) {
        this.setDeadline(step, step.budgetMs);
        const report = await Promise.resolve(step.report).catch(failed);
        if (this.abort.signal.aborted) return;
        this.cancelTimer();
        this.reportStep(step.attempt, report, this.usedMs(step), step.trace);
      }
      begin = await next;
    }
  }

  private reportStep(attempt: number, report: StepReport, usedMs: number, trace?: string): void {
    this.tell({ type: 'step', runId: this.run.id, attempt, report, usedMs, ...(trace !== undefined && { trace }) });
  }

  private setDeadline(step: StepAtWork, ms: number): void {
    this.cancelTimer = this.clock.after(Math.max(0, ms), () => {
      this.reachDeadline(step);
    });
  }

  /** The timer has fired. The budget is not used up if part of the time does not count. */
  private reachDeadline(step: StepAtWork): void {
    const usedMs = this.usedMs(step);
    if (step.away.ms > 0 && usedMs < step.budgetMs) {
      this.setDeadline(step, step.budgetMs - usedMs);
      return;
    }
    this.stop('the runtime budget is used up');
    this.tell({ type: 'deadline', runId: this.run.id, attempt: step.attempt, usedMs });
  }

  private usedMs({ startedMs, away }: StepAtWork): number {
    return Math.max(0, Math.round(this.clock.elapsed() - startedMs - away.ms));
  }
}

const failed = (error: unknown): StepReport => ({
  ok: false,
  error: { code: 'internal', message: String(error) },
});
