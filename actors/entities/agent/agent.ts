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
import { randomUUID } from 'node:crypto';
import { decideAgent, spawnAgent, type TaskStarted } from '../../../src/domain/agent.js';
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
} from '../../../src/domain/agent-state.js';
import type { DocumentPut, Env } from '../../../src/domain/change.js';
import type { Decision } from '../../../src/domain/draft.js';
import { HivekeepError, notFound } from '../../../src/domain/errors.js';
import { packEntry } from '../../../src/domain/journal.js';
import type { ConsultedMemory, RunEvent } from '../../../src/domain/model.js';
import type { PushOutboxItem } from '../../../src/domain/push.js';
import { wasActedOn } from '../../../src/domain/tasks.js';
import type { EntityRef, Head } from '../../../src/store/port.js';
import { type AgentActorCommand, type AgentRequest, type AgentShell, prepareAgent } from './requests.js';
import { Deliveries } from './deliveries.js';
import type { EntityDependencies } from '../dependencies.js';
import { goneCommand } from '../command.js';
import { EntityDeletion } from '../deletion.js';
import { answeredLater, decideOn, EntityActor, type EntityDefinition } from '../entity.js';
import type { HeadUpdate } from '../entity-writer.js';
import { outboxItems, unreadMessages, type UnreadMessages } from './mailbox-reads.js';
import type { ChildFailure, Reply } from '../../runtime/port.js';
import { loadRuns, pausedRuns } from './run-reads.js';
import { Stepping } from './stepping.js';
import { countMessages, countRun } from '../entity-metrics.js';

const noMessages: UnreadMessages = { messages: [], moreMayWake: false };

/** The messages that woke the runs in memory. */
const wokeRunsOf = (runs: AgentState['runs']): string[] =>
  [...runs.values()].flatMap(({ record }) => record.messageId ?? []);

/**
 * What an A2A message is answered with: the run as of its commit, and the first event that the message caused; null
 * where the message was known already.
 */
export interface TaskAnswer {
  run: RunRecord;
  first: RunEvent | null;
}

/** What a direct message is answered with: the run as of its commit, and what it consulted. */
export interface DirectAnswer {
  run: RunRecord;
  consulted: readonly ConsultedMemory[] | null;
}

/** Tells a step that is begun again by the process that began it from one whose process is gone. */
const thisProcess = randomUUID();

export class AgentActor extends EntityActor<AgentState, AgentRequest, AgentActorCommand> {
  constructor(deps: EntityDependencies, entity: EntityRef) {
    super(deps, entity, (shell) => new Agent(shell));
  }

  /** Stands above it in the supervision tree. */
  get firstHive(): string | null {
    return this.state?.agent.hives[0] ?? null;
  }
}

class Agent implements EntityDefinition<AgentState, AgentRequest, AgentActorCommand> {
  private readonly stepping: Stepping;
  private readonly deletion: EntityDeletion<AgentState, AgentRequest, AgentActorCommand>;
  private readonly direct = new Map<string, DirectAnswer>();
  private owed: Deliveries | null = null;
  private over = false;

  constructor(private readonly shell: AgentShell) {
    this.stepping = new Stepping(shell, {
      tell: (request) => {
        this.own(request);
      },
      proposed: (runId, report) => {
        const answer = this.direct.get(runId);
        if (answer && report.ok && answer.consulted === null) answer.consulted = report.consulted;
      },
    });
    this.deletion = new EntityDeletion(shell, {
      isFenced: () => this.isDeleting(),
      fence: (request, reply) => this.fence(request as Extract<AgentRequest, { type: 'delete' }>, reply),
      before: () => this.forgetShared(),
    });
  }

  /** Most agents owe nothing: it is made when the first does. */
  private get deliveries(): Deliveries {
    return (this.owed ??= new Deliveries(this.shell.deps, this.shell.entity, (end) => {
      this.own(end);
    }));
  }

  async load(head: Head): Promise<AgentState> {
    const agent = head.snapshot as unknown as AgentSnapshot;
    const { store } = this.shell.deps;
    agent.pushes ??= 0; // agents of an earlier version have never pushed
    const runs =
      agent.running === null && agent.pending.length === 0
        ? emptyRuns
        : await loadRuns(store, this.shell.entity, [
            ...(agent.running === null ? [] : [agent.running]),
            ...agent.pending,
          ]);
    const { messages, moreMayWake } =
      agent.unread === 0
        ? noMessages
        : await unreadMessages(store, this.shell.entity, { limit: bounds.unreadInMemory, wokeRuns: wokeRunsOf(runs) });
    const reason = this.shell.deps.takeReasonToGiveUp(this.shell.entity);
    if (reason !== null) this.shell.context.self({ type: 'abandon', reason });
    if (agent.pushes > 0) this.deliveries.holdPushes();
    const isEnding = agent.status === 'terminated' && agent.pending.length > 0;
    if (
      agent.running !== null ||
      agent.unread > 0 ||
      agent.outbox > 0 ||
      agent.pushes > 0 ||
      agent.deleting ||
      isEnding
    )
      this.shell.context.self({ type: 'continue' });
    return { agent, counts: head.counts, runs, unread: messages, moreMayWake, positions: emptyPositions };
  }

  headOf({ agent, counts }: AgentState): HeadUpdate {
    return {
      snapshot: agent as unknown as Record<string, unknown>,
      counts,
      active:
        agent.running !== null || agent.pending.length > 0 || agent.outbox > 0 || agent.pushes > 0 || agent.deleting,
      due: agent.nextExpiry,
      deleted: false,
    };
  }

  stored(puts: readonly DocumentPut[]): readonly DocumentPut[] {
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

  idle(): boolean {
    const agent = this.shell.state?.agent;
    // what is left to do goes on after the next start; only a step in progress is worth waiting for
    if (this.shell.deps.stopping()) return !this.stepping.busy;
    return (
      !agent ||
      (agent.running === null &&
        agent.pending.length === 0 &&
        agent.outbox === 0 &&
        agent.pushes === 0 &&
        !agent.deleting)
    );
  }

  /** The step that the child held is lost with it, and nobody else would report. */
  childFailed(failure: ChildFailure): void {
    this.stepping.childFailed(failure);
  }

  ended(): void {
    this.over = true;
    this.owed?.stop();
    this.stepping.end();
  }

  /** Tells the actor itself; of an incarnation that is over, nothing counts any more (Agent.G2). */
  private own(request: AgentRequest): void {
    if (!this.over) this.shell.context.self(request);
  }

  control(request: AgentRequest, reply: Reply): void | Promise<void> | typeof decideOn {
    this.stepping.newTurn();
    switch (request.type) {
      case 'delete':
        return this.deletion.remove(request, reply);
      case 'wake':
        return this.shell.wake(request.seq, reply);
      case 'continue':
        reply.resolve(undefined);
        return this.resumeAfterLoad();
      case 'begin':
        this.stepping.begin(request.runId, request.attempt);
        return undefined;
      case 'step':
        this.stepping.report(request);
        return undefined;
      case 'deadline':
      case 'abandon':
        this.shell.handle(request, null);
        return undefined;
      case 'delivered':
      case 'undelivered':
      case 'pushed':
      case 'deadLettered':
        if (this.owed?.take(request)) this.shell.handle(request, null);
        return undefined;
      case 'refill':
        return this.refill();
      default:
        return decideOn;
    }
  }

  /** A step would be taken again, and paid for again, to the same end. */
  isWorkInProgress(decision: Decision<AgentState>): boolean {
    return ((decision as Partial<AgentDecision>).changedRuns ?? []).length > 0;
  }

  recorded(decision: Decision<AgentState>, request: AgentRequest): unknown {
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
        return decision.result ?? null;
    }
  }

  /** Agent.G5. A direct message is answered by its run as it is now. */
  async repeated(result: unknown, request: AgentRequest): Promise<{ answer: unknown } | null> {
    return request.type === 'task' || (request.type === 'run' && request.direct)
      ? this.begunBefore((result as { run: string }).run, request)
      : { answer: result };
  }

  private async begunBefore(
    id: string,
    request: Extract<AgentRequest, { type: 'task' | 'run' }>,
  ): Promise<{ answer: TaskAnswer | DirectAnswer } | null> {
    const run = (await this.shell.deps.store.get(this.shell.entity, 'run', id))?.body as unknown as
      RunRecord | undefined;
    if (request.type === 'run') return run ? { answer: { run, consulted: null } } : null;
    return !run || (request.runId === null && wasActedOn(run)) ? null : { answer: { run, first: null } };
  }

  prepare(request: AgentRequest): AgentActorCommand | Promise<AgentActorCommand> {
    if (request.type === 'spawn') {
      if (this.shell.state || this.shell.gone)
        throw new HivekeepError('CONFLICT', `agent ${this.shell.entity.id} exists already`);
      return request;
    }
    if (!this.shell.state) throw notFound('agent', this.shell.entity.id);
    return prepareAgent(request, this.shell.state, {
      deps: this.shell.deps,
      entity: this.shell.entity,
      settled: () => this.shell.writer.settled(),
    });
  }

  decide(state: AgentState | null, command: AgentActorCommand, env: Env): Decision<AgentState> {
    if (command.type === 'spawn') return spawnAgent(this.shell.entity.id, command.input, env);
    if (!state) throw notFound('agent', this.shell.entity.id);
    return decideAgent(state, command, env);
  }

  ignores(command: AgentActorCommand): boolean {
    const { state } = this.shell;
    return !state || (state.agent.deleting && command.type !== 'delete' && command.type !== 'cancelLeft');
  }

  /** What only changes what is in memory, or nothing, is not written. */
  writes(decision: Decision<AgentState>): boolean {
    return decision.puts.length > 0 || decision.deletes.length > 0 || decision.state.agent.deleting;
  }

  decided(decision: Decision<AgentState>, request: AgentRequest | null): void {
    const started = request && awaited(decision, request);
    if (started) this.direct.set(started.id, { run: started, consulted: null });
    for (const effect of decision.effects)
      if (effect.type === 'begin') this.stepping.consider(effect.runId, decision, false);
      else if (effect.type === 'abort') this.stepping.abort(effect.runId);
    for (const run of (decision as Partial<AgentDecision>).changedRuns ?? [])
      if (run.status !== 'running') this.stepping.leave(run.id);
    this.cancelWaiting();
  }

  committed(decision: Decision<AgentState>): void {
    countMessages(this.shell.deps.metrics, decision.puts);
    for (const { kind, id } of decision.deletes) if (kind === 'outbox') this.owed?.forget(id);
    for (const run of (decision as Partial<AgentDecision>).changedRuns ?? []) {
      countRun(this.shell.deps.metrics, run);
      if (run.status === 'failed') this.logFailed(run);
      const answer = this.direct.get(run.id);
      if (answer) answer.run = run;
    }
    for (const effect of decision.effects)
      if (effect.type === 'begin') this.stepping.consider(effect.runId, decision, true);
      else if (effect.type === 'send') this.send(effect.id, decision);
      else if (effect.type === 'refill') this.own({ type: 'refill' });
  }

  private logFailed({ id, agent_id, error }: RunRecord): void {
    const { workspace } = this.shell.entity;
    const fields = { event: 'run.failed', run: id, agent: agent_id, workspace, code: error?.code };
    this.shell.deps.log.warn(fields, `A run failed: ${error?.message ?? 'no reason was given'}`);
  }

  answer(decision: Decision<AgentState>, request: AgentRequest): unknown {
    if (request.type === 'delete') return answeredLater;
    const started = awaited(decision, request);
    if (!started) return decision.result;
    const answer = this.direct.get(started.id) ?? { run: started, consulted: null };
    this.direct.delete(started.id);
    return request.type === 'task'
      ? ({ run: answer.run, first: (decision.result as TaskStarted).first } satisfies TaskAnswer)
      : answer;
  }

  private send(id: string, decision: Decision<AgentState>): void {
    const item = decision.puts.find((p) => p.kind === 'outbox' && p.id === id)?.body as
      OutboxItem | PushOutboxItem | undefined;
    if (item) this.deliveries.send(item);
  }

  private async resumeAfterLoad(): Promise<void> {
    if (!this.shell.state) return;
    if (this.shell.state.agent.deleting) {
      await this.deletion.finish();
      return;
    }
    // what is read here must not be on its way out of the store
    await this.shell.writer.settled();
    if (this.shell.state.agent.outbox > 0 || this.shell.state.agent.pushes > 0)
      for await (const items of outboxItems(this.shell.deps.store, this.shell.entity))
        for (const item of items) this.deliveries.send(item);
    this.owed?.releasePushes();
    this.shell.handle({ type: 'continue', process: thisProcess }, null);
  }

  /** Nothing else is handled meanwhile, so what is read here cannot have been read by a step already. */
  private async refill(): Promise<void> {
    await this.shell.writer.settled();
    const { state, deps, entity } = this.shell;
    if (!state) return;
    const wokeRuns = wokeRunsOf(state.runs);
    const unread = await unreadMessages(deps.store, entity, { limit: bounds.unreadInMemory, wokeRuns });
    this.shell.handle({ type: 'refill', ...unread }, null);
  }

  private isDeleting(): boolean {
    return this.shell.state?.agent.deleting === true;
  }

  private async fence(request: Extract<AgentRequest, { type: 'delete' }>, reply: Reply): Promise<void> {
    await this.shell.writer.settled();
    const { workspace } = this.shell.entity;
    const tokens = await this.shell.deps.store.list({
      workspace,
      entity: this.shell.entity,
      collection: 'token',
      list: 'created',
      order: 'asc',
      limit: bounds.tokens,
    });
    const paused = await pausedRuns(this.shell.deps.store, this.shell.entity);
    this.shell.handle(
      {
        type: 'delete',
        tokens: tokens.items.map((t) => t.body as unknown as Credential),
        by: request.by,
        onlyIf: request.onlyIf,
      },
      { message: request, reply },
    );
    if (this.isDeleting()) for (const run of paused) this.shell.handle({ type: 'cancelLeft', run }, null);
  }

  /** One after the other, each as a decision of its own: the writer makes commits of them that the store can hold. */
  private cancelWaiting(): void {
    const { state } = this.shell;
    if (!state || !(state.agent.deleting || state.agent.status === 'terminated')) return;
    const run = state.runs.get(state.agent.pending[0] ?? '');
    if (run) this.shell.handle({ type: 'cancelLeft', run }, null);
  }

  /**
   * What it shared goes before all that it had. Nothing more is sent: what a hive has taken in is forgotten there, after
   * it.
   */
  private async forgetShared(): Promise<void> {
    this.owed?.stop();
    for (const hive of this.shell.state?.agent.sharedWith ?? []) await this.forgetIn(hive);
  }

  private async forgetIn(hive: string): Promise<void> {
    const address = { workspace: this.shell.entity.workspace, kind: 'hive' as const, id: hive };
    const { id } = this.shell.entity;
    try {
      // a share that is still on its way must not arrive after this
      await this.shell.deps.ask(address, { type: 'reserve', result: null, command: goneCommand(id) });
      while (!(await this.shell.deps.ask(address, { type: 'forgetAgent', agent: this.shell.entity.id })));
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
