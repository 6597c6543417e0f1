/** What clients may send: a table of good and bad for every schema, with the path of what is wrong. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { z } from 'zod';
import { limits } from '../../../src/domain/shared/input-fields.js';
import { thoughtFilter } from '../../../src/domain/shared/filters.js';
import * as inputs from '../../../src/domain/shared/inputs.js';
import { workspaceInput } from '../../../src/domain/workspace/workspace-inputs.js';
import { normalizeTime } from '../../../src/domain/memory/memories.js';
import { thoughtTypes } from '../../../src/domain/shared/vocabulary.js';

const ofBytes = (n: number): string => 'é'.repeat(n / 2);
const metadataOf = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
const hives = (n: number): string[] => Array.from({ length: n }, (_, i) => `hive_${i}`);

interface Table {
  schema: z.ZodType;
  good: unknown[];
  bad: [unknown, string][];
}

const settings: Pick<Table, 'good' | 'bad'> = {
  good: [
    { name: 'x'.repeat(limits.name) },
    { name: 'a', description: '' },
    { name: 'a', description: ofBytes(limits.description) },
    { name: 'a', hives: hives(100) },
    { name: 'a', hives: [] },
    { name: 'a', metadata: metadataOf(limits.metadata) },
    { name: 'a', metadata: { deep: { a: [1, null, 'x', true] } } },
    { name: 'a', memory_quota: null, maxRuntimeSeconds: null },
    { name: 'a', memory_quota: 0, maxRuntimeSeconds: 1 },
    { name: 'a', maxRuntimeSeconds: 3600, wake_on_message: true },
    {
      name: 'a',
      config: {
        model: 'built-in',
        temperature: 2,
        multi_step: true,
        max_steps: 100,
        instructions: '',
        validation_gate: 'answer',
        memory: { min_relevance: 1, recall_limit: 0 },
      },
    },
    { name: 'a', config: { model: 'openai/gpt-4o' } },
    { name: 'a', config: { model: 'anthropic/claude:x' } },
  ],
  bad: [
    [{ name: '' }, 'name'],
    [{ name: '  \n' }, 'name'],
    [{ name: 1 }, 'name'],
    [{ name: ofBytes(limits.name + 2) }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ name: '\ud800' }, 'name'],
    [{ name: 'a', colour: 'red' }, ''],
    [{ name: 'a', description: ofBytes(limits.description + 2) }, 'description'],
    [{ name: 'a', hives: hives(101) }, 'hives'],
    [{ name: 'a', hives: ['h', 'h'] }, 'hives'],
    [{ name: 'a', hives: [''] }, 'hives.0'],
    [{ name: 'a', hives: 'h' }, 'hives'],
    [{ name: 'a', metadata: metadataOf(limits.metadata + 1) }, 'metadata'],
    [{ name: 'a', metadata: { a: ofBytes(limits.metadata) } }, 'metadata'],
    [{ name: 'a', metadata: [] }, 'metadata'],
    [{ name: 'a', metadata: 'x' }, 'metadata'],
    [{ name: 'a', wake_on_message: 'yes' }, 'wake_on_message'],
    [{ name: 'a', memory_quota: -1 }, 'memory_quota'],
    [{ name: 'a', memory_quota: 1.5 }, 'memory_quota'],
    [{ name: 'a', maxRuntimeSeconds: 0 }, 'maxRuntimeSeconds'],
    [{ name: 'a', maxRuntimeSeconds: 3601 }, 'maxRuntimeSeconds'],
    [{ name: 'a', maxRuntimeSeconds: '60' }, 'maxRuntimeSeconds'],
    [{ name: 'a', config: null }, 'config'],
    [{ name: 'a', config: { model: 'gpt-4o' } }, 'config.model'],
    [{ name: 'a', config: { model: 'openai/' } }, 'config.model'],
    [{ name: 'a', config: { own: true } }, 'config.own'],
    [{ name: 'a', config: { memory: { own: true } } }, 'config.memory.own'],
    [{ name: 'a', config: { card: { own: true } } }, 'config.card.own'],
    [{ name: 'a', config: { temperature: 2.1 } }, 'config.temperature'],
    [{ name: 'a', config: { multi_step: 1 } }, 'config.multi_step'],
    [{ name: 'a', config: { max_steps: 0 } }, 'config.max_steps'],
    [{ name: 'a', config: { max_steps: 101 } }, 'config.max_steps'],
    [{ name: 'a', config: { validation_gate: 'both' } }, 'config.validation_gate'],
    [{ name: 'a', config: { memory: { recall_limit: 51 } } }, 'config.memory.recall_limit'],
    [{ name: 'a', config: { memory: { min_relevance: -0.1 } } }, 'config.memory.min_relevance'],
    [{ name: 'a', config: { own: 'x'.repeat(65_536) } }, 'config'],
    [{ name: 'a', config: { instructions: ofBytes(limits.instructions + 2) } }, 'config.instructions'],
  ],
};

const times = {
  good: ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123+02:00', '0001-01-01T00:00:00Z'],
  bad: [
    '2030-01-31',
    '2030-01-31T12:00:00',
    '2030-02-30T00:00:00Z',
    '2030-01-31T24:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    'soon',
    '',
    1893456000000,
  ],
};
const memory = { type: 'semantic', content: 'c' };

const tables: Record<string, Table> = {
  spawnInput: {
    schema: inputs.spawnInput,
    good: settings.good,
    bad: [...settings.bad, [{}, 'name'], [{ name: 'a', status: 'active' }, '']],
  },
  replaceAgentInput: {
    schema: inputs.replaceAgentInput,
    good: [
      {},
      { status: 'terminated' },
      {
        status: 'inactive',
        memory_count: 'whatever',
        id: 3,
        created_at: null,
        updated_at: 1,
        last_active_at: [],
        message_count: {},
      },
      ...settings.good,
    ],
    bad: [...settings.bad, [{ status: 'asleep' }, 'status'], [{ name: null }, 'name']],
  },
  patchAgentInput: {
    schema: inputs.patchAgentInput,
    good: [
      {},
      {
        description: null,
        config: null,
        hives: null,
        metadata: null,
        wake_on_message: null,
        memory_quota: null,
        maxRuntimeSeconds: null,
      },
      { config: { max_steps: null } },
      { metadata: { a: { b: null } } },
      { status: 'inactive', id: 'agent_1' },
    ],
    bad: [
      [{ name: null }, 'name'],
      [{ status: null }, 'status'],
      [{ config: 1 }, 'config'],
      [{ colour: 1 }, ''],
      [{ hives: ['h', 'h'] }, 'hives'],
      [{ metadata: [] }, 'metadata'],
    ],
  },
  messageInput: {
    schema: inputs.messageInput,
    good: [{ content: 'x' }, { content: ofBytes(limits.messageContent), sessionId: 's' }],
    bad: [
      [{}, 'content'],
      [{ content: '' }, 'content'],
      [{ content: ofBytes(limits.messageContent + 2) }, 'content'],
      [{ content: 'x', sessionId: '' }, 'sessionId'],
      [{ content: 'x', sessionId: 'x'.repeat(limits.reference + 1) }, 'sessionId'],
      [{ content: 'x', session_id: 's' }, ''],
      [[], ''],
      ['x', ''],
      [null, ''],
    ],
  },
  runInput: {
    schema: inputs.runInput,
    good: [{ input: 'x' }, { input: 'x', sessionId: 's', maxSteps: 100, maxRuntimeSeconds: 3600, on_busy: 'reject' }],
    bad: [
      [{}, 'input'],
      [{ input: 'x', maxSteps: 0 }, 'maxSteps'],
      [{ input: 'x', maxSteps: 101 }, 'maxSteps'],
      [{ input: 'x', maxSteps: 1.5 }, 'maxSteps'],
      [{ input: 'x', maxRuntimeSeconds: 3601 }, 'maxRuntimeSeconds'],
      [{ input: 'x', on_busy: 'queue' }, 'on_busy'],
    ],
  },
  resumeInput: {
    schema: inputs.resumeInput,
    good: [{}, { decision: 'approve' }, { decision: 'reject', input: 'no' }, { input: 'x' }],
    bad: [
      [{ decision: 'maybe' }, 'decision'],
      [{ input: '' }, 'input'],
      [{ answer: 'x' }, ''],
    ],
  },
  forkInput: {
    schema: inputs.forkInput,
    good: [{ checkpoint: 1 }, { checkpoint: 'ckpt_1' }],
    bad: [
      [{}, 'checkpoint'],
      [{ checkpoint: 0 }, 'checkpoint'],
      [{ checkpoint: 1.5 }, 'checkpoint'],
      [{ checkpoint: '' }, 'checkpoint'],
      [{ checkpoint: null }, 'checkpoint'],
    ],
  },
  mailboxInput: {
    schema: inputs.mailboxInput,
    good: [{ content: 'x' }, { content: 'x', from: 'me', reply_to: 'msg_1', metadata: {} }],
    bad: [
      [{ content: '' }, 'content'],
      [{ content: 'x', from: 1 }, 'from'],
      [{ content: 'x', to: 'agent_1' }, ''],
      [{ content: 'x', metadata: null }, 'metadata'],
    ],
  },
  tokenInput: {
    schema: inputs.tokenInput,
    good: [
      { name: 't', scopes: ['agent:read'] },
      { name: 't', scopes: ['agent:read', 'agent:manage'], expires_at: null },
    ],
    bad: [
      [{ name: 't' }, 'scopes'],
      [{ name: 't', scopes: [] }, 'scopes'],
      [{ name: 't', scopes: ['agent:fly'] }, 'scopes.0'],
      [{ name: '', scopes: ['agent:read'] }, 'name'],
    ],
  },
  keyInput: {
    schema: inputs.keyInput,
    good: [
      { name: 'k', mode: 'live' },
      { name: 'k', mode: 'test', scopes: ['usage:read'], expires_at: '2030-01-01T00:00:00Z' },
    ],
    bad: [
      [{ name: 'k' }, 'mode'],
      [{ name: 'k', mode: 'prod' }, 'mode'],
      [{ name: 'k', mode: 'live', scopes: [] }, 'scopes'],
    ],
  },
  memoryInput: {
    schema: inputs.memoryInput,
    good: [
      memory,
      { ...memory, type: 'A.b_c-9' },
      { ...memory, type: 'x'.repeat(limits.type) },
      { ...memory, content: ofBytes(limits.memoryContent) },
      { ...memory, agent_id: 'a' },
      { ...memory, hive_id: 'h', sessionId: 's', importance: 0, expires_at: null, metadata: {} },
      ...times.good.map((expires_at) => ({ ...memory, expires_at })),
      { ...memory, occurred_at: '2023-05-08T13:56:00+02:00', speaker: 'Ana' },
    ],
    bad: [
      [{ type: 'semantic' }, 'content'],
      [{ ...memory, occurred_at: 'yesterday' }, 'occurred_at'],
      [{ ...memory, occurred_at: null }, 'occurred_at'],
      [{ ...memory, speaker: ' ' }, 'speaker'],
      [{ content: 'c' }, 'type'],
      [{ ...memory, type: '9a' }, 'type'],
      [{ ...memory, type: 'x'.repeat(limits.type + 1) }, 'type'],
      [{ ...memory, type: 'a b' }, 'type'],
      [{ ...memory, content: '' }, 'content'],
      [{ ...memory, content: ofBytes(limits.memoryContent + 2) }, 'content'],
      [{ ...memory, content: '\udfff' }, 'content'],
      [{ ...memory, agent_id: 'a', hive_id: 'h' }, 'hive_id'],
      [{ ...memory, importance: 1.01 }, 'importance'],
      [{ ...memory, importance: '1' }, 'importance'],
      [{ ...memory, id: 'mem_1' }, ''],
      ...times.bad.map((expires_at): [unknown, string] => [{ ...memory, expires_at }, 'expires_at']),
    ],
  },
  memoryPatch: {
    schema: inputs.memoryPatch,
    good: [
      {},
      { importance: null, expires_at: null, metadata: null, occurred_at: null, speaker: null },
      { type: 'a', content: 'b', metadata: { a: null } },
    ],
    bad: [
      [{ content: null }, 'content'],
      [{ type: null }, 'type'],
      [{ agent_id: 'a' }, ''],
      [{ metadata: 'x' }, 'metadata'],
      [{ expires_at: '2030' }, 'expires_at'],
    ],
  },
  searchInput: {
    schema: inputs.searchInput,
    good: [
      { query: 'q' },
      { query: 'q', agent_id: 'a', types: ['a'], limit: 100, min_relevance: 0 },
      {
        query: 'q',
        speaker: 'Ana',
        occurred_after: '2023-01-01T00:00:00Z',
        occurred_before: '2024-01-01T00:00:00Z',
        explain: true,
      },
    ],
    bad: [
      [{}, 'query'],
      [{ query: 'q', occurred_after: '2023' }, 'occurred_after'],
      [{ query: 'q', occurred_before: 5 }, 'occurred_before'],
      [{ query: 'q', speaker: '' }, 'speaker'],
      [{ query: 'q', explain: 'yes' }, 'explain'],
      [{ query: '' }, 'query'],
      [{ query: ofBytes(limits.query + 2) }, 'query'],
      [{ query: 'q', limit: 0 }, 'limit'],
      [{ query: 'q', limit: 101 }, 'limit'],
      [{ query: 'q', min_relevance: 2 }, 'min_relevance'],
      [{ query: 'q', types: [] }, 'types'],
      [{ query: 'q', types: [''] }, 'types.0'],
      [{ query: 'q', agent_id: 'a', hive_id: 'h' }, 'hive_id'],
    ],
  },
  hiveInput: {
    schema: inputs.hiveInput,
    good: [{ name: 'h' }, { name: 'h', description: '', metadata: { a: 1 } }],
    bad: [
      [{}, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'h', agents: [] }, ''],
    ],
  },
  joinInput: {
    schema: inputs.joinInput,
    good: [{ agent_id: 'a' }],
    bad: [
      [{}, 'agent_id'],
      [{ agent_id: 7 }, 'agent_id'],
    ],
  },
  shareInput: {
    schema: inputs.shareInput,
    good: [
      { ...memory, agent_id: 'a' },
      { ...memory, agent_id: 'a', sessionId: 's', importance: 1, metadata: {} },
    ],
    bad: [
      [memory, 'agent_id'],
      [{ ...memory, agent_id: 'a', expires_at: null }, ''],
    ],
  },
  workspaceInput: {
    schema: workspaceInput,
    good: [
      { name: 'a', tier: 'free' },
      { name: `a${'-'.repeat(62)}`, tier: 'enterprise' },
    ],
    bad: [
      [{ name: 'A', tier: 'free' }, 'name'],
      [{ name: '9a', tier: 'free' }, 'name'],
      [{ name: `a${'b'.repeat(63)}`, tier: 'free' }, 'name'],
      [{ name: 'a', tier: 'gold' }, 'tier'],
      [{ name: 'a' }, 'tier'],
    ],
  },
};

const short = (value: unknown): string => {
  const s = JSON.stringify(value);
  return s.length > 70 ? `${s.slice(0, 70)}... (${s.length})` : s;
};

describe('domain: inputs', () => {
  for (const [name, { schema, good, bad }] of Object.entries(tables)) {
    describe(name, () => {
      for (const value of good)
        it(`takes ${short(value)}`, () => {
          expect(schema.safeParse(value).error?.issues ?? []).to.deep.equal([]);
          expect(schema.parse(value), 'as it is').to.deep.equal(value);
        });
      for (const [value, path] of bad)
        it(`refuses ${short(value)}`, () => {
          expect(schema.safeParse(value).error?.issues.map((i) => i.path.join('.'))).to.include(path);
        });
    });
  }
  it('thought filters name the types of the spec (2.5)', () => {
    for (const type of thoughtTypes) expect(thoughtFilter.thoughtType.safeParse(type).success).to.equal(true);
    expect(thoughtFilter.thoughtType.safeParse('dream').success).to.equal(false);
  });
  it('every schema refuses what is no object, and __proto__ reaches no prototype', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(tables)),
        fc.constantFrom<unknown>(null, undefined, 1, 'x', [], true),
        ({ schema }, value) => {
          expect(schema.safeParse(value).success).to.equal(false);
        },
      ),
    );
    for (const { schema } of Object.values(tables))
      schema.safeParse(JSON.parse('{"__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}}'));
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });
  it('any time that is taken becomes UTC text of one length, so that texts compare as times do', () => {
    const date = fc.date({ min: new Date('0001-01-03'), max: new Date('9999-12-29'), noInvalidDate: true });
    const zone = fc.constantFrom('Z', '+14:00', '-12:00', '+05:30');
    const time = fc.tuple(date, zone).map(([d, z]) => `${d.toISOString().slice(0, -1)}${z}`);
    fc.assert(
      fc.property(time, time, (a, b) => {
        for (const t of [a, b])
          expect(inputs.memoryInput.safeParse({ ...memory, expires_at: t }).success, t).to.equal(true);
        const [x, y] = [normalizeTime(a)!, normalizeTime(b)!];
        expect([x.length, y.length]).to.deep.equal([24, 24]);
        expect(Math.sign(Date.parse(a) - Date.parse(b))).to.equal(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });
});
