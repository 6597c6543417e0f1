/** The service's operation on subjects (src/domain/subjects.ts): their deletion. */
import { type ErrorCode, HivekeepError, notFound } from '../../src/domain/errors.js';
import { isTerminal } from '../../src/domain/model.js';
import { isSameSubject } from '../../src/domain/subjects.js';
import { unpackRun } from '../../src/domain/stored-run.js';
import type { Caller, Service } from '../../src/service.js';
import { itemsOf } from '../../src/store/pages.js';
import type { EntityRef, Listed, RecalledKind } from '../../src/store/port.js';
import { agentRef, ask, headOf, hiveRef, type ServiceContext } from './context.js';

export function subjectService(c: ServiceContext): Pick<Service, 'deleteSubject'> {
  return {
    async deleteSubject(caller, id, subject) {
      const agent = agentRef(caller, id);
      const { snapshot } = await headOf(c, agent);
      let found = await deleteRuns(c, caller, agent, subject);
      const remove = async (asked: Promise<unknown>): Promise<void> => {
        found = true;
        await unlessGone(asked);
      };
      for await (const { id: message } of ownedBy(c, agent, 'message', subject))
        await remove(ask(c, caller, id, { type: 'deleteMessage', id: message }));
      for await (const { id: memory } of ownedBy(c, agent, 'memory', subject))
        await remove(ask(c, caller, agent, { type: 'forget', id: memory }));
      for (const hive of snapshot.sharedWith)
        for await (const shared of ownedBy(c, hiveRef(caller, hive), 'memory', subject))
          if (shared.body.shared_by === id)
            await remove(ask(c, caller, hiveRef(caller, hive), { type: 'forget', id: shared.id }));
      const schedules = { workspace: agent.workspace, entity: agent, collection: 'schedule', list: 'created' } as const;
      for await (const schedule of itemsOf(c.deps.store, { ...schedules, order: 'asc', limit: 100 }))
        if (isSameSubject(schedule.body, { subject }))
          await remove(ask(c, caller, id, { type: 'deleteSchedule', id: schedule.id }));
      if (!found) throw notFound('subject', subject);
    },
  };
}

/** The newest first, because forks go before the runs that they continue. Resolves to whether there were any. */
async function deleteRuns(c: ServiceContext, caller: Caller, agent: EntityRef, subject: string): Promise<boolean> {
  let found = false;
  for await (const item of ownedBy(c, agent, 'run', subject)) {
    found = true;
    const runId = item.id;
    if (!isTerminal(unpackRun(item).status))
      await unlessGone(ask(c, caller, agent.id, { type: 'cancel', runId }), ['NOT_FOUND', 'CONFLICT']);
    let isDone: unknown = false;
    while (isDone === false) isDone = await unlessGone(ask(c, caller, agent.id, { type: 'deleteRun', runId }));
  }
  return found;
}

const ownedBy = <C extends RecalledKind>(
  { deps: { store } }: ServiceContext,
  entity: EntityRef,
  collection: C,
  subject: string,
): AsyncIterable<Listed<C>> =>
  itemsOf(store, {
    workspace: entity.workspace,
    entity,
    collection,
    list: 'subject',
    by: subject,
    order: 'desc',
    limit: 100,
    maxBytes: 1024 * 1024,
  });

/** What is gone or has ended meanwhile is as it is wanted. */
async function unlessGone<T>(asked: Promise<T>, wanted: readonly ErrorCode[] = ['NOT_FOUND']): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HivekeepError && wanted.includes(error.code)) return undefined;
    throw error;
  }
}
