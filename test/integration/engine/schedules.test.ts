/** Schedules start runs at their times, each once, through kills and steps of the clock (src/domain/agent/schedules.ts). */
import { deleteAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import type { ScheduleInput } from '../../../src/domain/shared/inputs.js';
import {
  listSchedules,
  createSchedule,
  deleteSchedule,
  getSchedule,
  pauseSchedule,
  runSchedule,
  setSchedule,
} from '../../../src/commands/schedules.js';
import { expect } from 'chai';
import type { Run, Schedule } from '../../../src/domain/model/model.js';
import {
  answers,
  call,
  caller,
  does,
  echo,
  eventually,
  realClock,
  type Script,
  type SkippingClock,
  skippingClock,
} from '../../helpers/engine.js';
import { turn } from '../../helpers/turn.js';
import { codeOf, newestFirst, overStores, type Running } from './kit.js';
import { listRuns } from '../../../src/commands/runs.js';

const minute = 60_000;
const hour = 60 * minute;
const waiting: Script = ({ humanInputs }) =>
  humanInputs.length > 0 ? answers('Done.') : does(call('ask_human', { question: 'May I?' }));

overStores('Schedules', (bed) => {
  let clock: SkippingClock;
  let agent: string;
  let e: Running;
  beforeEach(async () => {
    const skipping = skippingClock();
    clock = { ...skipping, elapsed: realClock.elapsed };
    e = await bed.start(echo, { clock });
    agent = (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
  });
  const restarted = async (): Promise<void> => {
    e.kill();
    e = await bed.start(echo, { clock });
  };
  const runs = async (): Promise<Run[]> =>
    (await e.service.execute(caller, listRuns, { id: agent }, { page: newestFirst })).items;
  const have = (n: number): Promise<unknown> =>
    eventually(async () => {
      const all = await runs();
      return all.length >= n && all.every(({ status }) => status === 'completed');
    }, `run ${n}`);
  /** Enough polls for whatever would still come. */
  const quiet = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      clock.skip(1000);
      for (let n = 0; n < 20; n++) await turn();
    }
  };

  it('each time starts one run, in the conversation and with the input that were given', async () => {
    const { id, next_times } = await e.service.execute(
      caller,
      createSchedule,
      { id: agent },
      {
        every: 60,
        input: 'report',
        sessionId: 'reports',
      },
    );
    expect(next_times).to.have.length(5);
    for (let n = 1; n <= 3; n++) {
      clock.skip(minute);
      await have(n);
    }
    await quiet();
    const all = await runs();
    expect(all).to.have.length(3);
    for (const run of all)
      expect(run).to.include({ triggeredBy: 'schedule', input: 'report', sessionId: 'reports', status: 'completed' });
    expect((await e.service.execute(caller, getSchedule, { id: agent, scheduleId: id }, {})).last).to.deep.equal({
      due: next_times[2],
      run_id: all[0]?.id,
      error: null,
    });
  });

  it('what came while everything was down runs once, or not where the schedule says none', async () => {
    await e.service.execute(caller, createSchedule, { id: agent }, { every: 60, input: 'one' });
    const none = await e.service.execute(
      caller,
      createSchedule,
      { id: agent },
      { every: 3600, input: 'none', catch_up: 'none' },
    );
    e.kill();
    clock.skip(1.5 * hour);
    e = await bed.start(echo, { clock });
    clock.skip(1000);
    await have(1);
    await quiet();
    expect((await runs()).map(({ input }) => input)).to.deep.equal(['one']);
    expect((await e.service.execute(caller, getSchedule, { id: agent, scheduleId: none.id }, {})).last).to.deep.include(
      {
        due: none.next_times[0],
        run_id: null,
      },
    );
    clock.skip(0.5 * hour);
    await have(3);
    await quiet();
    expect((await runs()).map(({ input }) => input).sort()).to.deep.equal(['none', 'one', 'one']);
  });

  it('a kill at any point of it neither loses nor repeats a time', async function () {
    this.timeout(60_000);
    await e.service.execute(caller, createSchedule, { id: agent }, { every: 60, input: 'report' });
    const rounds = 24;
    for (let n = 1; n <= rounds; n++) {
      clock.skip(minute);
      for (let i = 0; i < n; i++) await turn();
      await restarted();
      clock.skip(1000);
      await have(n);
    }
    await quiet();
    expect(await runs()).to.have.length(rounds);
  });

  it('Schedules.E2: a clock that is set back repeats no time, and one that ran ahead skips none that is to come', async () => {
    await e.service.execute(caller, createSchedule, { id: agent }, { every: 60, input: 'report' });
    clock.skip(minute);
    await have(1);
    clock.skip(-2 * minute);
    await quiet();
    await restarted();
    await quiet();
    expect(await runs()).to.have.length(1);
    clock.skip(3 * minute);
    await have(2);
    await quiet();
    expect(await runs()).to.have.length(2);
  });

  it('a schedule of one time is gone with it; a paused one waits, and does not catch up', async () => {
    const at = new Date(clock.now() + minute).toISOString();
    await e.service.execute(caller, createSchedule, { id: agent }, { at, input: 'once' });
    const paused = await e.service.execute(caller, createSchedule, { id: agent }, { every: 60, input: 'paused' });
    expect(
      (await e.service.execute(caller, pauseSchedule, { id: agent, scheduleId: paused.id }, { paused: true }))
        .next_times,
    ).to.deep.equal([]);
    clock.skip(10 * minute);
    await have(1);
    await quiet();
    expect((await runs()).map(({ input }) => input)).to.deep.equal(['once']);
    const { items, total } = await e.service.execute(caller, listSchedules, { id: agent }, { page: newestFirst });
    expect([items.map(({ id }) => id), total]).to.deep.equal([[paused.id], 1]);
    await e.service.execute(caller, pauseSchedule, { id: agent, scheduleId: paused.id }, { paused: false });
    await quiet();
    expect(await runs()).to.have.length(1);
    clock.skip(minute);
    await have(2);
  });

  it('says why a time started no run, and goes on with the next', async () => {
    const { id } = await e.service.execute(caller, createSchedule, { id: agent }, { every: 60, input: 'report' });
    await e.service.execute(caller, patchAgent, { id: agent }, { status: 'inactive' });
    clock.skip(minute);
    const refused = await eventually(
      async () => (await e.service.execute(caller, getSchedule, { id: agent, scheduleId: id }, {})).last,
    );
    expect(refused).to.deep.include({ run_id: null });
    expect(refused.error?.code).to.equal('AGENT_INACTIVE');
    await e.service.execute(caller, patchAgent, { id: agent }, { status: 'active' });
    clock.skip(minute);
    await have(1);
  });

  it('Schedules.E3: of a name there is one, however often and after whatever it is asked for, at its next time', async () => {
    const named = { id: agent, scheduleName: 'daily' };
    const set = (input: Omit<ScheduleInput, 'name'>): Promise<Schedule> =>
      e.service.execute(caller, setSchedule, named, input);
    const daily = { every: 3600, input: 'report', overrides: { temperature: 0.5 } };
    const first = await set(daily);
    expect(first).to.include({ name: 'daily', if_running: 'queue', catch_up: 'one' });
    clock.skip(hour / 2);
    await restarted();
    expect(await set(daily)).to.deep.equal(first);
    expect(
      await codeOf(e.service.execute(caller, createSchedule, { id: agent }, { ...daily, name: 'daily' })),
    ).to.equal('CONFLICT');
    await e.service.execute(caller, pauseSchedule, { id: agent, scheduleId: first.id }, { paused: true });
    const changed = await set({ ...daily, input: 'other' });
    expect(changed).to.include({ id: first.id, input: 'other', paused: true, created_at: first.created_at });
    expect(changed.next_times).to.deep.equal([]);
    await e.service.execute(caller, pauseSchedule, { id: agent, scheduleId: first.id }, { paused: false });
    const sooner = await set({ every: 1800, input: 'other' });
    expect(sooner).to.include({ overrides: null, every: 1800 });
    clock.skip(hour / 2);
    await have(1);
    expect(await codeOf(set({ at: '2020-01-01T00:00:00Z', input: 'over' }))).to.equal('VALIDATION_ERROR');
    const all = () => e.service.execute(caller, listSchedules, { id: agent }, { page: newestFirst });
    expect((await all()).total).to.equal(1);
    await e.service.execute(caller, deleteSchedule, { id: agent, scheduleId: first.id });
    const again = await set(daily);
    expect(again.id).not.to.equal(first.id);
    const concurrent = await Promise.allSettled([1, 2, 3, 4].map((n) => set({ ...daily, input: `at once ${n}` })));
    expect(concurrent.some(({ status }) => status === 'fulfilled')).to.equal(true);
    expect((await all()).total).to.equal(1);
  });

  it('`if_running: skip` begins none beside a run that goes on or is paused, also after a kill, and queue begins each', async () => {
    e.kill();
    e = await bed.start(waiting, { clock });
    const input = { every: 60, input: 'ask', if_running: 'skip' as const };
    const { id } = await e.service.execute(caller, createSchedule, { id: agent }, input);
    const last = async () => (await e.service.execute(caller, getSchedule, { id: agent, scheduleId: id }, {})).last;
    clock.skip(minute);
    const run = await eventually(async () => {
      const [one] = await runs();
      return one?.status === 'paused' ? one : undefined;
    });
    clock.skip(minute);
    await eventually(async () => (await last())?.error?.code === 'CONFLICT');
    e.kill();
    e = await bed.start(waiting, { clock });
    clock.skip(minute);
    await quiet();
    expect(await runs()).to.have.length(1);
    expect(await codeOf(e.service.execute(caller, runSchedule, { id: agent, scheduleId: id }, {}))).to.equal(
      'CONFLICT',
    );
    await e.service.resumeRun(caller, agent, run.id, { input: 'yes' });
    await eventually(async () => (await runs())[0]?.status === 'completed');
    clock.skip(minute);
    await eventually(async () => (await runs()).length === 2);
    expect((await last())?.error).to.equal(null);
  });

  it('runs now, with its settings, besides its times, also while it is paused', async () => {
    const { id, next_times } = await e.service.execute(
      caller,
      createSchedule,
      { id: agent },
      { every: 60, input: 'report', sessionId: 'reports', subject: 'ada' },
    );
    const now = await e.service.execute(caller, runSchedule, { id: agent, scheduleId: id }, {});
    expect(now).to.include({ triggeredBy: 'schedule', input: 'report', sessionId: 'reports', subject: 'ada' });
    await have(1);
    const after = await e.service.execute(caller, getSchedule, { id: agent, scheduleId: id }, {});
    expect(after).to.deep.include({ next_times, last: null });
    await e.service.execute(caller, pauseSchedule, { id: agent, scheduleId: id }, { paused: true });
    await e.service.execute(caller, runSchedule, { id: agent, scheduleId: id }, {});
    await have(2);
    await e.service.execute(caller, patchAgent, { id: agent }, { status: 'inactive' });
    expect(await codeOf(e.service.execute(caller, runSchedule, { id: agent, scheduleId: id }, {}))).to.equal(
      'AGENT_INACTIVE',
    );
  });

  it("the agent's time zone is that of schedules that name none", async () => {
    await e.service.execute(caller, patchAgent, { id: agent }, { config: { timezone: 'Asia/Tokyo' } });
    const noon = (more: object) =>
      e.service.execute(caller, createSchedule, { id: agent }, { cron: '0 12 * * *', input: 'noon', ...more });
    const tokyo = await noon({});
    expect(tokyo.timezone).to.equal('Asia/Tokyo');
    expect(tokyo.next_times.every((time) => time.endsWith('T03:00:00.000Z'))).to.equal(true);
    expect((await noon({ timezone: 'UTC' })).timezone).to.equal('UTC');
    clock.skip(24 * hour);
    await have(2);
    expect(
      await codeOf(e.service.execute(caller, patchAgent, { id: agent }, { config: { timezone: 'Mars/Base' } })),
    ).to.equal('VALIDATION_ERROR');
  });

  it('is bounded, says what it takes, and ends with its agent', async () => {
    const add = (input: ScheduleInput): Promise<unknown> =>
      e.service.execute(caller, createSchedule, { id: agent }, input);
    expect(await codeOf(add({ cron: '0 0 31 2 *', input: 'never' }))).to.equal('VALIDATION_ERROR');
    expect(await codeOf(add({ at: '2020-01-01T00:00:00Z', input: 'over' }))).to.equal('VALIDATION_ERROR');
    expect(await codeOf(add({ every: 60, input: 'x', overrides: { output_schema: { type: 'object' } } }))).to.equal(
      'VALIDATION_ERROR',
    );
    for (let i = 0; i < 64; i++) await add({ cron: '0 0 1 1 *', input: 'new year' });
    expect(await codeOf(add({ every: 60, input: 'one more' }))).to.equal('CONFLICT');
    await e.service.execute(caller, deleteAgent, { id: agent });
    expect(await codeOf(e.service.execute(caller, listSchedules, { id: agent }, { page: newestFirst }))).to.equal(
      'NOT_FOUND',
    );
    const head = await bed.store.head({ workspace: 'default', kind: 'agent', id: agent });
    expect(head).to.include({ deleted: true, due: null });
  });
});
