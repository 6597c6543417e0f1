/** What every memory space can be asked: agents, hives and workspaces' desks. */
import type { MemoryBatch, UsedCredentials, memoryCommands } from '../../src/domain/memory/memory-commands.js';
import { iso } from '../../src/domain/shared/clock.js';
import { notFound } from '../../src/domain/shared/errors.js';
import type { MemoryPatch } from '../../src/domain/shared/inputs.js';
import type { RememberInput, Surroundings } from '../../src/domain/memory/memories.js';
import { type QuotaExceeded, isLarge } from '../../src/domain/workspace/usage.js';
import type { MadeVector } from '../../src/domain/memory/vectors.js';
import { allOf, finish, type Waiting } from '../../src/maybe-promise.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import { goneKey } from '../../src/commands/idempotency.js';
import type { LocalDeps } from './local-deps.js';
import {
  expiredMemories,
  memoriesById,
  memoryById,
  nextPosition,
  nextPositions,
} from '../../src/commands/memory-reads.js';
import { operationsWith } from './operation.js';
import type { PresentMemories } from './present-memories.js';

/** What the reads of a decision are given of their entity, which exists. */
export class Reads<S extends { counts: Readonly<Record<string, number>>; positions: ReadonlyMap<string, number> }> {
  constructor(
    private readonly shell: {
      deps: LocalDeps;
      entity: EntityRef;
      state: S | null;
      writer: { settled(): Promise<void> };
    },
    private readonly present: PresentMemories,
  ) {}

  get deps(): LocalDeps {
    return this.shell.deps;
  }
  get entity(): EntityRef {
    return this.shell.entity;
  }
  get state(): S {
    if (!this.shell.state) throw notFound(this.entity.kind, this.entity.id);
    return this.shell.state;
  }

  /** Runs a read after the commits in progress, so that it does not miss them. */
  async settled<T>(read: () => T | Promise<T>): Promise<T> {
    await this.shell.writer.settled();
    return read();
  }

  around(input: RememberInput): Waiting<Surroundings> {
    return this.present.around(input, this.state.counts['memories'] ?? 0);
  }
}

export interface Full {
  /** Set if the workspace's monthly quota has no room left, so that no further memory may start to count. */
  full?: QuotaExceeded | null;
}

type MemoryReads = Reads<{ counts: Readonly<Record<string, number>>; positions: ReadonlyMap<string, number> }>;
const { reading, looking } = operationsWith<typeof memoryCommands, MemoryReads>();

/**
 * Refuses a share of a deleted agent that arrives late: the memories that the agent shared have been deleted here.
 */
async function refuseFromGone(
  { deps: { store, clock }, entity }: MemoryReads,
  agent: string | undefined,
): Promise<void> {
  if (agent === undefined) return;
  if (await store.record(entity, goneKey(agent).id, clock.now())) throw notFound('agent', agent);
}

async function rememberLater(e: MemoryReads, input: RememberInput, { full = null }: Full) {
  const { store } = e.deps;
  await refuseFromGone(e, input.shared_by);
  const known = input.id === undefined ? null : await store.get(e.entity, 'memory', input.id);
  const { sessionId } = input;
  const isPlaced = sessionId === undefined || e.state.positions.has(sessionId);
  return {
    type: 'remember' as const,
    input,
    full,
    ...(await finish(e.around(input))),
    known: known && known.body,
    ...(!isPlaced && { position: await nextPosition(store, e.entity, sessionId) }),
  };
}

function* remember(e: MemoryReads, input: RememberInput, { full = null }: Full) {
  return { type: 'remember' as const, input, full, ...(yield* e.around(input)) };
}

export const memoryOperations = {
  /** A request with an `id` comes from an agent's outbox, which may deliver it more than once. */
  remember: reading(
    'remember',
    (e, { input, full = null }: { input: RememberInput } & Full) => {
      const { id, shared_by: sharedBy, sessionId } = input;
      const isPlaced = sessionId === undefined || e.state.positions.has(sessionId);
      if (id === undefined && sharedBy === undefined && isPlaced) return finish(remember(e, input, { full }));
      return e.settled(() => rememberLater(e, input, { full }));
    },
    { adds: true, repeatable: ({ input }) => input.id !== undefined },
  ),
  rememberAll: looking(
    'rememberAll',
    async (e, request: Omit<MemoryBatch, 'positions' | 'around'>) => ({
      ...request,
      positions: await nextPositions(e.deps.store, e.entity, request.inputs, e.state.positions),
      around: await allOf(request.inputs.map((input) => finish(e.around(input)))),
    }),
    { adds: true },
  ),
  patchMemory: looking(
    'patchMemory',
    async (e, { id, patch, full = null }: { id: string; patch: MemoryPatch } & Full) => ({
      memory: await memoryById(e.deps.store, e.entity, id),
      patch,
      full,
    }),
    { adds: ({ patch }) => isLarge(patch) },
  ),
  forget: looking('forget', async (e, { id }: { id: string }) => ({
    memory: await memoryById(e.deps.store, e.entity, id),
  })),
  vectors: looking('vectors', async (e, { made }: { made: readonly MadeVector[] }) => {
    const ids = made.map(({ id }) => id);
    return { made, memories: await memoriesById(e.deps.store, e.entity, ids) };
  }),
  expire: looking('expire', (e) => expiredMemories(e.deps.store, e.entity, e.deps.clock.now()), { repeatable: true }),
};

/** The id of a key or token, and when it was used (ms since the epoch). */
export interface LastUse {
  id: string;
  at: number;
}

/**
 * Returns the documents of the keys or tokens with the new times. Rejects NOT_FOUND if all of them have been revoked,
 * so that no empty commit is written.
 */
async function withLastUses(
  store: Store,
  entity: EntityRef,
  kind: 'key' | 'token',
  uses: readonly LastUse[],
): Promise<UsedCredentials> {
  const stored = await store.getMany(
    entity,
    kind,
    uses.map(({ id }) => id),
  );
  const found = stored.flatMap((doc, i) => (doc ? [{ ...doc.body, last_used_at: iso(uses[i]?.at ?? 0) }] : []));
  if (found.length === 0) throw notFound(kind, uses[0]?.id ?? '');
  return { kind, credentials: found } as UsedCredentials;
}

/** Records when the entity's keys or tokens were last used. */
export const usedOperation = (kind: 'key' | 'token') =>
  looking('used', (e, { uses }: { uses: readonly LastUse[] }) => withLastUses(e.deps.store, e.entity, kind, uses), {
    repeatable: true,
  });
