/**
 * The actor of a hive or of a workspace's desk. It decides on the memories of that hive or desk, and on the workspace's
 * API keys and usage alerts, which it delivers to the workspace's webhook (alert-pushes.ts).
 */
import type { StorageExceeded } from '../../../src/domain/storage.js';
import type { StoredKey } from '../../../src/api-keys.js';
import type { AuditActor } from '../../../src/domain/audit.js';
import type { Decision } from '../../../src/domain/draft.js';
import {
  createHive,
  decideHiveOrDesk,
  type HiveOrDeskCommand,
  type HiveOrDeskSnapshot,
  type HiveOrDeskState,
} from '../../../src/domain/hive-or-desk.js';
import type { Env } from '../../../src/domain/change.js';
import { notFound } from '../../../src/domain/errors.js';
import type { HiveInput, KeyInput, MemoryPatch, PatchHiveInput } from '../../../src/domain/inputs.js';
import type { MemoryBatch } from '../../../src/domain/memory-batch.js';
import type { StoredMemory } from '../../../src/domain/stored-memory.js';
import type { RememberInput } from '../../../src/domain/memories.js';
import { type QuotaExceeded, keyLimit } from '../../../src/domain/usage.js';
import type { MadeVector } from '../../../src/domain/vectors.js';
import type { AlertChange, AlertOutboxItem, AlertOutcome, AlertState } from '../../../src/domain/usage-alerts.js';
import type { GateRecord, WorkspaceSnapshot } from '../../../src/domain/workspace.js';
import type { EntityRef, Head } from '../../../src/store/port.js';
import { type CommandKey, goneCommand } from '../command.js';
import type { EntityDependencies } from '../dependencies.js';
import { EntityDeletion } from '../deletion.js';
import { answeredLater, decideOn, EntityActor, type EntityDefinition, type EntityShell } from '../entity.js';
import type { HeadUpdate } from '../entity-writer.js';
import { PresentMemories } from '../present-memories.js';
import { allSync, thenSync } from '../../../src/maybe-promise.js';
import {
  expiredMemories,
  memoriesById,
  memoryById,
  nextPosition,
  nextPositions,
  sharedMemories,
} from '../memory-reads.js';
import type { Envelope, Reply } from '../../runtime/port.js';
import type { GateAlone, ReservationsEnded, ReservationRequest } from '../../quota/local-quota.js';
import { type LastUse, withLastUses } from '../last-used.js';
import { AlertPushes } from './alert-pushes.js';

export type HiveOrDeskRequest = {
  command?: CommandKey | undefined;
  deadline?: number | undefined;
  storageExceeded?: StorageExceeded;
} & (
  | { type: 'create'; input: HiveInput }
  /** A request with an `id` comes from an agent's outbox, which may deliver it more than once. */
  | { type: 'remember'; input: RememberInput; full?: QuotaExceeded | null }
  | ({ type: 'rememberAll' } & Omit<MemoryBatch, 'positions' | 'around'>)
  | { type: 'patchMemory'; id: string; patch: MemoryPatch; full?: QuotaExceeded | null }
  | { type: 'forget'; id: string }
  | { type: 'vectors'; made: readonly MadeVector[] }
  | { type: 'expire' }
  /** Deletes a slice of the memories that a deleted agent shared; answers whether that was all of them. */
  | { type: 'forgetAgent'; agent: string }
  | { type: 'mintKey'; input: KeyInput; hash: string; hint: string; salt?: string; by: AuditActor }
  | { type: 'revokeKey'; id: string; by: AuditActor }
  /** Records when keys were last used. */
  | { type: 'used'; uses: readonly LastUse[] }
  | { type: 'patchHive'; input: PatchHiveInput }
  | { type: 'delete' }
  /**
   * Stores a value that a command is going to use (the id of what it creates elsewhere), so that a repeat uses the same
   * value.
   */
  | { type: 'reserve'; result: unknown }
  | { type: 'alert'; usage: QuotaExceeded }
  | { type: 'setAlerts'; change: AlertChange; usage: QuotaExceeded | null }
  /** Messages of the actor to itself: it was loaded with alerts to deliver; what became of the push of an alert. */
  | { type: 'continue' }
  | ({ type: 'alertPushed'; item: AlertOutboxItem } & AlertOutcome)
  /**
   * Requests of other processes for memories that count (quota-desk.ts). They need no commit, except for one that opens
   * the gate.
   */
  | ReservationRequest
  | ReservationsEnded
  | GateAlone
  /** Loads the actor, which continues its unfinished work; loads it again if the stored head is newer (`seq`). */
  | { type: 'wake'; seq?: number }
);

type Command = HiveOrDeskCommand | { type: 'create'; input: HiveInput } | { type: 'none' };

const slice = 200;
/** The highest number of keys that any tier allows. */
const mostKeys = keyLimit('enterprise');

type Shell = EntityShell<HiveOrDeskState, HiveOrDeskRequest, Command>;

export const hiveOrDeskActor = (
  deps: EntityDependencies,
  entity: EntityRef,
): EntityActor<HiveOrDeskState, HiveOrDeskRequest, Command> =>
  new EntityActor(deps, entity, (shell) => new Desk(shell));

class Desk implements EntityDefinition<HiveOrDeskState, HiveOrDeskRequest, Command> {
  private readonly deletion: EntityDeletion<HiveOrDeskState, HiveOrDeskRequest, Command>;
  /** The gate that this activation opens, if it has to. */
  private gate: string | null = null;
  private readonly present: PresentMemories;
  private readonly pushes: AlertPushes;

  constructor(private readonly shell: Shell) {
    this.present = new PresentMemories(shell);
    this.deletion = new EntityDeletion(shell, {
      isFenced: () => this.isDeleting(),
      fence: (request, reply) => {
        shell.handle({ type: 'delete' }, { message: request, reply });
      },
    });
    this.pushes = new AlertPushes(
      shell.deps,
      shell.entity,
      async () => {
        await shell.writer.settled(); // nothing is sent to a webhook whose commit may still fail
        return this.workspace()?.alertSettings?.webhook ?? null;
      },
      (end) => {
        shell.context.self(end);
      },
    );
  }

  load(head: Head): HiveOrDeskState {
    const { pushes = 0 } = head.snapshot as AlertState;
    // somebody else, such as an import, may have written the settings
    if (head.entity.kind === 'workspace') this.shell.deps.quota.alertsChanged(head.entity.workspace);
    this.pushes.loaded(pushes);
    if (pushes > 0) this.shell.context.self({ type: 'continue' });
    return { entity: head.snapshot as unknown as HiveOrDeskSnapshot, counts: head.counts, positions: new Map() };
  }

  headOf({ entity, counts }: HiveOrDeskState): HeadUpdate {
    const deleting = 'deleting' in entity && entity.deleting;
    return {
      snapshot: entity as unknown as Record<string, unknown>,
      counts,
      active: deleting || this.pushesOf(entity) > 0,
      due: entity.nextExpiry ?? null,
      deleted: false,
    };
  }

  control(request: HiveOrDeskRequest, reply: Reply): void | Promise<void> | typeof decideOn {
    switch (request.type) {
      case 'delete':
        return this.deletion.remove(request, reply);
      case 'places':
        this.places(request, reply);
        return undefined;
      case 'placesEnded':
        this.shell.deps.quota.desk?.ended(request);
        reply.resolve(null);
        return undefined;
      case 'gateAlone': {
        const gate = this.workspace()?.gate;
        if (gate?.id === request.gate && gate.behind > 0) return decideOn;
        reply.resolve(null);
        return undefined;
      }
      case 'wake':
        return this.isDeleting() ? this.resumeDelete(reply) : this.shell.wake(request.seq, reply);
      case 'continue':
        reply.resolve(undefined);
        return this.pushes.resume(this.shell.writer.settled());
      case 'alertPushed':
        if (this.pushes.take(request.item.id)) this.shell.handle(request, null);
        return undefined;
      default:
        return decideOn;
    }
  }

  prepare(request: HiveOrDeskRequest): Command | Promise<Command> {
    const { store, clock } = this.shell.deps;
    if (this.shell.state === null && request.type !== 'create')
      throw notFound(this.shell.entity.kind, this.shell.entity.id);
    switch (request.type) {
      case 'mintKey':
        return this.settled(async () => ({ ...request, held: await this.keysHeld() }));
      case 'create':
      case 'reserve':
      case 'alert':
      case 'setAlerts':
      case 'gateAlone':
      case 'patchHive':
        return request;
      case 'remember':
        if (
          request.input.id === undefined &&
          request.input.shared_by === undefined &&
          (request.input.sessionId === undefined || this.shell.state?.positions.has(request.input.sessionId))
        )
          return thenSync(this.around(request.input), (around) => ({
            type: 'remember',
            input: request.input,
            full: request.full ?? null,
            ...around,
          }));
        return this.settled(async () => {
          await this.refuseFromGone(request.input.shared_by);
          return {
            ...request,
            ...(await this.around(request.input)),
            known:
              request.input.id === undefined
                ? null
                : (((await store.get(this.shell.entity, 'memory', request.input.id))?.body as
                    StoredMemory | undefined) ?? null),
            ...(request.input.sessionId !== undefined && {
              position: await nextPosition(store, this.shell.entity, request.input.sessionId),
            }),
          };
        });
      case 'rememberAll':
        return this.settled(async () => ({
          ...request,
          positions: await nextPositions(store, this.shell.entity, request.inputs, this.shell.state?.positions),
          around: await allSync(request.inputs.map((input) => this.around(input))),
        }));
      case 'patchMemory':
        return this.settled(async () => ({
          ...request,
          memory: await memoryById(store, this.shell.entity, request.id),
        }));
      case 'forget':
        return this.settled(async () => ({
          type: 'forget',
          memory: await memoryById(store, this.shell.entity, request.id),
        }));
      case 'vectors':
        return this.settled(async () => ({
          ...request,
          memories: await memoriesById(
            store,
            this.shell.entity,
            request.made.map(({ id }) => id),
          ),
        }));
      case 'expire':
        return this.settled(async () => ({
          type: 'expire',
          ...(await expiredMemories(store, this.shell.entity, clock.now())),
        }));
      case 'forgetAgent':
        return this.settled(async () => ({
          type: 'forgetAll',
          memories: await sharedMemories(store, this.shell.entity, request.agent, slice),
        }));
      case 'revokeKey':
        return this.settled(async () => {
          const key = await store.get(this.shell.entity, 'key', request.id);
          if (!key) throw notFound('key', request.id);
          return { type: 'revokeKey', key: key.body as unknown as StoredKey, by: request.by };
        });
      case 'used':
        return this.settled(async () => ({
          type: 'used',
          keys: (await withLastUses(store, this.shell.entity, 'key', request.uses)) as StoredKey[],
        }));
      case 'delete':
      case 'wake':
      case 'continue':
      case 'alertPushed':
      case 'places':
      case 'placesEnded':
        return { type: 'none' };
      default:
        return request satisfies never;
    }
  }

  private around(input: RememberInput): ReturnType<PresentMemories['around']> {
    return this.present.around(input, !this.shell.state?.counts['memories']);
  }

  /**
   * Refuses a share of a deleted agent that arrives late: the memories that the agent shared have been deleted here.
   */
  private async refuseFromGone(agent: string | undefined): Promise<void> {
    if (agent === undefined) return;
    const { store, clock } = this.shell.deps;
    if (await store.command(this.shell.entity, goneCommand(agent).id, clock.now())) throw notFound('agent', agent);
  }

  /** The number of keys, counted up to the most that any tier allows (domain/usage.ts). */
  private async keysHeld(): Promise<number> {
    const { workspace } = this.shell.entity;
    const keys = { workspace, entity: this.shell.entity, collection: 'key', list: 'created' } as const;
    return (await this.shell.deps.store.count(keys, mostKeys)).count;
  }

  /** Runs a read for a decision after the commits in progress, so that it does not miss them. */
  private async settled<T>(read: () => Promise<T>): Promise<T> {
    await this.shell.writer.settled();
    return read();
  }

  decide(state: HiveOrDeskState | null, command: Command, env: Env): Decision<HiveOrDeskState> {
    if (command.type === 'create') return createHive(this.shell.entity.id, command.input, env);
    if (!state || command.type === 'none') throw notFound(this.shell.entity.kind, this.shell.entity.id);
    return decideHiveOrDesk(state, command, env);
  }

  recorded(decision: Decision<HiveOrDeskState>, request: HiveOrDeskRequest): unknown {
    return request.type === 'mintKey' && request.salt !== undefined
      ? { key: decision.result, salt: request.salt }
      : (decision.result ?? null);
  }

  answer(decision: Decision<HiveOrDeskState>, request: HiveOrDeskRequest): unknown {
    if (request.type === 'delete' || request.type === 'places') return answeredLater;
    return request.type === 'forgetAgent' ? decision.deletes.length < slice : decision.result;
  }

  /** A desk has no work of its own but to deliver alerts. */
  idle(): boolean {
    return this.pushesOf(this.shell.state?.entity) === 0;
  }

  ended(): void {
    this.pushes.stop();
    this.present.ended();
  }

  private workspace(): WorkspaceSnapshot | null {
    const entity = this.shell.state?.entity;
    return entity && !('deleting' in entity) ? entity : null;
  }

  private pushesOf(entity: HiveOrDeskSnapshot | undefined): number {
    return (entity as AlertState | undefined)?.pushes ?? 0;
  }

  private isDeleting(): boolean {
    return this.shell.state !== null && 'deleting' in this.shell.state.entity && this.shell.state.entity.deleting;
  }

  /**
   * Handles a request for quota reservations. If no gate is open, one is opened first, with a commit: of two processes
   * that both believe that they run the desk, only one gets the gate.
   */
  private places(request: ReservationRequest, reply: Reply): void {
    const { desk } = this.shell.deps.quota;
    const { workspace } = this.shell.entity;
    if (!desk || this.shell.state === null) {
      reply.reject(notFound(this.shell.entity.kind, this.shell.entity.id));
      return;
    }
    if (desk.hasGate(workspace)) desk.serve(workspace, request, reply);
    else this.shell.handle({ type: 'openGate', id: (this.gate ??= desk.newGate()) }, { message: request, reply });
  }

  decided(decision: Decision<HiveOrDeskState>): void {
    this.present.decided(decision);
  }

  committed(decision: Decision<HiveOrDeskState>, envelope: Envelope<HiveOrDeskRequest> | null): void {
    this.present.committed(decision);
    this.pushes.committed(decision, this.pushesOf(decision.state.entity));
    const { message } = envelope ?? {};
    if (message?.type === 'setAlerts') this.shell.deps.quota.alertsChanged(this.shell.entity.workspace);
    const { desk } = this.shell.deps.quota;
    if (!desk || !envelope || message?.type !== 'places') return;
    const { workspace } = this.shell.entity;
    desk.opened(workspace, decision.result as GateRecord);
    desk.serve(workspace, message, envelope.reply);
  }

  private async resumeDelete(reply: Reply): Promise<void> {
    reply.resolve(undefined);
    await this.deletion.finish();
  }
}
