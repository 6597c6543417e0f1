/** Usage alerts as decisions (docs/api.md 6.5; src/domain/workspace/usage-alerts.ts). */
import { expect } from 'chai';
import { decided } from '../../../src/commands/command.js';
import { setUsageAlerts } from '../../../src/commands/workspace.js';
import type { Decided } from '../../../src/domain/shared/draft.js';
import type { WorkspaceSnapshot } from '../../../src/domain/shared/snapshots.js';
import {
  newHive,
  decideWorkspaceEntity,
  type WorkspaceEntityCommand,
  type WorkspaceEntityDraft,
  type WorkspaceEntityState,
} from '../../../src/domain/workspace/workspace-entity.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import { usageAlertsInput } from '../../../src/domain/workspace/workspace-inputs.js';
import type { UsageAlerts } from '../../../src/domain/model/model.js';
import { cycleOf, type QuotaExceeded } from '../../../src/domain/workspace/usage.js';
import {
  type AlertChange,
  alertsDue,
  checkAlertTier,
  hasAlerts,
  showAlerts,
} from '../../../src/domain/workspace/usage-alerts.js';
import { type Tier, tiers } from '../../../src/domain/shared/vocabulary.js';
import { newWorkspace } from '../../../src/domain/workspace/workspace.js';
import { TestEnv } from './support/env.js';

const month = '2026-11';

class Desk {
  readonly env = new TestEnv();
  state: WorkspaceEntityState;

  constructor(tier: Tier = 'pro') {
    this.env.now = Date.parse('2026-11-22T10:00:00.000Z');
    this.state = { entity: newWorkspace('w', 'w', tier, this.env.now), counts: {}, positions: new Map() };
  }
  get desk(): WorkspaceSnapshot {
    return this.state.entity as WorkspaceSnapshot;
  }
  get shown(): UsageAlerts {
    return showAlerts(this.desk, month);
  }

  decide(command: WorkspaceEntityCommand | Decided<WorkspaceEntityDraft>): { result: unknown; told: unknown[] } {
    const { state, effects, result } = decideWorkspaceEntity(this.state, command, this.env);
    this.state = { ...state, entity: JSON.parse(JSON.stringify(state.entity)) as WorkspaceEntityState['entity'] };
    const told = effects.flatMap((e) => (e.type === 'announce' ? [e.event.data['percent']] : []));
    return { result, told };
  }
  told(used: number, in_ = month, limit = 1000): unknown[] {
    return this.decide({ type: 'alert', usage: { month: in_, limit, used } }).told;
  }
  set(change: AlertChange, usage: QuotaExceeded | null = null): { result: unknown; told: unknown[] } {
    const call = { caller: null, target: {}, input: { alerts: change, usage } };
    return this.decide(decided(setUsageAlerts, call, null));
  }
}

describe('domain: usage alerts', () => {
  it('become due for tiers from pro on that have a limit, and not for the sandbox', () => {
    expect(tiers.map((tier) => hasAlerts(tier))).to.deep.equal([false, true, true, false]);
    expect(hasAlerts('sandbox')).to.equal(false);
  });

  it('are set and shown from pro on; the other tiers are refused with the bound that they have', () => {
    for (const tier of ['pro', 'team', 'enterprise'] as const) {
      checkAlertTier(tier);
      expect(new Desk(tier).set({ thresholds: [50] }).result).to.deep.include({ thresholds: [50] });
    }
    for (const tier of ['free', 'sandbox'] as const) {
      const before = new Desk(tier);
      for (const attempt of [() => checkAlertTier(tier), () => before.set({ thresholds: [50] })])
        expect(attempt)
          .to.throw(HivekeepError, `this workspace has the tier ${tier}`)
          .with.deep.include({ code: 'QUOTA_EXCEEDED' })
          .and.nested.property('details.scope', 'alerts');
      expect(before.desk.alertSettings).to.equal(undefined);
    }
  });

  it('are due from the very memory on that makes 80 and 95 %, unless others are set', () => {
    const at = (used: number, thresholds: readonly number[] = [80, 95]) =>
      alertsDue(thresholds, undefined, { month, limit: 50_000, used });
    expect([39_999, 40_000, 47_499, 47_500, 50_000].map((used) => at(used))).to.deep.equal([
      [],
      [80],
      [80],
      [80, 95],
      [80, 95],
    ]);
    expect([499, 500, 50_000].map((used) => at(used, [1, 100]))).to.deep.equal([[], [1], [1, 100]]);
    expect(at(50_000, [])).to.deep.equal([]);
  });

  describe('UsageAlerts.U1: each threshold', () => {
    it('is told once in a month, also when usage falls and rises again; the next month begins anew', () => {
      const d = new Desk();
      expect([799, 800, 850, 790, 801, 950, 1000, 700, 990].map((used) => d.told(used))).to.deep.equal([
        [],
        [80],
        [],
        [],
        [],
        [95],
        [],
        [],
        [],
      ]);
      expect([100, 960, 970].map((used) => d.told(used, '2026-12'))).to.deep.equal([[], [80, 95], []]);
    });
    it('is told again under another limit', () => {
      const d = new Desk();
      d.told(960);
      expect([961, 8000, 8001].map((used) => d.told(used, month, 10_000))).to.deep.equal([[], [80], []]);
    });
    it('that is set when usage has passed it is told at once; one that was told is not told again', () => {
      const d = new Desk();
      expect(d.told(820)).to.deep.equal([80]);
      expect(d.set({ thresholds: [80, 50, 90, 50] }, { month, limit: 1000, used: 820 }).told).to.deep.equal([50]);
      expect(d.desk.alertSettings?.thresholds).to.deep.equal([50, 80, 90]);
      expect([d.told(821), d.told(900)]).to.deep.equal([[], [90]]);
      expect(d.set({ thresholds: [] }, { month, limit: 1000, used: 990 }).told).to.deep.equal([]);
      expect(d.told(1000)).to.deep.equal([]);
    });
  });

  it('say percent, used, limit, mode and cycle; a hive tells nothing', () => {
    const d = new Desk();
    const usage = { month, limit: 1000, used: 812 };
    const { effects } = decideWorkspaceEntity(d.state, { type: 'alert', usage }, d.env);
    expect(effects).to.have.length(1);
    expect(effects[0]).to.deep.include({ type: 'announce' }).and.nested.include({ 'event.type': 'usage.alert' });
    expect(effects[0]).to.have.deep.nested.property('event.data', {
      percent: 80,
      used: 812,
      limit: 1000,
      mode: 'live',
      cycle: cycleOf(month),
    });
    const hive = newHive('hive_1', { name: 'h' }, d.env).state;
    expect(decideWorkspaceEntity(hive, { type: 'alert', usage }, d.env).effects).to.deep.equal([]);
  });

  it('are shown for the month in which they were told', () => {
    const d = new Desk();
    d.told(800);
    d.told(960, '2026-12');
    expect(showAlerts(d.desk, '2026-12').sent.map((s) => [s.percent, s.used])).to.deep.equal([
      [80, 960],
      [95, 960],
    ]);
    expect(d.shown.sent).to.deep.equal([]);
  });

  it('are asked for with at most 10 whole percentages from 1 to 100, and nothing else', () => {
    const bad = (input: unknown): string | undefined =>
      usageAlertsInput.safeParse(input).error?.issues[0]?.path.join('.');
    expect(usageAlertsInput.safeParse({}).success).to.equal(true);
    expect(usageAlertsInput.safeParse({ thresholds: [] }).success).to.equal(true);
    for (const percent of [0, 101, 80.5, '80', -1])
      expect(bad({ thresholds: [percent] }), String(percent)).to.equal('thresholds.0');
    expect(bad({ thresholds: Array.from({ length: 11 }, (_, i) => i + 1) })).to.equal('thresholds');
    expect(bad({ treshold: [80] })).to.equal('');
  });
});
