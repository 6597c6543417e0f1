/**
 * What the head of each kind of entity holds: the entity as the API shows it, and what its actor must know before
 * anything else.
 */
import type { EntityTime } from './clock.js';
import type { Agent, Hive, ModelUsage, UsageAlerts, Workspace } from '../model/model.js';

/** What the decisions of a memory space keep besides the entity's own fields; part of every snapshot. */
export interface MemorySpaceSnapshot extends EntityTime {
  /** When the next memory expires, in ms; null if none does. */
  nextExpiry: number | null;
  /** How many events in its outbox wait for their webhooks; omitted where there was never one. */
  webhookEvents?: number;
}

/** How far an agent has come with the removal of journals. */
export interface JournalRetention {
  /** The position in the list of runs by `updated_at` up to which everything was looked at; null at the beginning. */
  after: readonly (string | number)[] | null;
  /** When to look again, in ms; null if nothing is to be removed. */
  due: number | null;
  /** Earlier runs that had to wait for the end of their forks, whose journals may be removed now. */
  again: readonly string[];
}

/** What runs of an agent used of models on one day (UTC). */
/** What an agent used of models for a subject in a month; `of` is a hash of the subject. */
export interface StoredSubjectUse extends ModelUsage {
  month: string;
  of: string;
  agent_id: string;
}

export interface StoredUsageDay extends ModelUsage {
  day: string;
  agent_id: string;
  runs: number;
  failed: number;
}

/** A run that is pending or running. */
export interface ActiveRun {
  id: string;
  session: string;
  /** The mailbox message that triggered it. */
  message?: string;
}

/**
 * The snapshot in the head: the agent as the API shows it, and what its actor must know before anything else. No list
 * in it grows without bound.
 */
export interface AgentSnapshot
  extends Omit<Agent, 'memory_count' | 'message_count' | 'spawned_by' | 'ends_at'>, MemorySpaceSnapshot {
  deleting: boolean;
  /** The runs in progress, of which each session has at most one, and the runs that wait, oldest first. */
  running: readonly ActiveRun[];
  pending: readonly ActiveRun[];
  /**
   * How many of the first of these are being cancelled, because the agent was terminated; omitted if none, and while it
   * is terminated, which all of them are then.
   */
  ending?: number;
  /** It was terminated, and its paused runs are yet to be cancelled; omitted if not. */
  endsPaused?: true;
  /** Number of unread messages. */
  unread: number;
  /** Number of undelivered outbox documents: `outbox` counts messages and shares, `pushes` counts pushes. */
  outbox: number;
  pushes: number;
  /** When a message of its mailbox was deleted last; omitted if none was. */
  mailDeletedAt?: string;
  /** Hives that hold memories shared by this agent, including hives that it has left. */
  sharedWith: string[];
  /** The runs that its model has yet to learn from, oldest first (learning.ts). Omitted if there are none. */
  toLearn?: readonly string[];
  /** How many runs wait behind these, about: they say so themselves. Omitted if none does. */
  learnLater?: number;
  /** When each of its schedules is due next, ms, by id; null if it is paused or over. Omitted if there are none. */
  schedules?: Readonly<Record<string, number | null>>;
  /** The names of its schedules that have one, by their ids. Omitted if there are none. */
  scheduleNames?: Readonly<Record<string, string>>;
  /** How many blocks it has (blocks.ts). Omitted if there are none. */
  blocks?: number;
  /** What it used of models on the last day on which it used any. Omitted before. */
  usageDay?: StoredUsageDay;
  /**
   * The agents that it has spawned and that are there, by id (spawning.ts): until when, ms, and whether its end was sent.
   * Omitted if there are none.
   */
  children?: Readonly<Record<string, { until: number | null; ends?: true }>>;
  /** Who has spawned it, for whom, and until when. Omitted if nobody has. */
  spawned?: { by: string; subject?: string; until?: string };
  /** Which journals of its ended runs were removed (retention.ts). Omitted before the first look. */
  journals?: JournalRetention;
}

export interface HiveSnapshot extends Omit<Hive, 'memory_count'>, MemorySpaceSnapshot {
  deleting: boolean;
}

export interface WorkspaceSnapshot extends Workspace, EntityTime, AlertState {
  updated_at: string;
  /** What its agents may use of model servers in a month; omitted if that was never said. */
  modelBudget?: StoredModelBudget;
  /** Only in workspace `default`: the secret key (keyring.ts) in hex, for clusters that were given none. */
  cursorSecret?: string;
}

/** What the agents of a workspace may use of model servers in a month (model-budget.ts). */
export interface StoredModelBudget {
  tokens_per_month?: number;
  cost_per_month?: number;
  /** What the runs of one subject may use in a month, of all agents together. Omitted if that has no bound. */
  per_subject?: { tokens_per_month?: number; cost_per_month?: number };
  updated_at: string;
  /** The percentages that were told in this month, as `budget:percent`. */
  told?: { month: string; passed: readonly string[] };
}

/** At which percentages of the monthly quota a workspace is told of its usage. */
export interface AlertSettings {
  thresholds: readonly number[];
  updated_at: string;
}

/** The alerts of a month that were sent. They start over when the limit changes. */
export interface SentAlerts {
  month: string;
  limit: number;
  percents: readonly number[];
  sent: UsageAlerts['sent'];
}

/** What the desk of a workspace keeps of its alerts. */
export interface AlertState {
  alertSettings?: AlertSettings;
  alerts?: SentAlerts;
}
