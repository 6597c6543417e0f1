/**
 * What the agents of a workspace may still use of model servers this month, together and for each subject
 * (ModelBudget.W1, docs/api.md 8.6).
 *
 *  - What is known of a workspace, and of a subject, serves for `freshMs`, or for twenty times as long as it took to
 *    read. A workspace without a budget costs a read of its desk in that time, and only where its agents ask models.
 *  - What this process has counted for a subject is read again at once.
 *  - An alert that could not be told is tried again when the workspace, or the subject, is read again.
 */
import { modelUsageIn } from '../../src/domain/agent/budgets.js';
import type { SubjectCount } from '../../src/domain/agent/agent-state.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import {
  alertsReached,
  type BudgetAlert,
  budgetAlertsDue,
  type MonthUse,
  noMoreFor,
  noMoreModels,
} from '../../src/domain/workspace/model-budget.js';
import type { StoredModelBudget } from '../../src/domain/shared/snapshots.js';
import { monthAt } from '../../src/domain/workspace/usage.js';
import { sumFor, usedFor } from '../../src/commands/subject-use.js';
import { finish, type MaybePromise, wait, type Waiting } from '../../src/maybe-promise.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { deskOf } from './tenant-bounds.js';

export interface ModelBudgetsDeps {
  store: Pick<Store, 'sums' | 'head' | 'list' | 'get'>;
  clock: MonotonicClock;
  log: Pick<Logger, 'warn'>;
  /** Has the workspace's desk tell the alerts that are due. */
  alertModelBudget: (workspace: string, use: MonthUse) => Promise<unknown>;
  /** Has it tell this of a subject, once. */
  alertSubjectBudget: (workspace: string, subject: string, alert: BudgetAlert) => Promise<unknown>;
}

const freshMs = 1000;
const mostKept = 10_000;

interface Found {
  refusal: string | null;
  perSubject?: NonNullable<StoredModelBudget['per_subject']> | undefined;
}

/** What was read a moment ago, by key; what is being read is read once. */
class Fresh<F> {
  private readonly found = new Map<string, { found: F; until: number }>();
  private readonly reading = new Map<string, Promise<F>>();

  constructor(
    private readonly clock: MonotonicClock,
    private readonly read: (key: string) => MaybePromise<F>,
  ) {}

  get(key: string): MaybePromise<F> {
    const known = this.found.get(key);
    if (known && this.clock.elapsed() < known.until) return known.found;
    return this.reading.get(key) ?? this.again(key);
  }

  /** Reads it, however fresh it is. */
  again(key: string): MaybePromise<F> {
    const began = this.clock.elapsed();
    const read = this.read(key);
    if (!(read instanceof Promise)) return this.keep(key, read, began);
    const reading: Promise<F> = read
      .then((found) => this.keep(key, found, began))
      .finally(() => {
        if (this.reading.get(key) === reading) this.reading.delete(key);
      });
    this.reading.set(key, reading);
    return reading;
  }

  private keep(key: string, found: F, began: number): F {
    const ended = this.clock.elapsed();
    if (this.found.size >= mostKept) this.found.clear();
    this.found.set(key, { found, until: ended + Math.max(freshMs, 20 * (ended - began)) });
    return found;
  }
}

export class ModelBudgets {
  private readonly workspaces: Fresh<Found>;
  private readonly subjects: Fresh<string | null>;
  /** The alerts of subjects that were told, or are being told. */
  private readonly told = new Set<string>();

  constructor(private readonly deps: ModelBudgetsDeps) {
    this.workspaces = new Fresh(deps.clock, (workspace) => finish(this.readWorkspace(workspace)));
    this.subjects = new Fresh(deps.clock, (key) => finish(this.readSubject(...(JSON.parse(key) as [string, string]))));
  }

  /** Why no run of the workspace, and of the subject, may begin to ask a model; null if it may. At once, where the store answers at once. */
  usedUp(workspace: string, subject?: string): MaybePromise<string | null> {
    const found = this.workspaces.get(workspace);
    if (!(found instanceof Promise)) return this.refusalIn(found, workspace, subject);
    return found.then((read) => this.refusalIn(read, workspace, subject));
  }

  private refusalIn(
    { refusal, perSubject }: Found,
    workspace: string,
    subject: string | undefined,
  ): MaybePromise<string | null> {
    if (refusal !== null || subject === undefined || !perSubject) return refusal;
    return this.subjects.get(JSON.stringify([workspace, subject]));
  }

  /** The sum towards which what the agent uses for the subject counts; undefined where no budget of subjects holds. */
  *sumOf(agent: EntityRef, subject: string): Waiting<SubjectCount | undefined> {
    const { perSubject } = yield* wait(this.workspaces.get(agent.workspace));
    if (!perSubject) return undefined;
    const { store, clock } = this.deps;
    return yield* sumFor(store, agent, { subject, month: monthAt(clock.now()) });
  }

  /** Something was used for the subject: alerts may be due. */
  counted(workspace: string, subject: string): void {
    const reading = this.subjects.again(JSON.stringify([workspace, subject]));
    if (reading instanceof Promise) reading.catch(() => undefined); // it is read again before its next run
  }

  private *readWorkspace(workspace: string): Waiting<Found> {
    const { store, clock } = this.deps;
    const head = yield* wait(store.head(deskOf(workspace)));
    const budget = head?.snapshot.modelBudget;
    if (!budget) return { refusal: null };
    const month = monthAt(clock.now());
    const use: MonthUse = { month, usage: modelUsageIn(yield* wait(store.sums(workspace)), month) };
    if (budgetAlertsDue(budget, use).length > 0)
      this.deps.alertModelBudget(workspace, use).catch((error: unknown) => {
        this.notTold(workspace, error);
      });
    return { refusal: noMoreModels(budget, use), perSubject: budget.per_subject };
  }

  private *readSubject(workspace: string, subject: string): Waiting<string | null> {
    const { perSubject } = yield* wait(this.workspaces.get(workspace));
    if (!perSubject) return null;
    const month = monthAt(this.deps.clock.now());
    const use: MonthUse = { month, usage: yield* usedFor(this.deps.store, workspace, { subject, month }) };
    for (const alert of alertsReached(perSubject, use)) this.tellOf(workspace, subject, alert);
    return noMoreFor(subject, perSubject, use);
  }

  private tellOf(workspace: string, subject: string, alert: BudgetAlert): void {
    const { limit, cycle } = alert.data;
    const told = JSON.stringify([workspace, subject, alert.name, limit, cycle.start]);
    if (this.told.has(told)) return;
    if (this.told.size >= mostKept) this.told.clear();
    this.told.add(told);
    this.deps.alertSubjectBudget(workspace, subject, alert).catch((error: unknown) => {
      this.told.delete(told);
      this.notTold(workspace, error);
    });
  }

  private notTold(workspace: string, error: unknown): void {
    this.deps.log.warn(
      { event: 'usage_alert.failed', err: error, workspace },
      'an alert of the budget of models could not be told; it is tried again',
    );
  }
}
