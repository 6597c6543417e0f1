/** `hivekeep audit list`: the audit log of a workspace, as a table, as JSON, or as lines of JSON for other programs. */
import { Failure } from './failure.js';
import { auditFilter } from '../../src/domain/shared/filters.js';
import type { AuditFilter } from '../../src/commands/keys.js';
import type { Config } from '../../src/config/config.js';
import type { AuditRecord } from '../../src/domain/model/model.js';
import { printTable, type Io } from './io.js';
import { withAdmin } from './store.js';

export interface AuditOptions {
  workspace: string;
  json?: true;
  lines?: true;
  actor?: string;
  action?: string;
  agent?: string;
  target?: string;
  since?: string;
  until?: string;
}

export async function auditList(config: Config, io: Io, options: AuditOptions): Promise<void> {
  const { workspace, json, lines } = options;
  const filter = filterFrom(options);
  if (lines) {
    await withAdmin(config, false, async (admin) => {
      for await (const page of admin.audit(workspace, filter))
        if (page.length > 0) io.out(page.map((record) => JSON.stringify(record)).join('\n'));
    });
    return;
  }
  const records = await withAdmin(config, false, async (admin) => {
    const all: AuditRecord[] = [];
    for await (const page of admin.audit(workspace, filter)) all.push(...page);
    return all.sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
  });
  printTable(
    io,
    ['WHEN', 'WHAT', 'OF', 'NAME', 'AGENT', 'BY', 'FROM', 'MORE'],
    records,
    (r) => [
      ...[r.created_at, r.action, r.target_id ?? '-', r.name],
      ...[r.agent_id ?? '-', r.actor_name ?? r.actor, r.from ?? '-', moreOf(r)],
    ],
    json,
  );
}

const moreOf = ({ scopes, fields, count, words }: AuditRecord): string =>
  [scopes.join(','), fields.join(','), count === null ? '' : `${count} things`, words ?? '']
    .filter((text) => text !== '')
    .join(' ');

function filterFrom({ actor, action, agent, target, since, until }: AuditOptions): AuditFilter {
  const given = { actor, action, agent_id: agent, target_id: target, created_after: since, created_before: until };
  const options = {
    actor: '--actor',
    action: '--action',
    agent_id: '--agent',
    target_id: '--target',
    created_after: '--since',
    created_before: '--until',
  };
  const filter: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(auditFilter)) {
    const value = given[name as keyof typeof given];
    if (value === undefined) continue;
    const read = schema.safeParse(value);
    if (!read.success)
      throw new Failure(`${options[name as keyof typeof options]} ${read.error.issues[0]?.message ?? 'is not valid'}`);
    filter[name] = read.data;
  }
  return filter;
}
