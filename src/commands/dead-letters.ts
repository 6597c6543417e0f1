/** What can be asked of pushes that were given up (docs/api.md 6.2). */
import { z } from 'zod';
import { notFound } from '../domain/shared/errors.js';
import { showDeadLetter } from '../domain/task/push.js';
import { replayPush } from '../domain/task/push-commands.js';
import { reserve } from './claims.js';
import { type Call, change, query } from './command.js';
import { agentRef } from './entities.js';
import { pageOf, type PageRequest } from './lists.js';

/** Those of the workspace, newest first. */
export const listDeadLetters = query({
  name: 'listDeadLetters',
  summary: 'List push notifications that could not be delivered.',
  scope: 'agent:read',
  result: 'DeadLetter',
  target: [],
  async run(services, { caller: { workspace }, input: { page } }: Call<never, { page: PageRequest }>) {
    const total = await services.store.sum(workspace, 'deadLetters');
    return pageOf(services, { workspace, collection: 'deadLetter', list: 'created' }, page, total, ({ entity, body }) =>
      showDeadLetter(entity.id, body),
    );
  },
});

export const replayDeadLetter = change({
  name: 'replayDeadLetter',
  summary: 'Retry a push notification, starting from its first attempt.',
  scope: 'agent:manage',
  result: 'DeadLetter',
  audit: 'push.replayed',
  of: 'agent',
  target: ['id'],
  input: z.strictObject({}),
  async prepare(services, { caller, target: { id } }) {
    const found = await services.store.find(caller.workspace, 'deadLetter', id);
    const agent = await reserve(services, caller, found?.entity.id ?? null);
    if (agent === null) throw notFound('dead letter', id);
    return { agent };
  },
  at: ({ caller, input: { agent } }) => agentRef(caller, agent),
  noted: ({ target: { id } }) => ({ target: id }),
  read: (reading, { target: { id } }) =>
    reading.settled(async () => {
      const { deps, entity } = reading;
      const doc = await deps.store.get(entity, 'deadLetter', id);
      if (!doc) throw notFound('dead letter', id);
      return { letter: doc.body, agent: entity.id };
    }),
  decide: (d, _call, { letter, agent }) => showDeadLetter(agent, replayPush(d, { letter })),
});
