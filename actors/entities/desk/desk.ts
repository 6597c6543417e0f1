/** The actor of a hive or of a workspace's desk: its memories, and the workspace's API keys. */
import type { StorageExceeded } from '../../../src/domain/storage.js';
import type { StoredKey } from '../../../src/api-keys.js';
import type { AuditActor } from '../../../src/domain/audit.js';
import type { Decision } from '../../../src/domain/draft.js';
import {
  createHive,
  decideDesk,
  type DeskCommand,
  type DeskSnapshot,
  type DeskState,
} from '../../../src/domain/desk.js';
import type { Effect, Env } from '../../../src/domain/change.js';
import { notFound, unavailable } from '../../../src/domain/errors.js';
import type { HiveInput, KeyInput, MemoryPatch, PatchHiveInput } from '../../../src/domain/inputs.js';
import type { RememberInput, StoredMemory } from '../../../src/domain/memories.js';
import { type QuotaExceeded, keyLimit } from '../../../src/domain/usage.js';
import type { GateRecord } from '../../../src/domain/workspace.js';
import type { Head } from '../../../src/store/port.js';
import type { CommandKey } from '../command.js';
import { EntityBehavior, type PendingDecision } from '../entity.js';
import type { HeadUpdate } from '../entity-writer.js';
import { expiredMemories, memoryById, nextPosition, sharedMemories } from '../memory-reads.js';
import type { Reply } from '../../runtime/port.js';
import { purgeEntity } from '../purge.js';
import type { ReservationsEnded, ReservationRequest, QuotaDesk } from '../../quota/local-quota.js';
import { type LastUse, withLastUses } from '../last-used.js';
import type { Mode } from '../../../src/domain/vocabulary.js';

export type DeskRequest = {
  command?: CommandKey | undefined;
  deadline?: number | undefined;
  storageExceeded?: StorageExceeded;
} & (
  | { type: 'create'; input: HiveInput }
  /** With `id`: from an agent's outbox, which may deliver it more than once. */
  | { type: 'remember'; input: RememberInput; mode: Mode; full?: QuotaExceeded | null }
  | { type: 'patchMemory'; id: string; patch: MemoryPatch; full?: QuotaExceeded | null }
  | { type: 'forget'; id: string }
  | { type: 'expire' }
  /** Forgets a slice of what a deleted agent shared; answers whether that was all. */
  | { type: 'forgetAgent'; agent: string }
  | { type: 'mintKey'; input: KeyInput; hash: string; hint: string; salt?: string; by: AuditActor }
  | { type: 'revokeKey'; id: string; by: AuditActor }
  /** Notes when keys were last used. */
  | { type: 'used'; uses: readonly LastUse[] }
  | { type: 'patchHive'; input: PatchHiveInput }
  | { type: 'delete' }
  /** Keeps what a command is going to use (the id of what it creates elsewhere), so that a repeat uses the same. */
  | { type: 'reserve'; result: unknown }
  | { type: 'alert'; usage: QuotaExceeded }
  /** Of other processes, for memories that count (quota-desk.ts). No commits, but for one that opens the gate. */
  | ReservationRequest
  | ReservationsEnded
  /** Only to be loaded, and to go on with what was left undone: again where the stored head is newer (`seq`). */
  | { type: 'wake'; seq?: number }
);

type Command = DeskCommand | { type: 'create'; input: HiveInput } | { type: 'none' };

const slice = 200;
/** No tier may hold more keys than this. */
const mostKeys = keyLimit('enterprise');

export class DeskBehavior extends EntityBehavior<DeskState, DeskRequest, Command> {
  /** The gate that this incarnation opens, if it has to. */
  private gate: ReturnType<QuotaDesk['newGate']> | null = null;

  protected override hydrate(head: Head): DeskState {
    return { desk: head.snapshot as unknown as DeskSnapshot, counts: head.counts, positions: new Map() };
  }

  protected override headOf({ desk, counts }: DeskState): HeadUpdate {
    const deleting = 'deleting' in desk && desk.deleting;
    return {
      snapshot: desk as unknown as Record<string, unknown>,
      counts,
      active: deleting,
      due: desk.nextExpiry ?? null,
      deleted: false,
    };
  }

  override receive(request: DeskRequest, reply: Reply): void | Promise<void> {
    if (request.type === 'delete') return this.remove(request, reply);
    if (request.type === 'places') {
      this.places(request, reply);
      return;
    }
    if (request.type === 'placesEnded') {
      this.deps.quota.desk?.ended(request);
      reply.resolve(null);
      return;
    }
    if (request.type === 'wake') return this.isDeleting() ? this.resumeDelete(reply) : this.wake(request.seq, reply);
    return super.receive(request, reply);
  }

  protected override prepare(request: DeskRequest): Command | Promise<Command> {
    const { store, clock } = this.deps;
    if (this.state === null && request.type !== 'create') throw notFound(this.entity.kind, this.entity.id);
    switch (request.type) {
      case 'mintKey':
        return this.settled(async () => ({ ...request, held: await this.keysHeld() }));
      case 'create':
      case 'reserve':
      case 'alert':
      case 'patchHive':
        return request;
      case 'remember':
        if (
          request.input.id === undefined &&
          (request.input.sessionId === undefined || this.state?.positions.has(request.input.sessionId))
        )
          return request;
        return this.settled(async () => ({
          ...request,
          known:
            request.input.id === undefined
              ? null
              : (((await store.get(this.entity, 'memory', request.input.id))?.body as StoredMemory | undefined) ??
                null),
          ...(request.input.sessionId !== undefined && {
            position: await nextPosition(store, this.entity, request.input.sessionId),
          }),
        }));
      case 'patchMemory':
        return this.settled(async () => ({ ...request, memory: await memoryById(store, this.entity, request.id) }));
      case 'forget':
        return this.settled(async () => ({ type: 'forget', memory: await memoryById(store, this.entity, request.id) }));
      case 'expire':
        return this.settled(async () => ({
          type: 'expire',
          ...(await expiredMemories(store, this.entity, clock.now())),
        }));
      case 'forgetAgent':
        return this.settled(async () => ({
          type: 'forgetAll',
          memories: await sharedMemories(store, this.entity, request.agent, slice),
        }));
      case 'revokeKey':
        return this.settled(async () => {
          const key = await store.get(this.entity, 'key', request.id);
          if (!key) throw notFound('key', request.id);
          return { type: 'revokeKey', key: key.body as unknown as StoredKey, by: request.by };
        });
      case 'used':
        return this.settled(async () => ({
          type: 'used',
          keys: (await withLastUses(store, this.entity, 'key', request.uses)) as StoredKey[],
        }));
      case 'delete':
      case 'wake':
      case 'places':
      case 'placesEnded':
        return { type: 'none' };
      default:
        return request satisfies never;
    }
  }

  /** Counted up to what any tier may hold, see domain/usage.ts. */
  private async keysHeld(): Promise<number> {
    const { workspace } = this.entity;
    const keys = { workspace, entity: this.entity, collection: 'key', list: 'created' } as const;
    return (await this.deps.store.count(keys, mostKeys)).count;
  }

  /** What is read for a decision must not miss a commit on its way. */
  private async settled<T>(read: () => Promise<T>): Promise<T> {
    await this.writer.settled();
    return read();
  }

  protected override decide(state: DeskState | null, command: Command, env: Env): Decision<DeskState> {
    if (command.type === 'create') return createHive(this.entity.id, command.input, env);
    if (!state || command.type === 'none') throw notFound(this.entity.kind, this.entity.id);
    return decideDesk(state, command, env);
  }

  protected override recorded(decision: Decision<DeskState>, request: DeskRequest): unknown {
    return request.type === 'mintKey' && request.salt !== undefined
      ? { key: decision.result, salt: request.salt }
      : super.recorded(decision, request);
  }

  protected override answer(decision: Decision<DeskState>, request: DeskRequest): unknown {
    return request.type === 'forgetAgent' ? decision.deletes.length < slice : decision.result;
  }

  protected override carryOut(_effect: Effect): void {
    /* a desk runs nothing */
  }

  private isDeleting(): boolean {
    return this.state !== null && 'deleting' in this.state.desk && this.state.desk.deleting;
  }

  protected override answersLater(request: DeskRequest): boolean {
    return request.type === 'delete' || request.type === 'places';
  }

  /** Where no gate stands, it is opened first, with a commit: of two processes that take themselves for the desk's, one has the gate. */
  private places(request: ReservationRequest, reply: Reply): void {
    const { desk } = this.deps.quota;
    const { workspace } = this.entity;
    if (!desk || this.state === null) {
      reply.reject(notFound(this.entity.kind, this.entity.id));
      return;
    }
    if (desk.hasGate(workspace)) desk.serve(workspace, request, reply);
    else this.handle({ type: 'openGate', ...(this.gate ??= desk.newGate()) }, { message: request, reply });
  }

  protected override committed(batch: readonly PendingDecision<DeskState, DeskRequest>[]): void {
    super.committed(batch);
    const { desk } = this.deps.quota;
    for (const { decision, envelope } of batch) {
      if (!desk || envelope?.message.type !== 'places') continue;
      desk.opened(this.entity.workspace, decision.result as GateRecord);
      desk.serve(this.entity.workspace, envelope.message, envelope.reply);
    }
  }

  private async resumeDelete(reply: Reply): Promise<void> {
    reply.resolve(undefined);
    await this.finishDelete();
  }

  /** Fences the hive, then takes away everything in it; a crash in between is gone on with after the next start. */
  private async remove(request: DeskRequest, reply: Reply): Promise<void> {
    if (this.state === null || this.isDeleting()) {
      await this.removeAgain(request, reply, () => this.finishDelete());
      return;
    }
    this.handle({ type: 'delete' }, { message: request, reply });
    await this.writer.settled();
    if (this.writer.broken) return; // without a fence nothing is taken away; who asked is answered, or is asked again, by the shell (Entity.A3)
    if (await this.finishDelete()) reply.resolve(undefined);
    else reply.reject(unavailable(`${this.entity.kind} ${this.entity.id} is being deleted; that goes on by itself`));
  }

  /** False when the last commit was not taken. */
  private async finishDelete(): Promise<boolean> {
    await purgeEntity(this.deps, this.entity);
    return this.state !== null && this.tombstone(this.state);
  }
}
