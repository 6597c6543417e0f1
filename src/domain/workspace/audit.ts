/**
 * The audit of a workspace: what callers have changed, who they were, and what people have decided. A record is part of
 * the same commit as the change itself, so that neither exists without the other.
 *
 *  - Every command that changes something says which action it is (src/commands/command.ts), or that it is none: what
 *    is said to agents is told by their runs.
 *  - Records have the names of fields, and none of their values. What was said with a decision is in it.
 *  - Records are never changed, outlive what they are about, and do not count as storage, because a deletion must not
 *    take room. They are removed when they are older than `HIVEKEEP_AUDIT_DAYS` (src/store/audit-retention.ts).
 */
import type { Caller } from '../shared/caller.js';
import type { AuditActor, AuditNote, Draft } from '../shared/draft.js';
import { invalid } from '../shared/errors.js';
import { normalizeTime } from '../memory/memories.js';
import type { AuditRecord, RunDecision } from '../model/model.js';
import type { AuditAction, TokenScope } from '../shared/vocabulary.js';

/** Whom to record for a change by this caller. */
export const auditActorOf = ({ credentialId: actor, from, name, request }: Caller): AuditActor => ({
  actor,
  from: from ?? null,
  name: name ?? null,
  request,
});

/** Who has decided, for those who see the run. */
export const deciderOf = ({ actor: id, name }: AuditActor): RunDecision['by'] => ({ id, name: name ?? null });

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

/** The rest of a record, where there is none of it. */
const nothingMore = {
  target_id: null,
  credential_id: null,
  name: '',
  agent_id: null,
  hive_id: null,
  scopes: [],
  fields: [],
  count: null,
  words: null,
} satisfies Partial<AuditRecord>;

const recordBy = (
  id: string,
  time: string,
  { actor, name, from, request }: AuditActor,
  action: AuditAction,
  about: Partial<AuditRecord>,
): AuditRecord => ({
  id,
  action,
  actor,
  actor_name: name ?? null,
  from,
  request_id: request ?? null,
  ...nothingMore,
  ...about,
  created_at: time,
});

export const credentialRecord = (
  id: string,
  time: string,
  by: AuditActor,
  action: AuditAction,
  { id: of, name, agent_id, scopes }: Audited,
): AuditRecord =>
  recordBy(id, time, by, action, {
    target_id: of,
    credential_id: of,
    name,
    agent_id: agent_id ?? null,
    scopes: [...scopes],
  });

/** Records that were stored before there were all of the fields lack some. */
export const showAuditRecord = (stored: Partial<AuditRecord> & Pick<AuditRecord, 'id'>): AuditRecord =>
  ({
    actor_name: null,
    request_id: null,
    ...nothingMore,
    ...stored,
    target_id: stored.target_id ?? stored.credential_id ?? null,
  }) as AuditRecord;

/** Adds the record about a key, a token or a tool to a decision. */
export function recordAudit(d: Draft, by: AuditActor, action: AuditAction, credential: Audited): AuditRecord {
  const record = credentialRecord(d.env.ids('audit', d.at), d.time, by, action, credential);
  d.audit(record);
  return record;
}

const mostWords = 2000;

/** Adds the record about something of the owner to a decision. */
export function recordChange(
  d: Draft,
  by: AuditActor,
  action: AuditAction,
  about: Partial<Pick<AuditRecord, 'target_id' | 'name' | 'fields' | 'count' | 'words'>>,
): void {
  const { words = null } = about;
  d.audit(
    recordBy(d.env.ids('audit', d.at), d.time, by, action, {
      ...about,
      agent_id: d.owner.agent_id ?? null,
      hive_id: d.owner.hive_id ?? null,
      words: words && words.length > mostWords ? words.slice(0, mostWords).toWellFormed() : words,
    }),
  );
}

const textIn = (value: unknown, field: string): string | null => {
  const found: unknown = typeof value === 'object' && value !== null && (value as Record<string, unknown>)[field];
  return typeof found === 'string' ? found : null;
};

/** Adds the record of a change to its decision, which has this result. */
export function noteChange(d: Draft, { action, by, target, place, fields, count }: AuditNote, result: unknown): void {
  const id = target ?? textIn(result, 'id') ?? place ?? d.ownerId;
  const name = textIn(result, 'name') ?? (id === d.ownerId ? d.ownerName : '');
  recordChange(d, by, action, { target_id: id, name, fields: [...fields], count });
}

const mostFields = 100;

/** The names of what a request gives; of the settings of an agent each by its own name. */
export function fieldsOf(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const names = given.flatMap(([name, value]: [string, unknown]) =>
    name === 'config' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((own) => `config.${own}`)
      : [name],
  );
  return names.slice(0, mostFields);
}
