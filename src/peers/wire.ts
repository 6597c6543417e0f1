/**
 * What is sent to peers, and what is read of their answers: A2A 1.0 and 0.3 (which 0.2 reads, too), by JSON-RPC and by
 * HTTP+JSON. It reads what any of them says, because peers mix them.
 */
import { hopsKey } from '../domain/mailbox/peer-item.js';
import { isObject } from '../a2a/message.js';
import type { PeerEndpoint } from './card.js';
import type { PeerPushTarget } from './pushes.js';

export interface PeerRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export type PeerMethod = 'send' | 'stream' | 'get' | 'cancel' | 'list';

const methods: Readonly<Record<PeerEndpoint['version'], Readonly<Record<PeerMethod, string>>>> = {
  '1.0': {
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    cancel: 'CancelTask',
    list: 'ListTasks',
  },
  '0.3': {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    list: 'tasks/list',
  },
};

interface Said {
  messageId: string;
  text: string;
  contextId?: string | undefined;
  taskId?: string | undefined;
  /** How many agents it has gone through, which another hivekeep bounds (Peers.E5). */
  hops?: number | undefined;
  /** Where the peer is to push to. */
  push?: PeerPushTarget | undefined;
}

const acceptedOutputModes = ['text/plain', 'application/json'];

/** The parameters that send a message, with as little waiting as the peer allows. */
export function peerSendParams(
  { version, binding }: PeerEndpoint,
  { messageId, text, contextId, taskId, hops, push }: Said,
): object {
  const ids = {
    messageId,
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    ...(hops !== undefined && { metadata: { [hopsKey]: hops } }),
  };
  if (version === '1.0')
    return {
      message: { ...ids, role: 'ROLE_USER', parts: [{ text }] },
      configuration: {
        acceptedOutputModes,
        returnImmediately: true,
        ...(push && { taskPushNotificationConfig: push }),
      },
    };
  // by HTTP+JSON, 0.3 is its .proto file
  if (binding === 'HTTP+JSON')
    return {
      message: { ...ids, role: 'ROLE_USER', content: [{ text }] },
      configuration: { acceptedOutputModes, blocking: false, ...(push && { pushNotification: push }) },
    };
  return {
    message: { kind: 'message', ...ids, role: 'user', parts: [{ kind: 'text', text }] },
    configuration: { acceptedOutputModes, blocking: false, ...(push && { pushNotificationConfig: push }) },
  };
}

/** How much of a task's history is asked for: an answer may be no more than the last message. */
export const history = 4;

/** `id` of a request by JSON-RPC. */
export function requestOf(
  { url, binding, version, tenant }: PeerEndpoint,
  method: PeerMethod,
  params: object,
  id: string,
): PeerRequest {
  const accept = method === 'stream' ? 'text/event-stream, application/json' : 'application/json';
  const headers = {
    accept,
    ...(version === '1.0' && { 'a2a-version': '1.0' }),
    'content-type': 'application/json',
  };
  if (binding === 'JSONRPC') {
    const of = tenant === undefined ? params : { tenant, ...params };
    return {
      method: 'POST',
      url,
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id, method: methods[version][method], params: of }),
    };
  }
  const base = `${url.replace(/\/+$/, '')}${version === '1.0' ? '' : '/v1'}${tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`}`;
  if (method === 'send' || method === 'stream')
    return { method: 'POST', url: `${base}/message:${method}`, headers, body: JSON.stringify(params) };
  const { id: task = '', ...query } = params as { id?: string } & Record<string, string | number>;
  const of = method === 'list' ? `${base}/tasks` : `${base}/tasks/${encodeURIComponent(task)}`;
  if (method === 'cancel') return { method: 'POST', url: `${of}:cancel`, headers, body: '{}' };
  const { 'content-type': _, ...reading } = headers;
  const asked = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return { method: 'GET', url: asked === '' ? of : `${of}?${asked}`, headers: reading };
}

export type PeerPart =
  | { kind: 'text'; text: string }
  | { kind: 'data'; data: unknown }
  | { kind: 'file'; bytes?: string; url?: string; mediaType: string; filename?: string };

/** A task as far as the peer has told it. */
export interface TaskView {
  id: string;
  state: string;
  /** Of its status. */
  said: readonly PeerPart[];
  artifacts: readonly { id: string; parts: readonly PeerPart[] }[];
  /** The last message of the peer. */
  last: readonly PeerPart[];
}

/** What comes as an answer, or in a stream. */
export type PeerEvent =
  | { type: 'task'; task: TaskView; sent: readonly string[] }
  | { type: 'message'; parts: readonly PeerPart[] }
  | { type: 'status'; task: string; state: string; said: readonly PeerPart[] }
  | { type: 'artifact'; task: string; id: string; parts: readonly PeerPart[]; append: boolean };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const object = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** In the words of 0.3. */
const stateIn = (value: unknown): string =>
  text(value)
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-') || 'unknown';

const partsIn = (message: unknown): PeerPart[] => {
  const { parts, content } = object(message);
  return list(parts ?? content).flatMap((part) => partIn(object(part)));
};

function partIn(part: Record<string, unknown>): PeerPart[] {
  if (typeof part['text'] === 'string') return [{ kind: 'text', text: part['text'] }];
  const file = object(part['file']);
  const bytes = text(part['raw']) || text(file['bytes']) || text(file['fileWithBytes']);
  const url = text(part['url']) || text(file['uri']) || text(file['fileWithUri']);
  if (bytes !== '' || url !== '') {
    const filename = text(part['filename']) || text(file['name']);
    return [
      {
        kind: 'file',
        ...(bytes !== '' ? { bytes } : { url }),
        mediaType: text(part['mediaType']) || text(file['mimeType']) || text(file['mediaType']),
        ...(filename !== '' && { filename }),
      },
    ];
  }
  if (!('data' in part)) return [];
  const { data } = part;
  // the .proto file of 0.3 has the data in a message of its own
  return [
    {
      kind: 'data',
      data: isObject(data) && isObject(data['data']) && Object.keys(data).length === 1 ? data['data'] : data,
    },
  ];
}

const isAgents = (role: unknown): boolean => /agent$/i.test(text(role));

function taskIn(task: Record<string, unknown>): PeerEvent {
  const status = object(task['status']);
  const messages = list(task['history']).map(object);
  return {
    type: 'task',
    task: {
      id: text(task['id']),
      state: stateIn(status['state']),
      said: partsIn(status['message'] ?? status['update']),
      artifacts: list(task['artifacts']).map((one) => ({ id: text(object(one)['artifactId']), parts: partsIn(one) })),
      last: partsIn(messages.findLast(({ role }) => isAgents(role))),
    },
    sent: messages.map(({ messageId }) => text(messageId)),
  };
}

/** Null for what is nothing of A2A. */
export function eventIn(given: unknown): PeerEvent | null {
  const result = object(given);
  const kind = result['kind'];
  const task = isObject(result['task'])
    ? result['task']
    : kind === 'task' || isObject(result['status'])
      ? result
      : null;
  const update = result['statusUpdate'] ?? (kind === 'status-update' ? result : undefined);
  if (isObject(update)) {
    const status = object(update['status']);
    const said = partsIn(status['message'] ?? status['update']);
    return { type: 'status', task: text(update['taskId']), state: stateIn(status['state']), said };
  }
  const artifact = result['artifactUpdate'] ?? (kind === 'artifact-update' ? result : undefined);
  if (isObject(artifact)) {
    const { artifact: made, taskId, append } = artifact;
    return {
      type: 'artifact',
      task: text(taskId),
      id: text(object(made)['artifactId']),
      parts: partsIn(made),
      append: append === true,
    };
  }
  if (task) return taskIn(task);
  const message = result['message'] ?? result['msg'] ?? (kind === 'message' ? result : undefined);
  return isObject(message) ? { type: 'message', parts: partsIn(message) } : null;
}

/** The tasks of a list. */
export const tasksIn = (given: unknown): (PeerEvent & { type: 'task' })[] =>
  list(object(given)['tasks']).map((one) => taskIn(object(one)) as PeerEvent & { type: 'task' });

/** The task after what a stream has told. */
export function withEvent(task: TaskView, event: PeerEvent): TaskView {
  switch (event.type) {
    case 'task':
      return event.task;
    case 'status':
      return { ...task, state: event.state, said: event.said };
    case 'artifact': {
      const { id, parts, append } = event;
      const known = append && task.artifacts.find((one) => one.id === id);
      if (!known) return { ...task, artifacts: [...task.artifacts.filter((one) => one.id !== id), { id, parts }] };
      const longer = { id, parts: joined(known.parts, parts) };
      return { ...task, artifacts: task.artifacts.map((one) => (one.id === id ? longer : one)) };
    }
    case 'message':
      return { ...task, last: event.parts };
  }
}

/** A text goes on with the chunk behind it. */
function joined(before: readonly PeerPart[], chunk: readonly PeerPart[]): readonly PeerPart[] {
  const last = before.at(-1);
  const [first, ...others] = chunk;
  return last?.kind === 'text' && first?.kind === 'text'
    ? [...before.slice(0, -1), { kind: 'text', text: last.text + first.text }, ...others]
    : [...before, ...chunk];
}
