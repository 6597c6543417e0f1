/**
 * What the records of an import may say. They are data of anybody's making: each is checked field by field, and ids and
 * owners are set by the service.
 *
 *  ImportRecords.I1 No cycle: a run can be a fork of an earlier run only, as ids sort by time.
 */
import { z } from 'zod';
import type { JournalEntry, RunRecord, StoredMessage } from './agent-state.js';
import { listOf } from './bounded.js';
import { asideType, turnType } from './conversation.js';
import { isIdOf } from './ids.js';
import {
  boundedConfig,
  hiveIds,
  limits,
  memoryType,
  metadata,
  name,
  reference,
  text,
  thresholds,
  when,
} from './inputs.js';
import { normalizeTime } from './memories.js';
import type { Agent, Memory } from './model.js';
import { runStatuses, scopes, thoughtTypes, tokenScopes, tools } from './vocabulary.js';

const time = when.transform((t) => normalizeTime(t) ?? t);
const long = text(4 * 1024 * 1024, 0);
const whole = z
  .int()
  .min(0)
  .max(2 ** 48);
const count = z.int().min(0).max(1_000_000_000);
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();

const ignored = z.unknown().optional();

/** A call of a tool has few arguments; more are not looked at one by one. */
const callArguments = z.preprocess(
  (value, context) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= 20) return value;
    context.addIssue({ code: 'custom', message: 'must have at most 20 keys' });
    return z.NEVER;
  },
  z.record(text(100), long),
);

const call = z.strictObject({
  tool: z.enum(tools),
  arguments: callArguments,
});
const outcome = call.extend({ ok: z.boolean(), result: long });
const part = z.looseObject({ kind: z.enum(['text', 'data', 'file']) });
const held = call.extend({
  parts: listOf(part, { max: 1000 }).optional(),
  refused: long.optional(),
  result: long.optional(),
  limited: z.literal(true).optional(),
  to: nullable(z.strictObject({ id: reference, name: text(limits.name, 0) })).optional(),
  hive: nullable(reference).optional(),
  /** The memory that the call names. */
  id: nullable(reference).optional(),
  problem: nullable(long).optional(),
});

const agent = z.strictObject({
  name,
  description: text(limits.description, 0),
  status: z.enum(['active', 'inactive', 'terminated']),
  config: boundedConfig,
  hives: hiveIds,
  shared_with: listOf(reference, { max: 10_000 }).default([]),
  metadata,
  wake_on_message: z.boolean(),
  memory_quota: nullable(z.int().min(0)),
  maxRuntimeSeconds: nullable(z.int().min(1).max(3600)),
  message_count: count.default(0),
  created_at: time,
  updated_at: time,
  last_active_at: time,
});

const hive = z.strictObject({
  name,
  description: text(limits.description, 0),
  metadata,
  created_at: time,
  updated_at: time,
});

const memory = z.strictObject({
  id: ignored,
  agent_id: ignored,
  hive_id: ignored,
  type: memoryType,
  content: text(limits.memoryContent),
  shared_by: nullable(reference).default(null),
  sessionId: nullable(reference).default(null),
  position: nullable(count).default(null),
  importance: nullable(z.number().min(0).max(1)).default(null),
  occurred_at: time.optional(),
  speaker: nullable(name).default(null),
  source: nullable(reference).default(null),
  supersedes: nullable(reference).default(null),
  superseded_by: nullable(reference).default(null),
  chain: reference.optional(),
  valid_until: nullable(time).default(null),
  times_seen: z.int().min(1).max(1_000_000_000).default(1),
  last_seen_at: time.optional(),
  metadata: metadata.default({}),
  expires_at: nullable(time).default(null),
  created_at: time,
  updated_at: time,
});

const message = z.strictObject({
  from: nullable(reference),
  content: text(limits.messageContent),
  reply_to: nullable(reference).default(null),
  metadata: metadata.default({}),
  hops: count.default(0),
  wakes: count.default(0),
  read_at: nullable(time),
  created_at: time,
  budget: count.optional(),
  powers: listOf(z.enum(scopes), { max: scopes.length }).optional(),
  verified: z.literal(true).optional(),
  mode: ignored,
});

const run = z.strictObject({
  status: z.enum(runStatuses),
  stopReason: nullable(z.enum(['answer', 'max_steps', 'timeout'])),
  triggeredBy: z.enum(['api', 'message', 'a2a', 'fork']),
  sessionId: reference,
  input: text(limits.messageContent, 0),
  output: nullable(long),
  error: nullable(z.strictObject({ code: text(100), message: text(16_384, 0) })),
  waitingFor: nullable(
    z.strictObject({ kind: z.enum(['approval', 'human']), question: long, action: nullable(call.loose()) }),
  ),
  maxSteps: z.int().min(1).max(100),
  maxRuntimeSeconds: z.int().min(1).max(3600),
  steps: count,
  forkedFrom: nullable(z.strictObject({ runId: reference, checkpointId: reference, step: count })),
  created_at: time,
  updated_at: time,
  started_at: nullable(time),
  ended_at: nullable(time),
  nextSeq: z.int().min(1).max(1_000_000_000),
  runtimeMs: z.number().min(0),
  budgetFromStep: count,
  budgetFromMs: z.number().min(0),
  held: listOf(held, { max: 1000 }),
  done: listOf(outcome, { max: 1000 }),
  approved: z.boolean(),
  partial: nullable(long),
  messageId: nullable(text(1024)),
  hops: count,
  budget: count.optional(),
  powers: listOf(z.enum(scopes), { max: scopes.length }).optional(),
  consulted: listOf(z.strictObject({ id: reference, type: memoryType, relevance: z.number() }), { max: 1000 }),
  entryId: nullable(reference),
  statusAt: time.optional(),
  statusSeq: count.optional(),
  parts: listOf(part, { max: 1000 }).optional(),
  messages: listOf(z.looseObject({ messageId: text(1024), role: z.enum(['user', 'agent']) }), {
    max: 1000,
  }).optional(),
  contextId: text(1024).optional(),
  usage: nullable(z.strictObject({ requests: count, inputTokens: whole, outputTokens: whole })).optional(),
  opens: z.literal(true).optional(),
  noted: z.literal(true).optional(),
  studied: z.literal(true).optional(),
  turns: z
    .strictObject({
      input: z.enum([turnType, asideType]).optional(),
      output: z.literal(turnType).optional(),
      replies: z.enum([turnType, asideType]).optional(),
    })
    .optional(),
  forks: count.optional(),
  journalRemoved: z.enum(['partly', 'wholly']).optional(),
  mode: ignored,
});

const event = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('status'),
    seq: whole,
    at: time,
    status: z.enum(runStatuses),
    stopReason: nullable(z.enum(['answer', 'max_steps', 'timeout'])),
    message: nullable(long),
  }),
  z.strictObject({
    type: z.literal('thought'),
    seq: whole,
    at: time,
    thought: z.looseObject({ id: reference, thoughtType: z.enum(thoughtTypes), content: long }),
  }),
  z.strictObject({
    type: z.literal('answer'),
    seq: whole,
    at: time,
    content: long,
    parts: listOf(part, { max: 1000 }).optional(),
  }),
]);

const journal = z.strictObject({
  runId: reference,
  sessionId: reference,
  step: count,
  firstSeq: z.int().min(1).max(1_000_000_000),
  events: listOf(event, { max: 10_000 }),
  checkpoint: nullable(
    z.looseObject({
      step: count,
      calls: listOf(outcome, { max: 1000 }),
      output: nullable(long),
      runtimeMs: z.number().min(0),
      created_at: time,
    }),
  ),
  human: nullable(
    z.strictObject({ step: count, decision: nullable(z.literal('reject')), input: text(limits.messageContent, 0) }),
  ),
  created_at: time,
});

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');
const credential = z.looseObject({
  hash,
  name: text(limits.name, 0),
  scopes: listOf(z.enum(tokenScopes), { max: tokenScopes.length }),
  hint: text(100),
  expires_at: nullable(time),
  created_at: time,
});

/** By kind of record. */
export const importData = {
  workspace: z.looseObject({ usage_alerts: z.strictObject({ thresholds }).optional() }),
  hive,
  agent,
  memory,
  message,
  run,
  journal,
  token: credential,
  key: credential.extend({ mode: z.enum(['live', 'test']) }),
} as const;
export type ImportKind = keyof typeof importData;

/** A field that is added to what is stored must be added here, too, or an export could not be imported. */
type Absent<Stored, Schema extends z.ZodType, NotExported extends keyof Stored> = Exclude<
  keyof Stored,
  keyof z.infer<Schema> | NotExported
>;
type Whole<Forgotten> = [Forgotten] extends [never] ? true : Forgotten;
const nothingIsForgotten: {
  run: Whole<Absent<RunRecord, typeof run, 'id' | 'agent_id' | 'push' | 'restarts'>>;
  message: Whole<Absent<StoredMessage, typeof message, 'id' | 'agent_id'>>;
  memory: Whole<Absent<Memory, typeof memory, never>>;
  journal: Whole<Absent<JournalEntry, typeof journal, 'id' | 'agent_id'>>;
  agent: Whole<Absent<Agent, typeof agent, 'id' | 'memory_count'>>;
} = { run: true, message: true, memory: true, journal: true, agent: true };
void nothingIsForgotten;

/** Which ids records have; those of journal entries are ids of checkpoints. */
const idKinds = {
  hive: 'hive',
  agent: 'agent',
  memory: 'memory',
  message: 'message',
  run: 'run',
  journal: 'checkpoint',
  token: 'token',
  key: 'key',
} as const;

/** What owns which documents. */
const documentsOf: Readonly<Record<'workspace' | 'hive' | 'agent', readonly ImportKind[]>> = {
  workspace: ['memory', 'key'],
  hive: ['memory'],
  agent: ['memory', 'message', 'run', 'journal', 'token'],
};

export interface CheckedRecord {
  kind: ImportKind;
  id: string;
  data: Record<string, unknown>;
}

type Owner = 'workspace' | 'hive' | 'agent';

/** Throws an Error if a record of this kind cannot follow what was opened last. */
export function checkOwner(kind: ImportKind, owner: Owner | null): void {
  if (kind === 'workspace' || kind === 'hive' || kind === 'agent') return;
  if (owner === null) throw new Error(`a ${kind} must follow the workspace, hive or agent that it belongs to`);
  if (!documentsOf[owner].includes(kind)) throw new Error(`a ${kind} cannot belong to a ${owner}`);
}

/** The record, or why it cannot be imported: the field and what was expected. */
export function checkRecord(kind: ImportKind, id: unknown, data: unknown): CheckedRecord | string {
  if (typeof id !== 'string' || !(kind === 'workspace' ? reference.safeParse(id).success : isIdOf(idKinds[kind], id)))
    return `id: must be the id of a ${kind}`;
  const parsed = importData[kind].safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `data${(issue?.path ?? []).map((p) => `.${String(p)}`).join('')}: ${issue?.message ?? 'is not valid'}`;
  }
  const fields = parsed.data as Record<string, unknown>;
  // ImportRecords.I1
  const { forkedFrom } = fields as { forkedFrom?: { runId: string } | null };
  if (kind === 'run' && forkedFrom && !(forkedFrom.runId < id)) return 'data.forkedFrom.runId: must be an earlier run';
  return { kind, id, data: fields };
}
