/**
 * A support desk: one agent that serves twenty customers at once, each in a session of their own. The second message of
 * a customer says neither who asks nor what about; the session does.
 */
import { createClient } from '../../packages/client/src/client.js'; // elsewhere: from '@hivekeep/client'
import { type Conversation, type Reply, startModel } from '../model.js';
import { say, startServer } from '../server.js';

const customers = Array.from({ length: 20 }, (_, i) => ({ name: `Customer ${i + 1}`, order: 1001 + i }));

/** The model's script: it takes a while, as models do, and looks up what this conversation is about. */
async function reply({ messages }: Conversation): Promise<Reply> {
  await new Promise((resolve) => setTimeout(resolve, 150));
  const said = messages.filter(({ role, content }) => role === 'user' && /^(Where|And when)/m.test(content ?? ''));
  const order = /^Where is my order (\d+)/m.exec(said[0]?.content ?? '')?.[1];
  return { say: said.length === 1 ? `Order ${order} has left the warehouse.` : `Order ${order} comes on Friday.` };
}

const model = await startModel(reply);
// A real model: these two lines instead, with its key in HIVEKEEP_OPENAI_API_KEY.
//   const server = await startServer({ HIVEKEEP_OPENAI_BASE_URL: 'https://api.openai.com/v1' });
//   const name = 'openai/gpt-5-mini';
const server = await startServer({ HIVEKEEP_OPENAI_BASE_URL: model.url });
const name = 'openai/scripted';
const hivekeep = createClient({ baseUrl: server.url, key: server.key });

const agent = await hivekeep.agents.spawn({
  name: 'Support desk',
  config: {
    model: name,
    max_parallel: customers.length,
    instructions: 'Every order has left the warehouse and comes on Friday. Answer in one sentence, with the order.',
  },
});

/** Two turns; the second goes on with the session of the first. */
async function serve({ name, order }: (typeof customers)[number]): Promise<string> {
  const first = await hivekeep.agents.message(agent.id, { content: `Where is my order ${order}?` });
  const { sessionId } = first;
  const second = await hivekeep.agents.message(agent.id, { content: 'And when does it come?', sessionId });
  return `${name}: ${first.response} ${second.response}`;
}

async function seconds(work: () => Promise<void>): Promise<string> {
  const began = performance.now();
  await work();
  return ((performance.now() - began) / 1000).toFixed(1);
}

const atOnce = await seconds(async () => {
  for (const served of await Promise.all(customers.map(serve))) say(served);
});
const inTurn = await seconds(async () => {
  for (const customer of customers) await serve(customer);
});
say(`\n${customers.length} customers, two questions each: ${atOnce} s at once, ${inTurn} s one after the other`);

await server.stop();
model.stop();
