/** `hivekeep audit list`: the audit log of a workspace's keys and tokens. */
import type { Config } from '../../src/config/config.js';
import type { AuditRecord } from '../../src/domain/model/model.js';
import { printTable, type Io } from './io.js';
import { withAdmin } from './store.js';

export async function auditList(
  config: Config,
  io: Io,
  { workspace, json }: { workspace: string; json?: true },
): Promise<void> {
  const records = await withAdmin(config, false, async (admin) => {
    const all: AuditRecord[] = [];
    for await (const page of admin.audit(workspace)) all.push(...page);
    return all.sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
  });
  printTable(
    io,
    ['WHEN', 'WHAT', 'KEY OR TOKEN', 'NAME', 'AGENT', 'BY', 'FROM', 'SCOPES'],
    records,
    (r) => [
      ...[r.created_at, r.action, r.credential_id ?? '-', r.name],
      ...[r.agent_id ?? '-', r.actor, r.from ?? '-', r.scopes.join(',')],
    ],
    json,
  );
}
