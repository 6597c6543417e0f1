/**
 * A2A servers of the official JavaScript SDK, as baselines: tasks in memory, an executor that answers at once the way
 * its samples do (task, working, artifact, completed). A program of its own; prints its port.
 *
 *   node a2a-peer.js 0.2 | 0.3 | 1
 */
import { createWriteStream } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** The SDKs' types differ by generation, and what is used of them here is the same. */
interface Bus {
  publish(event: unknown): void;
  finished(): void;
}
interface Request {
  taskId: string;
  contextId: string;
  userMessage: unknown;
}
type Sdk = Record<string, never> & {
  DefaultRequestHandler: new (...parts: unknown[]) => unknown;
  InMemoryTaskStore: new () => unknown;
};

const text = 'The harbour office opens at eight.';
const now = (): string => new Date().toISOString();

/** 0.2 and 0.3. */
const early = {
  async execute({ taskId, contextId, userMessage }: Request, bus: Bus): Promise<void> {
    bus.publish({
      kind: 'task',
      id: taskId,
      contextId,
      status: { state: 'submitted', timestamp: now() },
      history: [userMessage],
    });
    bus.publish({
      kind: 'status-update',
      taskId,
      contextId,
      status: { state: 'working', timestamp: now() },
      final: false,
    });
    bus.publish({
      kind: 'artifact-update',
      taskId,
      contextId,
      artifact: { artifactId: 'a', name: 'response', parts: [{ kind: 'text', text }] },
      append: false,
      lastChunk: true,
    });
    bus.publish({
      kind: 'status-update',
      taskId,
      contextId,
      status: { state: 'completed', timestamp: now() },
      final: true,
    });
    bus.finished();
  },
  cancelTask: () => Promise.resolve(),
};

const card = (port: number): object => ({
  name: 'peer',
  description: 'peer',
  url: `http://127.0.0.1:${port}/`,
  version: '1',
  protocolVersion: '0.3.0',
  capabilities: { streaming: true, pushNotifications: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 's', description: 's', tags: ['s'] }],
  preferredTransport: 'JSONRPC',
  supportedInterfaces: [{ url: `http://127.0.0.1:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});

async function serve(generation: string): Promise<Server> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  if (generation === '1') {
    const { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } = await import('a2a-sdk-1/server');
    const { TaskState } = await import('a2a-sdk-1');
    const { jsonRpcHandler, UserBuilder } = await import('a2a-sdk-1/server/express');
    const status = (state: number): object => ({ state, timestamp: now(), message: undefined });
    const executor = {
      async execute({ taskId, contextId, userMessage }: Request, bus: Bus): Promise<void> {
        const of = { taskId, contextId, metadata: undefined };
        bus.publish(
          AgentEvent.task({
            id: taskId,
            contextId,
            status: status(TaskState.TASK_STATE_SUBMITTED),
            artifacts: [],
            history: [userMessage],
            metadata: undefined,
          } as never),
        );
        bus.publish(AgentEvent.statusUpdate({ ...of, status: status(TaskState.TASK_STATE_WORKING) } as never));
        bus.publish(
          AgentEvent.artifactUpdate({
            ...of,
            artifact: {
              artifactId: 'a',
              name: 'response',
              description: '',
              parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
              metadata: undefined,
              extensions: [],
            },
            append: false,
            lastChunk: true,
          } as never),
        );
        bus.publish(AgentEvent.statusUpdate({ ...of, status: status(TaskState.TASK_STATE_COMPLETED) } as never));
        bus.finished();
      },
      cancelTask: () => Promise.resolve(),
    };
    app.use(
      '/',
      jsonRpcHandler({
        requestHandler: new DefaultRequestHandler(card(port) as never, new InMemoryTaskStore(), executor as never),
        userBuilder: UserBuilder.noAuthentication,
      }),
    );
    return server;
  }
  const sdk = (generation === '0.2'
    ? await import('a2a-sdk-0.2/server')
    : await import('a2a-sdk-0.3/server')) as unknown as Sdk;
  const { A2AExpressApp } = (generation === '0.2' ? sdk : await import('a2a-sdk-0.3/server/express')) as unknown as {
    A2AExpressApp: new (handler: unknown) => { setupRoutes(app: unknown, base: string): void };
  };
  new A2AExpressApp(new sdk.DefaultRequestHandler(card(port), new sdk.InMemoryTaskStore(), early)).setupRoutes(app, '');
  return server;
}

const server = await serve(process.argv[2] ?? '1');
createWriteStream('', { fd: 1 }).write(`${(server.address() as AddressInfo).port}\n`);
