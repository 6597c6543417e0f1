/**
 * What the agents of a workspace may still use of model servers this month (ModelBudget.W1, docs/api.md 8.6).
 *
 *  - What is known of a workspace serves for `freshMs`, or for twenty times as long as it took to read. A workspace
 *    without a budget costs a read of its desk in that time, and only where its agents ask models.
 *  - An alert that could not be told is tried again when the workspace is read again.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { modelUsageIn } from '../../src/domain/agent/budgets.js';
import { type MonthUse, budgetAlertsDue, noMoreModels } from '../../src/domain/workspace/model-budget.js';
import { monthAt } from '../../src/domain/workspace/usage.js';
import { finish, type MaybePromise, wait, type Waiting } from '../../src/maybe-promise.js';
import type { Store } from '../../src/store/port.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { deskOf } from './tenant-bounds.js';

export interface ModelBudgetsDeps {
  store: Pick<Store, 'sums' | 'head'>;
  clock: MonotonicClock;
  log: Pick<Logger, 'warn'>;
  /** Has the workspace's desk tell the alerts that are due. */
  alertModelBudget: (workspace: string, use: MonthUse) => Promise<unknown>;
}

const freshMs = 1000;
const mostKept = 10_000;

interface Found {
  refusal: string | null;
  until: number;
}

export class ModelBudgets {
  private readonly found = new Map<string, Found>();
  private readonly reading = new Map<string, Promise<Found>>();

  constructor(private readonly deps: ModelBudgetsDeps) {}

  /** Why no run of the workspace may begin to ask a model; null if it may. At once, where the store answers at once. */
  usedUp(workspace: string): MaybePromise<string | null> {
    const known = this.found.get(workspace);
    if (known && this.deps.clock.elapsed() < known.until) return known.refusal;
    const reading = this.reading.get(workspace) ?? this.readOnce(workspace);
    return reading instanceof Promise ? reading.then(({ refusal }) => refusal) : reading.refusal;
  }

  private readOnce(workspace: string): MaybePromise<Found> {
    const read = finish(this.read(workspace));
    if (!(read instanceof Promise)) return read;
    const reading = read.finally(() => this.reading.delete(workspace));
    this.reading.set(workspace, reading);
    return reading;
  }

  private *read(workspace: string): Waiting<Found> {
    const { store, clock } = this.deps;
    const began = clock.elapsed();
    const head = yield* wait(store.head(deskOf(workspace)));
    const budget = head?.snapshot.modelBudget;
    let refusal: string | null = null;
    if (budget) {
      const month = monthAt(clock.now());
      const use: MonthUse = { month, usage: modelUsageIn(yield* wait(store.sums(workspace)), month) };
      refusal = noMoreModels(budget, use);
      if (budgetAlertsDue(budget, use).length > 0) this.alert(workspace, use);
    }
    const ended = clock.elapsed();
    if (this.found.size >= mostKept) this.found.clear();
    const found: Found = { refusal, until: ended + Math.max(freshMs, 20 * (ended - began)) };
    this.found.set(workspace, found);
    return found;
  }

  private alert(workspace: string, use: MonthUse): void {
    this.deps.alertModelBudget(workspace, use).catch((error: unknown) => {
      this.deps.log.warn(
        { event: 'usage_alert.failed', err: error, workspace },
        'an alert of the budget of models could not be told; it is tried again',
      );
    });
  }
}
