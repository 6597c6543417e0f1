/** `hivekeep push list | replay`: dead-lettered push notifications. */
import type { Admin, AdminDeps } from '../admin/admin.js';
import { createPushAdmin, type PushAdmin } from '../admin/pushes.js';
import type { Config } from '../../src/config/config.js';
import { notFound } from '../../src/domain/shared/errors.js';
import type { DeadLetter, Workspace } from '../../src/domain/model/model.js';
import { sandboxOf } from '../../src/domain/workspace/workspace.js';
import { printTable, type Io } from './io.js';
import { withAdmin } from './store.js';

export interface PushOptions {
  workspace?: string;
}

export async function pushList(
  config: Config,
  io: Io,
  { workspace, json }: PushOptions & { json?: true },
): Promise<void> {
  const letters = await withPushes(config, workspace, async (pushes, workspaces) => {
    const all: (DeadLetter & { workspace: string })[] = [];
    for (const { id, name } of workspaces)
      for await (const page of pushes.deadLetters(id))
        for (const letter of page) all.push({ ...letter, workspace: name });
    return all;
  });
  printTable(
    io,
    ['ID', 'WORKSPACE', 'AGENT', 'TASK', 'STATUS', 'TRIES', 'GIVEN UP', 'URL', 'WHY'],
    letters,
    (l) => [
      ...[l.id, l.workspace, l.agent_id, l.task_id, l.status],
      ...[String(l.tries), l.updated_at, l.url, l.reason],
    ],
    json,
  );
}

/** Replays all of them if `id` is null. */
export async function pushReplay(config: Config, io: Io, id: string | null, { workspace }: PushOptions): Promise<void> {
  await withPushes(config, workspace, async (pushes, workspaces) => {
    if (id !== null) {
      const {
        url,
        task_id: task,
        status,
      } = await pushes.replay(
        id,
        workspaces.map((w) => w.id),
      );
      io.note(`Push ${id} (${status}, of task ${task}) goes to ${url} again; a running server begins within seconds.`);
      return;
    }
    let count = 0;
    for (const w of workspaces) count += await pushes.replayAll(w.id);
    io.note(`${count} ${count === 1 ? 'push goes' : 'pushes go'} out again; a running server begins within seconds.`);
  });
}

/** Iterates over every workspace unless one is given. */
const withPushes = <T>(
  config: Config,
  workspace: string | undefined,
  command: (pushes: PushAdmin, workspaces: readonly NamedWorkspace[]) => Promise<T>,
): Promise<T> =>
  withAdmin(config, false, async (admin: Admin, deps: AdminDeps) =>
    command(createPushAdmin(deps), await meant(admin, workspace)),
  );

type NamedWorkspace = Pick<Workspace, 'id' | 'name'>;

/** Each with its sandbox. */
const withSandboxes = (workspaces: readonly Workspace[]): NamedWorkspace[] =>
  workspaces.flatMap(({ id, name }) => [
    { id, name },
    { id: sandboxOf(id), name: sandboxOf(name) },
  ]);

async function meant(admin: Admin, name: string | undefined): Promise<readonly NamedWorkspace[]> {
  const all = await admin.listWorkspaces();
  if (name === undefined) return withSandboxes(all);
  const found = all.find((w) => w.name === name) ?? all.find((w) => w.id === name);
  if (!found) throw notFound('workspace', name);
  return withSandboxes([found]);
}
