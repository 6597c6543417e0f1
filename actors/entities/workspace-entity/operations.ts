/** What a hive or a workspace's desk can be asked (../operation.ts). */
import { type WorkspaceEntityCommands, type WorkspaceEntityState } from '../../../src/domain/workspace-entity.js';
import { memoryOperations, type Reads, usedOperation } from '../memory-operations.js';
import { sharedMemories } from '../memory-reads.js';
import { operationsWith, type RequestOf } from '../operation.js';

const slice = 200;

export type WorkspaceEntityReads = Reads<WorkspaceEntityState>;

const { plain, looking, work } = operationsWith<WorkspaceEntityCommands, WorkspaceEntityReads>();

export const workspaceEntityOperations = {
  ...memoryOperations,
  /** Deletes a slice of the memories that a deleted agent shared; answers whether that was all of them. */
  forgetAgent: looking(
    'forgetAll',
    async (e, { agent }: { agent: string }) => ({
      memories: await sharedMemories(e.deps.store, e.entity, agent, slice),
    }),
    { answer: (forgotten: number): boolean => forgotten < slice, repeatable: true },
  ),
  used: usedOperation('key'),
  /** Stores a record, by which what comes later is known (`goneKey`). */
  reserve: plain('reserve'),
  alert: plain('alert', { repeatable: true }),
  setAlerts: plain('setAlerts'),
  /** Loads the actor, which continues its unfinished work; loads it again if the stored head is newer (`seq`). */
  wake: work<{ seq?: number }, undefined>({ repeatable: true }),
};

export type WorkspaceEntityOperations = typeof workspaceEntityOperations;
export type WorkspaceEntityRequest<N extends keyof WorkspaceEntityOperations = keyof WorkspaceEntityOperations> =
  RequestOf<WorkspaceEntityOperations, N>;
