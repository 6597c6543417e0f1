/** The last part of a delete: everything of a fenced entity goes, slice by slice. */
import type { EntityRef } from '../../src/store/port.js';
import { allMemoriesOf, type EntityDependencies } from './dependencies.js';

const slice = 500;

/** Resolves when nothing of the entity is left but its head. Safe to run again after a crash in the middle. */
export async function purgeEntity({ store, recall }: EntityDependencies, entity: EntityRef): Promise<void> {
  const { workspace } = entity;
  const all = allMemoriesOf(workspace);
  recall.drop(entity);
  for (let done = false; !done;) {
    const page = await store.list({
      workspace,
      entity,
      collection: 'memory',
      list: 'created',
      order: 'asc',
      limit: slice,
    });
    for (const { id } of page.items) recall.remove(all, 'memory', id);
    done = await store.purge(entity, slice);
  }
}
