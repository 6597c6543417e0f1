/**
 * What the actors of all entities share. A request is handled in these steps:
 *  1. Load: `activate` reads the entity, once for all requests of an activation.
 *  2. Answer a repeat from its record: `handleUnlessRecorded`.
 *  3. Read what the decision needs, and decide: `decideRequest`, `decideCommand`.
 *  4. Commit: `writeDecision` hands the decision to the writer.
 *  5. Follow up the commit: `followUpCommits` carries out the effects and answers.
 * What differs from one kind of entity to another are the methods that agents (agent/agent.ts), and
 * hives and desks (workspace-entity/workspace-entity.ts) have of their own.
 *
 * Invariants
 *  - `receive` decides on the newest state in memory, which may be ahead of the store; the writer keeps the
 *     order.
 *  - A request is answered after its decision has been committed (Writer.E3), or at once if it is refused; a refusal
 *    changes nothing.
 *  Entity.A3 After a conflict (another process wrote the entity), every decision that was not committed is made again
 *     on the stored state, in the original order. After a failure of the store, the requests are answered UNAVAILABLE
 *     and the state is loaded again.
 *  - Work that an entity does on its own (a step in progress, an outbox, a deletion) does not end when an activation
 *    ends in this way. The entity is woken again even if nobody sends it a request: at once after a conflict, after a
 *    pause if something failed.
 *  - A commit that the store refuses for good because it is too large is not an outage. Its callers get the error,
 *    work that would produce the same commit again is given up, and the decisions made after it are made again without
 *    it.
 *  Entity.A6 An entity that has no more work to do says so in its head, also where the decision that found that out
 *     changes nothing else. Otherwise it would be loaded for that work again and again.
 */
import type { EntityKind, Snapshots } from '../../src/domain/shared/documents.js';
import { type Change, type CommandMessage, decided, isCommandMessage } from '../../src/commands/command.js';
import type { Decided, Decision, Effect, Env, AuditNote } from '../../src/domain/shared/draft.js';
import { lastingCounts } from '../../src/domain/agent/budgets.js';
import { remarkOf } from '../../src/english/sentences.js';
import { storageError } from '../../src/domain/workspace/usage.js';
import { HivekeepError, notFound, unavailable } from '../../src/domain/shared/errors.js';
import { withEchoes, withoutEchoes } from './echoes.js';
import { type IdempotencyRecord, type EntityRef, type Head, recalledKinds } from '../../src/store/port.js';
import {
  type IdempotencyKey,
  idempotencyMismatch,
  idempotencyRecordMs,
  ReplayedAnswer,
} from '../../src/commands/idempotency.js';
import type { ActorContext, Asked, Behavior, Reply } from '../runtime/port.js';
import {
  type CommitLoss,
  EntityWriter,
  type HeadUpdate,
  type PendingWrite,
  type WriterOwner,
  countEvent,
} from './entity-writer.js';
import { outageOf, refusalOf } from './outages.js';
import type { EntityDeps } from './deps.js';
import { PresentMemories } from './present-memories.js';
import type { AnyMessage, AnyOperation, Operations } from './operation.js';
import { inTrace, isTracing, traceNow } from '../../src/telemetry/tracing.js';

/** A decision that is being committed, with what is needed to follow it up afterwards. */
interface PendingDecision<S, Q> extends PendingWrite {
  decision: Decision<S>;
  asked: Asked<Q> | null;
  /** Whether the decision changes what recall finds, apart from the turns of runs: a run need not wait for these. */
  indexes: boolean;
}

const none: readonly never[] = [];

/** How a request is handled, which a command says itself. */
type Handling = Omit<AnyOperation, 'adds' | 'repeatable' | 'read' | 'record'> & {
  read?: AnyOperation['read'] | null;
  create?: Change['create'];
  record?: AnyOperation['record'] | null;
  removes?: boolean;
};

/** The decision that a command brings along. */
const decisionOn = (message: CommandMessage, found: unknown): Decided<never> =>
  decided(message.command, message, found);

/** What a client has said in its request, and says again when it repeats that. */
const saidIn = (request: AnyMessage): unknown => (isCommandMessage(request) ? request.input : request);

/** Returned by `control`: the shell is to read for the request and decide on it. */
export const needsDecision = Symbol('decide on it');

/** The part of the actor that its collaborators use. */
export type EntityShell<S, Q extends AnyMessage, C> = Pick<
  EntityActor<S, Q, C>,
  'deps' | 'entity' | 'state' | 'gone' | 'writer' | 'indexing' | 'context' | 'handleCommand' | 'tell' | 'tombstone'
>;

export abstract class EntityActor<S, Q extends AnyMessage, C>
  implements Behavior<Q>, WriterOwner<PendingDecision<S, Q>>
{
  /** The newest state, which may be ahead of the store; null if there is no such entity. */
  state: S | null = null;
  writer!: EntityWriter<PendingDecision<S, Q>>;
  context!: ActorContext<Q>;
  /** The number of uncommitted decisions that change what recall finds. */
  indexing = 0;
  /** Whether the entity was deleted and its tombstone is stored. */
  gone = false;
  /** Idempotency keys whose commit is in progress. */
  private underWay: Set<string> | null = null;
  /** Whether the newest head, stored or on its way to the store, says that there is work (Entity.A6). */
  private isOpen = false;
  /** When the load of this activation had ended, by the clock's `elapsed`. */
  private loadedAt = Infinity;
  /** The sequence number of the head that this activation has loaded. */
  private loadedSeq = 0;
  /** Whether this activation has ended. */
  private over = false;
  protected readonly present: PresentMemories;

  constructor(
    readonly deps: EntityDeps,
    readonly entity: EntityRef,
  ) {
    this.present = new PresentMemories(this);
  }

  // What a kind of entity has of its own, roughly in the order in which a request needs it

  /** What can be asked of this kind of entity. */
  protected abstract readonly operations: Operations;
  /** What the reads of its operations are given. */
  protected abstract readonly reads: unknown;
  /** Returns the state for a stored head; may read more documents from the store. */
  protected abstract load(head: Head): S | Promise<S>;
  /** Handles a request that needs more than a decision, or returns `needsDecision`. */
  protected abstract control(asked: Asked<Q>): void | Promise<void> | typeof needsDecision;
  /** Decides on a command. Throws a HivekeepError to refuse it. */
  protected abstract readonly decide: (state: S, command: C | Decided<never>, env: Env) => Decision<S>;
  /** Whether a command that the entity sent to itself is obsolete and must be dropped. */
  protected abstract isObsolete(command: C): boolean;
  /** Whether a decision on a command that the entity sent to itself needs a commit. */
  protected needsCommit(_decision: Decision<S>): boolean {
    return true;
  }
  /** Returns the head to store for this state. */
  protected abstract headOf(state: S): HeadUpdate;
  /** Called when the decision has been made and handed to the writer. */
  protected followDecision?(decision: Decision<S>, request: Q | null): void;
  /** Called after each decision: a command that the entity has for itself, which is decided on next. */
  protected nextOwnCommand(): C | undefined {
    return undefined;
  }
  /** Called when the decision is durable, before the request is answered. */
  protected abstract followCommit(decision: Decision<S>, asked: Asked<Q> | null): void;
  /** Called when the decision is durable: answers with what `awaits` makes of the run, once it has settled. */
  protected answerLater?(decision: Decision<S>, awaits: NonNullable<AnyOperation['awaits']>, asked: Asked<Q>): void;
  /** The runs whose work resulted in the decision, and would do so again after a load, with the same outcome. */
  protected workInProgress(_decision: Decision<S>): readonly string[] {
    return none;
  }
  /** Whether it has work of its own, for which it stays in memory. */
  protected abstract hasWork(): boolean;
  /** Called when it is not known whether the decision was stored; nothing that follows it was begun. */
  protected mayBeStored?(decision: Decision<S>): void;
  /** Called when this activation ends. */
  protected abstract endWork(): void;

  async activate(context: ActorContext<Q>): Promise<void> {
    this.context = context;
    const head = await this.deps.store.load(this.entity);
    this.writer = new EntityWriter(this.deps, this.entity, head?.seq ?? 0, head?.counts ?? {}, this);
    this.deps.indexes.loaded(this.entity, head);
    this.gone = head?.deleted ?? false;
    this.isOpen = head?.active ?? false;
    this.state = head && !head.deleted ? await this.load(head) : null;
    this.loadedAt = this.deps.clock.elapsed();
    this.loadedSeq = this.writer.seq;
  }

  receive(asked: Asked<Q>): void | Promise<void> {
    return isTracing() ? inTrace(asked.message.trace, () => this.take(asked)) : this.take(asked);
  }

  private take(asked: Asked<Q>): void | Promise<void> {
    const reading = this.deps.webhooks.refresh(this.entity.workspace);
    return reading === null ? this.handleRequest(asked) : reading.then(() => this.handleRequest(asked));
  }

  private handleRequest(asked: Asked<Q>): void | Promise<void> {
    const controlled = this.control(asked);
    if (controlled !== needsDecision) return controlled;
    const key = asked.message.idempotencyKey;
    if (!key) return this.decideRequest(asked);
    if (key.claims !== undefined && this.state !== null) return this.claim(key, key.claims, asked);
    // Idempotency.Y4
    if (key.sentAfter === undefined || this.loadedAt >= key.sentAfter) return this.handleUnlessRecorded(key, asked);
    // a refusal rests on a state that may be stale, and commits nothing that would tell
    return this.decideRequest(asked, () => this.handleUnlessRecorded(key, asked));
  }

  /** Claims the key in the workspace's name (Idempotency.Y3), and then handles the request. */
  private claim(key: IdempotencyKey, id: string, asked: Asked<Q>): void | Promise<void> {
    const { workspace } = this.entity;
    const desk = { workspace, kind: 'workspace', id: workspace } as const;
    // what the desk records itself is the workspace's already
    if (this.entity.kind === 'workspace' && id === key.id) return this.handleUnlessRecorded(key, asked);
    const now = this.deps.clock.now();
    const claimed = { id, bodyHash: key.bodyHash, result: null, expiresAt: now + idempotencyRecordMs };
    const handle = (earlier: IdempotencyRecord | null, isFirst: boolean): void | Promise<void> => {
      if (earlier && earlier.bodyHash !== key.bodyHash) {
        asked.reject(idempotencyMismatch());
        return undefined;
      }
      return isFirst ? this.decideRequest(asked) : this.handleUnlessRecorded(key, asked);
    };
    const earlier = this.deps.store.claim(desk, claimed, now);
    // one that is claimed at once is not on the disk yet, and its record is as quickly looked for (Idempotency.Y4)
    return earlier instanceof Promise ? earlier.then((one) => handle(one, one === null)) : handle(earlier, false);
  }

  /** Handles a request with an idempotency key, which may be a repeat (Idempotency.Y1-Y3). */
  private handleUnlessRecorded(key: IdempotencyKey, asked: Asked<Q>): void | Promise<void> {
    const look = (): void | Promise<void> => {
      const known = this.deps.store.record(this.entity, key.id, this.deps.clock.now());
      return known === null ? this.decideRequest(asked) : this.answerFromRecord(known, key, asked);
    };
    return this.underWay?.has(key.id) ? this.writer.settled().then(look) : look();
  }

  private async answerFromRecord(
    found: IdempotencyRecord | Promise<IdempotencyRecord | null>,
    { bodyHash }: IdempotencyKey,
    asked: Asked<Q>,
  ): Promise<void> {
    const known = await found;
    // another process may have committed the command and died before the rest of its commit was applied, so the record
    // is not an answer until all of the commit is applied (Model.C2)
    if (known) await this.deps.store.load(this.entity);
    const { message: request } = asked;
    const { repeat } = this.operationOf(request);
    const first =
      known && (repeat ? await repeat(this.reads as never, known.result, request as never) : { answer: known.result });
    if (!known || !first) {
      await this.decideRequest(asked);
      return;
    }
    if (known.bodyHash !== bodyHash) asked.reject(idempotencyMismatch());
    else asked.resolve(new ReplayedAnswer(withEchoes(first.answer, saidIn(request))));
  }

  /** `onRefusal` is called instead of answering with a refusal. */
  private decideRequest(asked: Asked<Q>, onRefusal?: () => void | Promise<void>): void | Promise<void> {
    const { message: request } = asked;
    const refused = (error: unknown): void | Promise<void> => {
      if (onRefusal && error instanceof HivekeepError) return onRefusal();
      refuse(asked, error);
    };
    if (request.storageExceeded) return refused(storageError(request.storageExceeded));
    const { create, read } = this.operationOf(request);
    const decide = (found: unknown): void => {
      const refusal = this.decideWithOwn(isCommandMessage(request) ? decisionOn(request, found) : (found as C), asked);
      if (refusal) throw refusal;
    };
    try {
      if (create) {
        this.createEntity(create, asked);
        return undefined;
      }
      this.existingState();
      const found: unknown = read ? read(this.reads as never, request as never) : request;
      if (found instanceof Promise) return found.then(decide).catch(refused);
      decide(found);
    } catch (error) {
      return refused(error);
    }
  }

  private operationOf(request: Q): Handling {
    if (isCommandMessage(request)) return request.command;
    const known = this.operations[request.type];
    if (!known) throw new Error(`${this.entity.kind} has no operation ${request.type}`);
    return known;
  }

  private existingState(): S {
    if (this.state === null) throw notFound(this.entity.kind, this.entity.id);
    return this.state;
  }

  private createEntity(create: NonNullable<Change['create']>, asked: Asked<Q>): void {
    const { kind, id } = this.entity;
    if (this.state !== null || this.gone) throw new HivekeepError('CONFLICT', `${kind} ${id} already exists`);
    const made = create(id, asked.message as never, this.env()) as Decision<S> & { result: unknown };
    this.writeDecision(this.withNote(made, asked), asked);
  }

  /** The first decision of the entity, with what the audit says of it. */
  private withNote(made: Decision<S>, { message: { audit } }: Asked<Q>): Decision<S> {
    if (!audit) return made;
    const noted = this.decide(made.state, { type: 'decide', name: 'note', decide: () => made.result }, this.env(audit));
    const { puts, deletes, effects } = made;
    return {
      ...noted,
      puts: [...puts, ...noted.puts],
      deletes: [...deletes, ...noted.deletes],
      effects: [...effects, ...noted.effects],
    };
  }

  /**
   * Loads the entity again if the stored head is newer than the state in memory: another process wrote it, and no actor
   * in this process would continue the work that the head asks for (Model.H5).
   */
  async wake(seq: number | undefined, reply: Reply): Promise<void> {
    await this.writer.settled();
    reply.resolve(undefined);
    if (seq === undefined || seq <= this.writer.seq || this.writer.broken) return;
    this.deps.indexes.outdated(this.entity);
    this.context.self({ type: 'wake' } as Q);
    this.context.restart(new Error('the entity was written by somebody else'), []);
  }

  /** The hive whose supervisor is above it in the tree. */
  abstract get hives(): readonly string[];
  idle(): boolean {
    return this.writer.quiet && !this.hasWork();
  }
  async passivate(): Promise<void> {
    this.endActivation();
    await this.writer.settled();
    if (this.writer.broken) return;
    this.deps.store.release(this.entity, this.writer.seq);
    this.deps.recall.ended(this.entity);
  }
  dropped(): void {
    this.endActivation();
  }

  private endActivation(): void {
    this.over = true;
    this.endWork();
    this.present.ended();
  }

  /** Sends a message to this actor itself, unless this activation has ended. */
  tell(request: Q): void {
    if (!this.over) this.context.self(request);
  }

  private env(audit?: AuditNote): Env {
    const { clock, ids, defaults, webhooks } = this.deps;
    const listeners = webhooks.of(this.entity.workspace);
    const trace = traceNow();
    return {
      now: clock.now(),
      ids,
      defaults,
      remarkOf,
      ...(listeners.length > 0 && { webhooks: listeners }),
      ...(audit && { audit }),
      ...(trace !== undefined && { trace }),
    };
  }

  /**
   * Decides on a command and hands the decision to the writer. The caller gets a refusal as the answer. A refusal of a
   * command that the actor sent to itself is thrown, so that it is never silent.
   */
  handleCommand(command: C, asked: Asked<Q> | null): void {
    const refusal = this.decideWithOwn(command, asked);
    if (refusal) asked?.reject(refusal);
  }

  /** Decides on the command and then, one after another, on those that follow. Returns the refusal of a request. */
  private decideWithOwn(command: C | Decided<never>, asked: Asked<Q> | null): HivekeepError | null {
    const refusal = this.decideCommand(command, asked);
    for (let own = this.nextOwnCommand(); own !== undefined; own = this.nextOwnCommand()) this.decideCommand(own, null);
    return refusal;
  }

  private decideCommand(command: C | Decided<never>, asked: Asked<Q> | null): HivekeepError | null {
    if (!asked && this.isObsolete(command as C)) return null;
    let decision: Decision<S>;
    try {
      decision = this.decide(this.existingState(), command, this.env(asked?.message.audit));
    } catch (error) {
      if (asked && error instanceof HivekeepError) return error;
      throw error;
    }
    this.writeDecision(decision, asked);
    return null;
  }

  private writeDecision(decision: Decision<S>, asked: Asked<Q> | null): void {
    this.state = decision.state;
    const { snapshot, counts, active, due, deleted } = this.headOf(decision.state);
    const settles = this.isOpen && !active;
    if (!asked && !settles && !this.needsCommit(decision)) {
      this.present.decided(decision);
      this.followDecision?.(decision, null);
      this.present.committed(decision);
      this.followCommit(decision, null);
      return;
    }
    const indexes = decision.effects.some((e) => (e.type === 'index' || e.type === 'unindex') && e.kind !== 'run');
    if (indexes) this.indexing++;
    this.isOpen = active;
    const key = asked?.message.idempotencyKey;
    if (key) (this.underWay ??= new Set()).add(key.id);
    this.writer.add({
      snapshot,
      counts,
      active,
      due,
      deleted,
      puts: decision.puts,
      deletes: decision.deletes,
      records: key && asked ? [this.recordOf(key, decision, asked.message)] : none,
      decision,
      asked,
      indexes,
    });
    this.present.decided(decision);
    this.followDecision?.(decision, asked?.message ?? null);
  }

  private recordOf(
    { id, bodyHash, keptMs = idempotencyRecordMs }: IdempotencyKey,
    decision: Decision<S>,
    request: Q,
  ): IdempotencyRecord {
    return {
      id,
      bodyHash,
      result: this.recordedResult(decision, request),
      expiresAt: this.deps.clock.now() + keptMs,
    };
  }

  /**
   * Makes the last commit of a deleted entity: the head stays as a tombstone, with nothing but those counts that
   * outlive it. Returns false if the store did not accept the commit.
   */
  async tombstone(state: S): Promise<boolean> {
    const decision = { state, puts: [], deletes: [], effects: [], result: undefined };
    const head = this.headOf(state);
    this.writer.add({
      snapshot: {} as Snapshots[EntityKind], // of a deleted entity nothing is kept
      counts: lastingCounts(head.counts),
      active: false,
      due: null,
      deleted: true,
      puts: [],
      deletes: [],
      records: none,
      decision,
      asked: null,
      indexes: false,
    });
    await this.writer.settled();
    if (this.writer.broken) return false;
    this.state = null;
    return (this.gone = true);
  }

  private recordedResult({ result }: Decision<S>, request: Q): unknown {
    const { record } = this.operationOf(request);
    return withoutEchoes(record ? record(result as never, request as never) : (result ?? null), saidIn(request));
  }

  private answerRequest(decision: Decision<S>, asked: Asked<Q>): void {
    const { isWork, removes, awaits, answer } = this.operationOf(asked.message);
    if (isWork || removes) return;
    if (awaits) this.answerLater?.(decision, awaits, asked);
    else asked.resolve(answer ? answer(decision.result as never, asked.message as never) : decision.result);
  }

  /** A defect in the code that follows up a commit must not crash the process; the commit itself stands. */
  written(batch: readonly PendingDecision<S, Q>[]): void {
    try {
      this.followUpCommits(batch);
    } catch (error) {
      this.deps.log.error(
        { event: 'commit.follow_up_failed', err: error, entity: this.entity },
        'what follows a commit failed; the entity is loaded again',
      );
      const failure = new HivekeepError('INTERNAL_ERROR', 'the command took effect, but answering it failed', {
        cause: error,
      });
      for (const { asked } of batch) asked?.reject(failure);
      this.deps.wakeLater(this.entity);
      this.context.restart(failure, []);
    }
  }

  private followUpCommits(batch: readonly PendingDecision<S, Q>[]): void {
    if (this.underWay) for (const { asked } of batch) this.underWay.delete(asked?.message.idempotencyKey?.id ?? '');
    for (const { decision, asked, indexes } of batch) {
      if (indexes) this.indexing--;
      for (const effect of decision.effects) this.carryOutEffect(effect);
      this.present.committed(decision);
      this.followCommit(decision, asked);
    }
    for (const { decision, asked } of batch) if (asked) this.answerRequest(decision, asked);
    const lost = batch.some(
      ({ decision: { puts, deletes } }) => puts.some((put) => put.rewrites) || deletes.some(isRecalled),
    );
    this.deps.recall.committed(this.entity, this.writer.seq, lost);
  }

  private carryOutEffect(effect: Effect): void {
    const { indexes, bus } = this.deps;
    const { workspace } = this.entity;
    switch (effect.type) {
      case 'index':
        indexes.put(this.entity, effect);
        break;
      case 'unindex':
        indexes.remove(this.entity, effect.kind, effect.id);
        break;
      case 'announce':
        countEvent(this.deps.metrics, effect.event);
        bus.publish('workspace', { workspace }, [effect.event]);
        break;
      case 'publish':
        bus.publish('run', { workspace, agent: this.entity.id, run: effect.runId }, effect.events);
        break;
      default: // `followCommit` sees to all other effects
    }
  }

  /** Handles a commit that the store refused for good. */
  private refused(batch: readonly PendingDecision<S, Q>[], refusal: HivekeepError, behind: readonly Asked<Q>[]): void {
    this.deps.log.error({ err: refusal, entity: this.entity, event: 'commit.refused' }, 'The store refused a commit.');
    for (const asked of askedIn(batch)) asked.reject(refusal);
    const runs = batch.flatMap(({ decision, asked }) => (asked ? none : this.workInProgress(decision)));
    if (runs.length > 0)
      this.deps.giveUp(this.entity, { reason: { code: 'too_large', message: refusal.message }, runs });
    this.context.self({ type: 'wake' } as Q);
    this.context.restart(refusal, behind);
  }

  lost(batch: readonly PendingDecision<S, Q>[], reason: CommitLoss, behind: readonly PendingDecision<S, Q>[]): void {
    const unanswered = askedIn(batch);
    this.deps.indexes.outdated(this.entity);
    const refusal = reason === 'conflict' ? null : refusalOf(reason.error);
    if (refusal) {
      this.refused(batch, refusal, askedIn(behind));
      return;
    }
    if (reason === 'conflict') {
      // every kind of entity handles this request
      this.context.self({ type: 'wake' } as Q);
      this.context.restart(new Error('the entity was written by somebody else'), unanswered);
      return;
    }
    for (const { decision } of batch) this.mayBeStored?.(decision);
    this.deps.log.error(
      { event: 'commit.failed', err: reason.error, entity: this.entity },
      'a commit failed; the entity is loaded again',
    );
    const error =
      outageOf(reason.error) ?? unavailable('the store rejected the commit', { cause: reason.error, retryAfter: 5 });
    for (const asked of unanswered) asked.reject(error);
    this.deps.wakeLater(this.entity, this.writer.seq > this.loadedSeq);
    this.context.restart(error, []);
  }
}

const isRecalled = ({ kind }: { kind: string }): boolean => (recalledKinds as readonly string[]).includes(kind);

/** The requests that these decisions answer. */
const askedIn = <S, Q>(batch: readonly PendingDecision<S, Q>[]): Asked<Q>[] =>
  batch.flatMap((p) => (p.asked ? [p.asked] : []));

/**
 * Answers the caller with a refusal as it is, and with UNAVAILABLE for an outage. Any other error is a defect and is
 * rethrown, so that supervision handles it.
 */
function refuse(reply: Reply, error: unknown): void {
  const refusal = error instanceof HivekeepError ? error : outageOf(error);
  if (!refusal) throw error;
  reply.reject(refusal);
}
