/**
 * The actor of an agent and of its runs' decisions. Decides (src/domain/agent.ts), begins steps, delivers what stands
 * in the outbox, and takes the agent apart when it is deleted.
 *
 *  Agent.G1 A step begins at once when it needs no commit to have happened: it is the run's first, and nothing that
 *     recall should find is on its way to the store. So a message to a reasoner that need not wait is one commit.
 *  Agent.G2 A report counts for the incarnation and the attempt that began the step, and for no other (model:
 *     Model.W3).
 *  Agent.G3 An outbox document is sent after its commit, and again after every load, until the receiver has it or
 *     refuses it for good; then it is removed, once (Model.O1, Model.O2). What an earlier incarnation was told
 *     of it counts for nothing.
 *  Agent.G4 A delete takes nothing away before its fence is committed, and is answered when nothing is left.
 *  Agent.G5 An A2A message that was taken in already is answered with its task (Command.Y1-Y3); a first one only until
 *     somebody has gone on with the task or cancelled it.
 */
import { decideAgent, spawnAgent, type AgentCommand, type TaskStarted } from '../../../src/domain/agent.js';
import type { AgentDecision } from '../../../src/domain/agent-draft.js';
import type { Credential } from '../../../src/domain/audit.js';
import {
  type AgentSnapshot,
  type AgentState,
  bounds,
  type JournalEntry,
  emptyPositions,
  emptyRuns,
  type OutboxItem,
  type RunRecord,
  showRun,
  type StepReport,
  type StoredMessage,
} from '../../../src/domain/agent-state.js';
import type { DocumentPut, Effect, Env } from '../../../src/domain/change.js';
import type { Decision } from '../../../src/domain/draft.js';
import { HivekeepError, notFound, unavailable } from '../../../src/domain/errors.js';
import { packEntry } from '../../../src/domain/journal.js';
import { messagesForNextStep } from '../../../src/domain/mailbox.js';
import type { ConsultedMemory } from '../../../src/domain/model.js';
import type { PushOutboxItem } from '../../../src/domain/push.js';
import { remainingMs } from '../../../src/domain/run.js';
import { wasActedOn } from '../../../src/domain/tasks.js';
import type { Head } from '../../../src/store/port.js';
import { prepareAgent, type AgentRequest } from './requests.js';
import { Deliveries } from './deliveries.js';
import { EntityBehavior, type PendingDecision } from '../entity.js';
import type { HeadUpdate } from '../entity-writer.js';
import { outboxItems, unreadMessages } from './mailbox-reads.js';
import type { ChildFailure, ChildRef, Envelope, Reply } from '../../runtime/port.js';
import { purgeEntity } from '../purge.js';
import { RunBehavior, type RunMessage } from './run.js';
import { loadRuns, pausedRuns } from './run-reads.js';
import { claimReservation, proposeStep, type ProposedStep } from './step.js';
import { countMessages, countRun } from '../entity-metrics.js';

/** What an A2A message is answered with: the run as of its commit, and the first event that it caused. */
export interface TaskAnswer {
  run: RunRecord;
  from: number;
}

/** What a direct message is answered with: the run as of its commit, and what it consulted. */
export interface DirectAnswer {
  run: RunRecord;
  consulted: readonly ConsultedMemory[] | null;
}

type Command = AgentCommand | { type: 'spawn'; input: Extract<AgentRequest, { type: 'spawn' }>['input'] };

/** Steps that follow from one another without waiting, before others get their turn. */
const maxInline = 8;

/** Of a step that ended at once: nobody has kept its signal, so the next one may have it. They are dear to make. */
let spareAbort: AbortController | null = null;

export class AgentBehavior extends EntityBehavior<AgentState, AgentRequest, Command> {
  private readonly runActors = new Map<string, ChildRef<RunMessage>>();
  /** The latest attempt begun of each run. */
  private readonly begun = new Map<string, number>();
  private readonly direct = new Map<string, DirectAnswer>();
  private owed: Deliveries | null = null;
  private inline = 0;
  private over = false;

  /** Most agents owe nothing: it is made when the first does. */
  private get deliveries(): Deliveries {
    return (this.owed ??= new Deliveries(this.deps, this.entity, (end) => {
      this.own(end);
    }));
  }

  /** Stands above it in the supervision tree. */
  get firstHive(): string | null {
    return this.state?.agent.hives[0] ?? null;
  }

  protected override async hydrate(head: Head): Promise<AgentState> {
    const agent = head.snapshot as unknown as AgentSnapshot;
    const { store } = this.deps;
    agent.pushes ??= 0; // agents of an earlier version have never pushed
    const runs =
      agent.running === null && agent.pending.length === 0
        ? emptyRuns
        : await loadRuns(store, this.entity, [...(agent.running === null ? [] : [agent.running]), ...agent.pending]);
    const unread = agent.unread === 0 ? [] : await unreadMessages(store, this.entity, bounds.unreadInMemory);
    const broken = this.deps.takeCrashLoopReason(this.entity);
    if (broken !== null) this.context.self({ type: 'abandon', reason: broken });
    if (agent.pushes > 0) this.deliveries.holdPushes();
    if (agent.running !== null || agent.unread > 0 || agent.outbox > 0 || agent.pushes > 0 || agent.deleting)
      this.context.self({ type: 'continue' });
    return { agent, counts: head.counts, runs, unread, positions: emptyPositions };
  }

  protected override headOf({ agent, counts }: AgentState): HeadUpdate {
    return {
      snapshot: agent as unknown as Record<string, unknown>,
      counts,
      active:
        agent.running !== null || agent.pending.length > 0 || agent.outbox > 0 || agent.pushes > 0 || agent.deleting,
      due: agent.nextExpiry,
      deleted: false,
    };
  }

  protected override stored(puts: readonly DocumentPut[]): readonly DocumentPut[] {
    return puts.map((put) =>
      put.kind === 'journal'
        ? {
            kind: put.kind,
            id: put.id,
            body: packEntry(put.body as unknown as JournalEntry) as unknown as Record<string, unknown>,
            isNew: put.isNew,
          }
        : put,
    );
  }

  override idle(): boolean {
    const agent = this.state?.agent;
    // what is left to do goes on after the next start; only a step in progress is worth waiting for
    if (this.deps.stopping()) return super.idle() && this.runActors.size === 0;
    return (
      super.idle() &&
      (!agent ||
        (agent.running === null &&
          agent.pending.length === 0 &&
          agent.outbox === 0 &&
          agent.pushes === 0 &&
          !agent.deleting))
    );
  }

  override async passivate(): Promise<void> {
    this.end();
    await super.passivate();
  }

  override dropped(): void {
    this.end();
  }

  /** The step that it held is lost with it, and nobody else would report. */
  childFailed({ address, error }: ChildFailure): void {
    const attempt = this.begun.get(address.id);
    if (attempt !== undefined)
      this.handle(
        {
          type: 'step',
          runId: address.id,
          attempt,
          report: { ok: false, error: { code: 'internal', message: error.message } },
          usedMs: 0,
          read: [],
        },
        null,
      );
  }

  private end(): void {
    this.over = true;
    this.owed?.stop();
    for (const child of this.runActors.values()) child.stop();
    this.runActors.clear();
  }

  /** Tells the actor itself; of an incarnation that is over, nothing counts any more (Agent.G2). */
  private own(request: AgentRequest): void {
    if (!this.over) this.context.self(request);
  }

  override receive(request: AgentRequest, reply: Reply): void | Promise<void> {
    this.inline = 0;
    switch (request.type) {
      case 'delete':
        return this.remove(request, reply);
      case 'wake':
        return this.wake(request.seq, reply);
      case 'continue':
        reply.resolve(undefined);
        return this.resumeAfterLoad();
      case 'begin':
        this.beginStep(request.runId, request.attempt);
        return undefined;
      case 'step':
        this.handleStep(request);
        return undefined;
      case 'deadline':
      case 'abandon':
        this.handle(request, null);
        return undefined;
      case 'delivered':
      case 'undelivered':
      case 'pushed':
      case 'deadLettered':
        if (this.owed?.take(request)) this.handle(request, null);
        return undefined;
      case 'refill':
        return this.refill();
      default:
        return super.receive(request, reply);
    }
  }

  protected override recorded(decision: Decision<AgentState>, request: AgentRequest): unknown {
    switch (request.type) {
      case 'task':
        return { run: (decision.result as TaskStarted).record.id };
      case 'run':
      case 'resume':
      case 'fork':
        return request.type === 'run' && request.direct
          ? { run: (decision.result as RunRecord).id }
          : showRun(decision.result as RunRecord);
      case 'mint':
        return request.salt === undefined ? decision.result : { token: decision.result, salt: request.salt };
      default:
        return super.recorded(decision, request);
    }
  }

  /** Agent.G5. A direct message is answered by its run as it is now. */
  protected override repeated(
    result: unknown,
    request: AgentRequest,
  ): ReturnType<EntityBehavior<AgentState, AgentRequest, Command>['repeated']> {
    return request.type === 'task' || (request.type === 'run' && request.direct)
      ? this.begunBefore((result as { run: string }).run, request)
      : super.repeated(result, request);
  }

  private async begunBefore(
    id: string,
    request: Extract<AgentRequest, { type: 'task' | 'run' }>,
  ): Promise<{ answer: TaskAnswer | DirectAnswer } | null> {
    const run = (await this.deps.store.get(this.entity, 'run', id))?.body as unknown as RunRecord | undefined;
    if (request.type === 'run') return run ? { answer: { run, consulted: null } } : null;
    return !run || (request.runId === null && wasActedOn(run)) ? null : { answer: { run, from: 1 } };
  }

  protected override prepare(request: AgentRequest): Command | Promise<Command> {
    if (request.type === 'spawn') {
      if (this.state || this.gone) throw new HivekeepError('CONFLICT', `agent ${this.entity.id} exists already`);
      return request;
    }
    if (!this.state) throw notFound('agent', this.entity.id);
    return prepareAgent(request, this.state, {
      deps: this.deps,
      entity: this.entity,
      settled: () => this.writer.settled(),
    });
  }

  protected override decide(state: AgentState | null, command: Command, env: Env): Decision<AgentState> {
    if (command.type === 'spawn') return spawnAgent(this.entity.id, command.input, env);
    if (!state) throw notFound('agent', this.entity.id);
    return decideAgent(state, command, env);
  }

  protected override handle(command: Command, envelope: Envelope<AgentRequest> | null): void {
    if (!envelope && (!this.state || (this.state.agent.deleting && command.type !== 'delete'))) return;
    super.handle(command, envelope);
  }

  /** What only changes what is in memory, or nothing, is not written. */
  protected override accept(decision: Decision<AgentState>, envelope: Envelope<AgentRequest> | null): void {
    if (envelope || decision.puts.length > 0 || decision.deletes.length > 0 || decision.state.agent.deleting) {
      const { changedRuns } = decision as AgentDecision;
      const started = envelope && awaited(decision, envelope.message);
      if (started) this.direct.set(started.id, { run: started, consulted: null });
      super.accept(decision, envelope);
      for (const run of changedRuns) if (run.status !== 'running') this.leave(run.id);
      return;
    }
    this.state = decision.state;
    for (const effect of decision.effects) this.carryOut(effect, decision, false);
    for (const effect of decision.effects) this.carryOut(effect, decision, true);
  }

  private leave(runId: string): void {
    this.stopRunActor(runId);
    this.begun.delete(runId);
  }

  private stopRunActor(id: string): void {
    this.runActors.get(id)?.stop();
    this.runActors.delete(id);
  }

  protected override committed(batch: readonly PendingDecision<AgentState, AgentRequest>[]): void {
    for (const { decision } of batch) {
      countMessages(this.deps.metrics, decision.puts);
      for (const { kind, id } of decision.deletes) if (kind === 'outbox') this.owed?.forget(id);
      for (const run of (decision as Partial<AgentDecision>).changedRuns ?? []) {
        countRun(this.deps.metrics, run);
        if (run.status === 'failed') this.logFailed(run);
        const answer = this.direct.get(run.id);
        if (answer) answer.run = run;
      }
    }
    super.committed(batch);
  }

  private logFailed({ id, agent_id, error }: RunRecord): void {
    const { workspace } = this.entity;
    const fields = { event: 'run.failed', run: id, agent: agent_id, workspace, code: error?.code };
    this.deps.log.warn(fields, `A run failed: ${error?.message ?? 'no reason was given'}`);
  }

  protected override answer(decision: Decision<AgentState>, request: AgentRequest): unknown {
    const started = awaited(decision, request);
    if (!started) return decision.result;
    const answer = this.direct.get(started.id) ?? { run: started, consulted: null };
    this.direct.delete(started.id);
    return request.type === 'task'
      ? ({ run: answer.run, from: (decision.result as TaskStarted).from } satisfies TaskAnswer)
      : answer;
  }

  protected override carryOut(effect: Effect, decision: Decision<AgentState>, committed: boolean): void {
    switch (effect.type) {
      case 'begin':
        this.considerBegin(effect.runId, decision, committed);
        break;
      case 'abort':
        if (!committed) this.runActors.get(effect.runId)?.tell({ type: 'abort' });
        break;
      case 'send':
        if (committed) this.send(effect.id, decision);
        break;
      case 'refill':
        if (committed) this.own({ type: 'refill' });
        break;
      default: // the others are carried out by the shell
    }
  }

  /** Agent.G1. */
  private considerBegin(runId: string, decision: Decision<AgentState>, committed: boolean): void {
    const began = decision.state.runs.get(runId);
    const live = this.state?.runs.get(runId);
    if (!began || !live?.stepping || live.attempt !== began.attempt || this.begun.get(runId) === began.attempt) return;
    if (this.deps.stopping() || (!committed && (began.record.steps > 0 || this.indexing > 0))) return;
    this.begun.set(runId, began.attempt);
    if (committed || ++this.inline > maxInline) this.own({ type: 'begin', runId, attempt: began.attempt });
    else this.beginStep(runId, began.attempt);
  }

  private beginStep(runId: string, attempt: number): void {
    const { state, deps, entity } = this;
    const live = state?.runs.get(runId);
    if (!state || !live?.stepping || live.attempt !== attempt) return;
    const messages = live.record.held.length > 0 ? [] : messagesForNextStep(state.unread, live.record);
    const read = messages.map((m) => m.id);
    const abort = spareAbort ?? new AbortController();
    const startedMs = deps.clock.now();
    spareAbort = null;
    const report = proposeStep(deps, { entity, agent: state.agent, live, messages }, abort.signal);
    if (!(report instanceof Promise)) {
      spareAbort = abort;
      this.endStep(runId, attempt, report, deps.clock.now() - startedMs, read);
      return;
    }
    this.runActor(runId, read).tell({
      type: 'work',
      attempt,
      step: report,
      abort,
      startedMs,
      budgetMs: remainingMs(live.record),
    });
  }

  private endStep(runId: string, attempt: number, report: StepReport, usedMs: number, read: readonly string[]): void {
    const answer = this.direct.get(runId);
    if (answer && report.ok && answer.consulted === null) answer.consulted = report.consulted;
    this.handleStep({ type: 'step', runId, attempt, report, usedMs, read });
  }

  /** A step's places in the quota end when what was decided of it is stored, or never will be. */
  private handleStep(step: Extract<AgentRequest, { type: 'step' }>): void {
    const { reservation: place } = step.report as ProposedStep;
    if (!place) {
      this.handle(step, null);
      return;
    }
    try {
      this.handle({ ...step, report: claimReservation(step.report) }, null);
    } finally {
      void this.writer.settled().then(() => {
        place.decided(!this.writer.broken);
      });
    }
  }

  /** One actor for each attempt: what it reads is part of what it reports. */
  private runActor(runId: string, read: readonly string[]): ChildRef<RunMessage> {
    this.stopRunActor(runId);
    const behavior = new RunBehavior(
      {
        ended: (attempt, report, usedMs) => {
          this.own({ type: 'step', runId, attempt, report, usedMs, read });
        },
        deadline: (attempt, usedMs) => {
          this.own({ type: 'deadline', runId, attempt, usedMs });
        },
      },
      this.deps.clock,
    );
    const child = this.context.spawn<RunMessage>(
      { workspace: this.entity.workspace, kind: 'run', id: runId },
      behavior,
    );
    this.runActors.set(runId, child);
    return child;
  }

  private send(id: string, decision: Decision<AgentState>): void {
    const item = decision.puts.find((p) => p.kind === 'outbox' && p.id === id)?.body as
      OutboxItem | PushOutboxItem | undefined;
    if (item) this.deliveries.send(item);
  }

  private async resumeAfterLoad(): Promise<void> {
    if (!this.state) return;
    if (this.state.agent.deleting) {
      await this.finishDelete();
      return;
    }
    // what is read here must not be on its way out of the store
    await this.writer.settled();
    if (this.state.agent.outbox > 0 || this.state.agent.pushes > 0)
      for await (const items of outboxItems(this.deps.store, this.entity))
        for (const item of items) this.deliveries.send(item);
    this.owed?.releasePushes();
    this.handle({ type: 'continue' }, null);
  }

  /** Nothing else is handled meanwhile, so what is read here cannot have been read by a step already. */
  private async refill(): Promise<void> {
    await this.writer.settled();
    const messages: StoredMessage[] = await unreadMessages(this.deps.store, this.entity, bounds.unreadInMemory);
    this.handle({ type: 'refill', messages }, null);
  }

  protected override answersLater(request: AgentRequest): boolean {
    return request.type === 'delete';
  }

  private isDeleting(): boolean {
    return this.state?.agent.deleting === true;
  }

  private async remove(request: Extract<AgentRequest, { type: 'delete' }>, reply: Reply): Promise<void> {
    if (!this.state || this.state.agent.deleting) {
      await this.removeAgain(request, reply, () => this.finishDelete());
      return;
    }
    await this.writer.settled();
    const { workspace } = this.entity;
    const tokens = await this.deps.store.list({
      workspace,
      entity: this.entity,
      collection: 'token',
      list: 'created',
      order: 'asc',
      limit: bounds.tokens,
    });
    const paused = await pausedRuns(this.deps.store, this.entity);
    this.handle(
      {
        type: 'delete',
        tokens: tokens.items.map((t) => t.body as unknown as Credential),
        paused,
        by: request.by,
        onlyIf: request.onlyIf,
      },
      { message: request, reply },
    );
    if (!this.isDeleting()) return; // refused, and its asker was told
    await this.writer.settled();
    if (this.writer.broken) return; // without a fence nothing is taken away; who asked is answered, or is asked again, by the shell (Entity.A3)
    if (await this.finishDelete()) reply.resolve(undefined);
    else reply.reject(unavailable(`agent ${this.entity.id} is being deleted; that goes on by itself`));
  }

  /**
   * What it shared goes with it, then all that it had. Nothing more is sent: what a hive has taken in is forgotten
   * there, after it. False when the last commit was not taken.
   */
  private async finishDelete(): Promise<boolean> {
    this.owed?.stop();
    for (const hive of this.state?.agent.sharedWith ?? []) await this.forgetIn(hive);
    await purgeEntity(this.deps, this.entity);
    return this.state !== null && this.tombstone(this.state);
  }

  private async forgetIn(hive: string): Promise<void> {
    const address = { workspace: this.entity.workspace, kind: 'hive' as const, id: hive };
    try {
      while (!(await this.deps.ask(address, { type: 'forgetAgent', agent: this.entity.id })));
    } catch (error) {
      if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}

/** The run that a request is answered with as of its commit, which may hold what came of it already. */
function awaited({ result }: Decision<AgentState>, request: AgentRequest): RunRecord | null {
  if (request.type === 'task') return (result as TaskStarted).record;
  return request.type === 'run' && request.direct ? (result as RunRecord) : null;
}
