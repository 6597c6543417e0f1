/** A Service that answers at once with fixed things and remembers what it was asked. Anything can be overridden. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type Agent,
  type AgentToken,
  type ApiKey,
  type BatchResult,
  type AuditRecord,
  type Checkpoint,
  type Hive,
  type ImportReport,
  type MailboxMessage,
  type Me,
  type Memory,
  type MessageReply,
  type Schedule,
  type Run,
  type RunEvent,
  type Session,
  type Thought,
  type Turn,
  type Traffic,
  type Usage,
  type UsageAlerts,
  type Webhook,
  type WorkspaceEvent,
  type DeadLetter,
} from '../../src/domain/model.js';
import { scopes, type Scope } from '../../src/domain/vocabulary.js';
import type { PushConfig, Task } from '../../src/domain/task.js';
import type { PageOf, Principal, Service } from '../../src/service.js';

const at = '2026-11-21T09:00:00.000Z';

export const fixtures = {
  batch: { created: 0, repeated: 0, failed: 0, results: [] } satisfies BatchResult,
  traffic: {
    since: at,
    until: at,
    complete: true,
    messages: 1,
    pairs: [{ from: 'agent_1', to: 'agent_2', count: 1 }],
  } satisfies Traffic,
  agent: {
    id: 'agent_1',
    name: 'Ada',
    description: '',
    status: 'active',
    config: {},
    memory_count: 0,
    message_count: 0,
    hives: [],
    metadata: {},
    wake_on_message: false,
    memory_quota: null,
    maxRuntimeSeconds: null,
    created_at: at,
    updated_at: at,
    last_active_at: at,
  } satisfies Agent,
  memory: {
    id: 'mem_1',
    type: 'semantic',
    content: 'tea',
    agent_id: null,
    hive_id: null,
    shared_by: null,
    sessionId: null,
    position: null,
    importance: null,
    occurred_at: '2026-01-01T00:00:00.000Z',
    speaker: null,
    source: null,
    supersedes: null,
    superseded_by: null,
    valid_until: null,
    times_seen: 1,
    last_seen_at: at,
    metadata: {},
    expires_at: null,
    created_at: at,
    updated_at: at,
  } satisfies Memory,
  run: {
    id: 'run_1',
    agent_id: 'agent_1',
    status: 'pending',
    stopReason: null,
    triggeredBy: 'api',
    sessionId: 'sess_1',
    input: 'go',
    files: [],
    output: null,
    output_data: null,
    overrides: null,
    metadata: {},
    error: null,
    waitingFor: null,
    retryAt: null,
    maxSteps: 10,
    maxRuntimeSeconds: 300,
    steps: 0,
    forkedFrom: null,
    usage: { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    created_at: at,
    updated_at: at,
    started_at: null,
    ended_at: null,
  } satisfies Run,
  file: { sha256: 'a'.repeat(64), size: 3, bytes: 'R0lG' },
  session: {
    id: 'sess_1',
    agent_id: 'agent_1',
    opening: 'go',
    created_at: at,
    updated_at: at,
  } satisfies Session,
  turn: {
    id: 'run_1.input',
    agent_id: 'agent_1',
    runId: 'run_1',
    sessionId: 'sess_1',
    role: 'user',
    content: 'go',
    created_at: at,
  } satisfies Turn,
  thought: {
    id: 'tht_1',
    thoughtType: 'goal',
    content: 'go',
    runId: 'run_1',
    sessionId: 'sess_1',
    agent_id: 'agent_1',
    step: 1,
    created_at: at,
  } satisfies Thought,
  checkpoint: {
    id: 'ckpt_1',
    runId: 'run_1',
    agent_id: 'agent_1',
    sessionId: 'sess_1',
    step: 1,
    calls: [],
    output: null,
    runtimeMs: 1,
    created_at: at,
  } satisfies Checkpoint,
  message: {
    id: 'msg_1',
    agent_id: 'agent_1',
    from: null,
    content: 'hi',
    reply_to: null,
    metadata: {},
    hops: 0,
    wakes: 0,
    read_at: null,
    created_at: at,
  } satisfies MailboxMessage,
  schedule: {
    id: 'sched_1',
    agent_id: 'agent_1',
    cron: '30 9 * * 1-5',
    every: null,
    at: null,
    timezone: 'UTC',
    input: 'report',
    sessionId: null,
    overrides: null,
    catch_up: 'one',
    paused: false,
    next_times: [at],
    last: null,
    created_at: at,
    updated_at: at,
  } satisfies Schedule,
  token: {
    id: 'tok_1',
    agent_id: 'agent_1',
    name: 'peer',
    scopes: ['agent:read'],
    hint: 'at_ab',
    expires_at: null,
    last_used_at: null,
    created_at: at,
  } satisfies AgentToken,
  key: {
    id: 'key_1',
    name: 'ci',
    mode: 'live',
    scopes: ['memory:read'],
    hint: 'svc_live_ab',
    expires_at: null,
    last_used_at: null,
    created_at: at,
  } satisfies ApiKey,
  audit: {
    id: 'aud_1',
    action: 'key.created',
    actor: 'key_0',
    from: '127.0.0.1',
    credential_id: 'key_1',
    name: 'ci',
    agent_id: null,
    scopes: ['memory:read'],
    created_at: at,
  } satisfies AuditRecord,
  hive: {
    id: 'hive_1',
    name: 'crew',
    description: '',
    metadata: {},
    memory_count: 0,
    created_at: at,
    updated_at: at,
  } satisfies Hive,
  reply: {
    message_id: 'msg_1',
    run_id: 'run_1',
    status: 'completed',
    response: 'tea',
    output_data: null,
    error: null,
    waitingFor: null,
    memories_consulted: [{ id: 'mem_1', type: 'semantic', content: 'tea', relevance: 0.9 }],
    sessionId: 'sess_1',
  } satisfies MessageReply,
  task: {
    id: 'run_1',
    agent_id: 'agent_1',
    status: 'completed',
    statusAt: at,
    statusSeq: 3,
    statusMessage: null,
    output: [{ kind: 'text', text: 'tea' }],
    history: [{ messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'go' }] }],
    lastSeq: 3,
  } satisfies Task,
  push: { id: 'push_1', url: 'https://hooks.example/a', token: 'secret', version: '0.3' } satisfies PushConfig,
  deadLetter: {
    id: 'psh_1',
    agent_id: 'agent_1',
    task_id: 'run_1',
    config_id: 'push_1',
    url: 'https://hooks.example/a',
    status: 'completed',
    reason: 'answered 500',
    tries: 8,
    created_at: at,
    updated_at: at,
  } satisfies DeadLetter,
  me: {
    workspace: { id: 'default', name: 'default', created_at: at },
    mode: 'live',
    tier: 'enterprise',
    key: { id: 'key_test', name: 'ci', hint: 'svc_live_ab', expires_at: null, created_at: at },
    scopes: ['agent:read'],
    limits: {
      requests_per_minute: 1000,
      request_burst: 1500,
      searches_per_minute: 500,
      concurrent_requests: 10,
      memories_per_month: null,
      storage_bytes: null,
      api_keys: 10,
      mailbox_messages_per_minute: null,
    },
  } satisfies Me,
  exportLine: { record: 'export' },
  importReport: { added: { memory: 1 }, present: {}, refused: 0, reasons: [], sha256: 'abc' } as ImportReport,
  usageAlerts: {
    thresholds: [80, 95],
    sent: [{ percent: 80, used: 40_000, at }],
    updated_at: at,
  } satisfies UsageAlerts,
  webhook: {
    id: 'wh_1',
    url: 'https://hooks.example.com/hive',
    events: ['run.completed'],
    agent_id: null,
    description: '',
    enabled: true,
    failing: null,
    disabled_reason: null,
    created_at: at,
    updated_at: at,
  } satisfies Webhook,
  usage: {
    cycle: { start: at, end: at },
    mode: 'live',
    used: 1,
    limit: null,
    remaining: null,
    agents: 1,
    hives: 0,
    memories: 1,
    by_type: { semantic: 1 },
    storage: { used: 1000, limit: null },
    models: { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    by_agent: [
      {
        agent_id: 'agent_1',
        name: 'Ada',
        used: 1,
        memories: 1,
        memory_quota: null,
        models: { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
      },
    ],
  } satisfies Usage,
} as const;

export interface Call {
  method: keyof Service;
  args: readonly unknown[];
}

/** Credentials that it knows, by what they may do. */
export type Credentials = Record<string, Principal>;

export const hashOf = (credential: string): string => createHash('sha256').update(credential).digest('hex');

export function keyPrincipal(granted: readonly Scope[] = scopes, workspace = 'default'): Principal {
  return { kind: 'key', workspace, key: 'key_test', tier: 'enterprise', scopes: new Set(granted) };
}

export const tokenPrincipal = (agent = 'agent_1', granted: readonly Scope[] = scopes): Principal => ({
  kind: 'token',
  agent,
  workspace: 'default',
  key: 'tok_1',
  tier: 'enterprise',
  scopes: new Set(granted),
});

const pageOf = <T>(...items: T[]): PageOf<T> => ({ items, next: null, total: items.length });

async function* eventsOf<T>(...events: T[]): AsyncIterable<T> {
  yield* events;
}

export const runEvents: readonly RunEvent[] = [
  { seq: 1, at, type: 'status', status: 'running', stopReason: null, message: null },
  { seq: 2, at, type: 'status', status: 'completed', stopReason: 'answer', message: null },
];
/** Those of `fixtures.task`. */
export const taskEvents: readonly RunEvent[] = [
  { seq: 1, at, type: 'status', status: 'running', stopReason: null, message: null },
  { seq: 2, at, type: 'answer', content: 'tea' },
  { seq: 3, at, type: 'status', status: 'completed', stopReason: 'answer', message: null },
];
/** The task as it was after an event. */
const taskAt = (seq: number): Task =>
  seq >= 3 ? fixtures.task : { ...fixtures.task, status: 'running', statusSeq: 1, output: null, lastSeq: seq };
export const workspaceEvents: readonly WorkspaceEvent[] = [{ type: 'agent.created', at, data: { id: 'agent_1' } }];

export interface FakeService {
  service: Service;
  calls: Call[];
}

export function createFakeService(credentials: Credentials, overrides: Partial<Service> = {}): FakeService {
  const calls: Call[] = [];
  const byHash = new Map(Object.entries(credentials).map(([credential, principal]) => [hashOf(credential), principal]));
  const f = fixtures;
  const base: Service = {
    authenticate: (hash) => byHash.get(hash) ?? null,
    admit: () => null,
    stillValid: () => true,
    spawnAgent: async () => f.agent,
    listAgents: async () => pageOf(f.agent),
    getAgent: async () => f.agent,
    replaceAgent: async () => f.agent,
    patchAgent: async () => f.agent,
    deleteAgent: async () => undefined,
    messageAgent: async () => f.reply,
    startRun: async () => f.run,
    listRuns: async () => pageOf(f.run),
    listAllRuns: async () => pageOf(f.run),
    getRun: async () => f.run,
    resumeRun: async () => f.run,
    forkRun: async () => f.run,
    getFile: async () => f.file,
    cancelRun: async () => f.run,
    deleteRun: async () => undefined,
    deleteMessage: async () => undefined,
    mailboxTraffic: async () => f.traffic,
    runEvents: async (_caller, _agent, _id, lastSeq) => eventsOf(...runEvents.filter((event) => event.seq > lastSeq)),
    runUpdates: async (_caller, _agent, _id, lastSeq) => eventsOf(...runEvents.filter((event) => event.seq > lastSeq)),
    dismissQuestion: async () => undefined,
    dismissals: async () => () => undefined,
    listSessions: async () => pageOf(f.session),
    listTurns: async () => pageOf(f.turn),
    deleteSession: async () => undefined,
    sendTask: async () => f.task,
    streamTask: async () => ({ task: taskAt(1), events: eventsOf(...taskEvents.filter((event) => event.seq > 1)) }),
    getTask: async () => f.task,
    listTasks: async () => pageOf<Task>(f.task),
    cancelTask: async () => ({ ...f.task, status: 'cancelled', output: null }),
    followTask: async (_caller, _agent, _id, lastSeq) => ({
      task: taskAt(lastSeq ?? f.task.lastSeq),
      events: eventsOf(...taskEvents.filter((event) => event.seq > (lastSeq ?? f.task.lastSeq))),
    }),
    setPush: async (_caller, _agent, _task, config) => ({ ...config, id: config.id ?? 'push_1' }),
    listPush: async () => [f.push],
    deletePush: async () => undefined,
    listDeadLetters: async () => pageOf(f.deadLetter),
    replayDeadLetter: async () => f.deadLetter,
    listThoughts: async () => pageOf(f.thought),
    listCheckpoints: async () => pageOf(f.checkpoint),
    listMessages: async () => pageOf(f.message),
    sendMessage: async () => f.message,
    addSchedule: async () => f.schedule,
    listSchedules: async () => pageOf(f.schedule),
    getSchedule: async () => f.schedule,
    pauseSchedule: async () => f.schedule,
    deleteSchedule: async () => undefined,
    mintToken: async () => ({ token: f.token, secret: 'at_secret' }),
    listTokens: async () => pageOf(f.token),
    revokeToken: async () => undefined,
    createMemory: async () => f.memory,
    createMemories: async () => f.batch,
    listMemories: async () => pageOf(f.memory),
    getMemory: async () => f.memory,
    memoryHistory: async () => pageOf(f.memory),
    patchMemory: async () => f.memory,
    deleteMemory: async () => undefined,
    searchMemories: async () => [{ ...f.memory, relevance: 0.5 }],
    promptContext: async () => ({ text: '', tokens: 0, items: [], left_out: 0 }),
    createHive: async () => f.hive,
    listHives: async () => pageOf(f.hive),
    getHive: async () => f.hive,
    patchHive: async () => f.hive,
    deleteHive: async () => undefined,
    listMembers: async () => pageOf(f.agent),
    joinHive: async () => f.agent,
    leaveHive: async () => undefined,
    shareMemory: async () => f.memory,
    listShared: async () => pageOf(f.memory),
    me: async () => f.me,
    usage: async () => f.usage,
    usageAlerts: async () => f.usageAlerts,
    setUsageAlerts: async () => f.usageAlerts,
    addWebhook: async () => ({ webhook: f.webhook, secret: 'whsec_secret' }),
    listWebhooks: async () => pageOf(f.webhook),
    getWebhook: async () => f.webhook,
    updateWebhook: async () => f.webhook,
    deleteWebhook: async () => undefined,
    rotateWebhookSecret: async () => ({ webhook: f.webhook, secret: 'whsec_secret' }),
    testWebhook: async () => ({ id: 'out_1', delivered: true, reason: null }),
    mintKey: async () => ({ key: f.key, secret: 'svc_live_secret' }),
    listKeys: async () => pageOf(f.key),
    revokeKey: async () => [],
    listAudit: async () => pageOf(f.audit),
    exportRecords: async () => Readable.from([`${JSON.stringify(f.exportLine)}\n`]),
    importRecords: async (_caller, body) => {
      for await (const _ of body);
      return f.importReport;
    },
    workspaceEvents: () => eventsOf(...workspaceEvents),
    ready: () => ({ ready: true }),
  };
  const service = Object.fromEntries(
    Object.entries({ ...base, ...overrides }).map(([method, answer]) => [
      method,
      (...args: unknown[]) => {
        calls.push({ method: method as keyof Service, args });
        return (answer as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as Service;
  return { service, calls };
}
