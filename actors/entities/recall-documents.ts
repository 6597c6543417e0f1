/**
 * Converts what is stored (memories, messages, and runs with their turns) into recall documents, and reads the
 * documents that an index is built from.
 */
import type { AgentSnapshot, RunRecord } from '../../src/domain/agent-state.js';
import { typedTurns } from '../../src/domain/conversation.js';
import { activeRuns } from '../../src/domain/run-queue.js';
import { remarkOf } from '../../src/english/remarks.js';
import type { Vectors } from '../../src/embeddings/vectors.js';
import { pairsOf } from '../../src/domain/facets.js';
import type { Metadata } from '../../src/domain/vocabulary.js';
import { unpackRun } from '../../src/domain/stored-run.js';
import type { RecallDocument, RecallSource } from '../../src/memory/port.js';
import { pagesOf } from '../../src/store/pages.js';
import type { EntityRef, Head, Listed, Store } from '../../src/store/port.js';
import { allShards, shardCount } from '../../src/store/shards.js';

/** The kinds of documents that recall finds something of. */
export type RecalledKind = 'memory' | 'message' | 'run';

const text = (v: unknown): string => (typeof v === 'string' ? v : '');
const textOrNull = (v: unknown): string | null => (typeof v === 'string' ? v : null);

/** Finds the vectors of memories, where they are used (src/embeddings). */
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
    superseded: typeof body['superseded_by'] === 'string',
    speaker: textOrNull(body['speaker']),
    importance: typeof body['importance'] === 'number' ? body['importance'] : null,
    pairs: pairsOf(body['metadata'] as Metadata | undefined),
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
  }));
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

async function* pages(
  store: Store,
  workspace: string,
  collection: RecalledKind,
  entity?: EntityRef,
  runs = Infinity,
): AsyncIterable<Listed[]> {
  for await (const { items } of pagesOf(store, {
    workspace,
    ...(collection === 'run'
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
    yield items;
}

/**
 * Returns a source that reads one context from the store: an agent's memories, messages and turns, the memories of a
 * hive or of a workspace's desk, or (for id `*`) all memories of a workspace. For `*` it reads only memories of
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
  return async function* source(context: EntityRef, part?: EntityRef) {
    const { workspace } = context;
    if (context.id === '*') {
      for await (const items of part ? pages(store, workspace, 'memory', part) : memoriesIn(store, workspace, serves))
        yield ofWorkspace(items);
      return;
    }
    // Heads are read together where many contexts are built at once, as at a takeover; most of these have nothing.
    const head = await store.head(context);
    const has = (name: 'memories' | 'messages' | 'runs'): boolean => (head?.counts[name] ?? 0) > 0;
    if (has('memories'))
      for await (const items of pages(store, workspace, 'memory', context))
        yield items.map(({ body }) => recallDocument('memory', body, vectorOf(context, body)));
    if (context.kind !== 'agent') return;
    if (has('messages'))
      for await (const items of pages(store, workspace, 'message', context))
        yield items.flatMap((item) => documentsOf('message', item));
    if (has('runs'))
      for await (const items of runsOf(store, context, head)) yield items.flatMap((item) => documentsOf('run', item));
  };
}

/** The memories of a workspace in these shards; those of each entity are in order of creation. */
async function* memoriesIn(
  store: Store,
  workspace: string,
  serves: (shard: number) => boolean,
): AsyncIterable<Listed[]> {
  const shards = allShards.filter(serves);
  if (shards.length === shardCount) {
    yield* pages(store, workspace, 'memory');
    return;
  }
  for await (const heads of store.allHeads({ workspace, shards }))
    for (const { entity, counts } of heads)
      if ((counts['memories'] ?? 0) > 0) yield* pages(store, workspace, 'memory', entity);
}

/**
 * At a takeover the indexes of many agents are built at once, most of which have no other runs than those in progress.
 * These are read by their ids, because such reads of many agents go to the store together, and lists do not.
 */
async function* runsOf(store: Store, agent: EntityRef, head: Head | null): AsyncIterable<StoredRun[]> {
  const { running = [], pending = [] } = (head?.snapshot ?? {}) as Partial<AgentSnapshot>;
  const inProgress = activeRuns({ running, pending }).map(({ id }) => id);
  const runs = head?.counts['runs'] ?? 0;
  if (inProgress.length < runs) yield* pages(store, agent.workspace, 'run', agent, runs);
  else yield (await store.getMany(agent, 'run', inProgress)).filter((run) => run !== null);
}
