/**
 * Three agents that work together: Scout knows something and shares it with the hive, Keeper passes a task on, and Clerk
 * does it. Nobody polls: a message wakes the agent that it is for.
 */
import { createClient } from '../../packages/client/src/client.js'; // elsewhere: from '@hivekeep/client'
import { say, startServer, until } from '../server.js';

const server = await startServer();
const hivekeep = createClient({ baseUrl: server.url, key: server.key });

const hive = await hivekeep.hives.create({ name: 'harbour' });
const spawn = async (name: string, description: string): Promise<string> =>
  (await hivekeep.agents.spawn({ name, description, hives: [hive.id], wake_on_message: true })).id;
const scout = await spawn('Scout', 'looks around the harbour');
const keeper = await spawn('Keeper', 'keeps the plan');
const clerk = await spawn('Clerk', 'keeps the lists');

const ask = async (id: string, content: string): Promise<string | null> =>
  (await hivekeep.agents.message(id, { content })).response;

say('Scout shares what it has seen with the hive, and writes to Keeper.');
await ask(scout, 'Share with the hive that the north quay is closed on Mondays.');
await ask(scout, 'Tell Keeper: Ask Clerk to remember that the crew list is due on 5 May');

const memory = await until(async () => {
  for await (const found of hivekeep.memories.list({ agent_id: clerk }))
    if (found.content.includes('crew list')) return found;
  return null;
});
say(`Keeper was woken and wrote to Clerk, who was woken and remembered: ${memory.content}`);

for (const question of ['When is the crew list due?', 'When is the north quay closed?'])
  say(`Clerk, ${question}\n  ${await ask(clerk, question)}`);

const runs = await hivekeep.runs.list(keeper).page();
say(`Keeper's runs: ${runs.data.map((run) => `${run.triggeredBy}, ${run.status}`).join('; ')}`);

await server.stop();
