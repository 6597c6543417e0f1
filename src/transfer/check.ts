/**
 * Reads a whole export before anything of it is imported: every line is a record, belongs to what was opened before it,
 * and is covered by the digests; the file ends where it says.
 *
 *  - Whatever a file contains, the check ends with a result or with an ImportError that names the line, and keeps no
 *    more than a line and a page of memory.
 *  - A record whose id or fields cannot be imported is left out, and the result says why; so is all that belongs to an
 *    entity whose own record is left out.
 */
import {
  checkOwner,
  checkRecord,
  type CheckedRecord,
  type ImportKind,
  importData,
} from '../domain/import/import-records.js';
import { jsonSize, printable } from '../base/json-size.js';
import { outputCheck, SchemaProblem } from '../output-schema/check.js';
import { schemasIn, type WithSchemas } from '../output-schema/in-settings.js';
import { blockId } from '../commands/block-reads.js';
import { LeftOut } from './left-out.js';
import { LineTooLong, readLines } from './lines.js';
import {
  addTo,
  deepestLine,
  formatName,
  formatVersion,
  fullestLine,
  isOpening,
  longestLine,
  newHash,
  type ExportHeader,
  type Opening,
  type RecordCounts,
} from './records.js';

/** The file cannot be imported; the message says where and why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  /** What the file says is shown without what a terminal would act on. */
  constructor(message: string) {
    super(printable(message));
  }
}

export interface CheckedExport {
  header: Pick<ExportHeader, 'workspace' | 'credentials' | 'agent'>;
  counts: RecordCounts;
  sha256: string;
  leftOut: LeftOut;
  /** Lines that a later opening of the same entity made void: from the first up to, but without, the second. */
  voided: readonly (readonly [number, number])[];
}

type Fields = Record<string, unknown>;
type Source = AsyncIterable<Uint8Array>;

/** Rejects with ImportError. */
export async function checkExport(source: Source): Promise<CheckedExport> {
  const check = new Check();
  try {
    for await (const { number, bytes } of readLines(source, longestLine)) await check.line(number, bytes);
  } catch (error) {
    if (error instanceof LineTooLong) throw new ImportError(`Line ${error.line}: is longer than ${error.limit} bytes.`);
    throw error;
  }
  return check.result();
}

/** The records of a checked export, without what is void or left out. */
export async function* importRecords(source: Source, { voided }: CheckedExport): AsyncGenerator<CheckedRecord> {
  let isOwnerLeftOut = false;
  let next = 0;
  for await (const { number, bytes } of readLines(source, longestLine)) {
    while ((voided[next]?.[1] ?? Infinity) <= number) next++;
    if (number >= (voided[next]?.[0] ?? Infinity)) continue;
    const { record, id, data } = JSON.parse(bytes.toString()) as Fields & { record: string };
    if (!isKind(record)) continue;
    if (isOwnerLeftOut && !isOpening(record)) continue;
    const checked = await checkedRecord(record, id, data);
    const isLeftOut = typeof checked === 'string';
    if (isOpening(record)) isOwnerLeftOut = isLeftOut;
    if (!isLeftOut) yield checked;
  }
}

/** A file is what its id says, and schemas are such. */
async function checkedRecord(...[kind, id, data]: Parameters<typeof checkRecord>): Promise<CheckedRecord | string> {
  const record = checkRecord(kind, id, data);
  if (typeof record === 'string') return record;
  if (record.kind === 'block' && record.id !== blockId(record.data)) return 'id: must be that of its label and subject';
  const { config, overrides } = record.data as { config?: WithSchemas; overrides?: WithSchemas };
  for (const [path, schema] of [...schemasIn(config, 'data.config'), ...schemasIn(overrides, 'data.overrides')])
    try {
      await outputCheck(schema);
    } catch (error) {
      if (error instanceof SchemaProblem) return `${path}: ${error.message}`;
      throw error;
    }
  if (record.kind !== 'file') return record;
  const sha256 = newHash().update(Buffer.from(record.data.bytes, 'base64')).digest('hex');
  return record.id === sha256 ? record : 'id: must be the SHA-256 of its bytes';
}

const isKind = (record: unknown): record is ImportKind =>
  typeof record === 'string' && Object.hasOwn(importData, record);

interface OpenEntity {
  kind: Opening;
  id: string;
  line: number;
  counts: RecordCounts;
  hash: ReturnType<typeof newHash>;
  leftOut: LeftOut;
  isLeftOut: boolean;
}

class Check {
  private header: ExportHeader | null = null;
  private open: OpenEntity | null = null;
  private ended: { sha256: string } | null = null;
  private readonly counts: RecordCounts = {};
  private readonly hash = newHash();
  private readonly leftOut = new LeftOut();
  private readonly voided: [number, number][] = [];
  private lines = 0;

  async line(number: number, bytes: Buffer): Promise<void> {
    this.lines = number;
    try {
      await this.take(number, bytes);
    } catch (error) {
      throw new ImportError(`Line ${number}: ${error instanceof Error ? error.message : 'cannot be read'}.`);
    }
  }

  result(): CheckedExport {
    if (!this.header) throw new ImportError('The file is empty.');
    if (!this.ended) throw new ImportError(`The file ends after line ${this.lines}, in the middle of an export.`);
    const { workspace, credentials, agent } = this.header;
    return {
      header: { workspace, credentials, agent },
      counts: this.counts,
      sha256: this.ended.sha256,
      leftOut: this.leftOut,
      voided: this.voided,
    };
  }

  private async take(number: number, bytes: Buffer): Promise<void> {
    if (this.ended) throw new Error('there must be nothing behind the record "end"');
    const record = parse(bytes);
    const kind = record['record'];
    if (!this.header) this.header = checkHeader(record);
    else if (kind === 'end') {
      if (this.open) throw new Error(`the ${this.open.kind} ${shown(this.open.id)} is not closed`);
      this.end(record);
      return;
    } else if (kind === 'closed') this.close(record);
    else if (isKind(kind)) await this.document(number, kind, record, bytes);
    else throw new Error(`record: must be one of ${Object.keys(importData).join(', ')}, closed or end`);
    this.hash.update(bytes).update('\n');
  }

  private async document(number: number, kind: ImportKind, { id, data }: Fields, bytes: Buffer): Promise<void> {
    checkOwner(kind, this.open?.kind ?? null);
    if (isOpening(kind)) {
      if (typeof id !== 'string') throw new Error(`id: must be the id of a ${kind}`);
      if (this.open) {
        if (this.open.kind !== kind || this.open.id !== id)
          throw new Error(`the ${this.open.kind} ${shown(this.open.id)} is not closed`);
        this.voided.push([this.open.line, number]);
      }
      this.open = {
        ...{ kind, id, line: number, counts: {}, hash: newHash() },
        ...{ leftOut: new LeftOut(), isLeftOut: false },
      };
    }
    const { open } = this;
    if (!open) return;
    addTo(open.counts, { [kind]: 1 });
    open.hash.update(bytes).update('\n');
    const checked = open.isLeftOut
      ? `the ${open.kind} ${shown(open.id)} is left out`
      : await checkedRecord(kind, id, data);
    if (typeof checked !== 'string') return;
    open.isLeftOut ||= isOpening(kind);
    open.leftOut.add(kind, `line ${number}: ${checked}`);
  }

  private close({ id, counts, sha256 }: Fields): void {
    const { open } = this;
    if (!open || open.id !== id) throw new Error('id: must be that of the entity that was opened last');
    if (!sameCounts(counts, open.counts)) throw new Error('counts: are not those of the records');
    if (sha256 !== open.hash.digest('hex')) throw new Error('sha256: is not the digest of the lines');
    addTo(this.counts, open.counts);
    this.leftOut.addAll(open.leftOut);
    this.open = null;
  }

  private end({ counts, sha256 }: Fields): void {
    if (!sameCounts(counts, this.counts)) throw new Error('counts: are not those of the records');
    const found = this.hash.digest('hex');
    if (sha256 !== found) throw new Error('sha256: is not the digest of the lines');
    this.ended = { sha256: found };
  }
}

function parse(bytes: Buffer): Fields {
  const { depth, elements } = jsonSize(bytes, deepestLine);
  if (depth > deepestLine) throw new Error(`must not be nested deeper than ${deepestLine}`);
  if (elements > fullestLine) throw new Error(`must have at most ${fullestLine} values and names of fields`);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw new Error('must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object');
  return value as Fields;
}

function checkHeader(record: Fields): ExportHeader {
  const { format, version, workspace } = record;
  if (record['record'] !== 'export' || format !== formatName)
    throw new Error('must be the first line of an export of hivekeep; other formats are named with --format');
  if (version !== formatVersion)
    throw new Error(`version: is ${shown(version)}, and this version of hivekeep reads ${formatVersion}`);
  const { id, name } = (workspace ?? {}) as Fields;
  if (typeof id !== 'string' || typeof name !== 'string') throw new Error('workspace: must have an id and a name');
  return record as unknown as ExportHeader;
}

const sameCounts = (told: unknown, counted: RecordCounts): boolean => {
  const names = Object.keys(counted) as (keyof RecordCounts)[];
  const given = (told ?? {}) as Fields;
  return Object.keys(given).length === names.length && names.every((name) => given[name] === counted[name]);
};

/** A value of the file within a sentence: short, and without characters that a terminal would obey. */
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? 'missing';
