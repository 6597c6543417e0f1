/** Outage.W1 and Outage.W2 of actors/entities/outages.ts. */
import { expect } from 'chai';
import { outageOf, outlastOutages, pause, TimeAway } from '../../../../actors/entities/outages.js';
import { HivekeepError, unavailable } from '../../../../src/domain/shared/errors.js';
import { StoreError } from '../../../../src/store/port.js';
import { ManualClock } from '../../bus/support.js';

const down = new StoreError('io', 'the database does not answer');

describe('Outages', () => {
  it('are failures of the store that pass, and whatever is UNAVAILABLE; data that cannot be used is none', () => {
    for (const reason of ['io', 'unknown', 'full', 'closed', 'in-use'] as const)
      expect(outageOf(new StoreError(reason, 'x'))).to.include({ code: 'UNAVAILABLE', retryAfter: 5 });
    expect(outageOf(unavailable('nobody serves this'))).to.include({ code: 'UNAVAILABLE' });
    for (const other of [
      new StoreError('corrupt', 'x'),
      new StoreError('other-schema', 'x'),
      new HivekeepError('NOT_FOUND', 'x'),
      new TypeError('x'),
    ])
      expect(outageOf(other)).to.equal(null);
  });

  it('Outage.W1: a read is repeated until the outage is over, and Outage.W2: the wait is added up', async () => {
    const clock = new ManualClock();
    const away = new TimeAway(clock);
    let up = false;
    const read = outlastOutages({ clock, away, signal: new AbortController().signal }, () => {
      if (!up) throw down;
      return 'read';
    });
    await clock.advance(60_000);
    expect(away.ms).to.equal(60_000);
    up = true;
    await clock.advance(5_000);
    expect(await read).to.equal('read');
    const total = away.ms;
    expect(total).to.be.within(60_000, 65_000);
    await clock.advance(10_000);
    expect(away.ms).to.equal(total);
  });

  it('nobody pauses who has been told to stop, before or meanwhile', async () => {
    const clock = new ManualClock();
    await pause(clock, 60_000, AbortSignal.abort());
    const controller = new AbortController();
    const paused = pause(clock, 60_000, controller.signal);
    controller.abort();
    await paused;
  });

  it('what answers at once costs no promise, and what is no outage is thrown at once', async () => {
    const clock = new ManualClock();
    const parts = { clock, away: new TimeAway(clock), signal: new AbortController().signal };
    expect(outlastOutages(parts, () => 1)).to.equal(1);
    const failed = await Promise.resolve(
      outlastOutages(parts, () => {
        throw new TypeError('a defect');
      }),
    ).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(TypeError);
    expect(clock.pending).to.equal(0);
  });

  it('a run that is stopped waits no longer', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const read = outlastOutages({ clock, away: new TimeAway(clock), signal: stop.signal }, (): never => {
      throw down;
    });
    const outcome = Promise.resolve(read).catch((error: unknown) => error);
    await clock.advance(1_000);
    stop.abort();
    expect(await outcome).to.equal(down);
  });

  it('Outage.W2: waits that overlap count once', async () => {
    const clock = new ManualClock();
    const away = new TimeAway(clock);
    away.begin();
    await clock.advance(10);
    away.begin();
    await clock.advance(10);
    away.end();
    await clock.advance(10);
    away.end();
    expect(away.ms).to.equal(30);
  });
});
