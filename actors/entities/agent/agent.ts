/**
 * The actor of an agent, which also decides for the agent's runs. It makes decisions (src/domain/agent/agent.ts), begins
 * steps, delivers the outbox, and purges the agent when it is deleted.
 *
 * Invariants
 *  Agent.G1 A step begins at once if it need not wait for a commit: it is the first step of its run, and nothing that
 *     recall should find is still being committed. So a message to a reasoner that answers without waiting takes one
 *     commit.
 *  - A report counts for the activation and the attempt that began the step, and for no other (model: Model.W3).
 *  - An outbox document is sent after its commit, and again after every load, until the receiver accepts it or refuses
 *    it for good; then it is removed, once (Model.O1, Model.O2). Delivery results that reach an earlier activation
 *    have no effect.
 *  Agent.G4 A deletion removes nothing before its fence is committed, and is answered when nothing is left
 *     (agent-deletion.ts).
 *  Agent.G5 An A2A message that was accepted before is answered with its task (Idempotency.Y1-Y3). A message that began
 *     a task is answered so only until somebody has continued or cancelled the task (operations.ts).
 */
import { randomUUID } from 'node:crypto';
import type { AgentSnapshot } from '../../../src/domain/shared/snapshots.js';
import { isCommandMessage } from '../../../src/commands/command.js';
import { decideAgent, hasWork } from '../../../src/domain/agent/agent.js';
import type { AgentDecision } from '../../../src/domain/agent/agent-draft.js';
import { nextCallOf } from '../../../src/domain/agent/agent-tools.js';
import {
  type AgentState,
  bounds,
  emptyPositions,
  emptyRuns,
  type RunRecord,
} from '../../../src/domain/agent/agent-state.js';
import { noSessions } from '../../../src/domain/run/conversation.js';
import type { Decision } from '../../../src/domain/shared/draft.js';
import { openQuestion } from '../../../src/domain/mailbox/question-commands.js';
import { noRetention } from '../../../src/domain/run/retention.js';
import { isBusy, triggersOf } from '../../../src/domain/run/run-queue.js';
import { nextTimer } from '../../../src/domain/agent/schedules.js';
import type { EntityRef, Head } from '../../../src/store/port.js';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { AgentMessage } from './messages.js';
import { agentOperations, type WaitTerms } from './operations.js';
import { AgentReads, type UnreadMessages, unreadMessages } from './agent-reads.js';
import { deletionOf } from './agent-deletion.js';
import { Deliveries, type PeerReport, type QuestionEnd, type Unsent } from '../deliveries.js';
import type { EntityDeps } from '../deps.js';
import type { EntityDeletion } from '../deletion.js';
import { needsDecision, EntityActor } from '../entity.js';
import type { AnyOperation, Operations } from '../operation.js';
import { type HeadUpdate, countMessages, countRun } from '../entity-writer.js';
import type { Asked } from '../../runtime/port.js';
import { RunAnswers } from './run-answers.js';
import { loadRuns } from '../../../src/commands/run-reads.js';
import { Learner } from './learner.js';
import { Stepping } from './stepping.js';
import { tellEnded } from './traced-runs.js';
import { WaitingRuns } from './waiting-runs.js';

const waitingOf = ({ outbox: messages, pushes, webhookEvents = 0 }: AgentSnapshot): Unsent => ({
  messages,
  pushes: pushes + webhookEvents,
});

type Awaits = NonNullable<AnyOperation['awaits']>;

const noMessages: UnreadMessages = { messages: [], moreMayWake: false };

/** Identifies this process, to tell a step that the same process begins again from one whose process has died. */
const thisProcess = randomUUID();

export class AgentActor extends EntityActor<AgentState, AgentMessage, AgentCommand> {
  protected readonly operations: Operations = agentOperations;
  protected readonly decide = decideAgent;
  protected readonly reads: AgentReads;
  private readonly stepping: Stepping;
  private readonly deletion: EntityDeletion<AgentState, AgentMessage, AgentCommand>;
  private readonly answers: RunAnswers;
  private readonly deliveries: Deliveries;
  private readonly learner: Learner;
  private readonly waiting: WaitingRuns;

  constructor(deps: EntityDeps, entity: EntityRef) {
    super(deps, entity);
    this.reads = new AgentReads(this, this.present, (run) => this.stepping.writtenBy(run));
    this.deliveries = new Deliveries(deps, entity, (end) => {
      this.tell(end);
    });
    this.answers = new RunAnswers(deps.clock);
    this.stepping = new Stepping(this, this.answers, this.present);
    this.learner = new Learner(this, this.present);
    this.waiting = new WaitingRuns(this);
    const { waiting, deliveries, learner } = this;
    this.deletion = deletionOf(this, { waiting, deliveries, learner });
  }

  /** An agent is placed below the first of its hives in the tree of supervisors. */
  get hives(): readonly string[] {
    return this.state?.agent.hives.slice(0, 1) ?? [];
  }

  protected async load(head: Head): Promise<AgentState> {
    const agent = head.snapshot as AgentSnapshot;
    const { store } = this.deps;
    // an agent that was imported has runs whose journals may be due
    agent.journals ??= { ...noRetention, due: head.counts['runs'] ? this.deps.clock.now() : null };
    const running = agent.running.map(({ id }) => id);
    const runs = running.length === 0 ? emptyRuns : await loadRuns(store, this.entity, running);
    const { messages, moreMayWake } =
      agent.unread === 0
        ? noMessages
        : await unreadMessages(store, this.entity, { limit: bounds.unreadInMemory, wokeRuns: triggersOf(agent) });
    const givenUp = this.deps.takeGivenUp(this.entity);
    if (givenUp !== null) this.context.self({ type: 'abandon', ...givenUp });
    this.deliveries.loaded(waitingOf(agent));
    const state: AgentState = {
      agent,
      counts: head.counts,
      runs,
      unread: messages,
      moreMayWake,
      mailDue: false,
      positions: emptyPositions,
      sessions: noSessions,
    };
    // a head may also say that there is work which turns out to be none (Entity.A6)
    if (head.active || agent.unread > 0 || hasWork(state)) this.context.self({ type: 'continue' });
    return state;
  }

  protected headOf(state: AgentState): HeadUpdate {
    const { agent, counts } = state;
    return {
      snapshot: agent,
      counts,
      active: hasWork(state),
      due: nextTimer(agent),
      deleted: false,
    };
  }

  protected hasWork(): boolean {
    return this.state !== null && hasWork(this.state);
  }

  protected endWork(): void {
    this.deliveries.ended();
    this.stepping.stopAllRuns();
    this.answers.end();
    this.learner.stop();
  }

  protected control(asked: Asked<AgentMessage>): void | Promise<void> | typeof needsDecision {
    const { message: request } = asked;
    this.stepping.allowInlineSteps();
    if (isCommandMessage(request)) return request.command.removes ? this.deletion.remove(asked) : needsDecision;
    switch (request.type) {
      case 'wake':
        return this.wake(request.seq, asked);
      case 'continue':
        asked.resolve(undefined);
        return this.resumeAfterLoad();
      case 'step':
        return this.takeReport(request);
      case 'study':
        return this.learner.study();
      case 'learnt':
        return this.learner.take(request);
      case 'deadline':
      case 'abandon':
        this.handleCommand(request, null);
        return undefined;
      case 'delivered':
      case 'undelivered':
        if (!this.deliveries.take(request)) return undefined;
        if (request.asked) return this.endQuestion(request);
        this.handleCommand(request, null);
        return undefined;
      case 'peerPushed':
        this.deliveries.pushed(request.call);
        asked.resolve(undefined);
        return undefined;
      case 'peerBegan':
        return this.beginPeerTask(request);
      case 'peerEnded':
        return this.deliveries.take(request) ? this.endPeerCall(request) : undefined;
      case 'pushed':
      case 'eventEnded':
      case 'deadLettered':
        if (this.deliveries.take(request)) this.handleCommand(request, null);
        return undefined;
      case 'refill':
        return this.refill();
      case 'fetchNext':
        return this.waiting.fetchNext();
      default:
        return needsDecision;
    }
  }

  /** Reads the run that asks, when a question was delivered, or was not. */
  private async endQuestion({ asked: { run: id, call, by, spawned }, ...end }: QuestionEnd): Promise<void> {
    if (id !== null) await this.writer.settled();
    if (!this.state || this.writer.broken) return;
    const run = id === null ? null : await this.reads.runIfKept(id);
    this.handleCommand({ ...end, asked: { run, call, by, spawned } }, null);
  }

  /** Stores the task of a call while its run waits for it (Peers.E2). */
  private async beginPeerTask({ item, at }: Extract<PeerReport, { type: 'peerBegan' }>): Promise<void> {
    await this.writer.settled();
    if (!this.state || this.writer.broken) return;
    const run = await this.reads.runIfKept(item.run);
    if (openQuestion(run, item.id)) this.handleCommand({ type: 'peerBegan', item, at }, null);
    else this.deliveries.withdraw(item.id);
  }

  /** Peers.E3. The files of an answer are held by their SHA-256, each once. */
  private async endPeerCall({ item, answer }: Extract<PeerReport, { type: 'peerEnded' }>): Promise<void> {
    await this.writer.settled();
    if (!this.state || this.writer.broken) return;
    const run = await this.reads.runIfKept(item.run);
    const files = answer?.files ? await this.reads.filesOf(answer.files) : undefined;
    const came = answer && { ok: answer.ok, result: answer.result, ...(files && { files }) };
    this.handleCommand({ type: 'peerEnded', item, run, came }, null);
  }

  private takeReport(step: Extract<AgentMessage, { type: 'step' }>): void | Promise<void> {
    const take = (found: AgentCommand<'step'> | null): void => {
      const command = this.stepping.actOnReport(step, found);
      if (command) this.handleCommand(command, null);
    };
    const found = this.stepping.lookUpSurroundings(step);
    return found instanceof Promise ? found.then(take) : take(found);
  }

  /** After a load a step would be repeated, and paid for again, only for its commit to be refused again. */
  protected override workInProgress(decision: Decision<AgentState>): readonly string[] {
    return ((decision as Partial<AgentDecision>).changedRuns ?? []).map(({ id }) => id);
  }

  protected isObsolete(command: AgentCommand): boolean {
    const { state } = this;
    return !state || (state.agent.deleting && command.type !== 'delete' && command.type !== 'cancelLeft');
  }

  /**
   * A decision that changes nothing, or only the state in memory, is not written; one that says `true` has changed
   * more.
   */
  protected override needsCommit(decision: Decision<AgentState>): boolean {
    return (
      decision.puts.length > 0 ||
      decision.deletes.length > 0 ||
      decision.state.agent.deleting ||
      decision.result === true
    );
  }

  protected override followDecision(decision: Decision<AgentState>, request: AgentMessage | null): void {
    const awaits = request && this.operations[request.type]?.awaits;
    if (awaits) this.answers.expect(awaits.run(decision.result as never));
    for (const effect of decision.effects)
      if (effect.type === 'begin') this.stepping.beginStep(effect.runId, decision, false);
    for (const run of (decision as Partial<AgentDecision>).changedRuns ?? [])
      if (run.status !== 'running') this.stepping.stopRun(run.id);
  }

  protected override nextOwnCommand(): AgentCommand | undefined {
    return this.stepping.takeEarlySteps() ?? this.waiting.cancelNext();
  }

  protected followCommit(decision: Decision<AgentState>): void {
    countMessages(this.deps.metrics, decision.puts);
    for (const run of (decision as Partial<AgentDecision>).changedRuns ?? []) {
      countRun(this.deps.metrics, run);
      tellEnded(decision.state.agent, run);
      if (run.status === 'failed') this.logFailed(run);
      this.answers.committed(run);
    }
    this.deliveries.committed(decision, waitingOf(decision.state.agent));
    if (decision.state.agent.toLearn || decision.state.agent.learnLater) this.learner.consider();
    if (decision.state.agent.endsPaused && !isBusy(decision.state.agent)) this.waiting.askForNext();
    for (const effect of decision.effects)
      if (effect.type === 'begin') this.stepping.beginStep(effect.runId, decision, true);
      else if (effect.type === 'publish') this.answers.published(effect.runId, effect.events);
      else if (effect.type === 'refill') this.tell({ type: 'refill' });
      else if (effect.type === 'fetchNext') this.waiting.askForNext();
      else if (effect.type === 'counted') this.deps.modelBudgets.counted(this.entity.workspace, effect.subject);
  }

  protected override mayBeStored({ effects, state, puts }: Decision<AgentState>): void {
    for (const { kind, body } of puts)
      if (kind === 'outbox' && body.kind === 'peer' && !body.at) this.deps.unsentCalls.add(body.id);
    for (const effect of effects) {
      const record = effect.type === 'begin' && state.runs.get(effect.runId)?.record;
      if (record && record.calling) this.deps.unsentCalls.add(nextCallOf(record));
    }
  }

  private logFailed({ id, agent_id, error }: RunRecord): void {
    const { workspace } = this.entity;
    const fields = { event: 'run.failed', run: id, agent: agent_id, workspace, code: error?.code };
    this.deps.log.warn(fields, `A run failed: ${error?.message ?? 'no reason was given'}`);
  }

  protected override answerLater(
    { result, state }: Decision<AgentState>,
    awaits: Awaits,
    asked: Asked<AgentMessage>,
  ): void {
    const { message: request } = asked;
    const { wait } = request as WaitTerms;
    const atOnce = !wait || (wait.unlessMultiStep && state.agent.config.multi_step) || this.deps.stopping();
    this.answers.answer(awaits.run(result as never), atOnce ? 0 : wait.ms, (awaited) => {
      asked.resolve(awaits.answer(awaited, result as never, request as never));
    });
  }

  private async resumeAfterLoad(): Promise<void> {
    if (!this.state) return;
    if (this.state.agent.deleting) {
      await this.waiting.cancelAll();
      await this.deletion.finish();
      return;
    }
    await this.writer.settled();
    await this.deliveries.resume();
    const records = [...this.state.runs.values()].map(({ record }) => record);
    const unsent = records
      .filter((run) => run.calling && this.deps.unsentCalls.take(nextCallOf(run)))
      .map(({ id }) => id);
    this.handleCommand({ type: 'continue', process: thisProcess, unsent }, null);
    if (this.state.agent.endsPaused) this.waiting.askForNext();
    this.learner.consider();
  }

  /** The actor handles nothing else meanwhile, so no step can have read these messages already. */
  private async refill(): Promise<void> {
    await this.writer.settled();
    const { state, deps, entity } = this;
    if (!state) return;
    const wokeRuns = triggersOf(state.agent);
    const unread = await unreadMessages(deps.store, entity, { limit: bounds.unreadInMemory, wokeRuns });
    this.handleCommand({ type: 'refill', ...unread }, null);
  }
}
