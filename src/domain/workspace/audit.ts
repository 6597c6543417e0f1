/**
 * Audit records of changes to the keys and tokens of a workspace, and of tools that people call. A record is part of
 * the same commit as the change itself, so that neither exists without the other. Records are never changed or deleted
 * afterwards, even when the agent that they concern is deleted.
 */
import type { Caller } from '../shared/caller.js';
import type { Draft } from '../shared/draft.js';
import { invalid } from '../shared/errors.js';
import { normalizeTime } from '../memory/memories.js';
import type { AuditRecord } from '../model/model.js';
import type { TokenScope } from '../shared/vocabulary.js';

/** Who made the change, and from where. */
export interface AuditActor {
  actor: string;
  from: string | null;
}

/** Whom to record for a change by this caller. */
export const auditActorOf = ({ credentialId: actor, from }: Caller): AuditActor => ({ actor, from: from ?? null });

/** Whoever can access the data folder needs no key. */
export const commandLine: AuditActor = { actor: 'command line', from: null };
export const serverStart: AuditActor = { actor: 'server start', from: null };

/** A key, or a token of `agent_id`. */
export interface Credential {
  id: string;
  name: string;
  scopes: readonly TokenScope[];
  agent_id?: string;
}

/** When a key or token that is made now expires. Throws VALIDATION_ERROR for a time in the past. */
export function expiryOf(d: Draft, { expires_at }: { expires_at?: string | null | undefined }): string | null {
  const expires = normalizeTime(expires_at);
  if (expires !== null && Date.parse(expires) <= d.env.now)
    throw invalid({ path: 'expires_at', message: 'must be in the future' });
  return expires;
}

/** What a record is about; a tool has no id. */
export type Audited = Omit<Credential, 'id'> & { id: string | null };

export const auditRecord = (
  id: string,
  time: string,
  { actor, from }: AuditActor,
  action: AuditRecord['action'],
  credential: Audited,
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
export function recordAudit(d: Draft, by: AuditActor, action: AuditRecord['action'], credential: Audited): AuditRecord {
  const record = auditRecord(d.env.ids('audit', d.at), d.time, by, action, credential);
  d.put('audit', record.id, record, true);
  return record;
}
