/** What each object of the API is made of: exact names and types (docs/api.md 2.1 to 2.5). */
import { expect } from 'chai';
import type { Json } from './client.js';

type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'strings' | 'objects' | 'time' | RegExp;
type Shape = Record<string, Kind | [Kind, null]>;

const isTime = (v: unknown): boolean =>
  typeof v === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(v) && !Number.isNaN(Date.parse(v));
const isObject = (v: unknown): boolean => typeof v === 'object' && v !== null && !Array.isArray(v);

function is(kind: Kind, v: unknown): boolean {
  if (kind instanceof RegExp) return typeof v === 'string' && kind.test(v);
  switch (kind) {
    case 'string':
      return typeof v === 'string';
    case 'integer':
      return Number.isInteger(v);
    case 'number':
      return typeof v === 'number';
    case 'boolean':
      return typeof v === 'boolean';
    case 'object':
      return isObject(v);
    case 'strings':
      return Array.isArray(v) && v.every((i) => typeof i === 'string');
    case 'objects':
      return Array.isArray(v) && v.every(isObject);
    case 'time':
      return isTime(v);
  }
}

/** Exactly these fields, each of its kind; `[kind, null]` may be null, and `name?` may be left out. */
export function expectShape(value: unknown, shape: Shape): void {
  expect(value).to.be.an('object');
  const given = value as Json;
  const names = Object.keys(shape).filter((name) => !name.endsWith('?') || name.slice(0, -1) in given);
  expect(value).to.have.all.keys(...names.map((name) => name.replace(/\?$/, '')));
  for (const each of names) {
    const [name, wanted] = [each.replace(/\?$/, ''), shape[each]!];
    const field = given[name];
    const [kind, orNull] = Array.isArray(wanted) ? [wanted[0], true] : [wanted, false];
    expect(
      (orNull && field === null) || is(kind, field),
      `${name} is ${JSON.stringify(field)}, wanted ${String(kind)}${orNull ? ' or null' : ''}`,
    ).to.equal(true);
  }
}

export const agent: Shape = {
  id: /^agent_/,
  name: 'string',
  description: 'string',
  status: /^(active|inactive|terminated)$/,
  config: 'object',
  memory_count: 'integer',
  message_count: 'integer',
  hives: 'strings',
  metadata: 'object',
  wake_on_message: 'boolean',
  memory_quota: ['integer', null],
  maxRuntimeSeconds: ['integer', null],
  created_at: 'time',
  updated_at: 'time',
  last_active_at: 'time',
};
export const memory: Shape = {
  id: /^mem_/,
  type: 'string',
  content: 'string',
  agent_id: [/^agent_/, null],
  hive_id: [/^hive_/, null],
  shared_by: [/^agent_/, null],
  sessionId: ['string', null],
  subject: ['string', null],
  position: ['integer', null],
  importance: ['number', null],
  occurred_at: 'time',
  speaker: ['string', null],
  source: [/^run_/, null],
  supersedes: [/^mem_/, null],
  superseded_by: [/^mem_/, null],
  valid_until: ['time', null],
  times_seen: 'integer',
  last_seen_at: 'time',
  metadata: 'object',
  expires_at: ['time', null],
  created_at: 'time',
  updated_at: 'time',
};
export const run: Shape = {
  id: /^run_/,
  agent_id: /^agent_/,
  status: /^(pending|running|paused|completed|failed|timeout|cancelled)$/,
  stopReason: [/^(answer|max_steps|timeout)$/, null],
  triggeredBy: 'string',
  sessionId: 'string',
  subject: ['string', null],
  input: 'string',
  files: 'objects',
  output: ['string', null],
  output_data: ['object', null],
  error: ['object', null],
  waitingFor: ['object', null],
  retryAt: ['time', null],
  maxSteps: 'integer',
  maxRuntimeSeconds: 'integer',
  steps: 'integer',
  forkedFrom: ['object', null],
  overrides: ['object', null],
  metadata: 'object',
  usage: 'object',
  created_at: 'time',
  updated_at: 'time',
  started_at: ['time', null],
  ended_at: ['time', null],
};
export const thought: Shape = {
  id: 'string',
  thoughtType: /^(goal|recall|insight|action|result|reflection)$/,
  content: 'string',
  runId: /^run_/,
  sessionId: 'string',
  agent_id: /^agent_/,
  step: 'integer',
  created_at: 'time',
  'tool?': 'string',
  'found?': 'integer',
};
export const checkpoint: Shape = {
  id: 'string',
  runId: /^run_/,
  agent_id: /^agent_/,
  sessionId: 'string',
  step: 'integer',
  calls: 'objects',
  output: ['string', null],
  runtimeMs: 'integer',
  created_at: 'time',
};
export const mail: Shape = {
  id: /^msg_/,
  agent_id: /^agent_/,
  from: ['string', null],
  content: 'string',
  subject: ['string', null],
  reply_to: ['string', null],
  metadata: 'object',
  hops: 'integer',
  wakes: 'integer',
  read_at: ['time', null],
  created_at: 'time',
};
export const token: Shape = {
  id: 'string',
  agent_id: /^agent_/,
  name: 'string',
  scopes: 'strings',
  hint: 'string',
  expires_at: ['time', null],
  last_used_at: ['time', null],
  created_at: 'time',
};
export const auditRecord: Shape = {
  id: /^aud_/,
  action: /^(key|token)\.(created|revoked)$/,
  actor: 'string',
  from: ['string', null],
  credential_id: /^(key|tok)_/,
  name: 'string',
  agent_id: [/^agent_/, null],
  scopes: 'strings',
  created_at: 'time',
};
export const key: Shape = {
  id: 'string',
  name: 'string',
  mode: /^(live|test)$/,
  scopes: 'strings',
  hint: 'string',
  expires_at: ['time', null],
  last_used_at: ['time', null],
  created_at: 'time',
};
export const hive: Shape = {
  id: /^hive_/,
  name: 'string',
  description: 'string',
  metadata: 'object',
  memory_count: 'integer',
  created_at: 'time',
  updated_at: 'time',
};
export const reply: Shape = {
  message_id: 'string',
  run_id: /^run_/,
  status: 'string',
  response: ['string', null],
  output_data: ['object', null],
  error: ['object', null],
  waitingFor: ['object', null],
  memories_consulted: 'objects',
  sessionId: 'string',
};
export const consulted: Shape = { id: 'string', type: 'string', content: 'string', relevance: 'number' };
