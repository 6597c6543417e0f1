/** Months, limits and alerts of the memory quota (docs/api.md 6.3, 8.1, 8.4). */
import { expect } from 'chai';
import fc from 'fast-check';
import { createHive, decideDesk, type DeskState } from '../../../src/domain/desk.js';
import { tiers } from '../../../src/domain/vocabulary.js';
import {
  alertsDue,
  cycleOf,
  hasAlerts,
  monthAt,
  monthlyLimit,
  workspaceQuotaExceeded,
} from '../../../src/domain/usage.js';
import { newWorkspace } from '../../../src/domain/workspace.js';
import { TestEnv } from './support/env.js';

describe('domain: usage', () => {
  it('the limits are those of docs/api.md 8.1; the sandbox has its own', () => {
    expect(tiers.map((tier) => monthlyLimit(tier))).to.deep.equal([1_000, 50_000, 500_000, null]);
    expect(monthlyLimit('sandbox')).to.equal(100);
  });

  it('a month is that of UTC, from its first millisecond to its last, in whatever order one asks', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
            fc
              .constantFrom('2026-12-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z', '2024-02-29T12:00:00.000Z')
              .map((t) => new Date(t)),
          ),
          { minLength: 1, maxLength: 20 },
        ),
        (times) => {
          for (const time of times) {
            const month = monthAt(time.getTime());
            const { start, end } = cycleOf(month);
            expect(month).to.equal(time.toISOString().slice(0, 7));
            expect(start <= time.toISOString() && time.toISOString() < end).to.equal(true);
            expect([monthAt(Date.parse(end)), monthAt(Date.parse(end) - 1)]).to.deep.equal([end.slice(0, 7), month]);
          }
        },
      ),
    );
    expect(cycleOf('2026-12')).to.deep.equal({ start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' });
  });

  it('a refusal says which quota, how much of it is used, and until when', () => {
    const error = workspaceQuotaExceeded({ month: '2026-12', limit: 1000, used: 1000 });
    expect(error.message).to.equal("the workspace's quota of 1000 memories in 2026-12 is used up");
    expect(error.details).to.deep.equal({
      limit: 1000,
      used: 1000,
      cycle: { start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' },
      scope: 'workspace',
    });
  });

  describe('alerts', () => {
    it('are for tiers from pro on that have a limit, and not for the sandbox', () => {
      expect(tiers.map((tier) => hasAlerts(tier))).to.deep.equal([false, true, true, false]);
      expect(hasAlerts('sandbox')).to.equal(false);
    });
    it('are due from the very memory on that makes 80 and 95 %', () => {
      const at = (used: number) => alertsDue(undefined, { month: '2026-11', limit: 50_000, used });
      expect([39_999, 40_000, 47_499, 47_500, 50_000].map(at)).to.deep.equal([[], [80], [80], [80, 95], [80, 95]]);
    });

    class Desk {
      readonly env = new TestEnv();
      state: DeskState = { desk: newWorkspace('w', 'w', 'pro', this.env.now), counts: {}, positions: new Map() };
      told(used: number, month = '2026-11', limit = 1000): unknown[] {
        const { state, effects } = decideDesk(this.state, { type: 'alert', usage: { month, limit, used } }, this.env);
        this.state = { ...state, desk: JSON.parse(JSON.stringify(state.desk)) as DeskState['desk'] };
        return effects.map((e) => (e.type === 'announce' ? [e.event.type, e.event.data['percent']] : e.type));
      }
    }
    const eighty = ['usage.alert', 80];
    const ninetyFive = ['usage.alert', 95];

    it('each is told once in a month, also when usage falls and rises again; the next month begins anew', () => {
      const d = new Desk();
      expect([
        d.told(799),
        d.told(800),
        d.told(850),
        d.told(790),
        d.told(801),
        d.told(950),
        d.told(1000),
        d.told(700),
        d.told(990),
      ]).to.deep.equal([[], [eighty], [], [], [], [ninetyFive], [], [], []]);
      expect([d.told(100, '2026-12'), d.told(960, '2026-12'), d.told(970, '2026-12')]).to.deep.equal([
        [],
        [eighty, ninetyFive],
        [],
      ]);
    });
    it('another limit begins anew', () => {
      const d = new Desk();
      d.told(960);
      expect([
        d.told(961, '2026-11', 10_000),
        d.told(8000, '2026-11', 10_000),
        d.told(8001, '2026-11', 10_000),
      ]).to.deep.equal([[], [eighty], []]);
    });
    it('says percent, used, limit, mode and cycle; a hive tells nothing', () => {
      const d = new Desk();
      const { effects } = decideDesk(
        d.state,
        { type: 'alert', usage: { month: '2026-11', limit: 1000, used: 812 } },
        d.env,
      );
      expect(effects).to.deep.equal([
        {
          type: 'announce',
          event: {
            type: 'usage.alert',
            at: new Date(d.env.now + 1).toISOString(),
            data: { percent: 80, used: 812, limit: 1000, mode: 'live', cycle: cycleOf('2026-11') },
          },
        },
      ]);
      expect(
        decideDesk(
          createHive('hive_1', { name: 'h' }, d.env).state,
          { type: 'alert', usage: { month: '2026-11', limit: 10, used: 10 } },
          d.env,
        ).effects,
      ).to.deep.equal([]);
    });
  });
});
