/**
 * Cuts the records of an import into exports of their own, so that each can be sent in one request. A part opens again
 * the entity in whose middle it was cut, which is there by then and stays as it is.
 */
import type { CheckedRecord } from '../domain/import-records.js';
import {
  addTo,
  formatName,
  formatVersion,
  isOpening,
  newHash,
  type ExportHeader,
  type ExportRecord,
  type RecordCounts,
} from './records.js';

export interface ImportPart {
  text: string;
  records: number;
  /** The entity that it opens again. */
  again: CheckedRecord | null;
}

const usualBytes = 4 * 1024 * 1024;

export async function* partsOf(
  header: Pick<ExportHeader, 'created_at' | 'workspace'>,
  records: AsyncIterable<CheckedRecord>,
  mostBytes = usualBytes,
): AsyncGenerator<ImportPart> {
  let part = new PartWriter(header, null);
  let entity: CheckedRecord | null = null;
  for await (const record of records) {
    if (isOpening(record.kind)) {
      part.close();
      entity = record;
    }
    if (part.bytes >= mostBytes) {
      yield part.end();
      part = new PartWriter(header, record === entity ? null : entity);
    }
    part.add(record);
  }
  if (part.records > 0) yield part.end();
}

class PartWriter {
  bytes = 0;
  records = 0;
  private text = '';
  private readonly hash = newHash();
  private readonly counts: RecordCounts = {};
  private open: { id: string; hash: ReturnType<typeof newHash>; counts: RecordCounts } | null = null;

  constructor(
    header: Pick<ExportHeader, 'created_at' | 'workspace'>,
    private readonly again: CheckedRecord | null,
  ) {
    this.line({
      record: 'export',
      format: formatName,
      version: formatVersion,
      ...header,
      agent: null,
      credentials: false,
    });
    if (again) this.write(again);
  }

  add(record: CheckedRecord): void {
    this.write(record);
    this.records++;
  }

  close(): void {
    if (!this.open) return;
    const { id, counts, hash } = this.open;
    this.line({ record: 'closed', id, counts, sha256: hash.digest('hex') });
    addTo(this.counts, counts);
    this.open = null;
  }

  end(): ImportPart {
    this.close();
    const { counts, hash, records, again } = this;
    const end: ExportRecord = { record: 'end', counts, sha256: hash.digest('hex') };
    return { text: `${this.text}${JSON.stringify(end)}\n`, records, again };
  }

  private write({ kind, id, data }: CheckedRecord): void {
    if (isOpening(kind)) this.open = { id, hash: newHash(), counts: {} };
    const text = this.line({ record: kind, id, data });
    if (!this.open) throw new Error('a document came before its entity');
    this.open.hash.update(text);
    addTo(this.open.counts, { [kind]: 1 });
  }

  private line(record: ExportRecord): string {
    const text = `${JSON.stringify(record)}\n`;
    this.text += text;
    this.bytes += Buffer.byteLength(text);
    this.hash.update(text);
    return text;
  }
}
