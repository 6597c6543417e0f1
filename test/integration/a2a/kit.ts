/** A JSON-RPC client for one agent's endpoint over real HTTP, and what its methods are called with in each dialect. */
import { expect } from 'chai';
import type { A2aOperation } from '../../../src/a2a/methods.js';
import type { Scope } from '../../../src/domain/shared/vocabulary.js';
import { rootKey, type TestGateway } from '../../helpers/gateway.js';

export const path = '/api/v1/a2a/agents/agent_1';

export interface RpcAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the body; undefined where that is none. */
  body:
    | {
        jsonrpc?: string;
        id?: unknown;
        result?: unknown;
        error?: { code: number | string; message: string; data?: unknown };
      }
    | undefined;
}

export interface Sending {
  credential?: string | null;
  headers?: Record<string, string>;
  at?: string;
}

/** Posts bytes as they are. */
export async function post(
  { url }: Pick<TestGateway, 'url'>,
  body: string | Buffer,
  { credential = rootKey, headers = {}, at = path }: Sending = {},
): Promise<RpcAnswer> {
  const response = await fetch(url + at, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      'content-type': 'application/json',
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...headers,
    },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as RpcAnswer['body']) : undefined,
  };
}

export const rpc = (
  gateway: Pick<TestGateway, 'url'>,
  method: string,
  params?: unknown,
  sending?: Sending,
): Promise<RpcAnswer> => post(gateway, JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }), sending);

/** The code of an answer that is a JSON-RPC error with HTTP 200. */
export function codeOf(answer: RpcAnswer): number | string | undefined {
  expect(answer.status, answer.text).to.equal(200);
  expect(answer.body, answer.text).to.include({ jsonrpc: '2.0' });
  expect(answer.body).not.to.have.property('result');
  return answer.body?.error?.code;
}

export interface SseEvent {
  id?: string;
  data: { jsonrpc: string; id: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } };
}

/** The events of a stream of server-sent events, as far as they are whole. Comments and `retry:` are left out. */
export function eventsIn(text: string): SseEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const lines = block.split('\n').filter((line) => !/^(:|retry: \d+$)/.test(line));
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field('data');
      if (data === undefined) return [];
      expect(
        lines.every((line) => /^(id|data): /.test(line)),
        `only id and data: ${block}`,
      ).to.equal(true);
      const id = field('id');
      return [{ ...(id !== undefined && { id }), data: JSON.parse(data) as SseEvent['data'] }];
    });
}

export const slashMessage = { kind: 'message', role: 'user', messageId: 'm-1', parts: [{ kind: 'text', text: 'go' }] };
export const protoMessage = { role: 'ROLE_USER', messageId: 'm-1', parts: [{ text: 'go' }] };

export interface MethodRow {
  method: string;
  operation: A2aOperation;
  dialect: 'slash' | 'pascal';
  scope: Scope;
  params: object | undefined;
  calls: readonly string[];
}

const url = 'https://hooks.example/a';
const rows: readonly [
  A2aOperation,
  Scope,
  readonly string[],
  [string, object | undefined] | null,
  [string, object | undefined],
][] = [
  [
    'send',
    'agent:spawn',
    ['sendTask'],
    ['message/send', { message: slashMessage }],
    ['SendMessage', { message: protoMessage }],
  ],
  [
    'stream',
    'agent:spawn',
    ['streamTask'],
    ['message/stream', { message: slashMessage }],
    ['SendStreamingMessage', { message: protoMessage }],
  ],
  ['get', 'agent:read', ['getTask'], ['tasks/get', { id: 'run_1' }], ['GetTask', { id: 'run_1' }]],
  ['cancel', 'agent:manage', ['cancelTask'], ['tasks/cancel', { id: 'run_1' }], ['CancelTask', { id: 'run_1' }]],
  [
    'subscribe',
    'agent:read',
    ['followTask'],
    ['tasks/resubscribe', { id: 'run_1' }],
    ['SubscribeToTask', { id: 'run_1' }],
  ],
  [
    'setPush',
    'agent:spawn',
    ['setPush'],
    ['tasks/pushNotificationConfig/set', { taskId: 'run_1', pushNotificationConfig: { url } }],
    ['CreateTaskPushNotificationConfig', { taskId: 'run_1', id: 'push_1', url }],
  ],
  [
    'getPush',
    'agent:read',
    ['listPush'],
    ['tasks/pushNotificationConfig/get', { id: 'run_1' }],
    ['GetTaskPushNotificationConfig', { taskId: 'run_1', id: 'push_1' }],
  ],
  [
    'listPush',
    'agent:read',
    ['listPush'],
    ['tasks/pushNotificationConfig/list', { id: 'run_1' }],
    ['ListTaskPushNotificationConfigs', { taskId: 'run_1' }],
  ],
  [
    'deletePush',
    'agent:spawn',
    ['listPush', 'deletePush'],
    ['tasks/pushNotificationConfig/delete', { id: 'run_1', pushNotificationConfigId: 'push_1' }],
    ['DeleteTaskPushNotificationConfig', { taskId: 'run_1', id: 'push_1' }],
  ],
  ['card', 'agent:read', ['getAgent'], ['agent/getAuthenticatedExtendedCard', undefined], ['GetExtendedAgentCard', {}]],
  ['list', 'agent:read', ['listTasks'], null, ['ListTasks', {}]],
];

/** Every method with params that are served, the scope that it needs and the calls of the service that it makes. */
export const methodRows: readonly MethodRow[] = rows.flatMap(([operation, scope, calls, slash, pascal]) => [
  ...(slash ? [{ method: slash[0], operation, dialect: 'slash' as const, scope, params: slash[1], calls }] : []),
  { method: pascal[0], operation, dialect: 'pascal' as const, scope, params: pascal[1], calls },
]);
