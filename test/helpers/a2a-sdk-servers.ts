/**
 * Servers of the official JavaScript SDK as agents to be asked: "slow ..." works for a moment, "ask ..." asks which one,
 * and anything else is answered at once with "heard ...". Their types differ by generation; what is used here does not.
 */
import type { AddressInfo } from 'node:net';
import express from 'express';

interface Bus {
  publish(event: unknown): void;
  finished(): void;
}
interface Asked {
  taskId: string;
  contextId: string;
  userMessage: unknown;
  task?: unknown;
}
export interface SdkServer {
  host: string;
  card: string;
  /** The ids of the messages that it has begun to work on. */
  readonly messages: string[];
  close(): Promise<void>;
}

export const generations = ['0.2', '0.3', '1.0', '1.0 by HTTP+JSON'] as const;
type Generation = (typeof generations)[number];

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));
const now = (): string => new Date().toISOString();

/** What an executor says, in the form of its generation. */
interface Says {
  textOf(message: unknown): string;
  task(asked: Asked): unknown;
  status(asked: Asked, state: 'working' | 'completed' | 'input-required', said?: string): unknown;
  artifact(asked: Asked, text: string): unknown;
}

const executorOf = (says: Says, messages: string[]) => ({
  async execute(asked: Asked, bus: Bus): Promise<void> {
    const text = says.textOf(asked.userMessage);
    messages.push((asked.userMessage as { messageId: string }).messageId);
    bus.publish(says.task(asked));
    if (text.startsWith('slow')) {
      bus.publish(says.status(asked, 'working'));
      await moment();
    }
    if (text.startsWith('ask')) bus.publish(says.status(asked, 'input-required', 'which one?'));
    else {
      bus.publish(says.artifact(asked, `heard ${text}`));
      bus.publish(says.status(asked, 'completed'));
    }
    bus.finished();
  },
  cancelTask: () => Promise.resolve(),
});

const early: Says = {
  textOf: (message) => (message as { parts: { text: string }[] }).parts.map(({ text }) => text).join(''),
  task: ({ taskId, contextId, userMessage, task }) =>
    task ?? {
      kind: 'task',
      id: taskId,
      contextId,
      status: { state: 'submitted', timestamp: now() },
      history: [userMessage],
    },
  status: ({ taskId, contextId }, state, said) => ({
    kind: 'status-update',
    taskId,
    contextId,
    status: {
      state,
      timestamp: now(),
      ...(said !== undefined && {
        message: {
          kind: 'message',
          messageId: `q-${taskId}`,
          role: 'agent',
          parts: [{ kind: 'text', text: said }],
          taskId,
          contextId,
        },
      }),
    },
    final: state !== 'working',
  }),
  artifact: ({ taskId, contextId }, text) => ({
    kind: 'artifact-update',
    taskId,
    contextId,
    artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
    append: false,
    lastChunk: true,
  }),
};

/** `pushes`: it pushes, and has no streams. */
const card = (url: string, pushes: boolean): object => ({
  name: 'peer',
  description: 'A peer of the SDK.',
  url,
  version: '1',
  protocolVersion: '0.3.0',
  capabilities: { streaming: !pushes, pushNotifications: pushes },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 's', description: 's', tags: ['s'] }],
  preferredTransport: 'JSONRPC',
});

export async function startSdkServer(generation: Generation, pushes = false): Promise<SdkServer> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/`;
  const messages: string[] = [];
  if (generation.startsWith('1.0')) await serveNew(app, card(url, pushes), generation, messages);
  else await serveEarly(app, card(url, pushes), generation, messages);
  const path = generation === '0.2' ? 'agent.json' : 'agent-card.json';
  return {
    host,
    card: `${url}.well-known/${path}`,
    messages,
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}

async function serveEarly(app: express.Express, card: object, generation: string, messages: string[]): Promise<void> {
  const sdk = (generation === '0.2'
    ? await import('a2a-sdk-0.2/server')
    : await import('a2a-sdk-0.3/server')) as unknown as {
    DefaultRequestHandler: new (...parts: unknown[]) => unknown;
    InMemoryTaskStore: new () => unknown;
  };
  const { A2AExpressApp } = (generation === '0.2' ? sdk : await import('a2a-sdk-0.3/server/express')) as unknown as {
    A2AExpressApp: new (handler: unknown) => { setupRoutes(app: unknown, base: string): void };
  };
  const handler = new sdk.DefaultRequestHandler(card, new sdk.InMemoryTaskStore(), executorOf(early, messages));
  new A2AExpressApp(handler).setupRoutes(app, '');
}

async function serveNew(app: express.Express, card: object, generation: string, messages: string[]): Promise<void> {
  const { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } = await import('a2a-sdk-1/server');
  const { Role, TaskState } = await import('a2a-sdk-1');
  const { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } = await import('a2a-sdk-1/server/express');
  const states = {
    working: TaskState.TASK_STATE_WORKING,
    completed: TaskState.TASK_STATE_COMPLETED,
    'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  };
  const partOf = (value: string): object => ({
    content: { $case: 'text', value },
    metadata: undefined,
    filename: '',
    mediaType: '',
  });
  const none = { metadata: undefined, extensions: [] };
  const says: Says = {
    textOf: (message) =>
      (message as { parts: { content: { value: string } }[] }).parts.map(({ content }) => content.value).join(''),
    task: ({ taskId: id, contextId, userMessage, task }) =>
      AgentEvent.task(
        (task ?? {
          id,
          contextId,
          status: { state: TaskState.TASK_STATE_SUBMITTED, timestamp: now(), message: undefined },
          artifacts: [],
          history: [userMessage],
          metadata: undefined,
        }) as never,
      ),
    status: ({ taskId, contextId }, state, said) => {
      const message =
        said === undefined
          ? undefined
          : {
              messageId: `q-${taskId}`,
              role: Role.ROLE_AGENT,
              parts: [partOf(said)],
              taskId,
              contextId,
              referenceTaskIds: [],
              ...none,
            };
      const status = { state: states[state], timestamp: now(), message };
      return AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined } as never);
    },
    artifact: ({ taskId, contextId }, text) =>
      AgentEvent.artifactUpdate({
        taskId,
        contextId,
        artifact: { artifactId: 'a', name: 'a', description: '', parts: [partOf(text)], ...none },
        append: false,
        lastChunk: true,
        metadata: undefined,
      } as never),
  };
  const protocolBinding = generation === '1.0' ? 'JSONRPC' : 'HTTP+JSON';
  const { url, preferredTransport: _, protocolVersion: __, ...described } = card as Record<string, unknown>;
  const of = {
    ...described,
    supportedInterfaces: [{ url, protocolBinding, protocolVersion: '1.0', tenant: '' }],
    securityRequirements: [],
    signatures: [],
  };
  const requestHandler = new DefaultRequestHandler(of as never, new InMemoryTaskStore(), executorOf(says, messages));
  const userBuilder = UserBuilder.noAuthentication;
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use(
    '/',
    generation === '1.0'
      ? jsonRpcHandler({ requestHandler, userBuilder })
      : restHandler({ requestHandler, userBuilder }),
  );
}
