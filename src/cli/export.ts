/** `hivekeep export`: a workspace as a file of records, also beside a running server. */
import { existsSync } from 'node:fs';
import type { Config } from '../config.js';
import { exportToFile } from '../transfer/export-file.js';
import { countsText } from '../transfer/records.js';
import { Failure, stoppedByStore } from './failure.js';
import type { Io } from './io.js';
import { mebibytes, outlastingFor, progress } from './progress.js';
import { withAdmin } from './store.js';
import { createSystem } from './system.js';

export interface ExportCommand {
  workspace: string;
  agent?: string;
  withCredentials?: true;
}

export async function exportWorkspace(config: Config, io: Io, file: string, o: ExportCommand): Promise<void> {
  if (existsSync(file)) throw new Failure(`The file ${file} exists. Name another one`);
  await withAdmin(config, false, async (admin, { store, clock }) => {
    const found = (await admin.listWorkspaces()).find((w) => w.name === o.workspace || w.id === o.workspace);
    if (!found) throw new Failure(`There is no workspace ${o.workspace}. "hivekeep workspace list" lists them`);
    const tell = progress(io);
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
      (bytes) => {
        tell(() => `${mebibytes(bytes)} are written`);
      },
    ).catch((error: unknown) => {
      throw stoppedByStore('The export', error);
    });
    if (!made) throw new Failure(`There is no agent ${o.agent} in workspace ${found.name}`);
    if (made.resumedAt > 0) io.note(`An interrupted export was continued behind ${mebibytes(made.resumedAt)}.`);
    io.note(`${file} holds ${countsText(made.counts)} (${mebibytes(made.bytes)}).`);
    io.out(made.sha256);
  });
}
