/** The service's operation on subjects (src/domain/subjects.ts): their deletion. */
import { deleteSchedule } from '../../src/commands/schedules.js';
import { notFound } from '../../src/domain/errors.js';
import { isSameSubject } from '../../src/domain/subjects.js';
import type { Caller, Service } from '../../src/service.js';
import { itemsOf } from '../../src/store/pages.js';
import { agentRef, headOf, hiveRef, isNotFound, type WorkspaceEntityRef } from '../../src/commands/entities.js';
import { ask, type ServiceContext } from './context.js';

export function subjectService(c: ServiceContext): Pick<Service, 'deleteSubject'> {
  return {
    async deleteSubject(caller, id, subject) {
      const { execute } = c.services;
      const agent = agentRef(caller, id);
      const { snapshot } = await headOf(c.deps, agent);
      let any = false;
      for (let more = true; more;) {
        const part = await ask(c, caller, id, { type: 'deleteSubject', subject });
        any ||= part.found;
        more = part.more;
      }
      for (const hive of snapshot.sharedWith)
        if (await deleteShared(c, caller, hiveRef(caller, hive), id, subject)) any = true;
      const schedules = { workspace: agent.workspace, entity: agent, collection: 'schedule', list: 'created' } as const;
      for await (const schedule of itemsOf(c.deps.store, { ...schedules, order: 'asc', limit: 100 }))
        if (isSameSubject(schedule.body, { subject })) {
          any = true;
          await unlessGone(execute(caller, deleteSchedule, { id, scheduleId: schedule.id }));
        }
      if (!any) throw notFound('subject', subject);
    },
  };
}

const partItems = 100;

/** What the agent has shared of the subject in the hive. Resolves to whether there was any. */
async function deleteShared(
  c: ServiceContext,
  caller: Caller,
  hive: WorkspaceEntityRef,
  agent: string,
  subject: string,
): Promise<boolean> {
  const shared = itemsOf(c.deps.store, {
    workspace: hive.workspace,
    entity: hive,
    collection: 'memory',
    list: 'subject',
    by: subject,
    order: 'desc',
    limit: partItems,
    maxBytes: 1024 * 1024,
  });
  let any = false;
  let ids: string[] = [];
  const forget = async (): Promise<void> => {
    any = true;
    await unlessGone(ask(c, caller, hive, { type: 'forgetAll', ids }));
    ids = [];
  };
  for await (const { id, body } of shared) {
    if (body.shared_by === agent) ids.push(id);
    if (ids.length === partItems) await forget();
  }
  if (ids.length > 0) await forget();
  return any;
}

/** What is gone meanwhile is as it is wanted. */
async function unlessGone(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
