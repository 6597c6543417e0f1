/** What can be asked of subjects, the people that an agent knows (docs/api.md 13.4; shared/caller.ts). */
import { notFound } from '../domain/shared/errors.js';
import { forgetSubjectUse } from '../domain/agent/budgets.js';
import { removeMemory } from '../domain/memory/memories.js';
import { deleteSubjectPart } from '../domain/run/session-deletion.js';
import { isSameSubject } from '../domain/shared/caller.js';
import { itemsOf } from '../store/list-query.js';
import { listOfBlocks } from './block-reads.js';
import { deleteBlock } from './blocks.js';
import { partialChange, procedure, takes } from './command.js';
import { agentRef, headOf, hiveRef, isNotFound } from './entities.js';
import { memoriesById } from './memory-reads.js';
import { deleteSchedule } from './schedules.js';
import { countPartsOf, sessionPart } from './session-reads.js';
import { sumsOf } from './subject-use.js';

/**
 * Deletes a part of what the agent has of the subject, and results in whether there is more. `noted`: how many things
 * go, at the first.
 */
export const removeSubjectPart = partialChange({
  name: 'removeSubjectPart',
  of: 'agent',
  target: ['id'],
  takes: takes<{ subject: string; noted: number }>(),
  audit: 'subject.deleted',
  noted: ({ input: { subject, noted: count } }) => (count > 0 ? { target: subject, count } : null),
  read: (reading, { input: { subject } }) =>
    reading.settled(async () => {
      const { deps, entity, state } = reading;
      const part = await sessionPart(deps.store, entity, { list: 'subject', by: subject }, state);
      return { part, sums: part.more ? [] : await sumsOf(deps.store, entity, subject, deps.clock.now()) };
    }),
  decide(d, { input: { subject } }, { part, sums }) {
    forgetSubjectUse(d, sums);
    const { found, more } = deleteSubjectPart(d, { subject, part });
    return { found: found || sums.length > 0, more };
  },
});

/** Deletes those of the memories that are there. */
export const removeShared = partialChange({
  name: 'removeShared',
  of: 'hive',
  target: ['id'],
  takes: takes<{ ids: readonly string[] }>(),
  read: (reading, { input: { ids } }) => reading.settled(() => memoriesById(reading.deps.store, reading.entity, ids)),
  decide(d, _call, memories): void {
    for (const memory of memories) removeMemory(d, memory);
  },
});

const partItems = 100;

/** Deletes everything that the agent has of a subject, and has shared of that; NOT_FOUND if there is nothing. */
export const deleteSubject = procedure({
  name: 'deleteSubject',
  summary: 'Delete everything that an agent has of a subject: memories, runs, messages, schedules and blocks.',
  scope: 'agent:manage',
  result: 'Deleted',
  audit: 'subject.deleted',
  target: ['id', 'subject'],
  async run({ store, execute }, { caller, target: { id, subject } }) {
    const agent = agentRef(caller, id);
    const { workspace } = caller;
    const { snapshot } = await headOf({ store }, agent);
    let noted = await countPartsOf(store, agent, { list: 'subject', by: subject });
    for (const hive of snapshot.sharedWith) {
      const shared = { workspace, entity: hiveRef(caller, hive), collection: 'memory', list: 'subject' } as const;
      noted += (await store.count({ ...shared, by: subject, where: { shared_by: id } }, 10_000)).count;
    }
    let any = false;
    for (let more = true; more; noted = 0) {
      const removed = await execute(caller, removeSubjectPart, { id }, { subject, noted });
      any ||= removed.found;
      more = removed.more;
    }
    const page = { order: 'desc', limit: partItems, maxBytes: 1024 * 1024 } as const;
    for (const hive of snapshot.sharedWith) {
      const shared = { workspace, entity: hiveRef(caller, hive), collection: 'memory', list: 'subject' } as const;
      let ids: string[] = [];
      const forget = async (): Promise<void> => {
        any = true;
        await unlessGone(execute(caller, removeShared, { id: hive }, { ids }));
        ids = [];
      };
      for await (const memory of itemsOf(store, { ...shared, by: subject, ...page })) {
        if (memory.body.shared_by === id) ids.push(memory.id);
        if (ids.length === partItems) await forget();
      }
      if (ids.length > 0) await forget();
    }
    const schedules = { workspace, entity: agent, collection: 'schedule', list: 'created' } as const;
    for await (const schedule of itemsOf(store, { ...schedules, order: 'asc', limit: 100 }))
      if (isSameSubject(schedule.body, { subject })) {
        any = true;
        await unlessGone(execute(caller, deleteSchedule, { id, scheduleId: schedule.id }));
      }
    for await (const { body } of itemsOf(store, { ...listOfBlocks(agent, { subject }), order: 'asc', limit: 100 })) {
      any = true;
      await unlessGone(execute(caller, deleteBlock, { id, label: body.label }, { subject }));
    }
    if (!any) throw notFound('subject', subject);
  },
});

/** What is gone meanwhile is as it is wanted. */
async function unlessGone(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
