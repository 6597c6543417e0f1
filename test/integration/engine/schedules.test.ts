/** Schedules start runs at their times, each once, through kills and steps of the clock (src/domain/schedules.ts). */
import type { ScheduleInput } from '../../../src/domain/inputs.js';
import { listSchedules, createSchedule, getSchedule, pauseSchedule } from '../../../src/commands/schedules.js';
import { expect } from 'chai';
import type { Run } from '../../../src/domain/model.js';
import { caller, echo, eventually, realClock, type SkippingClock, skippingClock } from '../../helpers/engine.js';
import { turn } from '../../helpers/turn.js';
import { codeOf, newestFirst, overStores, type Running } from './kit.js';

const minute = 60_000;
const hour = 60 * minute;

overStores('Schedules', (bed) => {
  let clock: SkippingClock;
  let agent: string;
  let e: Running;
  beforeEach(async () => {
    const skipping = skippingClock();
    clock = { ...skipping, elapsed: realClock.elapsed };
    e = await bed.start(echo, { clock });
    agent = (await e.service.spawnAgent(caller, { name: 'Ada' })).id;
  });
  const restarted = async (): Promise<void> => {
    e.kill();
    e = await bed.start(echo, { clock });
  };
  const runs = async (): Promise<Run[]> => (await e.service.listRuns(caller, agent, newestFirst)).items;
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
    await e.service.patchAgent(caller, agent, { status: 'inactive' });
    clock.skip(minute);
    const refused = await eventually(
      async () => (await e.service.execute(caller, getSchedule, { id: agent, scheduleId: id }, {})).last,
    );
    expect(refused).to.deep.include({ run_id: null });
    expect(refused.error?.code).to.equal('AGENT_INACTIVE');
    await e.service.patchAgent(caller, agent, { status: 'active' });
    clock.skip(minute);
    await have(1);
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
    await e.service.deleteAgent(caller, agent);
    expect(await codeOf(e.service.execute(caller, listSchedules, { id: agent }, { page: newestFirst }))).to.equal(
      'NOT_FOUND',
    );
    const head = await bed.store.head({ workspace: 'default', kind: 'agent', id: agent });
    expect(head).to.include({ deleted: true, due: null });
  });
});
