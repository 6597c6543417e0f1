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
import type { Recall, RecallChange } from '../../src/memory/port.js';
import { type EntityRef, entityKey, type LoadedHead, type RecalledKind } from '../../src/store/port.js';
import { turnIdsOf } from '../../src/domain/conversation.js';
import { recallChanges, recalledForm, type RecalledNow, type VectorSource } from './recall-documents.js';

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
