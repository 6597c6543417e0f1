/**
 * Runs the steps of an agent's runs: decides when a step begins and where it runs, and has its report decided on. A
 * step reads and thinks, and changes nothing. It goes like this:
 *  1. Prepare: `beginStep` checks that this attempt may begin, now or when its commit is through.
 *  2. Recall and think: `proposeStepOf`; a step that need not wait is over in the same turn (`takeEarlyStep`), any other
 *     is taken by a child actor (run.ts).
 *  3. Look up what the proposed calls name: `lookUpSurroundings`.
 *  4. Act: `actOnReport` claims the places that it has in quotas and returns the command that the agent decides on; if
 *     something could not be read, the step waits for that and is reported again.
 *  5. Report: the decision is committed, and its effect `begin` asks for the next step.
 * The first step of a run that only has to wait for reads holds the commit of its run (Writer.E6), so
 * that the run is written once, with its end.
 */
import { mayHandOver } from '../../../src/domain/run/hand-off.js';
import {
  type AgentState,
  type LiveRun,
  type ResolvedCall,
  type RunRecord,
  type SaidTurn,
  configOf,
  namesBlock,
  namesMemory,
} from '../../../src/domain/agent/agent-state.js';
import type { Decision } from '../../../src/domain/shared/draft.js';
import { remainingMs } from '../../../src/domain/run/run.js';
import { areBefore, earlierSaidTurns, isConversation, runOfTurn } from '../../../src/domain/run/conversation.js';
import type { StoredBlock } from '../../../src/domain/shared/documents.js';
import type { StoredMemory } from '../../../src/domain/memory/stored-memory.js';
import { unpackRun } from '../../../src/domain/run/stored-run.js';
import { isSameSubject, type Owned, withSubject } from '../../../src/domain/shared/caller.js';
import { allOf, finish, type MaybePromise, wait, type Waiting } from '../../../src/maybe-promise.js';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { PresentMemories } from '../present-memories.js';
import type { Child } from '../../runtime/port.js';
import type { QuotaReservation } from '../../quota/reservation.js';
import { TimeAway } from '../outages.js';
import { blocksFor } from '../../../src/commands/block-reads.js';
import type { AgentMessage, AgentShell } from './messages.js';
import type { RunAnswers } from './run-answers.js';
import { type BeginStep, RunActor, type StepAtWork } from './run.js';
import type { StepInput } from './step-recall.js';
import { tracedStep } from './traced-runs.js';
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

/** A run of which this activation has begun a step. */
interface BegunRun {
  readonly id: string;
  /** The attempt at its latest step. */
  attempt: number;
  /** Ends the hold of the commit; null if there is none. */
  endHold: (() => void) | null;
  /** What its model is writing, where that is told. */
  writes: { readonly soFar: string } | null;
  /** Null if none of its steps has been waited for. */
  actor: { run: RunActor; child: Child } | null;
}

function endHold(run: BegunRun): void {
  run.endHold?.();
  run.endHold = null;
}

export class Stepping {
  private readonly begun = new Map<string, BegunRun>();
  /** Those whose first step may begin before they are committed. */
  private early: BegunRun[] = [];
  private inline = 0;

  constructor(
    private readonly shell: AgentShell,
    private readonly answers: Pick<RunAnswers, 'consulted'>,
    private readonly present: PresentMemories,
  ) {}

  /** Call this for each message: further steps may run inline again. */
  allowInlineSteps(): void {
    this.inline = 0;
  }

  /** Begins the step of a run if it may begin now (Agent.G1). */
  beginStep(runId: string, decision: Decision<AgentState>, committed: boolean): void {
    const began = decision.state.runs.get(runId);
    const live = this.shell.state?.runs.get(runId);
    const before = this.begun.get(runId);
    if (!began || !live?.stepping || live.attempt !== began.attempt || before?.attempt === began.attempt) return;
    if (this.shell.deps.stopping()) {
      if (committed) this.stopRun(runId);
      return;
    }
    if (!committed && !this.mayBeginEarly(began)) return;
    const run = before ?? { id: runId, attempt: 0, endHold: null, writes: null, actor: null };
    run.attempt = began.attempt;
    run.writes = null;
    this.begun.set(runId, run);
    if (committed) this.haveRunActorTake(run, (signal) => this.proposeStepOf(runId, began.attempt, signal));
    else this.early.push(run);
  }

  private mayBeginEarly(began: LiveRun): boolean {
    const { steps, restarts, modelOutage, files, calling } = began.record;
    const later = steps > 0 || restarts || modelOutage || files || calling;
    if (later || this.shell.indexing > 0 || !this.knownTurns(began)) return false;
    return ++this.inline <= maxInline;
  }

  /** What was said last in the run's conversation; undefined if that has to be read. */
  private knownTurns({ record }: LiveRun): readonly SaidTurn[] | undefined {
    if (record.opens === true || !isConversation(record)) return earlierSaidTurns(record);
    const known = this.shell.state?.sessions.get(record.sessionId)?.turns;
    return known && areBefore(known, record.id) ? known : undefined;
  }

  private handedTo({ record }: LiveRun): StepInput['handed'] {
    const begins = record.steps === 0 && record.forkedFrom === null && isConversation(record);
    if (!begins || record.opens === true || !mayHandOver(this.shell.state?.agent.config ?? {})) return undefined;
    const known = this.shell.state?.sessions.get(record.sessionId);
    return known ? known.handed : 'not read yet';
  }

  /** Begins the steps that may begin now, up to the first that need not wait. Returns its report, as `actOnReport` does. */
  takeEarlySteps(): DecidedStep | undefined {
    for (let run = this.early.shift(); run; run = this.early.shift()) {
      const reported = this.takeEarlyStep(run);
      if (reported) return reported;
    }
    return undefined;
  }

  private takeEarlyStep(run: BegunRun): DecidedStep | null {
    const abort = spareAbort ?? new AbortController();
    spareAbort = null;
    let mayHold = true;
    const step = this.proposeStepOf(run.id, run.attempt, abort.signal, () => {
      mayHold = false;
      endHold(run);
    });
    if (!step) return null;
    const { attempt, report, startedMs, trace } = step;
    if (report instanceof Promise) {
      if (mayHold) run.endHold = this.shell.writer.hold();
      this.startRunActor(run, () => step, abort);
      return null;
    }
    spareAbort = abort;
    const usedMs = Math.round(this.shell.deps.clock.elapsed() - startedMs);
    const ended: StepRequest = {
      type: 'step',
      runId: run.id,
      attempt,
      report,
      usedMs,
      ...(trace !== undefined && { trace }),
    };
    const ready = this.lookUpSurroundings(ended);
    if (!(ready instanceof Promise)) return this.actOnReport(ended, ready);
    // what has to be waited for is looked up when the report is the message that the actor handles
    run.endHold = this.shell.writer.hold();
    this.shell.tell(ended);
    return null;
  }

  /** Null if the run is not at that attempt. `thinking` is called when the reasoner has to be waited for. */
  private proposeStepOf(runId: string, attempt: number, signal: AbortSignal, thinking?: () => void): StepAtWork | null {
    const { state, deps, entity } = this.shell;
    const live = state?.runs.get(runId);
    if (!state || !live?.stepping || live.attempt !== attempt) return null;
    const messages = state.unread.filter(({ id }) => live.reads.includes(id));
    const agent = live.record.overrides
      ? { ...state.agent, config: configOf(state.agent.config, live.record) }
      : state.agent;
    const away = new TimeAway(deps.clock);
    const startedMs = deps.clock.elapsed();
    const run = this.begun.get(runId);
    const writes: StepInput['writes'] = (text) => {
      if (run?.attempt === attempt) run.writes = text;
    };
    const input = {
      entity,
      agent,
      live,
      messages,
      turns: this.knownTurns(live),
      handed: this.handedTo(live),
      writes,
      ...(live.record.overrides && !mayHandOver(state.agent.config) && { withheld: ['hand_off'] as const }),
      ...(thinking && { thinking }),
    };
    const traced = tracedStep(agent, live, () => proposeStep(deps, input, signal, away));
    return { attempt, ...traced, startedMs, away, budgetMs: remainingMs(live.record) };
  }

  /**
   * The report as it is to be decided on at once, with what was found for it; null if the step has to wait, because
   * something could not be read, or for so long that the room that it had reserved is gone.
   */
  actOnReport(step: StepRequest, found: DecidedStep | null): DecidedStep | null {
    const run = this.begun.get(step.runId);
    if (run) endHold(run);
    const claimed = found && this.claimPlaces(found);
    if (claimed) return claimed;
    if (run) this.waitForSurroundings(run, step, step.report as SuccessfulStep);
    return null;
  }

  /** `withSurroundings`; null if something cannot be read. Never throws or rejects. */
  lookUpSurroundings(step: StepRequest): MaybePromise<DecidedStep | null> {
    const found = finish(this.withSurroundings(step));
    return found instanceof Promise ? found.catch(() => null) : found;
  }

  /** The step waits until it has what it needs, as it waits for its reasoner, and is then reported again. */
  private waitForSurroundings(run: BegunRun, step: StepRequest, report: SuccessfulStep): void {
    const { deps, entity, state } = this.shell;
    const { attempt, usedMs } = step;
    const live = state?.runs.get(run.id);
    if (live?.attempt !== attempt) return;
    const away = new TimeAway(deps.clock);
    const again = (): Waiting<unknown> => this.withSurroundings(step);
    this.haveRunActorTake(run, (signal) => ({
      attempt,
      report: outlastWith(deps, { entity, live }, report, again, signal, away),
      startedMs: deps.clock.elapsed() - usedMs,
      away,
      budgetMs: remainingMs(live.record),
    }));
  }

  /** The sum towards which what was used counts. What an unsuccessful step has used is not worth an outage. */
  private *withSum(step: StepRequest): Waiting<StepRequest> {
    const { report, runId, attempt } = step;
    const live = this.shell.state?.runs.get(runId);
    if (!report.usage || live?.attempt !== attempt || live.record.subject === undefined) return step;
    const { deps, entity } = this.shell;
    try {
      const countFor = yield* deps.modelBudgets.sumOf(entity, live.record.subject);
      return countFor ? { ...step, report: { ...report, countFor } } : step;
    } catch (error) {
      if (report.ok) throw error;
      return step;
    }
  }

  /** Looks up what the memories that the step names or makes may repeat or supersede. */
  private *withSurroundings(given: StepRequest): Waiting<DecidedStep> {
    const step = yield* this.withSum(given);
    const { report, runId, attempt } = step;
    const { state } = this.shell;
    if (!report.ok || state?.runs.get(runId)?.attempt !== attempt) return step;
    if (!report.calls.some((call) => call.tool === 'remember' || namesMemory(call) || namesBlock(call))) return step;
    const memories = state.counts['memories'] ?? 0;
    const of = state.runs.get(runId)?.record ?? {};
    const calls = yield* wait(allOf(report.calls.map((call) => finish(this.withNamedMemory(call, of, memories)))));
    return { ...step, report: { ...report, calls } };
  }

  private *withNamedMemory(call: ResolvedCall, of: Owned, memories: number): Waiting<ResolvedCall> {
    if (call.tool === 'remember') {
      const { content = '', type = 'semantic' } = call.arguments;
      return { ...call, around: yield* this.present.around({ type, content, ...withSubject(of) }, memories) };
    }
    if (namesBlock(call)) return { ...call, block: yield* this.withBlock(call, of) };
    if (!namesMemory(call) || call.id === null) return call;
    const others = call.also?.map((other) => finish(this.withNamed(other)));
    const named = yield* this.withNamed({ ...call, id: call.id });
    return others ? { ...named, also: yield* wait(allOf(others)) } : named;
  }

  /** That of the run's own subject, or else the one for everybody, which it may not change. */
  private *withBlock({ arguments: { label = '' } }: ResolvedCall, of: Owned): Waiting<StoredBlock | null> {
    const { deps, entity } = this.shell;
    const found = yield* blocksFor(deps.store, entity, of);
    return (
      found.findLast((block) => block.label === label && isSameSubject(block, of)) ??
      found.find((block) => block.label === label) ??
      null
    );
  }

  /** The memory, or the run in which it was said. */
  private *withNamed<N extends { id: string }>(
    name: N,
  ): Waiting<N & { named?: StoredMemory | null; said?: RunRecord | null }> {
    const run = runOfTurn(name.id);
    if (run === '') return { ...name, named: yield* this.present.byId(name.id) };
    const doc = yield* wait(this.shell.deps.store.get(this.shell.entity, 'run', run));
    return { ...name, said: doc && unpackRun(doc) };
  }

  private claimPlaces(step: DecidedStep): DecidedStep | null {
    const report = claimReservation(step.report);
    if (!report) return null;
    if (report.ok) this.answers.consulted(step.runId, report.consulted);
    const { reservation } = step.report as ProposedStep;
    if (!reservation) return step;
    void this.endWithDecision(reservation);
    return { ...step, report };
  }

  /** The reservation ends when the decision that claims it is stored or lost. */
  private async endWithDecision(reservation: QuotaReservation): Promise<void> {
    await Promise.resolve(); // the decision is with the writer by then
    await this.shell.writer.settled();
    reservation.release();
  }

  /** Has the run's actor go on with this step, or starts an actor with it. */
  private haveRunActorTake(run: BegunRun, begin: BeginStep): void {
    if (run.actor) run.actor.run.takeStep(begin);
    else this.startRunActor(run, begin);
  }

  private startRunActor(run: BegunRun, first: BeginStep, abort = new AbortController()): void {
    const { id: runId } = run;
    const { clock } = this.shell.deps;
    const actor = new RunActor(run, first, (message) => this.shell.tell(message), clock, abort);
    const { workspace } = this.shell.entity;
    run.actor = { run: actor, child: this.shell.context.spawn({ workspace, kind: 'run', id: runId }, actor) };
  }

  /** What the model has written of the run's step in progress, as far as that is told. */
  writtenBy(runId: string): string {
    return this.begun.get(runId)?.writes?.soFar ?? '';
  }

  /** Call this when the run is no longer running. */
  stopRun(runId: string): void {
    const run = this.begun.get(runId);
    if (!run) return;
    this.begun.delete(runId);
    this.stopSteps(run, 'the run does not go on');
  }

  private stopSteps(run: BegunRun, reason: string): void {
    endHold(run);
    run.actor?.child.stop(reason);
  }

  stopAllRuns(): void {
    for (const run of this.begun.values()) this.stopSteps(run, 'the agent does not go on');
    this.begun.clear();
  }
}
