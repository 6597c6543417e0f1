/**
 * How much a workspace may store, by its tier. Every entity keeps the bytes of its documents as a count on its head
 * (`bytes`), like its other counts; the store keeps their sum. Counted are documents as JSON, about; list entries and
 * records of repeatable commands, which end after a day, come on top.
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

/** Bytes; null is unlimited. */
export const storageLimit = (tier: Tier): number | null => limits[tier];

/** The count of an entity, and its sum over the workspace. */
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

/** Short texts are mostly ids and names, which have as many bytes as characters; counting their bytes would cost more than it tells. */
const shortText = 256;

/** About how many bytes a JSON value takes. */
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
