/** Makes the lines of an export, with the counts and digests of each entity and of the whole (records.ts). */
import type { Hash } from 'node:crypto';
import {
  addTo,
  formatName,
  formatVersion,
  isOpening,
  newHash,
  type EntityRecord,
  type ExportHeader,
  type ExportRecord,
  type RecordCounts,
} from './records.js';

export class ExportWriter {
  private open: { id: string; hash: Hash; counts: RecordCounts } | null = null;
  private readonly hash = newHash();
  private readonly counts: RecordCounts = {};

  header(fields: Omit<ExportHeader, 'record' | 'format' | 'version'>): string {
    return this.line({ record: 'export', format: formatName, version: formatVersion, ...fields });
  }

  /** An entity's own record opens it, and those that follow belong to it. A second one makes void what came before. */
  record({ record, id, data }: EntityRecord): string {
    if (isOpening(record)) this.open = { id, hash: newHash(), counts: {} };
    if (!this.open) throw new Error('a document came before its entity');
    const text = this.line({ record, id, data });
    this.open.hash.update(text);
    addTo(this.open.counts, { [record]: 1 });
    return text;
  }

  /** Empty where no entity is open. */
  close(): string {
    if (!this.open) return '';
    const { id, counts, hash } = this.open;
    addTo(this.counts, counts);
    this.open = null;
    return this.line({ record: 'closed', id, counts, sha256: hash.digest('hex') });
  }

  end(): string {
    const { counts, hash } = this;
    return `${JSON.stringify({ record: 'end', counts, sha256: hash.digest('hex') } satisfies ExportRecord)}\n`;
  }

  private line(record: ExportRecord): string {
    const text = `${JSON.stringify(record)}\n`;
    this.hash.update(text);
    return text;
  }
}
