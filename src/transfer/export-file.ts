/**
 * An export into a file. It is written as `FILE.part` and gets its name when it is complete; an interrupted one goes on
 * behind the last entity that it has whole, also where a full disk has cut it in the middle of a line.
 */
import { constants, createReadStream, existsSync, lstatSync } from 'node:fs';
import { open, rename, rm, truncate } from 'node:fs/promises';
import type { Store } from '../store/port.js';
import type { Hash } from 'node:crypto';
import { exportLines, type ExportOptions } from './export.js';
import { LineTooLong, readLines } from './lines.js';
import { addTo, longestLine, newHash, type EndRecord, type ExportRecord, type RecordCounts } from './records.js';

export interface ExportedFile extends Pick<EndRecord, 'counts' | 'sha256'> {
  bytes: number;
  /** How many bytes were there already. */
  resumedAt: number;
}

const flushBytes = 256 * 1024;
const writing = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0); // not on Windows
const appending = writing | constants.O_APPEND;
const creating = writing | constants.O_CREAT | constants.O_TRUNC;

export const partOf = (file: string): string => `${file}.part`;

/** Resolves to null if there is no such workspace or agent; nothing is left behind then. */
export const exportToFile = (
  store: Store,
  file: string,
  options: Omit<ExportOptions, 'after'>,
  progress?: (bytes: number) => void,
): Promise<ExportedFile | null> =>
  linesToFile(file, options, (after) => exportLines(store, { ...options, after }), progress);

/** The same of lines from elsewhere: an export of what comes after an entity, or of everything. */
export async function linesToFile(
  file: string,
  of: Pick<ExportOptions, 'workspace' | 'agent' | 'credentials'>,
  lines: (after: string | undefined) => AsyncIterable<string>,
  progress: (bytes: number) => void = () => undefined,
): Promise<ExportedFile | null> {
  // a link that somebody has put there would be written through
  if (lstatSync(partOf(file), { throwIfNoEntry: false })?.isSymbolicLink()) await rm(partOf(file));
  const found = existsSync(partOf(file)) ? await scanPart(partOf(file), of) : null;
  if (found) await truncate(partOf(file), found.bytes);
  const out = await open(partOf(file), found ? appending : creating, 0o600);
  let bytes = found?.bytes ?? 0;
  let last = '';
  try {
    let waiting = '';
    for await (const line of found ? continued(found, lines(found.closed)) : lines(undefined)) {
      waiting += last = line;
      bytes += Buffer.byteLength(line);
      if (waiting.length < flushBytes) continue;
      await out.appendFile(waiting);
      waiting = '';
      progress(bytes);
    }
    await out.appendFile(waiting);
    await out.sync();
  } finally {
    await out.close();
  }
  if (last === '') return null;
  await rename(partOf(file), file);
  const { counts, sha256 } = JSON.parse(last) as EndRecord;
  return { counts, sha256, bytes, resumedAt: found?.bytes ?? 0 };
}

/** What an interrupted export has whole. */
interface Whole {
  bytes: number;
  hash: Hash;
  counts: RecordCounts;
  /** The entity that was closed last. */
  closed: string;
}

/** The lines of an export as those that go on another. */
async function* continued({ hash, counts }: Whole, lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const record = JSON.parse(line) as ExportRecord;
    if (record.record === 'export') continue;
    if (record.record === 'end') {
      yield `${JSON.stringify({ ...record, counts, sha256: hash.digest('hex') })}\n`;
      return;
    }
    if (record.record === 'closed') addTo(counts, record.counts);
    hash.update(line);
    yield line;
  }
}

/** What an interrupted export of the same kind has; null if that is nothing. */
async function scanPart(
  part: string,
  { workspace, agent, credentials }: Pick<ExportOptions, 'workspace' | 'agent' | 'credentials'>,
): Promise<Whole | null> {
  const hash = newHash();
  const counts: RecordCounts = {};
  let opened: string | null = null;
  let found: Whole | null = null;
  try {
    for await (const { bytes, end } of readLines(createReadStream(part), longestLine)) {
      const record = JSON.parse(bytes.toString()) as ExportRecord;
      if (record.record === 'export') {
        const same = record.workspace.id === workspace && record.agent === (agent ?? null);
        if (!same || record.credentials !== credentials) return null;
      }
      if (record.record === 'end') return found;
      hash.update(bytes).update('\n');
      if (record.record === 'workspace' || record.record === 'hive' || record.record === 'agent') opened = record.id;
      if (record.record !== 'closed' || opened !== record.id) continue;
      addTo(counts, record.counts);
      found = { bytes: end, hash: hash.copy(), counts: { ...counts }, closed: record.id };
    }
  } catch (error) {
    // cut in the middle of a line: what is whole before it counts; but what cannot be read is not given up
    if (!(error instanceof SyntaxError || error instanceof LineTooLong)) throw error;
  }
  return found;
}
