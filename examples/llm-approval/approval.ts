/**
 * An agent with a language model whose actions need approval. The model wants to remember something; the run pauses and
 * says what it waits for; a human approves once and rejects once. Only what was approved happens.
 */
import { createClient } from '../../packages/client/src/client.js'; // elsewhere: from '@hivekeep/client'
import { say, startServer } from '../server.js';
import { type Conversation, type Reply, startModel } from '../model.js';

/** The model's script: it asks for an action first. What came of it decides what it says. */
function reply({ messages }: Conversation): Reply {
  const result = messages.findLast(({ role }) => role === 'tool')?.content;
  if (result == null) return { call: 'remember', with: { content: 'The crew gets a bonus of 500.', type: 'semantic' } };
  const rejected = /reject|not (allowed|approved)/i.test(JSON.stringify(messages.slice(2)));
  return { say: rejected ? 'Understood: I have noted nothing.' : 'The bonus is noted.' };
}

const model = await startModel(reply);
const server = await startServer({ HIVEKEEP_OPENAI_BASE_URL: model.url });
const hivekeep = createClient({ baseUrl: server.url, key: server.key });

const agent = await hivekeep.agents.spawn({
  name: 'Purser',
  config: { model: 'openai/scripted', multi_step: true, validation_gate: 'action' },
});

async function run(decision: 'approve' | 'reject', input?: string): Promise<void> {
  const { id } = await hivekeep.runs.start(agent.id, { input: 'Note the bonus for the crew.' });
  const paused = await hivekeep.runs.wait(agent.id, id);
  say(`The run is ${paused.status} and asks: ${paused.waitingFor?.question ?? paused.error?.message}`);
  say(`A human decides: ${decision}`);
  await hivekeep.runs.resume(agent.id, id, { decision, ...(input !== undefined && { input }) });
  const { status, output } = await hivekeep.runs.wait(agent.id, id);
  const memories = await hivekeep.memories.list({ agent_id: agent.id }).page();
  say(`The run is ${status}: ${output}\n  the agent has ${memories.data.length} memories\n`);
}

await run('reject', 'Not before the board has decided.');
await run('approve');

await server.stop();
model.stop();
