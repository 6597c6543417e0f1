/**
 * The shell that all entities share: load, prepare, decide, commit, then effects and the answer. A definition says what
 * kind of entity it is (agent/agent.ts, desk/desk.ts); the shell calls it at the points of `EntityDefinition`, in the
 * order of a request's way.
 *
 *  Entity.A1 `receive` decides on the newest state in memory, which may be ahead of the store; the writer keeps the
 *     order.
 *  Entity.A2 A request is answered after the commit of its decision (Writer.E3), or at once when it is refused, which
 *     changes nothing.
 *  Entity.A3 After a conflict (somebody else wrote the entity) everything that was not committed is decided again on
 *     the state as stored, in the old order. After a failure of the store it is answered UNAVAILABLE, and the state is
 *     loaded anew.
 *  Entity.A4 What an entity does by itself (a step in progress, an outbox, a delete) does not end with such an
 *     incarnation: it is woken again, at once after a conflict and after a pause when something failed, whether or not
 *     anybody asks.
 *  Entity.A5 A commit that the store refuses for good (it is too large) is no outage: its askers are told so, work that
 *     would come to the same again is given up, and what was decided after it is decided again without it.
 */
import type { Decision } from '../../src/domain/draft.js';
import type { DocumentPut, Effect, Env } from '../../src/domain/change.js';
import { storageError, type StorageExceeded } from '../../src/domain/storage.js';
import { HivekeepError, unavailable } from '../../src/domain/errors.js';
import { type CommandRecord, type EntityRef, type Head } from '../../src/store/port.js';
import { commandKeyOf, type CommandKey, commandRecordMs, ReplayedAnswer } from './command.js';
import type { ActorContext, Behavior, ChildFailure, Envelope, Reply } from '../runtime/port.js';
import { EntityWriter, type HeadUpdate } from './entity-writer.js';
import { countEvent } from './entity-metrics.js';
import { outageOf, refusalOf } from './outages.js';
import { type EntityDependencies } from './dependencies.js';

/** A decision on its way to the store: what follows when it is there. */
export interface PendingDecision<S, Q> {
  decision: Decision<S>;
  envelope: Envelope<Q> | null;
  /** Whether it changes what recall finds. */
  indexes: boolean;
}

const none: readonly never[] = [];

/** A definition's answer to `control`: the request is to be prepared and decided on. */
export const decideOn = Symbol('decide on it');
/** A definition's answer to `answer`: it answers this request itself, later than at the commit of its decision. */
export const answeredLater = Symbol('answered later');

/** What a kind of entity is: what the shell calls, in the order of a request's way. */
export interface EntityDefinition<S, Q, C> {
  /** The state of a stored head; may read more of it. */
  load(head: Head): S | Promise<S>;
  /** Handles a request that is not simply decided on, or says `decideOn`. */
  control(request: Q, reply: Reply): void | Promise<void> | typeof decideOn;
  /** Turns a request into a command by reading what the decision needs; throws or rejects to refuse it. */
  prepare(request: Q): C | Promise<C>;
  /** Throws HivekeepError to refuse. */
  decide(state: S | null, command: C, env: Env): Decision<S>;
  /** Whether a command of the entity's own means nothing any more. */
  ignores?(command: C): boolean;
  /** Whether a decision on a command of the entity's own is worth a commit. Default: each is. */
  writes?(decision: Decision<S>): boolean;
  /** The head as this state leaves it. */
  headOf(state: S): HeadUpdate;
  /** Documents as they are stored, where that is not as the decision made them. */
  stored?(puts: readonly DocumentPut[]): readonly DocumentPut[];
  /** The decision is made and on its way to the store. */
  decided?(decision: Decision<S>, request: Q | null): void;
  /** The decision is durable; the answer follows. */
  committed?(decision: Decision<S>, envelope: Envelope<Q> | null): void;
  /** The answer to a request whose decision has been committed, or `answeredLater`. */
  answer(decision: Decision<S>, request: Q): unknown;
  /** What the record of a command keeps of its answer; JSON. */
  recorded(decision: Decision<S>, request: Q): unknown;
  /** The answer to a repeated command, made of what its record keeps; null where it is no repeat after all. */
  repeated?(result: unknown, request: Q): Promise<{ answer: unknown } | null>;
  /** Whether the decision came of something that the entity would do again after a load, with the same end. */
  isWorkInProgress?(decision: Decision<S>): boolean;
  childFailed?(failure: ChildFailure): void;
  /** Whether it may leave memory, as far as the definition knows. */
  idle(): boolean;
  /** This activation ends. */
  ended?(): void;
}

/** The shell as definitions and their collaborators see it. */
export type EntityShell<S, Q, C> = Pick<
  EntityActor<S, Q, C>,
  'deps' | 'entity' | 'state' | 'gone' | 'writer' | 'indexing' | 'context' | 'handle' | 'wake' | 'tombstone'
>;

export class EntityActor<S, Q, C> implements Behavior<Q> {
  /** The newest state, which may be ahead of the store; null where there is no such entity. */
  state: S | null = null;
  writer!: EntityWriter<PendingDecision<S, Q>>;
  context!: ActorContext<Q>;
  /** Decisions not yet committed that change what recall finds. */
  indexing = 0;
  /** It was deleted, and its tombstone is there. */
  gone = false;
  readonly definition: EntityDefinition<S, Q, C>;
  /** Commands whose commit is on its way. */
  private underWay: Set<string> | null = null;

  constructor(
    readonly deps: EntityDependencies,
    readonly entity: EntityRef,
    define: (shell: EntityShell<S, Q, C>) => EntityDefinition<S, Q, C>,
  ) {
    this.definition = define(this);
  }

  async activate(context: ActorContext<Q>): Promise<void> {
    this.context = context;
    const head = await this.deps.store.load(this.entity);
    this.writer = new EntityWriter(
      this.deps.store,
      this.entity,
      head?.seq ?? 0,
      head?.counts ?? {},
      {
        committed: (batch) => {
          this.followUp(batch);
        },
        lost: (batch, reason, behind) => {
          this.lost(batch, reason, behind);
        },
        measured: (documents, seconds, outcome) => {
          this.deps.metrics.commit(outcome, documents, seconds);
        },
      },
      () => this.deps.clock.now(),
    );
    this.deps.indexes.loaded(this.entity, head);
    this.gone = head?.deleted ?? false;
    this.state = head && !head.deleted ? await this.definition.load(head) : null;
  }

  receive(request: Q, reply: Reply): void | Promise<void> {
    const controlled = this.definition.control(request, reply);
    if (controlled !== decideOn) return controlled;
    const command = commandKeyOf(request);
    return command ? this.once(command, request, reply) : this.take(request, reply);
  }

  /** Command.Y1-Y3, see command.ts. */
  private once(command: CommandKey, request: Q, reply: Reply): void | Promise<void> {
    const look = (): void | Promise<void> => {
      const known = this.deps.store.command(this.entity, command.id, this.deps.clock.now());
      return known === null ? this.take(request, reply) : this.again(known, command, request, reply);
    };
    return this.underWay?.has(command.id) ? this.writer.settled().then(look) : look();
  }

  private async again(
    found: CommandRecord | Promise<CommandRecord | null>,
    { bodyHash }: CommandKey,
    request: Q,
    reply: Reply,
  ): Promise<void> {
    const known = await found;
    // another process may have committed it and be gone before the rest of its commit was applied: a record is no
    // answer before all of it is there (Model.C2)
    if (known) await this.deps.store.load(this.entity);
    const first = known && (await this.replay(known.result, request));
    if (!known || !first) {
      await this.take(request, reply);
      return;
    }
    if (known.bodyHash !== bodyHash)
      reply.reject(new HivekeepError('IDEMPOTENCY_MISMATCH', 'this Idempotency-Key was used with another body'));
    else reply.resolve(new ReplayedAnswer(first.answer));
  }

  private take(request: Q, reply: Reply): void | Promise<void> {
    const envelope = { message: request, reply };
    const { storageExceeded } = request as { storageExceeded?: StorageExceeded };
    if (storageExceeded) {
      reply.reject(storageError(storageExceeded));
      return;
    }
    try {
      const command = this.definition.prepare(request);
      if (!(command instanceof Promise)) {
        this.handle(command, envelope);
        return;
      }
      return command
        .then((c) => {
          this.handle(c, envelope);
        })
        .catch((error: unknown) => {
          refuse(reply, error);
        });
    } catch (error) {
      refuse(reply, error);
    }
  }

  /**
   * A head newer than what is in memory was written by somebody else, and nobody here goes on with what it asks for
   * (Model.H5).
   */
  async wake(seq: number | undefined, reply: Reply): Promise<void> {
    await this.writer.settled();
    reply.resolve(undefined);
    if (seq === undefined || seq <= this.writer.seq || this.writer.broken) return;
    this.deps.indexes.outdated(this.entity);
    this.context.self({ type: 'wake' } as Q);
    this.context.restart(new Error('the entity was written by somebody else'), []);
  }

  childFailed(failure: ChildFailure): void {
    this.definition.childFailed?.(failure);
  }
  idle(): boolean {
    return this.writer.quiet && this.definition.idle();
  }
  async passivate(): Promise<void> {
    this.definition.ended?.();
    await this.writer.settled();
    if (!this.writer.broken) this.deps.store.release(this.entity, this.writer.seq);
  }
  dropped(): void {
    this.definition.ended?.();
  }

  private env(): Env {
    return { now: this.deps.clock.now(), ids: this.deps.ids, defaults: this.deps.defaults };
  }

  /** Decides and hands the decision to the writer. Refusals go to the asker; a command of the actor's own is never refused silently. */
  handle(command: C, envelope: Envelope<Q> | null): void {
    if (!envelope && this.definition.ignores?.(command)) return;
    if (envelope && isLate(envelope.message, this.deps.clock.now())) {
      envelope.reply.reject(unavailable('the request came too late to be decided on, and had no effect'));
      return;
    }
    let decision: Decision<S>;
    try {
      decision = this.definition.decide(this.state, command, this.env());
    } catch (error) {
      if (envelope && error instanceof HivekeepError) {
        envelope.reply.reject(error);
        return;
      }
      throw error;
    }
    this.accept(decision, envelope);
  }

  private accept(decision: Decision<S>, envelope: Envelope<Q> | null): void {
    this.state = decision.state;
    if (!envelope && this.definition.writes?.(decision) === false) {
      this.definition.decided?.(decision, null);
      this.definition.committed?.(decision, null);
      return;
    }
    const indexes = decision.effects.some((e) => e.type === 'index' || e.type === 'unindex');
    if (indexes) this.indexing++;
    const { snapshot, counts, active, due, deleted } = this.definition.headOf(decision.state);
    const command = envelope ? commandKeyOf(envelope.message) : undefined;
    if (command) (this.underWay ??= new Set()).add(command.id);
    this.writer.add({
      snapshot,
      counts,
      active,
      due,
      deleted,
      puts: this.definition.stored?.(decision.puts) ?? decision.puts,
      deletes: decision.deletes,
      commands: command && envelope ? [this.record(command, decision, envelope.message)] : none,
      tag: { decision, envelope, indexes },
    });
    this.definition.decided?.(decision, envelope?.message ?? null);
  }

  private record(
    { id, bodyHash, keptMs = commandRecordMs }: CommandKey,
    decision: Decision<S>,
    request: Q,
  ): CommandRecord {
    return {
      id,
      bodyHash,
      result: this.definition.recorded(decision, request),
      expiresAt: this.deps.clock.now() + keptMs,
    };
  }

  /** The last commit of a deleted entity: its head stays as a tombstone and counts nothing. False when it was not taken. */
  async tombstone(state: S): Promise<boolean> {
    const decision = { state, puts: [], deletes: [], effects: [], result: undefined };
    this.writer.add({
      ...this.definition.headOf(state),
      counts: {},
      active: false,
      due: null,
      deleted: true,
      puts: [],
      deletes: [],
      commands: none,
      tag: { decision, envelope: null, indexes: false },
    });
    await this.writer.settled();
    if (this.writer.broken) return false;
    this.state = null;
    return (this.gone = true);
  }

  private async replay(result: unknown, request: Q): Promise<{ answer: unknown } | null> {
    return this.definition.repeated ? this.definition.repeated(result, request) : { answer: result };
  }

  /** A defect in what follows a commit must not take the process with it; the commit itself stands. */
  private followUp(batch: readonly PendingDecision<S, Q>[]): void {
    try {
      this.committed(batch);
    } catch (error) {
      this.deps.log.error(
        { err: error, entity: this.entity },
        'what follows a commit failed; the entity is loaded again',
      );
      const failure = new HivekeepError('INTERNAL_ERROR', 'the command took effect, but answering it failed', {
        cause: error,
      });
      for (const { envelope } of batch) envelope?.reply.reject(failure);
      this.deps.wakeLater(this.entity);
      this.context.restart(failure, []);
    }
  }

  private committed(batch: readonly PendingDecision<S, Q>[]): void {
    if (this.underWay)
      for (const { envelope } of batch)
        this.underWay.delete(envelope ? (commandKeyOf(envelope.message)?.id ?? '') : '');
    for (const { decision, envelope, indexes } of batch) {
      if (indexes) this.indexing--;
      for (const effect of decision.effects) this.follow(effect);
      this.definition.committed?.(decision, envelope);
    }
    for (const { decision, envelope } of batch) {
      if (!envelope) continue;
      const answer = this.definition.answer(decision, envelope.message);
      if (answer !== answeredLater) envelope.reply.resolve(answer);
    }
  }

  private follow(effect: Effect): void {
    const { indexes, bus } = this.deps;
    const { workspace } = this.entity;
    switch (effect.type) {
      case 'index':
        indexes.put(this.entity, effect.kind, effect.body);
        break;
      case 'unindex':
        indexes.remove(this.entity, effect.kind, effect.id);
        break;
      case 'announce':
        countEvent(this.deps.metrics, effect.event);
        bus.publishWorkspace(workspace, [effect.event]);
        break;
      case 'publish':
        bus.publishRun({ workspace, agent: this.entity.id, run: effect.runId }, effect.events);
        break;
      default: // the others belong to the definition
    }
  }

  /** Entity.A5. */
  private refused(
    batch: readonly PendingDecision<S, Q>[],
    refusal: HivekeepError,
    behind: readonly Envelope<Q>[],
  ): void {
    this.deps.log.error({ err: refusal, entity: this.entity, event: 'commit.refused' }, 'The store refused a commit.');
    for (const { reply } of envelopesOf(batch)) reply.reject(refusal);
    if (batch.some(({ decision, envelope }) => !envelope && this.definition.isWorkInProgress?.(decision)))
      this.deps.giveUp(this.entity, { code: 'too_large', message: refusal.message });
    this.context.self({ type: 'wake' } as Q);
    this.context.restart(refusal, behind);
  }

  private lost(
    batch: readonly PendingDecision<S, Q>[],
    reason: 'conflict' | { error: unknown },
    behind: readonly PendingDecision<S, Q>[],
  ): void {
    const envelopes = envelopesOf(batch);
    this.deps.indexes.outdated(this.entity);
    const refusal = reason === 'conflict' ? null : refusalOf(reason.error);
    if (refusal) {
      this.refused(batch, refusal, envelopesOf(behind));
      return;
    }
    if (reason === 'conflict') {
      // every kind of entity knows this request
      this.context.self({ type: 'wake' } as Q);
      this.context.restart(new Error('the entity was written by somebody else'), envelopes);
      return;
    }
    this.deps.log.error({ err: reason.error, entity: this.entity }, 'a commit failed; the entity is loaded again');
    const error =
      outageOf(reason.error) ??
      unavailable('the store did not take the commit', { cause: reason.error, retryAfter: 5 });
    for (const { reply } of envelopes) reply.reject(error);
    this.deps.wakeLater(this.entity);
    this.context.restart(error, []);
  }
}

/** Requests that decisions are to answer. */
const envelopesOf = <S, Q>(batch: readonly PendingDecision<S, Q>[]): Envelope<Q>[] =>
  batch.flatMap((p) => (p.envelope ? [p.envelope] : []));

/** Nothing is decided on a request past its deadline, however often it was asked or put back: what it rests on may not hold any more. */
const isLate = (request: unknown, now: number): boolean =>
  now >= ((request as { deadline?: number }).deadline ?? Infinity);

/** A refusal goes to the asker as it is, an outage as UNAVAILABLE; anything else is a defect, which supervision must see. */
function refuse(reply: Reply, error: unknown): void {
  const refusal = error instanceof HivekeepError ? error : outageOf(error);
  if (!refusal) throw error;
  reply.reject(refusal);
}
