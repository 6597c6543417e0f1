/**
 * The monthly memory quota (docs/api.md 8.1, 8.4): how much each tier may store, and which month a memory counts in. A
 * memory counts in the month (UTC) in which it became long-term: in which it was
 * created without an expires_at within 30 days, or lost such an expires_at. Deleting it reduces the usage of that
 * month, and of no later one.
 */
import { iso } from '../shared/clock.js';
import { HivekeepError } from '../shared/errors.js';
import type { Usage } from '../model/model.js';
import type { Tier } from '../shared/vocabulary.js';

/** Memories per month (docs/api.md 8.1); null is unlimited. */
const monthly = { free: 1_000, pro: 50_000, team: 500_000, enterprise: null, sandbox: 100 } as const;

export const monthlyLimit = (tier: Tier): number | null => monthly[tier];

/**
 * A memory that expires within this time of its creation is short-term and counts towards no quota. One that is kept
 * longer counts like one that never expires.
 */
export const shortTermMs = 30 * 24 * 3600 * 1000;

export const isShortTerm = (expiresAt: string | null | undefined, createdMs: number): boolean =>
  expiresAt != null && Date.parse(expiresAt) - createdMs <= shortTermMs;

/**
 * The number of API keys that a workspace may hold. Rate limits are per key, so unlimited keys would mean an unlimited
 * rate. A sandbox holds none, because its keys belong to its workspace.
 */
const keyLimits = { free: 20, pro: 100, team: 500, enterprise: 10_000, sandbox: 0 } as const;
export const keyLimit = (tier: Tier): number => keyLimits[tier];

export const keysFull = (tier: Tier, used: number): HivekeepError =>
  new HivekeepError(
    'QUOTA_EXCEEDED',
    `a workspace of tier ${tier} holds at most ${keyLimit(tier)} API keys; revoke one`,
    {
      details: { limit: keyLimit(tier), used, cycle: null, scope: 'keys' },
    },
  );

/** The name of the count on an entity (memories.ts), and of its sum over the workspace. */
export const usageCountName = (month: string): string => `used:${month}:live`;

/**
 * Drops the counts of old months, whose names are the prefix, a month and more. Only the current month is ever queried,
 * but the latest other month is kept too, so that it is still there when a clock that was ahead, by any amount, is set
 * back.
 */
export function dropOldMonths(counts: Record<string, number>, prefix: string, month: string): void {
  const others = Object.keys(counts).filter((name) => name.startsWith(prefix) && !name.startsWith(prefix + month));
  const latest = others.reduce((a, b) => (a > b ? a : b), '').slice(0, (prefix + month).length);
  for (const name of others) if (!name.startsWith(latest)) delete counts[name];
}

/** The day of a time (UTC), such as `2026-11-28`. */
export const dayAt = (ms: number): string => iso(ms).slice(0, 10);
/** The month of a time, such as `2026-11`. */
export const monthAt = (ms: number): string => iso(ms).slice(0, 7);

/** The month before that of a time. */
export const monthBefore = (ms: number): string => monthAt(Date.parse(`${monthAt(ms)}-01T00:00:00Z`) - 1);

const numbers = (month: string): [year: number, month: number] => [
  Number(month.slice(0, 4)),
  Number(month.slice(5, 7)),
];

/** The billing cycle of a month: from the first of the month at 00:00 UTC up to the first of the next month. */
export function cycleOf(name: string): Usage['cycle'] {
  const [year, month] = numbers(name);
  return { start: iso(Date.UTC(year, month - 1, 1)), end: iso(Date.UTC(year, month, 1)) };
}

/** A monthly quota of a workspace that is used up. */
export interface QuotaExceeded {
  month: string;
  limit: number;
  used: number;
}

export const quotaExceededText = ({ month, limit }: QuotaExceeded): string =>
  `the workspace's quota of ${limit} memories in ${month} is used up`;

export const workspaceQuotaExceeded = (full: QuotaExceeded): HivekeepError =>
  new HivekeepError('QUOTA_EXCEEDED', quotaExceededText(full), {
    details: { limit: full.limit, used: full.used, cycle: cycleOf(full.month), scope: 'workspace' },
  });

/** An agent's memory_quota has no cycle, because it limits what is stored at any time. */
export const agentQuotaExceeded = (limit: number, used: number): HivekeepError =>
  new HivekeepError('QUOTA_EXCEEDED', `the agent's memory_quota of ${limit} is reached`, {
    details: { limit, used, cycle: null, scope: 'agent' },
  });

/*
 * How much a workspace may store, by tier. Every entity keeps the size of its documents in bytes as a count on its head
 * (`bytes`), like its other counts; the store keeps their sum. The count is approximate: it covers the documents as
 * JSON, but not list entries or idempotency records, which expire after a day.
 */

const MiB = 1024 * 1024;
const limits = {
  free: 100 * MiB,
  pro: 5 * 1024 * MiB,
  team: 50 * 1024 * MiB,
  enterprise: null,
  sandbox: 100 * MiB,
} as const;

/** The limit in bytes; null is unlimited. */
export const storageLimit = (tier: Tier): number | null => limits[tier];

/** The name of the count on an entity, and of its sum over the workspace. */
export const storageName = 'bytes';

export interface StorageExceeded {
  limit: number;
  used: number;
}

export const storageText = ({ limit }: StorageExceeded): string =>
  `the workspace's storage of ${Math.round(limit / MiB)} MiB is used up; delete something`;

export const storageError = (exceeded: StorageExceeded): HivekeepError =>
  new HivekeepError('QUOTA_EXCEEDED', storageText(exceeded), {
    details: { ...exceeded, cycle: null, scope: 'storage' },
  });

/**
 * Short texts are mostly ids and names, which have as many bytes as characters; counting their bytes would cost more
 * than the accuracy is worth.
 */
const shortText = 256;

/** The most bytes that a value of this approximate size takes as JSON: one character is at most six of them. */
export const mostJsonBytes = (size: number): number => 6 * size;

/** The approximate size of a JSON value in bytes. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 2 + (value.length < shortText ? value.length : Buffer.byteLength(value));
  if (typeof value !== 'object' || value === null) return 5;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += 1 + sizeOf(item);
  else
    for (const key in value) {
      const field = (value as Record<string, unknown>)[key];
      if (field !== undefined) bytes += key.length + 4 + sizeOf(field);
    }
  return bytes;
}

const smallChange = 1024;
/** Small changes of what is there are always allowed. */
export const isLarge = (change: object): boolean => sizeOf(change) > smallChange;
