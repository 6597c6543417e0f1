/**
 * Converts what is stored (memories, messages, and runs with their turns) into recall documents, and reads the
 * documents that an index is built from.
 */
import type { AgentSnapshot, RunRecord } from '../../src/domain/agent-state.js';
import { turnIdsOf, typedTurns } from '../../src/domain/conversation.js';
import { textHash } from '../../src/domain/identities.js';
import { activeRuns } from '../../src/domain/run-queue.js';
import { remarkOf } from '../../src/english/remarks.js';
import type { Vectors } from '../../src/embeddings/vectors.js';
import { pairsOf } from '../../src/domain/facets.js';
import type { Metadata } from '../../src/domain/vocabulary.js';
import { unpackRun } from '../../src/domain/stored-run.js';
import { isSameSubject } from '../../src/domain/subjects.js';
import type { ImageSource, RecallChange, MemorySpace, RecallDocument, RecallSource } from '../../src/memory/port.js';
import type { StoredMemory } from '../../src/domain/stored-memory.js';
import { pagesOf } from '../../src/store/pages.js';
import type { ChangedDoc, EntityRef, Head, KeptImages, Listed, RecalledKind, Store } from '../../src/store/port.js';

const text = (v: unknown): string => (typeof v === 'string' ? v : '');
const textOrNull = (v: unknown): string | null => (typeof v === 'string' ? v : null);

/** Finds the vector of a memory; null if it has none, or if vectors are not used (src/embeddings). */
export type VectorSource = (entity: EntityRef, body: Record<string, unknown>) => Int8Array | null;
export const vectorSource =
  (vectors: Vectors | undefined): VectorSource =>
  (entity, body) =>
    vectors?.of(entity, body) ?? null;

export function recallDocument(
  kind: 'memory' | 'message',
  body: Record<string, unknown>,
  vector: Int8Array | null = null,
): RecallDocument {
  const message = kind === 'message';
  const expires = textOrNull(body['expires_at']);
  const occurred = textOrNull(body['occurred_at']);
  const ends = textOrNull(body['valid_until']);
  const superseded = typeof body['superseded_by'] === 'string';
  const hash = message || superseded ? null : textHash(body as unknown as StoredMemory);
  return {
    kind,
    id: text(body['id']),
    type: message ? 'message' : text(body['type']),
    content: text(body['content']),
    sessionId: message ? null : textOrNull(body['sessionId']),
    position: message || typeof body['position'] !== 'number' ? null : body['position'],
    expiresAt: expires === null ? null : Date.parse(expires),
    occurredAt: occurred === null ? null : Date.parse(occurred),
    validUntil: ends === null ? null : Date.parse(ends),
    superseded,
    speaker: textOrNull(body['speaker']),
    importance: typeof body['importance'] === 'number' ? body['importance'] : null,
    subject: textOrNull(body['subject']),
    pairs: pairsOf(body['metadata'] as Metadata | undefined),
    ...(hash !== null && { text: hash }),
    ...(vector && { vector }),
  };
}

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

/** What recall finds of a document as it is now, and what it no longer finds; `body` is null if it was deleted. */
export function recallChanges(
  kind: RecalledKind,
  id: string,
  body: Record<string, unknown> | null,
  vector: Int8Array | null = null,
): RecallChange[] {
  if (kind !== 'run') return body ? [{ put: recallDocument(kind, body, vector) }] : [{ removed: { kind, id } }];
  const turns = body ? turnDocuments(body as unknown as RunRecord) : [];
  const there = new Set(turns.map((turn) => turn.id));
  const ids = body ? turnIdsOf(id, Array.isArray(body['messages']) ? body['messages'].length : 0) : turnIdsOf(id);
  return [
    ...ids.filter((one) => !there.has(one)).map((one) => ({ removed: { kind: 'turn' as const, id: one } })),
    ...turns.map((put) => ({ put })),
  ];
}

/** What is read of a run, by its id or from a list. */
type StoredRun = Pick<Listed, 'id' | 'entity' | 'body'>;

const documentsOf = (kind: RecalledKind, item: StoredRun): RecallDocument[] =>
  kind === 'run' ? turnDocuments(unpackRun(item)) : [recallDocument(kind, item.body)];

const pageSize = 200;
/** Runs may be large, and only a part of each is indexed. */
const runPageBytes = 4 * 1024 * 1024;

/**
 * Of an agent with few runs all are read: the list of those with turns would spare few of them, and not every server
 * that speaks MongoDB's protocol has a cheap index for it.
 */
const fewRuns = pageSize;

/** Of the whole workspace, or of an entity; if that names a subject, only what is about it. `runs`: how many it has. */
async function* pages(
  store: Store,
  workspace: string,
  collection: RecalledKind,
  entity?: MemorySpace,
  runs = Infinity,
): AsyncIterable<Listed[]> {
  const subject = entity?.subject ?? null;
  for await (const { items } of pagesOf(store, {
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
  }))
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
  const ofWorkspace = (items: readonly Listed[]): RecallDocument[] =>
    items.map(({ entity, body }) => {
      const document = recallDocument('memory', body, vectorOf(entity, body));
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
      yield items.map(({ body }) => recallDocument('memory', body, vectorOf(space, body)));
  if (space.kind !== 'agent') return;
  if (has('messages'))
    for await (const items of pages(store, space.workspace, 'message', space))
      yield items.flatMap((item) => documentsOf('message', item));
  if (has('runs'))
    for await (const items of runsOf(store, space, head)) yield items.flatMap((item) => documentsOf('run', item));
}

/** How many entities of a workspace are read at a time: what is read of one is indexed while others are waited for. */
const entitiesAtOnce = 4;

/** The memories of a workspace in these shards; those of each entity are in order of creation. */
async function* memoriesIn(
  store: Store,
  workspace: string,
  serves: (shard: number) => boolean,
): AsyncIterable<Listed[]> {
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
async function* runsOf(store: Store, agent: MemorySpace, head: Head | null): AsyncIterable<StoredRun[]> {
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
  for await (const page of changes)
    yield page.flatMap(({ kind, id, body }) =>
      recallChanges(kind, id, kind === 'run' && body ? { ...unpackRun({ id, entity, body }) } : body),
    );
}
