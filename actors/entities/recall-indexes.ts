/**
 * Keeps the recall indexes of an entity (its own, and the index of all memories of its workspace) in step with its
 * commits.
 *
 * Invariants
 *  - What has been acknowledged is searchable. After a commit whose outcome is unknown or that another process may have
 *     written, the entity's index is rebuilt, and what it has in the workspace's index is read again, so that they
 *     match the store.
 *  - A load that completes an unfinished commit adds the documents of that commit to the indexes, which
 *     may have been built before the documents were stored.
 */
import type { AgentSnapshot } from '../../src/domain/shared/snapshots.js';
import type { RunRecord, StoredMessage } from '../../src/domain/agent/agent-state.js';
import { runOfTurn, turnIdsOf, turnType, turnsOf, typedTurns } from '../../src/domain/run/conversation.js';
import { textHash } from '../../src/domain/memory/identities.js';
import { activeRuns } from '../../src/domain/run/run-queue.js';
import { remarkOf } from '../../src/english/sentences.js';
import type { Vectors } from '../../src/embeddings/vectors.js';
import { pairsOf, runPair } from '../../src/domain/memory/facets.js';
import type { Documents, Recalled } from '../../src/domain/shared/documents.js';
import { unpackRun } from '../../src/domain/run/stored-run.js';
import { isSameSubject } from '../../src/domain/shared/caller.js';
import type {
  ImageSource,
  MemorySpace,
  Recall,
  RecallChange,
  RecallDocument,
  RecallHit,
  RecallSource,
} from '../../src/memory/port.js';
import type { StoredMemory } from '../../src/domain/memory/stored-memory.js';
import { pagesOf } from '../../src/store/list-query.js';
import {
  type ChangedDoc,
  type EntityRef,
  type Head,
  type KeptImages,
  type ListQuery,
  type Listed,
  type LoadedHead,
  type RecalledKind,
  type Store,
  type StoredDoc,
  entityKey,
} from '../../src/store/port.js';
import type { Turn } from '../../src/domain/model/model.js';
import type { MaybePromise } from '../../src/maybe-promise.js';

/*
 * Converts what is stored (memories, messages, and runs with their turns) into recall documents, and reads the
 * documents that an index is built from.
 */

/** Finds the vector of a memory; null if it has none, or if vectors are not used (src/embeddings). */
export type VectorSource = (entity: EntityRef, memory: StoredMemory) => Int8Array | null;
export const vectorSource =
  (vectors: Vectors | undefined): VectorSource =>
  (entity, memory) =>
    vectors?.of(entity, memory) ?? null;

const timeOf = (time: string | null | undefined): number | null => (time ? Date.parse(time) : null);

export function memoryDocument(memory: StoredMemory, vector: Int8Array | null = null): RecallDocument {
  const superseded = typeof memory.superseded_by === 'string';
  const hash = superseded ? null : textHash(memory);
  return {
    kind: 'memory',
    id: memory.id,
    type: memory.type,
    content: memory.content,
    sessionId: memory.sessionId ?? null,
    position: memory.position ?? null,
    expiresAt: timeOf(memory.expires_at),
    occurredAt: timeOf(memory.occurred_at),
    validUntil: timeOf(memory.valid_until),
    superseded,
    speaker: memory.speaker ?? null,
    importance: memory.importance ?? null,
    subject: memory.subject ?? null,
    pairs: memory.run_id ? [...pairsOf(memory.metadata), runPair(memory.run_id)] : pairsOf(memory.metadata),
    ...(hash !== null && { text: hash }),
    ...(vector && { vector }),
  };
}

export const messageDocument = (message: StoredMessage): RecallDocument => ({
  kind: 'message',
  id: message.id,
  type: 'message',
  content: message.content,
  sessionId: null,
  position: null,
  expiresAt: null,
  occurredAt: null,
  validUntil: null,
  superseded: false,
  speaker: null,
  importance: null,
  subject: message.subject ?? null,
  pairs: pairsOf(message.metadata),
});

/** The turns of a run that recall finds. */
export function turnDocuments(run: RunRecord): RecallDocument[] {
  return typedTurns(run, remarkOf).map(({ turn, type }) => ({
    kind: 'turn',
    id: turn.id,
    type,
    content: turn.content,
    sessionId: turn.sessionId,
    position: null,
    expiresAt: null,
    validUntil: null,
    occurredAt: Date.parse(turn.created_at),
    speaker: null,
    ...(turn.role === 'agent' && { byAssistant: true }),
    importance: null,
    subject: run.subject ?? null,
  }));
}

/** What recall finds of a document as it is now, and what it no longer finds. */
export function recallChanges({ kind, body }: RecalledNow, vector: Int8Array | null = null): RecallChange[] {
  if (kind === 'memory') return [{ put: memoryDocument(body, vector) }];
  if (kind === 'message') return [{ put: messageDocument(body) }];
  const turns = turnDocuments(body);
  const there = new Set(turns.map((turn) => turn.id));
  return [
    ...withoutTurns(turnIdsOf(body.id, body.messages?.length ?? 0).filter((one) => !there.has(one))),
    ...turns.map((put) => ({ put })),
  ];
}
/** A document as it is now. */
export type RecalledNow = { [K in RecalledKind]: { kind: K; body: Recalled[K] } }[RecalledKind];

const withoutTurns = (ids: readonly string[]): RecallChange[] =>
  ids.map((id) => ({ removed: { kind: 'turn' as const, id } }));

/** What is read of a run, by its id or from a list. */
type FoundRun = Pick<StoredDoc<'run'>, 'id' | 'entity' | 'body'>;

const pageSize = 200;
/** Runs may be large, and only a part of each is indexed. */
const runPageBytes = 4 * 1024 * 1024;

/**
 * Of an agent with few runs all are read: the list of those with turns would spare few of them, and not every server
 * that speaks MongoDB's protocol has a cheap index for it.
 */
const fewRuns = pageSize;

/** Of the whole workspace, or of an entity; if that names a subject, only what is about it. `runs`: how many it has. */
async function* pages<K extends RecalledKind>(
  store: Store,
  workspace: string,
  collection: K,
  entity?: MemorySpace,
  runs = Infinity,
): AsyncIterable<Listed<K>[]> {
  const subject = entity?.subject ?? null;
  const query: ListQuery<RecalledKind> = {
    workspace,
    ...(subject !== null
      ? { collection, list: 'subject' as const, by: subject, maxBytes: runPageBytes }
      : collection === 'run'
        ? {
            collection,
            ...(runs <= fewRuns ? { list: 'created' as const } : { list: 'recalled' as const, by: 'yes' }),
            maxBytes: runPageBytes,
          }
        : { collection, list: 'created' }),
    limit: pageSize,
    order: 'asc',
    ...(entity && { entity }),
  };
  for await (const { items } of pagesOf(store, query as ListQuery<K>))
    yield entity?.subject === null ? items.filter(({ body }) => isSameSubject(body, entity)) : items;
}

/**
 * Returns a source that reads one memory space from the store: an agent's memories, messages and turns, the memories of
 * a hive or of a workspace's desk, or (for id `*`) all memories of a workspace. For `*` it reads only memories of
 * entities in shards for which `serves` is true, because other processes keep the others; with a `part`, only those of
 * that entity.
 */
export function recallSource(
  store: Store,
  serves: (shard: number) => boolean = () => true,
  vectorOf: VectorSource = () => null,
): RecallSource {
  const ofWorkspace = (items: readonly Listed<'memory'>[]): RecallDocument[] =>
    items.map(({ entity, body }) => {
      const document = memoryDocument(body, vectorOf(entity, body));
      return document.sessionId === null ? document : { ...document, sessionId: `${entity.id}/${document.sessionId}` };
    });
  return async function* source(space: MemorySpace, part?: EntityRef) {
    const { workspace } = space;
    if (space.id === '*') {
      for await (const items of part ? pages(store, workspace, 'memory', part) : memoriesIn(store, workspace, serves))
        yield ofWorkspace(items);
      return;
    }
    // Heads are read together where many memory spaces are built at once, as at a takeover; most of these have nothing.
    yield* documentsWith(store, space, await store.head(space), vectorOf);
  };
}

async function* documentsWith(
  store: Store,
  space: EntityRef,
  head: Head | null,
  vectorOf: VectorSource,
): AsyncGenerator<RecallDocument[]> {
  const has = (name: 'memories' | 'messages' | 'runs'): boolean => (head?.counts[name] ?? 0) > 0;
  if (has('memories'))
    for await (const items of pages(store, space.workspace, 'memory', space))
      yield items.map(({ body }) => memoryDocument(body, vectorOf(space, body)));
  if (space.kind !== 'agent') return;
  if (has('messages'))
    for await (const items of pages(store, space.workspace, 'message', space))
      yield items.map(({ body }) => messageDocument(body));
  if (has('runs'))
    for await (const items of runsOf(store, space, head)) yield items.flatMap((item) => turnDocuments(unpackRun(item)));
}

/** How many entities of a workspace are read at a time: what is read of one is indexed while others are waited for. */
const entitiesAtOnce = 4;

/** The memories of a workspace in these shards; those of each entity are in order of creation. */
async function* memoriesIn(
  store: Store,
  workspace: string,
  serves: (shard: number) => boolean,
): AsyncIterable<Listed<'memory'>[]> {
  const shards = store.shards.all.filter(serves);
  if (shards.length === store.shards.count) {
    yield* pages(store, workspace, 'memory');
    return;
  }
  for await (const heads of store.allHeads({ workspace, shards }))
    yield* sideBySide(
      heads
        .filter(({ counts }) => (counts['memories'] ?? 0) > 0)
        .map(({ entity }) => pages(store, workspace, 'memory', entity)),
      entitiesAtOnce,
    );
}

/** What these sources have, each in its order; `most` of them are read at a time. */
async function* sideBySide<T>(sources: readonly AsyncIterable<T>[], most: number): AsyncIterable<T> {
  const reading = new Map<AsyncIterator<T>, Promise<[AsyncIterator<T>, IteratorResult<T>]>>();
  const read = (source: AsyncIterator<T>): void => {
    const next = source.next().then((page): [AsyncIterator<T>, IteratorResult<T>] => [source, page]);
    next.catch(() => undefined); // whoever waits for it has the error
    reading.set(source, next);
  };
  let begun = 0;
  const begin = (): void => {
    const source = sources[begun++];
    if (source) read(source[Symbol.asyncIterator]());
  };
  while (begun < most) begin();
  while (reading.size > 0) {
    const [source, page] = await Promise.race(reading.values());
    reading.delete(source);
    if (page.done) begin();
    else {
      read(source);
      yield page.value;
    }
  }
}

/**
 * At a takeover the indexes of many agents are built at once, most of which have no other runs than those in progress.
 * These are read by their ids, because such reads of many agents go to the store together, and lists do not.
 */
async function* runsOf(store: Store, agent: MemorySpace, head: Head | null): AsyncIterable<FoundRun[]> {
  const { running = [], pending = [] } = (head?.snapshot ?? {}) as Partial<AgentSnapshot>;
  const inProgress = activeRuns({ running, pending }).map(({ id }) => id);
  const runs = head?.counts['runs'] ?? 0;
  if (inProgress.length < runs) yield* pages(store, agent.workspace, 'run', agent, runs);
  else {
    const found = (await store.getMany(agent, 'run', inProgress)).filter((run) => run !== null);
    yield agent.subject === undefined ? found : found.filter(({ body }) => isSameSubject(body, agent));
  }
}

/**
 * Keeps the images of indexes in the store. Only indexes without vectors are kept (src/memory/snapshots.ts), so the
 * documents have none.
 */
export const imageSource = (store: Store, images: KeptImages): ImageSource => ({
  async standing(space) {
    // a load finishes the last commit, so that everything of it can be read
    const head = await store.load(space);
    const { memories = 0, messages = 0, runs = 0 } = head?.counts ?? {};
    return {
      seq: head?.seq ?? 0,
      documents: memories + messages + runs,
      all: () => documentsWith(store, space, head, () => null),
    };
  },
  prepare: (space) => images.prepare(space),
  keep: (space, seq, chunks) => images.keep(space, seq, chunks),
  async kept(space, seq) {
    const image = await images.kept(space, seq);
    return (
      image && {
        seq: image.seq,
        chunks: image.chunks,
        changes: () => {
          const changes = image.changes();
          return changes && changesIn(space, changes);
        },
        discard: () => images.discard(space, image),
      }
    );
  },
});

async function* changesIn(entity: EntityRef, changes: AsyncIterable<ChangedDoc[]>): AsyncIterable<RecallChange[]> {
  for await (const page of changes) yield page.flatMap((changed) => changesOf(entity, changed));
}

function changesOf(entity: EntityRef, { kind, id, body }: ChangedDoc): RecallChange[] {
  if (!body) return kind === 'run' ? withoutTurns(turnIdsOf(id)) : [{ removed: { kind, id } }];
  return recallChanges(recalledForm(entity, { kind, id, body } as RecalledPut));
}

/** A document as it was stored, which decisions have in another form if it is a run. */
type RecalledPut = { [K in RecalledKind]: { kind: K; id: string; body: Documents[K] } }[RecalledKind];
export const recalledForm = (entity: EntityRef, put: RecalledPut): RecalledNow =>
  put.kind === 'run' ? { kind: 'run', body: unpackRun({ id: put.id, entity, body: put.body }) } : put;

const isRecalled = (kind: string): kind is RecalledKind => kind === 'memory' || kind === 'message' || kind === 'run';

/**
 * The memory space of all memories of a workspace, whichever entity they belong to. A search without a scope uses it.
 * It has an index, but no actor.
 */
export const allMemoriesOf = (workspace: string): EntityRef => ({ workspace, kind: 'workspace', id: '*' });

export class RecallIndexes {
  /** The entities whose indexes are rebuilt when they are loaded again. */
  private readonly stale = new Set<string>();

  constructor(
    private readonly recall: Pick<Recall, 'isInMemory' | 'put' | 'remove' | 'drop' | 'renew' | 'loaded'>,
    private readonly vectorOf: VectorSource = () => null,
  ) {}

  put(entity: EntityRef, document: RecalledNow): void {
    if (document.kind === 'run' && !this.recall.isInMemory(entity)) return;
    const vector = document.kind === 'memory' ? this.vectorOf(entity, document.body) : null;
    for (const change of recallChanges(document, vector)) this.change(entity, change);
  }

  private change(entity: EntityRef, change: RecallChange): void {
    if ('removed' in change) {
      this.recall.remove(entity, change.removed.kind, change.removed.id);
      return;
    }
    const { put } = change;
    this.recall.put(entity, put);
    if (put.kind === 'memory')
      this.recall.put(allMemoriesOf(entity.workspace), {
        ...put,
        sessionId: put.sessionId && `${entity.id}/${put.sessionId}`,
      });
  }

  remove(entity: EntityRef, kind: RecalledKind, id: string): void {
    if (kind === 'run') {
      for (const turn of turnIdsOf(id)) this.recall.remove(entity, 'turn', turn);
      return;
    }
    this.recall.remove(entity, kind, id);
    if (kind === 'memory') this.recall.remove(allMemoriesOf(entity.workspace), kind, id);
  }

  /** Marks the indexes as outdated, because the store may not contain what was decided in memory. */
  outdated(entity: EntityRef): void {
    this.stale.add(entityKey(entity));
  }

  /** Call this after the entity has been loaded and its last commit has been completed. */
  loaded(entity: EntityRef, head: LoadedHead | null): void {
    if (this.stale.delete(entityKey(entity))) {
      this.recall.drop(entity);
      this.recall.renew(allMemoriesOf(entity.workspace), entity);
      return;
    }
    for (const put of head?.lastChanges?.puts ?? [])
      if (put.kind === 'memory' || put.kind === 'message' || put.kind === 'run')
        this.put(entity, recalledForm(entity, put));
    for (const { kind, id } of head?.lastChanges?.deletes ?? []) if (isRecalled(kind)) this.remove(entity, kind, id);
    this.recall.loaded(entity, head?.seq ?? 0, head?.lastChanges !== undefined);
  }
}

/* The documents of what recall has found. */

type Hit = Pick<RecallHit, 'space' | 'kind' | 'id'>;

export type RecalledDoc = { [K in RecalledKind]: StoredDoc<K> }[RecalledKind];

/** The memory, the message, or the run of the turn; null if it has been deleted meanwhile. */
export const documentOf = (store: Store, { space, kind, id }: Hit): MaybePromise<RecalledDoc | null> => {
  if (kind === 'turn') return store.get(space, 'run', runOfTurn(id));
  const found: MaybePromise<StoredDoc<'memory' | 'message'> | null> =
    space.id === allMemoriesOf(space.workspace).id ? store.find(space.workspace, kind, id) : store.get(space, kind, id);
  return found as MaybePromise<RecalledDoc | null>;
};

/** What a run of this agent has consulted: its memories may be of any entity of the workspace. */
export const consultedHit = (agent: EntityRef, { id, type }: { id: string; type: string }): Hit =>
  type === 'message' || type === turnType
    ? { space: agent, kind: type === turnType ? 'turn' : type, id }
    : { space: allMemoriesOf(agent.workspace), kind: 'memory', id };

/** Undefined for a turn that is no longer part of its run. */
export const turnIn = (run: StoredDoc<'run'>, id: string): Turn | undefined =>
  turnsOf(unpackRun(run)).find((turn) => turn.id === id);
