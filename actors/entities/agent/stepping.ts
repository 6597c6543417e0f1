/**
 * Runs the steps of an agent's runs: decides when a step begins and where it runs, and has its report decided on. A
 * step reads and thinks, and changes nothing. A step that need not wait ends in the same turn; any other gets a child
 * actor (run.ts). The first step of a run that only has to wait for reads holds the commit of its run (Writer.E6), so
 * that the run is written once, with its end.
 */
import {
  type AgentState,
  type LiveRun,
  namesMemory,
  type ResolvedCall,
  type SaidTurn,
  type StepReport,
} from '../../../src/domain/agent-state.js';
import type { Decision } from '../../../src/domain/draft.js';
import { remainingMs } from '../../../src/domain/run.js';
import { configOf } from '../../../src/domain/run-config.js';
import { isConversation, runOfTurn } from '../../../src/domain/conversation.js';
import { unpackRun } from '../../../src/domain/stored-run.js';
import { allSync, caughtSync, type MaybePromise, thenSync } from '../../../src/maybe-promise.js';
import type { AgentCommand } from '../../../src/domain/agent-commands.js';
import type { PresentMemories } from '../present-memories.js';
import type { ChildFailure, ChildRef } from '../../runtime/port.js';
import type { QuotaReservation } from '../../quota/reservation.js';
import { TimeAway } from '../outages.js';
import type { AgentMessage, AgentShell } from './messages.js';
import { RunBehavior, type RunMessage } from './run.js';
import { claimReservation, outlastWith, proposeStep, type ProposedStep, type SuccessfulStep } from './step.js';

/** How many steps may follow one another without waiting before other actors get their turn. */
const maxInline = 8;

/**
 * The controller of a step that ended at once. Nobody has kept its signal, so the next step may use it; controllers are
 * expensive to create.
 */
let spareAbort: AbortController | null = null;

type StepRequest = Extract<AgentMessage, { type: 'step' }>;
type DecidedStep = Extract<AgentCommand, { type: 'step' }>;

/** What stepping needs from its agent. */
export interface SteppingAgent {
  /** Sends a message to the agent's actor, unless this activation has ended. */
  tell(request: AgentMessage): void;
  /** Called when a step has ended; its report is decided on next. */
  proposed(runId: string, report: StepReport): void;
}

export class Stepping {
  private readonly runActors = new Map<string, ChildRef<RunMessage>>();
  /** The latest attempt of each run that was begun. */
  private readonly begun = new Map<string, number>();
  /** Ends the hold of the commit for the step of a run. */
  private readonly holds = new Map<string, () => void>();
  /** Steps that may begin before their runs are committed. */
  private early: { runId: string; attempt: number }[] = [];
  private inline = 0;

  constructor(
    private readonly shell: AgentShell,
    private readonly agent: SteppingAgent,
    private readonly present: PresentMemories,
  ) {}

  /** Whether a step that has to be waited for is in progress. */
  get busy(): boolean {
    return this.runActors.size > 0;
  }

  /** Call this for each message: further steps may run inline again. */
  newTurn(): void {
    this.inline = 0;
  }

  /** Begins the step of a run if it may begin now (Agent.G1). */
  consider(runId: string, decision: Decision<AgentState>, committed: boolean): void {
    const began = decision.state.runs.get(runId);
    const live = this.shell.state?.runs.get(runId);
    if (!began || !live?.stepping || live.attempt !== began.attempt || this.begun.get(runId) === began.attempt) return;
    if (
      this.shell.deps.stopping() ||
      (!committed && (began.record.steps > 0 || began.record.restarts || this.shell.indexing > 0 || !this.turns(began)))
    )
      return;
    this.begun.set(runId, began.attempt);
    if (committed || ++this.inline > maxInline) this.agent.tell({ type: 'begin', runId, attempt: began.attempt });
    else this.early.push({ runId, attempt: began.attempt });
  }

  /** Begins the steps that may begin now, up to the first that need not wait. Returns its report, as `follow` does. */
  next(): DecidedStep | undefined {
    for (let step = this.early.shift(); step; step = this.early.shift()) {
      const reported = this.begin(step.runId, step.attempt, true);
      if (reported) return reported;
    }
    return undefined;
  }

  /** What was said last in the run's conversation; undefined if that has to be read. */
  private turns({ record }: LiveRun): readonly SaidTurn[] | undefined {
    const isNew = record.opens === true || !isConversation(record);
    return this.shell.state?.sessions.get(record.sessionId) ?? (isNew ? [] : undefined);
  }

  /** `early`: the run is not committed yet. Returns the report of a step that need not wait, as `follow` does. */
  begin(runId: string, attempt: number, early = false): DecidedStep | null {
    const { state, deps, entity } = this.shell;
    const live = state?.runs.get(runId);
    if (!state || !live?.stepping || live.attempt !== attempt) return null;
    const messages = state.unread.filter(({ id }) => live.reads.includes(id));
    const abort = spareAbort ?? new AbortController();
    const startedMs = deps.clock.elapsed();
    const away = new TimeAway(deps.clock);
    spareAbort = null;
    let mayHold = early;
    const thinking = (): void => {
      mayHold = false;
      this.endHold(runId);
    };
    const agent = live.record.overrides
      ? { ...state.agent, config: configOf(state.agent.config, live.record) }
      : state.agent;
    const input = { entity, agent, live, messages, turns: this.turns(live), thinking };
    const report = proposeStep(deps, input, abort.signal, away);
    if (!(report instanceof Promise)) {
      spareAbort = abort;
      return this.ended(
        { type: 'step', runId, attempt, report, usedMs: Math.round(deps.clock.elapsed() - startedMs) },
        early,
      );
    }
    if (mayHold) this.hold(runId);
    this.runActor(runId).tell({
      type: 'work',
      attempt,
      step: report,
      abort,
      startedMs,
      budgetMs: remainingMs(live.record),
      away,
    });
    return null;
  }

  private ended(step: StepRequest, early: boolean): DecidedStep | null {
    const ready = this.lookedUp(step);
    if (!(ready instanceof Promise)) return this.follow(step, ready);
    // what has to be waited for is looked up when the report is the message that the actor handles
    if (early) this.hold(step.runId);
    this.agent.tell(step);
    return null;
  }

  private hold(runId: string): void {
    this.holds.set(runId, this.shell.writer.hold());
  }

  /** The report as it is to be decided on at once, with what was found for it; null if the step has to wait. */
  follow(step: StepRequest, found: DecidedStep | null): DecidedStep | null {
    this.endHold(step.runId);
    if (found) return this.claimed(found);
    this.wait(step, step.report as SuccessfulStep);
    return null;
  }

  /** `withSurroundings`; null if something cannot be read. Never throws or rejects. */
  lookedUp(step: StepRequest): MaybePromise<DecidedStep | null> {
    try {
      const found = this.withSurroundings(step);
      return found instanceof Promise ? found.catch(() => null) : found;
    } catch {
      return null;
    }
  }

  /** The step waits until what it needs can be read, as it waits for its reasoner, and is then reported again. */
  private wait(step: StepRequest, report: SuccessfulStep): void {
    const { deps, entity, state } = this.shell;
    const live = state?.runs.get(step.runId);
    if (!live || live.attempt !== step.attempt) return;
    const abort = new AbortController();
    const away = new TimeAway(deps.clock);
    const again = (): MaybePromise<unknown> => this.withSurroundings(step);
    this.runActor(step.runId).tell({
      type: 'work',
      attempt: step.attempt,
      step: outlastWith(deps, { entity, live }, report, again, abort.signal, away),
      abort,
      startedMs: deps.clock.elapsed() - step.usedMs,
      budgetMs: remainingMs(live.record),
      away,
    });
  }

  /** Looks up what the memories that the step names or makes may repeat or supersede. */
  private withSurroundings(step: StepRequest): MaybePromise<DecidedStep> {
    const { report, runId, attempt } = step;
    const { state } = this.shell;
    if (!report.ok || state?.runs.get(runId)?.attempt !== attempt) return step;
    if (!report.calls.some((call) => call.tool === 'remember' || namesMemory(call))) return step;
    const empty = !state.counts['memories'];
    const calls = report.calls.map((call): MaybePromise<ResolvedCall> => {
      if (call.tool === 'remember') {
        const { content = '', type = 'semantic' } = call.arguments;
        return thenSync(
          caughtSync(() => this.present.around({ type, content }, empty)),
          (around) => ({ ...call, around }),
        );
      }
      if (!namesMemory(call) || call.id === null) return call;
      const run = runOfTurn(call.id);
      if (run !== '') {
        const said = caughtSync(() => this.shell.deps.store.get(this.shell.entity, 'run', run));
        return thenSync(said, (doc) => ({ ...call, said: doc && unpackRun(doc) }));
      }
      const named = caughtSync(() => this.present.byId(call.id ?? ''));
      return thenSync(named, (named) => ({ ...call, named }));
    });
    return thenSync(allSync(calls), (calls) => ({ ...step, report: { ...report, calls } }));
  }

  private claimed(step: DecidedStep): DecidedStep {
    this.agent.proposed(step.runId, step.report);
    const { reservation } = step.report as ProposedStep;
    if (!reservation) return step;
    const report = claimReservation(step.report);
    void this.endWithDecision(reservation);
    return { ...step, report };
  }

  /** The reservation ends when the decision that claims it is stored or lost. */
  private async endWithDecision(reservation: QuotaReservation): Promise<void> {
    await Promise.resolve(); // the decision is with the writer by then
    await this.shell.writer.settled();
    reservation.decided(!this.shell.writer.broken);
  }

  /** Starts an actor for one attempt. */
  private runActor(runId: string): ChildRef<RunMessage> {
    this.stopRunActor(runId);
    const behavior = new RunBehavior(
      {
        ended: (attempt, report, usedMs) => {
          this.agent.tell({ type: 'step', runId, attempt, report, usedMs });
        },
        deadline: (attempt, usedMs) => {
          this.agent.tell({ type: 'deadline', runId, attempt, usedMs });
        },
      },
      this.shell.deps.clock,
    );
    const child = this.shell.context.spawn<RunMessage>(
      { workspace: this.shell.entity.workspace, kind: 'run', id: runId },
      behavior,
    );
    this.runActors.set(runId, child);
    return child;
  }

  abort(runId: string): void {
    this.runActors.get(runId)?.tell({ type: 'abort' });
  }

  /** Call this when the run is no longer running. */
  leave(runId: string): void {
    this.stopRunActor(runId);
    this.endHold(runId);
    this.begun.delete(runId);
  }

  private endHold(runId: string): void {
    const end = this.holds.get(runId);
    if (end === undefined) return;
    this.holds.delete(runId);
    end();
  }

  private stopRunActor(id: string): void {
    this.runActors.get(id)?.stop();
    this.runActors.delete(id);
  }

  /** The step of the failed child is lost, and is reported as failed. */
  childFailed({ address, error }: ChildFailure): void {
    const attempt = this.begun.get(address.id);
    if (attempt === undefined) return;
    const report: StepReport = { ok: false, error: { code: 'internal', message: error.message } };
    this.shell.handle({ type: 'step', runId: address.id, attempt, report, usedMs: 0 }, null);
  }

  end(): void {
    for (const child of this.runActors.values()) child.stop();
    this.runActors.clear();
  }
}
