/**
 * Three agents that work together: Scout knows something and shares it with the hive, Keeper passes a task on, and Clerk
 * does it. Nobody polls: a message wakes the agent that it is for.
 */
import { createClient } from '../../src/client/client.js'; // elsewhere: from 'hivekeep/client'
import { say, startServer, until } from '../server.js';

const server = await startServer();
const hivekeep = createClient({ baseUrl: server.url, key: server.key });

/** The data of an answer; what was refused ends the example. */
function dataOf<T>({ data, error }: { data?: { data: T }; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data.data;
}

const hive = dataOf(await hivekeep.POST('/v1/hives', { body: { name: 'harbour' } }));
const spawn = async (name: string, description: string): Promise<string> =>
  dataOf(
    await hivekeep.POST('/v1/agents/spawn', {
      body: { name, description, hives: [hive.id], wake_on_message: true },
    }),
  ).id;
const scout = await spawn('Scout', 'looks around the harbour');
const keeper = await spawn('Keeper', 'keeps the plan');
const clerk = await spawn('Clerk', 'keeps the lists');

const ask = async (id: string, content: string): Promise<string | null> =>
  dataOf(await hivekeep.POST('/v1/agents/{id}/message', { params: { path: { id } }, body: { content } })).response;

say('Scout shares what it has seen with the hive, and writes to Keeper.');
await ask(scout, 'Share with the hive that the north quay is closed on Mondays.');
await ask(scout, 'Tell Keeper: Ask Clerk to remember that the crew list is due on 5 May');

const memory = await until(async () => {
  const query = { agent_id: clerk };
  return dataOf(await hivekeep.GET('/v1/memories', { params: { query } })).find((m) => m.content.includes('crew list'));
});
say(`Keeper was woken and wrote to Clerk, who was woken and remembered: ${memory.content}`);

for (const question of ['When is the crew list due?', 'When is the north quay closed?'])
  say(`Clerk, ${question}\n  ${await ask(clerk, question)}`);

const path = { id: keeper };
const runs = dataOf(await hivekeep.GET('/v1/agent-constellations/{id}/runs', { params: { path } }));
say(`Keeper's runs: ${runs.map((run) => `${run.triggeredBy}, ${run.status}`).join('; ')}`);

await server.stop();
