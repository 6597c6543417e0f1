/** The service's operations on the schedules of an agent. */
import { setImmediate } from 'node:timers/promises';
import { notFound } from '../../src/domain/errors.js';
import type { Schedule } from '../../src/domain/model.js';
import { showSchedule, type StoredSchedule } from '../../src/domain/schedules.js';
import { sightOf } from '../../src/domain/sight.js';
import { timesAfter } from '../../src/schedules/times.js';
import type { Caller, Service } from '../../src/service.js';
import { agentRef, ask, headOf, pageOf, type ServiceContext, withIdempotencyKey } from './context.js';
import { checkGivenOverrides, sealedFor } from './overrides.js';

const timesShown = 5;

export function scheduleService(c: ServiceContext) {
  const { store, clock } = c.deps;
  const shown = (caller: Caller, schedule: StoredSchedule): Schedule =>
    showSchedule(schedule, schedule.paused ? [] : timesAfter(schedule, clock.now(), timesShown), sightOf(caller));
  return {
    async addSchedule(caller, agent, input) {
      if (input.overrides) await checkGivenOverrides(c, caller, input.overrides);
      return shown(
        caller,
        await ask(c, caller, agent, {
          type: 'addSchedule',
          input: { ...input, overrides: sealedFor(c, agent, input.overrides) },
          trusted: sightOf(caller).decides,
          ...withIdempotencyKey(caller),
        }),
      );
    },
    async listSchedules(caller, agent, page) {
      const { snapshot } = await headOf(c, agentRef(caller, agent));
      const { schedules = {} } = snapshot;
      const found = await pageOf(
        c,
        { workspace: caller.workspace, entity: agentRef(caller, agent), collection: 'schedule', list: 'created' },
        page,
        Object.keys(schedules).length,
        ({ body }) => body,
      );
      const items: Schedule[] = [];
      for (const schedule of found.items) {
        items.push(shown(caller, schedule));
        // the next times of a rare date take milliseconds to find
        await setImmediate();
      }
      return { ...found, items };
    },
    async getSchedule(caller, agent, id) {
      await headOf(c, agentRef(caller, agent));
      const doc = await store.get(agentRef(caller, agent), 'schedule', id);
      if (!doc) throw notFound('schedule', id);
      return shown(caller, doc.body);
    },
    async pauseSchedule(caller, agent, id, { paused }) {
      return shown(caller, await ask(c, caller, agent, { type: 'pauseSchedule', id, paused }));
    },
    async deleteSchedule(caller, agent, id) {
      await ask(c, caller, agent, { type: 'deleteSchedule', id });
    },
  } satisfies Partial<Service>;
}
