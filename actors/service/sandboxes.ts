/** Opens the sandbox of a workspace (src/domain/sandbox.ts) when the first test key is used. */
import { sandboxOf } from '../../src/domain/sandbox.js';
import { newWorkspace, type WorkspaceSnapshot } from '../../src/domain/workspace.js';
import type { Head, Store } from '../../src/store/port.js';
import { type MaybePromise, thenSync } from '../../src/maybe-promise.js';
import type { Clock } from '../../src/domain/clock.js';
import { deskRef } from './context.js';

interface Parts {
  store: Pick<Store, 'head' | 'commit'>;
  clock: Clock;
}

/**
 * Returns the head of the sandbox's desk, and creates the desk if there is none. If several processes do so at the same
 * time, one commit succeeds and the others use its sandbox.
 */
export function sandboxDesk({ store, clock }: Parts, home: Head): MaybePromise<Head> {
  const entity = deskRef({ workspace: sandboxOf(home.entity.workspace) });
  return thenSync(store.head(entity), (known) => {
    if (known) return known;
    const name = sandboxOf((home.snapshot as unknown as WorkspaceSnapshot).name);
    const head: Head = {
      entity,
      seq: 1,
      snapshot: { ...newWorkspace(entity.id, name, 'sandbox', clock.now()) },
      active: false,
      due: null,
      counts: {},
      deleted: false,
    };
    return store.commit({ ...head, puts: [], deletes: [], commands: [], previousCounts: {} }).then(() => head);
  });
}
