/**
 * Cuts the records of an import into exports of their own, so that each can be sent in one request. A part opens again
 * the entity in whose middle it was cut, which is there by then and stays as it is.
 */
import type { CheckedRecord } from '../domain/import/import-records.js';
import { ExportWriter } from './export-writer.js';
import { isOpening, type ExportHeader } from './records.js';

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
  private readonly writer = new ExportWriter();

  constructor(
    header: Pick<ExportHeader, 'created_at' | 'workspace'>,
    private readonly again: CheckedRecord | null,
  ) {
    this.put(this.writer.header({ ...header, agent: null, credentials: false }));
    if (again) this.write(again);
  }

  add(record: CheckedRecord): void {
    this.write(record);
    this.records++;
  }

  close(): void {
    this.put(this.writer.close());
  }

  end(): ImportPart {
    this.close();
    const { text, records, again } = this;
    return { text: text + this.writer.end(), records, again };
  }

  private write({ kind, id, data }: CheckedRecord): void {
    this.put(this.writer.record({ record: kind, id, data }));
  }

  private put(text: string): void {
    this.text += text;
    this.bytes += Buffer.byteLength(text);
  }
}
