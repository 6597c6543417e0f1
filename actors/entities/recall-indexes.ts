/**
 * Keeps the recall indexes of an entity (its own, and the workspace's of all memories) in step with its commits.
 *
 *  RecallIndexes.I1 What is acknowledged is searchable. After a commit whose outcome is unknown, or that somebody else may
 *                  have written, the indexes are built anew, and so they know what the store knows.
 *  RecallIndexes.I2 A load that finishes somebody's commit tells the indexes of its documents: they may have been built
 *                  before these were there.
 */
import type { Recall } from '../../src/memory/port.js';
import { type EntityRef, entityKey, type LoadedHead } from '../../src/store/port.js';
import { recallDocument } from './recall-documents.js';

type Body = Record<string, unknown>;
type Kind = 'memory' | 'message';

const isRecalled = (kind: string): kind is Kind => kind === 'memory' || kind === 'message';

/** All memories of a workspace, whoever's they are: what a search without a scope looks through. It has an index, but no actor. */
export const allMemoriesOf = (workspace: string): EntityRef => ({ workspace, kind: 'workspace', id: '*' });

export class RecallIndexes {
  /** Entities whose indexes are to be built anew when they are loaded again. */
  private readonly stale = new Set<string>();

  constructor(private readonly recall: Pick<Recall, 'put' | 'remove' | 'drop'>) {}

  put(entity: EntityRef, kind: Kind, body: Body): void {
    const document = recallDocument(kind, body);
    this.recall.put(entity, document);
    if (kind === 'memory')
      this.recall.put(allMemoriesOf(entity.workspace), {
        ...document,
        sessionId: document.sessionId && `${entity.id}/${document.sessionId}`,
      });
  }

  remove(entity: EntityRef, kind: Kind, id: string): void {
    this.recall.remove(entity, kind, id);
    if (kind === 'memory') this.recall.remove(allMemoriesOf(entity.workspace), kind, id);
  }

  /** What was decided in memory may not be what the store has. */
  outdated(entity: EntityRef): void {
    this.stale.add(entityKey(entity));
  }

  /** The entity has been loaded, and whatever its last commit left undone is done. */
  loaded(entity: EntityRef, head: LoadedHead | null): void {
    if (this.stale.delete(entityKey(entity))) {
      this.recall.drop(entity);
      this.recall.drop(allMemoriesOf(entity.workspace));
      return;
    }
    for (const { kind, body } of head?.lastChanges?.puts ?? []) if (isRecalled(kind)) this.put(entity, kind, body);
    for (const { kind, id } of head?.lastChanges?.deletes ?? []) if (isRecalled(kind)) this.remove(entity, kind, id);
  }
}
