import { expect } from 'chai';
import { timesAfter } from '../../../src/schedules/times.js';
import type { ScheduleTiming } from '../../../src/domain/model/model.js';

const timing = (given: Partial<ScheduleTiming>): ScheduleTiming => ({
  cron: null,
  every: null,
  at: null,
  timezone: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...given,
});
const after = (given: Partial<ScheduleTiming>, from: string, count: number): string[] =>
  timesAfter(timing(given), Date.parse(from), count).map((time) => new Date(time).toISOString().slice(0, 16));

describe('times of schedules', () => {
  const berlin = { timezone: 'Europe/Berlin' };

  it('a time of day that the change to summer time skips is due right after the gap', () => {
    expect(after({ cron: '30 2 * * *', ...berlin }, '2026-03-28T00:00:00Z', 3)).to.deep.equal([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
  });

  it('a time of day that comes twice in autumn is due the first time, each hour every time', () => {
    expect(after({ cron: '30 2 * * *', ...berlin }, '2026-10-24T12:00:00Z', 2)).to.deep.equal([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    expect(after({ cron: '0 * * * *', ...berlin }, '2026-10-24T23:30:00Z', 4)).to.deep.equal([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ]);
  });

  it('keeps the time of day across a change of clocks, in every zone', () => {
    expect(after({ cron: '0 9 * * 1-5', timezone: 'America/New_York' }, '2026-10-30T20:00:00Z', 2)).to.deep.equal([
      '2026-11-02T14:00',
      '2026-11-03T14:00',
    ]);
    expect(after({ cron: '0 9 * * *' }, '2026-03-28T12:00:00Z', 2)).to.deep.equal([
      '2026-03-29T09:00',
      '2026-03-30T09:00',
    ]);
  });

  it('counts intervals from the creation, whenever it is asked', () => {
    expect(after({ every: 3600 }, '2026-01-01T05:59:59Z', 2)).to.deep.equal(['2026-01-01T06:00', '2026-01-01T07:00']);
    expect(after({ every: 3600 }, '2026-01-01T06:00:00Z', 1)).to.deep.equal(['2026-01-01T07:00']);
    expect(after({ every: 3600 }, '2025-12-31T00:00:00Z', 1)).to.deep.equal(['2026-01-01T01:00']);
  });

  it('has one time or none, and none of a day that there never is', () => {
    expect(after({ at: '2026-05-01T00:00:00.000Z' }, '2026-04-30T23:59:59Z', 5)).to.deep.equal(['2026-05-01T00:00']);
    expect(after({ at: '2026-05-01T00:00:00.000Z' }, '2026-05-01T00:00:00Z', 5)).to.deep.equal([]);
    expect(after({ cron: '0 0 31 2 *' }, '2026-05-01T00:00:00Z', 5)).to.deep.equal([]);
  });

  it('says what is wrong with a cron expression', () => {
    for (const cron of ['60 * * * *', '* * * *', '* * * * * *', 'soon', '*/0 * * * *', '@reboot'])
      expect(() => after({ cron }, '2026-05-01T00:00:00Z', 1), cron).to.throw(
        /^cron: must be a cron expression of five/,
      );
  });
});
