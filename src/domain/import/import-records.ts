/**
 * What the records of an import may say. They are data of anybody's making: each is checked field by field, and ids and
 * owners are set by the service.
 *
 *  - No cycle: a run can be a fork of an earlier run only, as ids sort by time.
 */
import { z } from 'zod';
import { isIdOf, isSegment, notASegment } from '../shared/ids.js';
import { importable as withTexts } from './importable.js';
import { withoutSecrets } from '../agent/agent-tools.js';
import { listOf } from '../shared/bounded.js';
import { boundedConfig } from '../agent/agent-config.js';
import { limits, memoryType, metadata, name, reference, saidText, text, timezone } from '../shared/input-fields.js';
import { modelBudgetInput, thresholds, webhookInput } from '../workspace/workspace-inputs.js';
import { base64, blockFields, hiveIds, runOverrides, scheduleInput } from '../shared/inputs.js';
import { agent, hive } from '../model/agent.js';
import { time } from '../model/fields.js';
import { block, keptVersion, memory } from '../model/memory.js';
import { schedule } from '../model/agent.js';
import { agentToken, apiKey } from '../model/workspace.js';
import { journalEntry, runRecord, storedMessage } from '../run/records.js';

/** Texts that are short, or become parts of keys. */
const texts = {
  ...{ id: reference, agent_id: reference, runId: reference, checkpointId: reference, entryId: reference },
  ...{
    sessionId: reference,
    subject: reference,
    source: reference,
    run_id: reference,
    supersedes: reference,
    superseded_by: reference,
    shared_by: reference,
  },
  ...{ hive: reference, from: reference, reply_to: reference, hives: reference },
  ...{ messageId: text(1024), contextId: text(1024).refine(isSegment, notASegment), hint: text(100), code: text(100) },
  ...{ name: text(limits.name, 0), speaker: name, type: text(100) },
};
const importable = <T extends z.ZodType>(schema: T): z.ZodType<z.output<T>> => withTexts(schema, texts);

const times = { created_at: time, updated_at: time };
const named = { name, description: text(limits.description, 0), metadata };
/** Set by the service. */
const ignored = z.unknown().optional();
/** The parts of fields that are unbounded where the service itself fills them. */
const budgets = { maxSteps: z.int().min(1).max(100), maxRuntimeSeconds: z.int().min(1).max(3600) };
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

const whole = z
  .int()
  .min(0)
  .max(2 ** 48);
/** A reference that a record of somebody else's making may leave out. */
const unknown = reference.nullable().default(null);

/** The secrets of tools are sealed where they are kept, and no export has them. */
const overrides = runOverrides.transform((given) => withoutSecrets(given));

/** By kind of record. */
export const importData = {
  workspace: z.looseObject({
    usage_alerts: z.strictObject({ thresholds }).optional(),
    model_budget: modelBudgetInput.optional(),
  }),
  hive: importable(hive.omit({ id: true, memory_count: true }).extend(named)),
  agent: importable(
    agent.omit({ id: true, memory_count: true, spawned_by: true, ends_at: true }).extend({
      ...named,
      config: boundedConfig.transform((config) => withoutSecrets(config)),
      hives: hiveIds,
      shared_with: z.array(reference).default([]),
      message_count: whole.default(0),
      maxRuntimeSeconds: budgets.maxRuntimeSeconds.nullable(),
    }),
  ),
  memory: importable(
    memory.extend({
      id: ignored,
      agent_id: ignored,
      hive_id: ignored,
      type: memoryType,
      content: saidText(limits.memoryContent),
      shared_by: unknown,
      sessionId: unknown,
      subject: unknown,
      position: whole.nullable().default(null),
      importance: z.number().min(0).max(1).nullable().default(null),
      speaker: text(limits.name).nullable().default(null),
      source: unknown,
      run_id: unknown,
      supersedes: unknown,
      superseded_by: unknown,
      valid_until: time.nullable().default(null),
      expires_at: time.nullable().default(null),
      times_seen: z.int().min(1).max(1_000_000_000).default(1),
      occurred_at: time.optional(),
      last_seen_at: time.optional(),
      metadata: metadata.default({}),
      /** The id of the first of the memories that supersede one another. */
      chain: reference.optional(),
      /** When a client changed it last. */
      patched_at: time.optional(),
      unheeded: z.literal(true).optional(),
    }),
  ),
  message: importable(
    storedMessage.omit({ id: true, agent_id: true }).extend({
      content: saidText(limits.messageContent),
      reply_to: unknown,
      hops: whole.default(0),
      wakes: whole.default(0),
      metadata: metadata.default({}),
    }),
  ),
  run: importable(
    runRecord.omit({ id: true, agent_id: true, push: true, restarts: true, modelOutage: true, later: true }).extend({
      ...budgets,
      input: text(limits.messageContent, 0),
      overrides: overrides.optional(),
      metadata: metadata.optional(),
    }),
  ),
  journal: importable(journalEntry.omit({ id: true, agent_id: true })),
  file: z.strictObject({ bytes: base64 }),
  schedule: importable(
    schedule.omit({ id: true, agent_id: true, next_times: true }).extend({
      input: saidText(limits.messageContent),
      cron: text(100).nullable(),
      every: scheduleInput.shape.every.unwrap().nullable(),
      timezone: timezone.nullable(),
      sessionId: unknown,
      subject: unknown,
      overrides: overrides.nullable(),
      name: unknown,
      if_running: schedule.shape.if_running.default('queue'),
      begun: reference.optional(),
      trusted: z.literal(true).optional(),
    }),
  )
    .refine(({ cron, every, at }) => [cron, every, at].filter((given) => given !== null).length === 1, {
      path: ['cron'],
      message: 'must be given, or `every` or `at`, and only one of these: the others are null',
    })
    .refine(({ cron, timezone: zone }) => zone === null || cron !== null, {
      path: ['timezone'],
      message: 'must be null without cron',
    }),
  block: importable(
    block.omit({ id: true, agent_id: true }).extend({
      subject: unknown,
      label: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be letters, digits, _ and -'),
      ...blockFields.required().shape,
      version: whole.min(1),
      versions: listOf(keptVersion, { max: 20 }).default([]),
    }),
  ).refine(({ value, limit }) => Array.from(value).length <= limit, {
    path: ['value'],
    message: 'must have at most as many characters as `limit` says',
  }),
  webhook: importable(
    webhookInput.extend({ agent_id: reference.nullable(), description: named.description, ...times }),
  ),
  token: importable(agentToken.extend({ id: ignored, agent_id: ignored, hash })),
  key: importable(apiKey.extend({ id: ignored, hash, updated_at: time })),
} as const;
export type ImportKind = keyof typeof importData;

/** What owns which documents. */
const documentsOf: Readonly<Record<'workspace' | 'hive' | 'agent', readonly ImportKind[]>> = {
  workspace: ['memory', 'webhook', 'key'],
  hive: ['memory'],
  agent: ['memory', 'message', 'run', 'journal', 'file', 'schedule', 'block', 'token'],
};

export interface CheckedRecordOf<K extends ImportKind> {
  kind: K;
  id: string;
  data: z.output<(typeof importData)[K]>;
}
export type CheckedRecord = { [K in ImportKind]: CheckedRecordOf<K> }[ImportKind];

type Owner = 'workspace' | 'hive' | 'agent';

/** Throws an Error if a record of this kind cannot follow what was opened last. */
export function checkOwner(kind: ImportKind, owner: Owner | null): void {
  if (kind === 'workspace' || kind === 'hive' || kind === 'agent') return;
  if (owner === null) throw new Error(`a ${kind} must follow the workspace, hive or agent that it belongs to`);
  if (!documentsOf[owner].includes(kind)) throw new Error(`a ${kind} cannot belong to a ${owner}`);
}

const isIdFor = (kind: ImportKind, id: string): boolean =>
  kind === 'workspace'
    ? reference.safeParse(id).success
    : kind === 'file'
      ? hash.safeParse(id).success
      : isIdOf(kind === 'journal' ? 'checkpoint' : kind, id); // a journal entry is named like its checkpoint

/** The record, or why it cannot be imported: the field and what was expected. */
export function checkRecord(kind: ImportKind, id: unknown, data: unknown): CheckedRecord | string {
  if (typeof id !== 'string' || !isIdFor(kind, id)) return `id: must be the id of a ${kind}`;
  const parsed = importData[kind].safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `data${(issue?.path ?? []).map((p) => `.${String(p)}`).join('')}: ${issue?.message ?? 'is not valid'}`;
  }
  const record = { kind, id, data: parsed.data } as CheckedRecord;
  if (record.kind === 'run' && record.data.forkedFrom && !(record.data.forkedFrom.runId < id))
    return 'data.forkedFrom.runId: must be an earlier run';
  return record;
}
