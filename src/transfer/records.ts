/**
 * The records of an export (docs/export.md): newline-delimited JSON, one record a line.
 *
 *   export                     the first line: version of the format, workspace, time
 *   workspace | hive | agent   opens an entity; the records up to `closed` are its documents
 *   memory | message | run | journal | file | schedule | block | webhook | token | key
 *   closed                     how many records the entity has, and the SHA-256 of its lines, the opening one included
 *   end                        the same for all entities and all lines before
 *
 * An entity that was changed while it was read is opened again; what came of it before is void.
 */
import { createHash, type Hash } from 'node:crypto';
import type { ImportKind } from '../domain/import/import-records.js';

export const formatName = 'hivekeep export';
export const formatVersion = 1;
/** A longer line is refused without being read. The longest that is written is a step's journal, about 4 MiB. */
export const longestLine = 8 * 1024 * 1024;
/** How deeply a line may be nested, and how many values and names of fields it may have. */
export const deepestLine = 64;
export const fullestLine = 100_000;

const opening = ['workspace', 'hive', 'agent'] as const;
export type Opening = (typeof opening)[number];

export type RecordCounts = Partial<Record<ImportKind, number>>;

export interface ExportHeader {
  record: 'export';
  format: typeof formatName;
  version: typeof formatVersion;
  created_at: string;
  workspace: { id: string; name: string; tier: string };
  /** The one agent that was exported; null for a whole workspace. */
  agent: string | null;
  /** Whether keys and tokens are in it, as hashes. */
  credentials: boolean;
}

export interface EntityRecord {
  record: ImportKind;
  id: string;
  data: Record<string, unknown>;
}

export interface ClosedRecord {
  record: 'closed';
  id: string;
  counts: RecordCounts;
  sha256: string;
}

export interface EndRecord {
  record: 'end';
  counts: RecordCounts;
  sha256: string;
}

export type ExportRecord = ExportHeader | EntityRecord | ClosedRecord | EndRecord;

export const isOpening = (record: string): record is Opening => (opening as readonly string[]).includes(record);

export const newHash = (): Hash => createHash('sha256');

export function addTo(counts: RecordCounts, more: RecordCounts): void {
  for (const [name, n] of Object.entries(more) as [keyof RecordCounts, number][])
    counts[name] = (counts[name] ?? 0) + n;
}

/** `2 agents, 1,204 memories`, for people. */
export function countsText(counts: RecordCounts): string {
  const words: Record<string, readonly [one: string, more: string]> = {
    memory: ['memory', 'memories'],
    journal: ['journal entry', 'journal entries'],
  };
  const parts = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => {
      const [one, more] = words[name] ?? [name, `${name}s`];
      return `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`;
    });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
