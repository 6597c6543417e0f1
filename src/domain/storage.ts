/**
 * How much a workspace may store, by tier. Every entity keeps the size of its documents in bytes as a count on its head
 * (`bytes`), like its other counts; the store keeps their sum. The count is approximate: it covers the documents as
 * JSON, but not list entries or idempotency records, which expire after a day.
 */
import { HivekeepError } from './errors.js';
import type { Tier } from './vocabulary.js';

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
