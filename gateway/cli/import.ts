/**
 * `hivekeep import`: records of an export, or memories of another program, into a workspace, or through a server by its
 * URL. Else no server may work on the store meanwhile, because what it has in memory would not be what is stored.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createAdmin } from '../admin/admin.js';
import type { Config, Environment } from '../../src/config/config.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { CheckedRecord } from '../../src/domain/import/import-records.js';
import type { Workspace } from '../../src/domain/model/model.js';
import { openLmdbStore } from '../../src/store/lmdb/open.js';
import { openMongoStore } from '../../src/store/mongo/open.js';
import type { Store } from '../../src/store/port.js';
import { checkExport, ImportError, importRecords } from '../../src/transfer/check.js';
import { foreignMemories, longestForeignFile, type ForeignFormat } from '../../src/transfer/foreign.js';
import { importInto, type ImportResult } from '../../src/transfer/import.js';
import { LeftOut } from '../../src/transfer/left-out.js';
import { withNewIds } from '../../src/transfer/new-ids.js';
import { partsOf } from '../../src/transfer/parts.js';
import { addTo, countsText } from '../../src/transfer/records.js';
import { Failure, stoppedByStore, systemCode } from './failure.js';
import type { Io } from './io.js';
import { outlastingFor, progress } from './progress.js';
import { insistent, remoteAgent, remoteOf, remoteWorkspace, sendPart, type Remote } from './remote.js';
import { createSystem } from '../../src/base/system.js';

export interface ImportCommand {
  workspace?: string;
  url?: string;
  agent?: string;
  format: 'hivekeep' | ForeignFormat;
  newIds?: true | string;
  withCredentials?: true;
}

export async function importFile(config: Config, io: Io, file: string, o: ImportCommand): Promise<void> {
  if (o.workspace === undefined) throw new Failure('--workspace must name the workspace, or --url a running server');
  await withRecords(io, file, o, async (source) => {
    const store = await openAlone(config);
    try {
      await run(store, io, source, o);
    } finally {
      await store.close();
    }
  });
}

/** The same through a running server, by its API, in parts that each are one request. */
export async function importRemote(environment: Environment, io: Io, file: string, o: ImportCommand): Promise<void> {
  if (o.workspace !== undefined) throw new Failure('Leave --workspace out with --url: HIVEKEEP_KEY says which it is');
  if (o.withCredentials) throw new Failure('Credentials are not imported over HTTP: leave --with-credentials out');
  const remote = remoteOf(o.url ?? '', environment);
  await withRecords(io, file, o, async (source) => {
    const workspace = await insistent('The import', () => remoteWorkspace(remote));
    const now = Date.now();
    const owner = await insistent('The import', async () => ownerThere(remote, workspace.id, o));
    const records = owner ? behind(owner, source.records(), now) : source.records();
    const result = { added: {}, present: {} };
    const { leftOut } = source;
    const tell = progress(io);
    let sent = 0;
    for await (const part of partsOf({ created_at: new Date(now).toISOString(), workspace }, records)) {
      const { added, present, refused, reasons } = await insistent('The import', () => sendPart(remote, part.text));
      addTo(result.added, added);
      addTo(result.present, present);
      if (part.again) addTo(result.present, { [part.again.kind]: -1 });
      leftOut.addAll({ count: refused, reasons });
      sent += part.records;
      tell(() => `${sent.toLocaleString('en-US')} records are done`);
    }
    tellResult(io, workspace.name, { ...result, refused: leftOut.count, reasons: leftOut.reasons }, source.sha256);
  });
}

async function ownerThere(remote: Remote, workspace: string, o: ImportCommand): Promise<CheckedRecord | null> {
  if (o.format === 'hivekeep') return null;
  return o.agent === undefined ? { kind: 'workspace', id: workspace, data: {} } : remoteAgent(remote, o.agent);
}

async function withRecords(
  io: Io,
  file: string,
  o: ImportCommand,
  work: (source: Source) => Promise<void>,
): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  });
  if (!found?.isFile()) throw new Failure(`There is no file ${file}`);
  if (o.agent !== undefined && o.format === 'hivekeep')
    throw new Failure('An export says itself whose its records are: leave --agent out, or name another --format');
  try {
    await work(await recordsOf(file, o, (sentence) => io.note(sentence)));
  } catch (error) {
    if (error instanceof ImportError) throw new Failure(`${file} was not imported. ${error.message}`, { cause: error });
    throw error;
  }
}

interface Source {
  records: () => AsyncIterable<CheckedRecord>;
  leftOut: LeftOut;
  sha256: string | null;
}

/** Checks all of the file first. */
async function recordsOf(file: string, o: ImportCommand, note: (sentence: string) => void): Promise<Source> {
  if (o.format === 'hivekeep') {
    const checked = await checkExport(createReadStream(file));
    const seed = `${checked.sha256}/${typeof o.newIds === 'string' ? o.newIds : ''}`;
    const all = (): AsyncIterable<CheckedRecord> => importRecords(createReadStream(file), checked);
    const { leftOut, sha256 } = checked;
    return { records: () => (o.newIds ? withNewIds(all(), seed) : all()), leftOut, sha256 };
  }
  if ((await stat(file)).size > longestForeignFile)
    throw new ImportError(`It is larger than ${longestForeignFile / 1024 / 1024} MiB; split it.`);
  const memories = foreignMemories(o.format, await readFile(file, 'utf8'), 0, note);
  return {
    leftOut: new LeftOut(),
    sha256: null,
    async *records() {
      yield* memories;
    },
  };
}

async function run(store: Store, io: Io, source: Source, o: ImportCommand): Promise<void> {
  const system = createSystem();
  const admin = createAdmin({ store, ...system });
  const workspace = (await admin.listWorkspaces()).find((w) => w.name === o.workspace || w.id === o.workspace);
  if (!workspace) throw new Failure(`There is no workspace ${o.workspace}. "hivekeep workspace create" makes one`);
  const owner = o.format === 'hivekeep' ? null : await ownerOf(store, workspace, o.agent);
  const tell = progress(io);
  const now = (): number => system.clock.now();
  const target = { store, now, ids: system.ids, workspace: workspace.id, tier: workspace.tier };
  try {
    const result = await importInto(
      {
        ...target,
        credentials: o.withCredentials ?? false,
        outlast: outlastingFor(io, 'the import', system.clock),
        progress: (n) => {
          tell(() => `${n.toLocaleString('en-US')} records are done`);
        },
      },
      owner ? behind(owner, source.records(), now()) : source.records(),
      source.leftOut,
    );
    tellResult(io, workspace.name, result, source.sha256);
  } catch (error) {
    if (error instanceof HivekeepError)
      throw new Failure(`The import stopped: ${error.message}. What was added before stays; run it again to go on`, {
        cause: error,
      });
    throw stoppedByStore('The import', error);
  }
}

function tellResult(io: Io, workspace: string, result: ImportResult, sha256: string | null): void {
  const { added, present, refused, reasons } = result;
  io.note(`Added to workspace ${workspace}: ${countsText(added)}. There already: ${countsText(present)}.`);
  if (refused > 0) io.note(`Left out: ${refused.toLocaleString('en-US')} records (${reasons.join('; ')}).`);
  if (sha256) io.out(sha256);
}

/** The record that opens the owner of memories from elsewhere. */
async function ownerOf(store: Store, workspace: Workspace, agent: string | undefined): Promise<CheckedRecord> {
  if (agent === undefined) return { kind: 'workspace', id: workspace.id, data: {} };
  const head = await store.head({ workspace: workspace.id, kind: 'agent', id: agent });
  if (!head || head.deleted) throw new Failure(`There is no agent ${agent} in workspace ${workspace.name}`);
  // it is there, so nothing but its id is read
  return { kind: 'agent', id: agent, data: { hives: [], shared_with: [] } as object } as CheckedRecord;
}

/** Memories without a time of their own have that of the import. */
async function* behind(
  owner: CheckedRecord,
  records: AsyncIterable<CheckedRecord>,
  now: number,
): AsyncGenerator<CheckedRecord> {
  yield owner;
  const at = new Date(now).toISOString();
  const epoch = new Date(0).toISOString();
  for await (const record of records)
    yield record.kind === 'memory' && record.data.created_at === epoch
      ? { ...record, data: { ...record.data, created_at: at, updated_at: at, occurred_at: at, last_seen_at: at } }
      : record;
}

async function openAlone({ mongodbUrl, dataDir, shards }: Config): Promise<Store> {
  if (mongodbUrl === null) return openLmdbStore({ dir: dataDir });
  const store = await openMongoStore({ url: mongodbUrl, shards });
  const [process] = await store.processes.liveProcesses();
  if (!process) return store;
  await store.close();
  throw new Failure(`A hivekeep process on ${process.host} works on the database: stop all of them first`);
}
