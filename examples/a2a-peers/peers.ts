/**
 * Two A2A peers and a client. One peer is an agent of hivekeep. The other, the guide, is a server of its own, written
 * with the official SDK: it asks the agent with the SDK's client and a token that opens this agent alone.
 */
import express from 'express';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
// @a2a-js/sdk 0.3.14; this repository installs several versions of it, each under a name of its own
import type { AgentCard, Message } from 'a2a-sdk-0.3';
import {
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from 'a2a-sdk-0.3/client';
import { DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from 'a2a-sdk-0.3/server';
import { A2AExpressApp } from 'a2a-sdk-0.3/server/express';
import { say, startServer } from '../server.js';

const server = await startServer();

async function post(path: string, body: object): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data, error } = (await answer.json()) as { data: Record<string, string>; error?: unknown };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return data;
}

const message = (text: string, role: 'user' | 'agent' = 'user'): Message => ({
  kind: 'message',
  role,
  messageId: randomUUID(),
  parts: [{ kind: 'text', text }],
});
const textOf = (parts: Message['parts'] = []): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

/** The SDK's client of the peer at `url`, with a credential where it needs one. */
function connect(url: string, token?: string): Promise<Client> {
  const fetchImpl =
    token === undefined
      ? fetch
      : createAuthenticatingFetchWithRetry(fetch, {
          headers: async () => ({ Authorization: `Bearer ${token}` }),
          shouldRetryWithHeaders: async () => undefined,
        });
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return new ClientFactory(options).createFromUrl(url);
}

// The first peer: an agent of hivekeep that knows the timetable.
const agent = await post('/v1/agents/spawn', { name: 'Harbour office', description: 'knows the timetable' });
await post('/v1/memories', { type: 'semantic', content: 'The ferry leaves at nine.', agent_id: agent.id });
const { token } = await post(`/v1/agent-constellations/${agent.id}/tokens`, {
  name: 'guide',
  scopes: ['agent:read', 'agent:spawn'],
});
const office = await connect(`${server.url}/api/v1/a2a/agents/${agent.id}/`, token);
say(`The guide reads the office's card: ${(await office.getAgentCard()).name}`);

// The second peer: asks the office, watches its task as a stream, and answers in its own words.
const guide: AgentExecutor = {
  async execute({ userMessage }, bus) {
    let known = '';
    for await (const event of office.sendMessageStream({ message: message(textOf(userMessage.parts)) })) {
      if (event.kind === 'status-update') say(`  the office's task is ${event.status.state}`);
      if (event.kind === 'artifact-update') known = textOf(event.artifact.parts);
    }
    bus.publish(message(`The harbour office says: ${known}`, 'agent'));
    bus.finished();
  },
  cancelTask: () => Promise.resolve(),
};

const app = express();
const listening = app.listen(0, '127.0.0.1');
await new Promise((resolve) => listening.once('listening', resolve));
const guideUrl = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
const card: AgentCard = {
  name: 'Guide',
  description: 'asks whoever knows',
  url: guideUrl,
  version: '1',
  protocolVersion: '0.3.0',
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'ask', name: 'ask', description: 'answers visitors', tags: ['harbour'] }],
};
new A2AExpressApp(new DefaultRequestHandler(card, new InMemoryTaskStore(), guide)).setupRoutes(app, '');

const question = 'When does the ferry leave?';
say(`A visitor asks the guide: ${question}`);
const answer = await (await connect(guideUrl)).sendMessage({ message: message(question) });
say(`The guide answers: ${answer.kind === 'message' ? textOf(answer.parts) : answer.status.state}`);

listening.close();
listening.closeAllConnections();
await server.stop();
