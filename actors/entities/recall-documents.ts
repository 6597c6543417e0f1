/** Converts stored memories and messages into recall documents, and reads the documents that an index is built from. */
import type { RecallDocument, RecallSource } from '../../src/memory/port.js';
import type { EntityRef, Listed, Page, Position, Store } from '../../src/store/port.js';

const text = (v: unknown): string => (typeof v === 'string' ? v : '');
const textOrNull = (v: unknown): string | null => (typeof v === 'string' ? v : null);

export function recallDocument(kind: 'memory' | 'message', body: Record<string, unknown>): RecallDocument {
  const message = kind === 'message';
  const expires = textOrNull(body['expires_at']);
  const occurred = textOrNull(body['occurred_at']);
  return {
    kind,
    id: text(body['id']),
    type: message ? 'message' : text(body['type']),
    content: text(body['content']),
    sessionId: message ? null : textOrNull(body['sessionId']),
    position: message || typeof body['position'] !== 'number' ? null : body['position'],
    expiresAt: expires === null ? null : Date.parse(expires),
    occurredAt: occurred === null ? null : Date.parse(occurred),
    speaker: textOrNull(body['speaker']),
    importance: typeof body['importance'] === 'number' ? body['importance'] : null,
  };
}

const pageSize = 200;

async function* pages(
  store: Store,
  workspace: string,
  collection: 'memory' | 'message',
  entity?: EntityRef,
): AsyncIterable<Listed[]> {
  let after: Position | undefined;
  do {
    const page: Page = await store.list({
      workspace,
      collection,
      list: 'created',
      limit: pageSize,
      order: 'asc',
      ...(entity && { entity }),
      ...(after && { after }),
    });
    yield page.items;
    after = page.next ?? undefined;
  } while (after);
}

/**
 * Returns a source that reads one context from the store: an agent's memories and messages, the memories of a hive or
 * of a workspace's desk, or (for id `*`) all memories of a workspace. For `*` it returns only memories of entities for
 * which `here` is true, because other processes keep the others.
 */
export function recallSource(store: Store, here: (entity: EntityRef) => boolean = () => true): RecallSource {
  return async function* source(context: EntityRef) {
    const { workspace } = context;
    const all = context.id === '*';
    for await (const items of pages(store, workspace, 'memory', all ? undefined : context)) {
      yield (all ? items.filter((item) => here(item.entity)) : items).map((item) => {
        const document = recallDocument('memory', item.body);
        return all && document.sessionId !== null
          ? { ...document, sessionId: `${item.entity.id}/${document.sessionId}` }
          : document;
      });
    }
    if (context.kind !== 'agent') return;
    for await (const items of pages(store, workspace, 'message', context))
      yield items.map((item) => recallDocument('message', item.body));
  };
}
