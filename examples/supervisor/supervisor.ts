/**
 * A supervisor that asks three agents and a peer side by side, and books only what somebody has approved. The peer is an
 * agent of another framework: a server of the official A2A SDK, which is a tool of kind `a2a` here.
 */
import express from 'express';
import type { AddressInfo } from 'node:net';
// @a2a-js/sdk 0.3.14; this repository installs several versions of it, each under a name of its own
import { DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from 'a2a-sdk-0.3/server';
import { A2AExpressApp } from 'a2a-sdk-0.3/server/express';
import { createClient } from '../../packages/client/src/client.js'; // elsewhere: from '@hivekeep/client'
import { type Conversation, type Reply, type ScriptedModel, startModel } from '../model.js';
import { say, startServer } from '../server.js';

const order = 'Can we ship 40 lamps to Norway this week?';
const experts = {
  Law: 'The terms allow it.',
  Stock: 'There are 55 lamps in the north store.',
  Freight: 'The boat on Thursday has room, for 310 euros.',
};

/** The model's script: the supervisor asks everybody at once, books, and sums up; an expert says what it knows. */
function reply({ model: name, messages }: Conversation): Reply {
  const known = Object.entries(experts).find(([expert]) => expert.toLowerCase() === name);
  if (known) return { say: known[1] };
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
  if (told.length === 0)
    return [
      ...Object.keys(experts).map((agent) => ({ call: 'ask_agent', with: { agent, question: order } })),
      { call: 'customs', with: { message: order } },
    ];
  if (told.length === 4) return { call: 'book', with: { boat: 'Thursday', lamps: 40 } };
  return { say: told.join(' ') };
}

// Whoever is outside: the customs desk, which is an agent of the A2A SDK, and the shipping line, which takes bookings.
const desk: AgentExecutor = {
  execute: async (_, bus) => {
    bus.publish({
      kind: 'message',
      role: 'agent',
      messageId: crypto.randomUUID(),
      parts: [{ kind: 'text', text: 'Norway takes 25 percent, and form CN23.' }],
    });
    bus.finished();
  },
  cancelTask: () => Promise.resolve(),
};
const outside = express();
const listening = outside.listen(0, '127.0.0.1');
await new Promise((resolve) => listening.once('listening', resolve));
const host = `127.0.0.1:${(listening.address() as AddressInfo).port}`;
const card = {
  name: 'Customs desk',
  description: 'Knows duties and forms.',
  url: `http://${host}/`,
  version: '1',
  protocolVersion: '0.3.0',
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'duties', name: 'duties', description: 'says what a country takes', tags: ['customs'] }],
};
outside.post('/bookings', (_request, response) => void response.json({ booked: 'NO-7' }));
new A2AExpressApp(new DefaultRequestHandler(card, new InMemoryTaskStore(), desk)).setupRoutes(outside, '');

// With a model of your own (EXAMPLE_MODEL) the script is not needed.
const { EXAMPLE_MODEL: own } = process.env;
const scripted: ScriptedModel | null = own === undefined ? await startModel(reply) : null;
const server = await startServer({
  HIVEKEEP_PUSH_ALLOW: host,
  ...(scripted && { HIVEKEEP_OPENAI_BASE_URL: scripted.url }),
});
const hivekeep = createClient({ baseUrl: server.url, key: server.key });

for (const [name, knows] of Object.entries(experts))
  await hivekeep.agents.spawn({
    name,
    config: { model: own ?? `openai/${name.toLowerCase()}`, instructions: `You know this: ${knows} Answer shortly.` },
  });
const supervisor = await hivekeep.agents.spawn({
  name: 'Supervisor',
  config: {
    model: own ?? 'openai/supervisor',
    multi_step: true,
    instructions:
      'Ask Law, Stock and Freight with ask_agent, and customs, all in one reply. If all is well, book the boat, and then say what was found out and done.',
    tools: [
      { kind: 'a2a', name: 'customs', card: `http://${host}/.well-known/agent-card.json`, reads_only: true },
      {
        kind: 'http',
        name: 'book',
        description: 'Books a boat. It costs money.',
        url: `http://${host}/bookings`,
        input_schema: {
          type: 'object',
          properties: { boat: { type: 'string' }, lamps: { type: 'integer' } },
          required: ['boat', 'lamps'],
        },
        approval: 'ask',
      },
    ],
  },
});

say(`Somebody asks: ${order}`);
const { id } = await hivekeep.runs.start(supervisor.id, { input: order });
const paused = await hivekeep.runs.wait(supervisor.id, id);
say(`The run is ${paused.status} and asks: ${paused.waitingFor?.question ?? paused.error?.message}`);
say('A human decides: approve');
await hivekeep.runs.resume(supervisor.id, id, { decision: 'approve' });
const { status, output } = await hivekeep.runs.wait(supervisor.id, id);
say(`The run is ${status}: ${output}\n`);

const { runs, usage } = await hivekeep.runs.tree(supervisor.id, id);
const { data: agents } = await hivekeep.agents.list().page();
say('The tree of its runs:');
for (const run of runs) {
  const { name } = agents.find((agent) => agent.id === run.agent_id) ?? { name: run.agent_id };
  say(`${run.parent ? '  ' : ''}${name}: ${run.status}`);
}
say(`All together they have asked their models ${usage.requests} times.`);

await server.stop();
scripted?.stop();
listening.close();
listening.closeAllConnections();
