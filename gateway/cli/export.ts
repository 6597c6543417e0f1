/** `hivekeep export`: a workspace as a file of records, also beside a running server, or from one by its URL. */
import { existsSync } from 'node:fs';
import type { Config, Environment } from '../../src/config/config.js';
import { exportToFile, linesToFile, type ExportedFile } from '../../src/transfer/export-file.js';
import { countsText } from '../../src/transfer/records.js';
import { Failure, stoppedByFile, stoppedByStore } from './failure.js';
import type { Io } from './io.js';
import { mebibytes, outlastingFor, progress } from './progress.js';
import { insistent, remoteLines, remoteOf, remoteWorkspace } from './remote.js';
import { withAdmin } from './store.js';
import { createSystem } from '../../src/base/system.js';

export interface ExportCommand {
  workspace?: string;
  agent?: string;
  withCredentials?: true;
  url?: string;
}

export async function exportWorkspace(config: Config, io: Io, file: string, o: ExportCommand): Promise<void> {
  refuseExisting(file);
  if (o.workspace === undefined) throw new Failure('--workspace must name the workspace, or --url a running server');
  await withAdmin(config, false, async (admin, { store, clock }) => {
    const found = (await admin.listWorkspaces()).find((w) => w.name === o.workspace || w.id === o.workspace);
    if (!found) throw new Failure(`There is no workspace ${o.workspace}. "hivekeep workspace list" lists them`);
    const made = await exportToFile(
      store,
      file,
      {
        workspace: found.id,
        agent: o.agent,
        credentials: o.withCredentials ?? false,
        now: clock.now(),
        outlast: outlastingFor(io, 'the export', createSystem().clock),
      },
      written(io),
    ).catch((error: unknown) => {
      throw stoppedByFile(file, stoppedByStore('The export', error));
    });
    if (!made) throw new Failure(`There is no agent ${o.agent} in workspace ${found.name}`);
    tell(io, file, made);
  });
}

/** The same from a server, by its API. */
export async function exportRemote(environment: Environment, io: Io, file: string, o: ExportCommand): Promise<void> {
  refuseExisting(file);
  if (o.workspace !== undefined) throw new Failure('Leave --workspace out with --url: HIVEKEEP_KEY says which it is');
  if (o.withCredentials) throw new Failure('Credentials are not exported over HTTP: leave --with-credentials out');
  const remote = remoteOf(o.url ?? '', environment);
  const made = await insistent('The export', async () => {
    const { id: workspace } = await remoteWorkspace(remote);
    const of = { workspace, agent: o.agent, credentials: false };
    return linesToFile(file, of, (after) => remoteLines(remote, o.agent, after), written(io));
  }).catch((error: unknown) => {
    throw stoppedByFile(file, error);
  });
  if (made) tell(io, file, made);
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new Failure(`The file ${file} exists. Name another one`);
}

function written(io: Io): (bytes: number) => void {
  const tellProgress = progress(io);
  return (bytes) => {
    tellProgress(() => `${mebibytes(bytes)} are written`);
  };
}

function tell(io: Io, file: string, { resumedAt, counts, bytes, sha256 }: ExportedFile): void {
  if (resumedAt > 0) io.note(`An interrupted export was continued behind ${mebibytes(resumedAt)}.`);
  io.note(`${file} holds ${countsText(counts)} (${mebibytes(bytes)}).`);
  io.out(sha256);
}
