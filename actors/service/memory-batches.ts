/** Many memories in one request: a commit for each entity that they belong to. */
import { HivekeepError, invalid } from '../../src/domain/shared/errors.js';
import type { MemoryInput } from '../../src/domain/shared/inputs.js';
import type { RememberInput } from '../../src/domain/memory/memories.js';
import { failedItem } from '../../src/domain/memory/memory-commands.js';
import type { BatchItem, BatchResult } from '../../src/domain/model/model.js';
import { isShortTerm, monthlyLimit, type QuotaExceeded } from '../../src/domain/workspace/usage.js';
import type { Caller } from '../../src/service.js';
import { entityKey, type EntityRef } from '../../src/store/port.js';
import { deskRef } from '../../src/commands/entities.js';
import { askActor, type ServiceContext, withClaimedKey } from './context.js';
import { checkReach, spaceOf } from './memory-reach.js';

/** Adds the memories of each agent, each hive and the workspace with one request to its actor. */
export async function createMemories(
  c: ServiceContext,
  caller: Caller,
  memories: readonly MemoryInput[],
): Promise<BatchResult> {
  const results = new Array<BatchItem>(memories.length);
  const groups = new Map<string, { entity: EntityRef; indexes: number[] }>();
  for (const [index, { agent_id, hive_id, expires_at }] of memories.entries()) {
    if (expires_at && Date.parse(expires_at) <= c.deps.clock.now()) {
      results[index] = failedItem(invalid({ path: `memories.${index}.expires_at`, message: 'must be in the future' }));
      continue;
    }
    const entity = spaceOf(caller, { agent_id, hive_id }) ?? deskRef(caller);
    const group = groups.get(entityKey(entity)) ?? { entity, indexes: [] };
    group.indexes.push(index);
    groups.set(entityKey(entity), group);
  }
  const create = async ({ entity, indexes }: { entity: EntityRef; indexes: number[] }): Promise<void> => {
    const inputs = indexes.map((index) => {
      const { agent_id: _a, hive_id: _h, ...input } = memories[index] as MemoryInput;
      return input;
    });
    const items = await checkReach(c, caller, entity, 'change')
      .then(() => createIn(c, caller, entity, inputs))
      .catch(allFailed(inputs.length));
    for (const [i, index] of indexes.entries()) results[index] = items[i] as BatchItem;
  };
  // One after the other where places are scarce: a refused memory must not hold one that another could have.
  if (monthlyLimit(caller.tier) === null) await Promise.all([...groups.values()].map(create));
  else for (const group of groups.values()) await create(group);
  const added = results.filter(({ memory }) => memory !== null).length;
  const repeated = results.filter(({ memory }) => memory !== null && memory.times_seen > 1).length;
  return { created: added - repeated, repeated, failed: results.length - added, results };
}

/** The outcome of each of so many memories that one error prevented. */
const allFailed =
  (count: number) =>
  (error: unknown): BatchItem[] => {
    if (!(error instanceof HivekeepError) || error.code === 'IDEMPOTENCY_MISMATCH') throw error;
    return Array.from({ length: count }, () => failedItem(error));
  };

/** So many, of so many characters as JSON, are decided on and indexed in one turn of the event loop. */
const mostInPart = { memories: 100, chars: 48 * 1024 };

/** How many of the memories from there on are in one part: one at least. */
function partFrom(inputs: readonly RememberInput[], from: number): number {
  let chars = 0;
  let count = 0;
  for (; count < mostInPart.memories && from + count < inputs.length; count++) {
    chars += JSON.stringify(inputs[from + count]).length;
    if (chars > mostInPart.chars && count > 0) break;
  }
  return count;
}

/** Adds the memories of one entity by a commit for each part of them. */
async function createIn(
  c: ServiceContext,
  caller: Caller,
  entity: EntityRef,
  inputs: readonly RememberInput[],
): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  while (items.length < inputs.length) {
    const part = inputs.slice(items.length, items.length + partFrom(inputs, items.length));
    items.push(...(await createPart(c, caller, entity, part, items.length).catch(allFailed(part.length))));
  }
  return items;
}

/** Adds as many of the memories as there is room for, and tells of each of the others that there is none. */
async function createPart(
  c: ServiceContext,
  caller: Caller,
  entity: EntityRef,
  inputs: readonly RememberInput[],
  from: number,
): Promise<BatchItem[]> {
  const now = c.deps.clock.now();
  const idempotencyKey = withClaimedKey(caller)?.idempotencyKey;
  const send = (room: number | null, full: QuotaExceeded | null): Promise<BatchItem[]> =>
    askActor(c, caller, entity, {
      type: 'rememberAll',
      inputs,
      room,
      full,
      // the command itself has a record of its own; a repeat gets the outcome that is recorded of each part
      ...(idempotencyKey && {
        idempotencyKey: { ...idempotencyKey, id: `${idempotencyKey.id}/memories${from === 0 ? '' : `/${from}`}` },
      }),
    });
  const isLasting = ({ expires_at }: RememberInput): boolean => !isShortTerm(expires_at, now);
  const lasting = inputs.filter(isLasting).length;
  const reservation = lasting === 0 ? null : await c.deps.quota.take(caller, lasting);
  return reservation ? reservation.during((full) => send(reservation.granted, full)) : send(null, null);
}
