/**
 * A Service that answers at once with fixed things and remembers what it was asked. It has what most tests need; anything
 * can be overridden, and a test brings what else it asks for.
 */
import type { Command } from '../../src/commands/command.js';
import { createHash } from 'node:crypto';
import {
  type Agent,
  type Hive,
  type MailboxMessage,
  type Memory,
  type Run,
  type RunEvent,
  type WorkspaceEvent,
} from '../../src/domain/model/model.js';
import { scopes, type Scope } from '../../src/domain/shared/vocabulary.js';
import type { PushConfig, Task } from '../../src/domain/task/task.js';
import type { Caller, PageOf, Principal, Service } from '../../src/service.js';

const at = '2026-11-21T09:00:00.000Z';

export const fixtures = {
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
    subject: null,
    position: null,
    importance: null,
    occurred_at: '2026-01-01T00:00:00.000Z',
    speaker: null,
    source: null,
    run_id: null,
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
    subject: null,
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
    parent: null,
    usage: { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    created_at: at,
    updated_at: at,
    started_at: null,
    ended_at: null,
  } satisfies Run,
  message: {
    id: 'msg_1',
    agent_id: 'agent_1',
    from: null,
    content: 'hi',
    subject: null,
    reply_to: null,
    metadata: {},
    hops: 0,
    wakes: 0,
    read_at: null,
    created_at: at,
  } satisfies MailboxMessage,
  hive: {
    id: 'hive_1',
    name: 'crew',
    description: '',
    metadata: {},
    memory_count: 0,
    created_at: at,
    updated_at: at,
  } satisfies Hive,
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
} as const;

/** What commands answer, by their names. */
export type Answers = Readonly<Record<string, (caller: Caller, target: unknown, input: unknown) => Promise<unknown>>>;

export interface Call {
  /** A method of the service, or the name of a command. */
  method: string;
  args: readonly unknown[];
}

/** Credentials that it knows, by what they may do. */
export type Credentials = Record<string, Principal>;

export const hashOf = (credential: string): string => createHash('sha256').update(credential).digest('hex');

export function keyPrincipal(granted: readonly Scope[] = scopes, workspace = 'default'): Principal {
  return { kind: 'key', workspace, credentialId: 'key_test', tier: 'enterprise', scopes: granted };
}

export const tokenPrincipal = (agent = 'agent_1', granted: readonly Scope[] = scopes): Principal => ({
  kind: 'token',
  agent,
  workspace: 'default',
  credentialId: 'tok_1',
  tier: 'enterprise',
  scopes: granted,
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

/** Answers as `overrides` and `commands` say; with an `execute` of a real service, that carries out the other commands. */
export function createFakeService(
  credentials: Credentials,
  { execute: carryOut, ...overrides }: Partial<Service> = {},
  commands: Answers = {},
): FakeService {
  const calls: Call[] = [];
  const byHash = new Map(Object.entries(credentials).map(([credential, principal]) => [hashOf(credential), principal]));
  const f = fixtures;
  const base: Partial<Service> = {
    authenticate: (hash) => byHash.get(hash) ?? null,
    admit: () => null,
    stillValid: () => true,
    startRun: async () => f.run,
    converse: async () => ({ run: f.run, answers: null }),
    findConversation: async () => null,
    runEvents: async (_caller, _agent, _id, lastSeq) => eventsOf(...runEvents.filter((event) => event.seq > lastSeq)),
    runUpdates: async (_caller, _agent, _id, lastSeq) => eventsOf(...runEvents.filter((event) => event.seq > lastSeq)),
    dismissals: async () => () => undefined,
    sendTask: async () => f.task,
    streamTask: async () => ({ task: taskAt(1), events: eventsOf(...taskEvents.filter((event) => event.seq > 1)) }),
    followTask: async (_caller, _agent, _id, lastSeq) => ({
      task: taskAt(lastSeq ?? f.task.lastSeq),
      events: eventsOf(...taskEvents.filter((event) => event.seq > (lastSeq ?? f.task.lastSeq))),
    }),
    createMemory: async () => f.memory,
    listMemories: async () => pageOf(f.memory),
    getMemory: async () => f.memory,
    deleteMemory: async () => undefined,
    searchMemories: async () => [{ ...f.memory, relevance: 0.5 }],
    workspaceEvents: () => eventsOf(...workspaceEvents),
    ready: () => ({ ready: true }),
  };
  const answers: Answers = {
    listAgents: async () => pageOf(f.agent),
    listPublicAgents: async () => pageOf(f.agent),
    getAgent: async () => f.agent,
    createHive: async () => f.hive,
    listHives: async () => pageOf(f.hive),
    listMessages: async () => pageOf(f.message),
    getRun: async () => f.run,
    getTask: async () => f.task,
    listTasks: async () => pageOf<Task>(f.task),
    cancelTask: async () => ({ ...f.task, status: 'cancelled', output: null }),
    setPush: async (_caller, _target, config) => ({ id: 'push_1', ...(config as object) }),
    listPush: async () => [f.push],
    deletePush: async () => undefined,
    listThoughts: async () => pageOf(),
    listCheckpoints: async () => pageOf(),
    listKeys: async () => pageOf(),
    getUsage: async () => ({}),
    revokeKey: async () => [],
  };
  const methods = Object.fromEntries(
    Object.entries({ ...base, ...overrides }).map(([method, answer]) => [
      method,
      (...args: unknown[]) => {
        calls.push({ method, args });
        return (answer as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  );
  const execute = (caller: Caller, command: Command, ...args: [unknown, unknown]): unknown => {
    const { name } = command;
    calls.push({ method: name, args: [caller, ...args] });
    const answer = commands[name];
    if (answer) return answer(caller, ...args);
    return carryOut ? carryOut(caller, command, ...args) : answers[name]?.(caller, ...args);
  };
  return { service: { ...methods, execute } as unknown as Service, calls };
}
