/** `hivekeep workspace create | list | set-tier`. */
import type { Config } from '../../src/config/config.js';
import type { Tier } from '../../src/domain/shared/vocabulary.js';
import { printTable, type Io } from './io.js';
import { withAdmin } from './store.js';

export async function workspaceCreate(config: Config, io: Io, name: string, tier: Tier): Promise<void> {
  const made = await withAdmin(config, true, (admin) => admin.createWorkspace(name, tier));
  io.out(made.id);
  io.note(
    `Workspace ${made.name} has tier ${made.tier}. Its first key: hivekeep key create --workspace ${made.name} --mode live --name first`,
  );
}

export async function workspaceList(config: Config, io: Io): Promise<void> {
  const all = await withAdmin(config, false, (admin) => admin.listWorkspaces());
  printTable(io, ['ID', 'NAME', 'TIER', 'CREATED'], all, (w) => [w.id, w.name, w.tier, w.created_at]);
}

export async function workspaceSetTier(config: Config, io: Io, name: string, tier: Tier): Promise<void> {
  const changed = await withAdmin(config, false, (admin) => admin.setTier(name, tier));
  io.note(`Workspace ${changed.name} has tier ${changed.tier}; a running server follows within seconds.`);
}
