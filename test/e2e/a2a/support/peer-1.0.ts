/**
 * @a2a-js/sdk 1.3.0: the factory again, with the protocol's 1.0: PascalCase methods, ProtoJSON, `A2A-Version`. Errors
 * are classes.
 */
import { thoughtsExtension } from '../../../../src/a2a/card.js';
import {
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from 'a2a-sdk-1/client';
import {
  Role,
  StreamResponse,
  TaskState,
  type Artifact,
  type Message,
  type SendMessageRequest,
  type Task,
  type TaskPushNotificationConfig,
} from 'a2a-sdk-1';
import { expect } from 'chai';
import {
  codeInMessage,
  type Peer,
  type PeerClient,
  type PushTarget,
  type Seen,
  type SeenFrame,
  type Sent,
} from './peer.js';
import { freshId } from './rpc.js';

type ProtocolBinding = 'JSONRPC' | 'HTTP+JSON';

function factory(key: string, binding: ProtocolBinding): ClientFactory {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ Authorization: `Bearer ${key}`, 'A2A-Extensions': thoughtsExtension }),
    shouldRetryWithHeaders: async () => undefined,
  });
  return new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
      preferredTransports: [binding],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
}

async function open(binding: ProtocolBinding, key: string, url: string, ...path: [path?: string]): Promise<PeerClient> {
  const sdk = await factory(key, binding).createFromUrl(url, ...path);
  expect(sdk.transport.protocolName).to.equal(binding);
  return clientOf(sdk);
}

const peerOver = (binding: ProtocolBinding): Peer => ({
  generation: '1.0',
  name: `1.0 over ${binding}`,
  connect: (url, key) => open(binding, key, `${url}/`),
  ways: {
    "a card's whole address": (url, key) => open(binding, key, `${url}/.well-known/agent-card.json`, ''),
    'the path of 0.2': (url, key) => open(binding, key, `${url}/`, '.well-known/agent.json'),
  },
  codeOf(error) {
    const inner = (error instanceof Error && error.cause !== undefined ? error.cause : error) as {
      name?: string;
      envelopeCode?: number;
      statusCode?: number;
    };
    const named = kinds.find(([, kind]) => inner.name?.endsWith(kind))?.[0];
    const code = inner.envelopeCode ?? codeInMessage(error) ?? named ?? (inner.statusCode === 400 ? -32602 : null);
    if (kinds.some(([known]) => known === code)) expect(named).to.equal(code);
    return code;
  },
  toEndedTask: -32004,
  tellsEndedTask: false,
  pushedState(body) {
    const { payload } = StreamResponse.fromJSON(body);
    if (payload?.$case === 'task' || payload?.$case === 'statusUpdate') return state(payload.value.status?.state);
    throw new Error(`no task was pushed: ${JSON.stringify(body)}`);
  },
  pushedId(body) {
    const { payload } = StreamResponse.fromJSON(body);
    return payload?.$case === 'task' ? payload.value.id : payload?.$case === 'statusUpdate' ? payload.value.taskId : '';
  },
  pushContentType: /^application\/a2a\+json/,
});
export const peer1 = peerOver('JSONRPC');
export const peer1Http = peerOver('HTTP+JSON');

/** HTTP+JSON has no codes: there the class says which error of A2A it is, and the rest by its status. */
const kinds: readonly [number, string][] = [
  [-32001, 'TaskNotFoundError'],
  [-32002, 'TaskNotCancelableError'],
  [-32004, 'UnsupportedOperationError'],
  [-32005, 'ContentTypeNotSupportedError'],
];

const state = (s: TaskState | undefined): string =>
  (TaskState[s ?? TaskState.UNRECOGNIZED] ?? '')
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
const text = (parts: Artifact['parts']): string =>
  parts.map((p) => (p.content?.$case === 'text' ? p.content.value : '')).join('');
const data = (parts: Artifact['parts']): unknown[] =>
  parts.flatMap((p) => (p.content?.$case === 'data' ? [p.content.value as unknown] : []));

function seen(task: Task | Message): Seen {
  if (!('id' in task)) throw new Error('a message instead of a task');
  const { id, contextId, status, artifacts, history } = task;
  return {
    id,
    contextId,
    state: state(status?.state),
    says: status?.message ? text(status.message.parts) : null,
    asks: data(status?.message?.parts ?? []),
    output: artifacts.length > 0 ? artifacts.map((a) => text(a.parts)).join('') : null,
    artifacts: artifacts.map(({ artifactId, name }) => ({ artifactId, name })),
    history: history.map((m) => text(m.parts)),
  };
}

const endings = new Set(['completed', 'failed', 'canceled', 'rejected', 'input-required', 'auth-required']);

/** 1.0 has no `final`: terminal and interrupted states are. */
function seenFrame({ payload }: StreamResponse): SeenFrame {
  switch (payload?.$case) {
    case 'task':
      return { kind: 'task', task: seen(payload.value) };
    case 'statusUpdate': {
      const { taskId, contextId, status } = payload.value;
      const now = state(status?.state);
      return {
        kind: 'status',
        taskId,
        contextId,
        state: now,
        says: status?.message ? text(status.message.parts) : null,
        asks: data(status?.message?.parts ?? []),
        final: endings.has(now),
      };
    }
    case 'artifactUpdate': {
      const { taskId, contextId, artifact, append, lastChunk } = payload.value;
      return {
        kind: 'artifact',
        taskId,
        contextId,
        artifactId: artifact?.artifactId ?? '',
        name: artifact?.name ?? '',
        output: text(artifact?.parts ?? []),
        append,
        lastChunk,
      };
    }
    default:
      throw new Error(`neither task nor update: ${JSON.stringify(payload)}`);
  }
}

async function* frames(events: AsyncIterable<StreamResponse>): AsyncIterable<SeenFrame> {
  for await (const event of events) yield seenFrame(event);
}

const pushConfig = (taskId: string, { url, token, id = '' }: PushTarget): TaskPushNotificationConfig => ({
  tenant: '',
  id,
  taskId,
  url,
  token,
  authentication: undefined,
});

const params = (
  { text: said, image, data: given, messageId = freshId(), taskId = '', push, historyLength }: Sent,
  returnImmediately: boolean,
): SendMessageRequest => ({
  tenant: '',
  metadata: undefined,
  message: {
    messageId,
    contextId: '',
    taskId,
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text', value: said }, metadata: undefined, filename: '', mediaType: '' },
      ...(image
        ? [
            {
              content: { $case: 'raw' as const, value: Buffer.from(image.bytes, 'base64') },
              metadata: undefined,
              filename: image.name,
              mediaType: image.mediaType,
            },
          ]
        : []),
      ...(given
        ? [{ content: { $case: 'data' as const, value: given }, metadata: undefined, filename: '', mediaType: '' }]
        : []),
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: {
    acceptedOutputModes: ['text/plain'],
    taskPushNotificationConfig: push && pushConfig('', push),
    historyLength,
    returnImmediately,
  },
});

const target = ({ url, token, id }: TaskPushNotificationConfig): PushTarget => ({ url, token, id });

const clientOf = (sdk: Client): PeerClient => ({
  async card() {
    const { name, capabilities, supportedInterfaces } = await sdk.getAgentCard();
    return {
      name,
      streaming: capabilities?.streaming ?? false,
      push: capabilities?.pushNotifications ?? false,
      url: supportedInterfaces[0]?.url ?? '',
    };
  },
  send: async (input) => seen(await sdk.sendMessage(params(input, true))),
  sendAndWait: async (input) => seen(await sdk.sendMessage(params(input, false))),
  get: async (id, historyLength) => seen(await sdk.getTask({ tenant: '', id, historyLength })),
  cancel: async (id) => seen(await sdk.cancelTask({ tenant: '', id, metadata: undefined })),
  stream: (input) => frames(sdk.sendMessageStream(params(input, false))),
  resubscribe: (id) => frames(sdk.resubscribeTask({ tenant: '', id })),
  setPush: async (taskId, config) => target(await sdk.createTaskPushNotificationConfig(pushConfig(taskId, config))),
  getPush: async (taskId, id = '') => target(await sdk.getTaskPushNotificationConfig({ tenant: '', taskId, id })),
  listPush: async (taskId) =>
    (await sdk.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 10, pageToken: '' })).configs.map(target),
  deletePush: (taskId, id) => sdk.deleteTaskPushNotificationConfig({ tenant: '', taskId, id }),
  async listTasks(pageSize, pageToken) {
    const { tasks, nextPageToken, totalSize } = await sdk.listTasks({
      tenant: '',
      contextId: '',
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageSize,
      pageToken,
      statusTimestampAfter: undefined,
    });
    return { tasks: tasks.map(seen), next: nextPageToken, total: totalSize };
  },
});
