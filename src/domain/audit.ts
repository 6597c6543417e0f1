/**
 * What was done to the keys and tokens of a workspace: a record in the same commit as the thing itself, so that neither
 * is ever without the other. Nothing changes or deletes one afterwards, not even the delete of the agent that it is about.
 */
import type { Draft } from './draft.js';
import type { AuditRecord } from './model.js';
import type { Scope } from './vocabulary.js';

/** Who did it, and from where. */
export interface AuditActor {
  actor: string;
  from: string | null;
}

/** Who can reach the data folder needs no key. */
export const commandLine: AuditActor = { actor: 'command line', from: null };
export const serverStart: AuditActor = { actor: 'server start', from: null };

/** A key, or a token of `agent_id`. */
export interface Credential {
  id: string;
  name: string;
  scopes: readonly Scope[];
  agent_id?: string;
}

export const auditRecord = (
  id: string,
  time: string,
  { actor, from }: AuditActor,
  action: AuditRecord['action'],
  credential: Credential,
): AuditRecord => ({
  id,
  action,
  actor,
  from,
  credential_id: credential.id,
  name: credential.name,
  agent_id: credential.agent_id ?? null,
  scopes: [...credential.scopes],
  created_at: time,
});

/** Adds the record to a decision. */
export function recordAudit(d: Draft, by: AuditActor, action: AuditRecord['action'], credential: Credential): void {
  const record = auditRecord(d.env.ids('audit', d.at), d.time, by, action, credential);
  d.put('audit', record.id, record, true);
}
