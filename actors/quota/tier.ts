/** The tier of a workspace, which its desk says. */
import type { Tier } from '../../src/domain/vocabulary.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import { wait, type Waiting } from '../../src/maybe-promise.js';

export const deskOf = (workspace: string): EntityRef & { kind: 'workspace' } => ({
  workspace,
  kind: 'workspace',
  id: workspace,
});

/** Null if the workspace does not exist. */
export function* tierOf(store: Pick<Store, 'head'>, workspace: string): Waiting<Tier | null> {
  const head = yield* wait(store.head(deskOf(workspace)));
  return head && head.snapshot.tier;
}
