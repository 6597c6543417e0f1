/** What a hive or a workspace's desk can be asked (../operation.ts). */
import {
  type WorkspaceEntityCommands,
  type WorkspaceEntityState,
} from '../../../src/domain/workspace/workspace-entity.js';
import { memoryOperations, type Reads, usedOperation } from '../memory-operations.js';
import { operationsWith, type RequestOf } from '../operation.js';

export type WorkspaceEntityReads = Reads<WorkspaceEntityState>;

const { plain, work } = operationsWith<WorkspaceEntityCommands, WorkspaceEntityReads>();

export const workspaceEntityOperations = {
  ...memoryOperations,
  used: usedOperation('key'),
  alert: plain('alert', { repeatable: true }),
  alertModelBudget: plain('alertModelBudget', { repeatable: true }),
  /** Loads the actor, which continues its unfinished work; loads it again if the stored head is newer (`seq`). */
  wake: work<{ seq?: number }, undefined>({ repeatable: true }),
};

export type WorkspaceEntityOperations = typeof workspaceEntityOperations;
export type WorkspaceEntityRequest<N extends keyof WorkspaceEntityOperations = keyof WorkspaceEntityOperations> =
  RequestOf<WorkspaceEntityOperations, N>;
