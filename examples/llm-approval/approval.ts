/**
 * An agent with a language model whose actions need approval. The model wants to remember something; the run pauses and
 * says what it waits for; a human approves once and rejects once. Only what was approved happens.
 */
import { createClient } from '../../src/client/client.js'; // elsewhere: from 'hivekeep/client'
import { say, startServer, until } from '../server.js';
import { startModel } from './model.js';

const model = await startModel();
const server = await startServer({ HIVEKEEP_OPENAI_BASE_URL: model.url });
const hivekeep = createClient({ baseUrl: server.url, key: server.key });

/** The data of an answer; what was refused ends the example. */
function dataOf<T>({ data, error }: { data?: { data: T }; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data.data;
}

const agent = dataOf(
  await hivekeep.POST('/v1/agents/spawn', {
    body: {
      name: 'Purser',
      config: { model: 'openai/scripted', multi_step: true, validation_gate: 'action' },
    },
  }),
);

async function run(decision: 'approve' | 'reject', reason?: string): Promise<void> {
  const started = dataOf(
    await hivekeep.POST('/v1/agent-constellations/{id}/runs', {
      params: { path: { id: agent.id } },
      body: { input: 'Note the bonus for the crew.' },
    }),
  );
  const path = { id: agent.id, runId: started.id };
  const when = (...statuses: string[]): ReturnType<typeof look> =>
    until(async () => {
      const found = await look();
      return statuses.includes(found.status) ? found : null;
    });
  const look = async () =>
    dataOf(await hivekeep.GET('/v1/agent-constellations/{id}/runs/{runId}', { params: { path } }));

  const paused = await when('paused', 'failed');
  say(`The run is ${paused.status} and asks: ${paused.waitingFor?.question ?? paused.error?.message}`);
  say(`A human decides: ${decision}`);
  await hivekeep.POST('/v1/agent-constellations/{id}/runs/{runId}/resume', {
    params: { path },
    body: { decision, ...(reason !== undefined && { input: reason }) },
  });
  const { status, output } = await when('completed', 'failed');
  const query = { agent_id: agent.id };
  const memories = dataOf(await hivekeep.GET('/v1/memories', { params: { query } }));
  say(`The run is ${status}: ${output}\n  the agent has ${memories.length} memories\n`);
}

await run('reject', 'Not before the board has decided.');
await run('approve');

await server.stop();
model.stop();
