/** The documents of what recall has found. */
import { runOfTurn, turnsOf, turnType } from '../../src/domain/conversation.js';
import type { Turn } from '../../src/domain/model.js';
import { unpackRun } from '../../src/domain/stored-run.js';
import type { MaybePromise } from '../../src/maybe-promise.js';
import type { RecallHit } from '../../src/memory/port.js';
import type { EntityRef, RecalledKind, Store, StoredDoc } from '../../src/store/port.js';
import { allMemoriesOf } from './recall-indexes.js';

type Hit = Pick<RecallHit, 'space' | 'kind' | 'id'>;

export type RecalledDoc = { [K in RecalledKind]: StoredDoc<K> }[RecalledKind];

/** The memory, the message, or the run of the turn; null if it has been deleted meanwhile. */
export const documentOf = (store: Store, { space, kind, id }: Hit): MaybePromise<RecalledDoc | null> => {
  if (kind === 'turn') return store.get(space, 'run', runOfTurn(id));
  const found: MaybePromise<StoredDoc<'memory' | 'message'> | null> =
    space.id === allMemoriesOf(space.workspace).id ? store.find(space.workspace, kind, id) : store.get(space, kind, id);
  return found as MaybePromise<RecalledDoc | null>;
};

/** What a run of this agent has consulted: its memories may be of any entity of the workspace. */
export const consultedHit = (agent: EntityRef, { id, type }: { id: string; type: string }): Hit =>
  type === 'message' || type === turnType
    ? { space: agent, kind: type === turnType ? 'turn' : type, id }
    : { space: allMemoriesOf(agent.workspace), kind: 'memory', id };

/** Undefined for a turn that is no longer part of its run. */
export const turnIn = (run: StoredDoc<'run'>, id: string): Turn | undefined =>
  turnsOf(unpackRun(run)).find((turn) => turn.id === id);
