/** The entities of a workspace: their addresses, and their heads. */
import { type EntityKind, isDeleting } from '../domain/shared/documents.js';
import { HivekeepError, notFound } from '../domain/shared/errors.js';
import { homeOf } from '../domain/workspace/workspace.js';
import type { EntityRef, Head, Store } from '../store/port.js';

export type AgentRef = EntityRef<'agent'>;
export type WorkspaceEntityRef = EntityRef<'hive'> | EntityRef<'workspace'>;

export const agentRef = (caller: { workspace: string }, id: string): AgentRef => ({
  workspace: caller.workspace,
  kind: 'agent',
  id,
});
export const hiveRef = (caller: { workspace: string }, id: string): EntityRef<'hive'> => ({
  workspace: caller.workspace,
  kind: 'hive',
  id,
});
export const deskRef = (caller: { workspace: string }): EntityRef<'workspace'> => ({
  workspace: caller.workspace,
  kind: 'workspace',
  id: caller.workspace,
});

/** The desk that stores the keys a caller can see. A sandbox's keys are stored at its workspace's desk (Sandbox.S2). */
export const keyDesk = (caller: { workspace: string }): EntityRef<'workspace'> =>
  deskRef({ workspace: homeOf(caller.workspace) });

/** Throws NOT_FOUND for an id of another kind or workspace. */
export async function headOf<K extends EntityKind>(
  { store }: { store: Pick<Store, 'head'> },
  entity: EntityRef<K>,
): Promise<Head<K>> {
  const head = await store.head(entity);
  if (!head || head.deleted || isDeleting(head.snapshot)) throw notFound(entity.kind, entity.id);
  return head;
}

export const isNotFound = (error: unknown): boolean => error instanceof HivekeepError && error.code === 'NOT_FOUND';
