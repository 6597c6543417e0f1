/**
 * A researcher that answers as data: what it says has to fit a JSON Schema, so a program reads fields and parses no
 * prose. The model gets its first answer wrong; the service says why, and takes the second.
 */
import { createClient } from '../../packages/client/src/client.js'; // elsewhere: from '@hivekeep/client'
import { startModel } from '../model.js';
import { say, startServer } from '../server.js';

const report = {
  type: 'object' as const,
  properties: {
    answer: { type: 'string' },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    sources: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
  required: ['answer', 'confidence', 'sources'],
  additionalProperties: false,
};

const found = { answer: 'On 12 May.', confidence: 0.9, sources: ['The launch is on 12 May.'] };
const model = await startModel(({ messages }) => ({
  call: 'answer',
  with: /does not fit its schema/.test(JSON.stringify(messages)) ? found : { ...found, confidence: 'high' },
}));
// A real model: these two lines instead, with its key in HIVEKEEP_OPENAI_API_KEY.
//   const server = await startServer({ HIVEKEEP_OPENAI_BASE_URL: 'https://api.openai.com/v1' });
//   const name = 'openai/gpt-5-mini';
const server = await startServer({ HIVEKEEP_OPENAI_BASE_URL: model.url });
const name = 'openai/scripted';
const hivekeep = createClient({ baseUrl: server.url, key: server.key });

const agent = await hivekeep.agents.spawn({ name: 'Researcher', config: { model: name, output_schema: report } });
await hivekeep.memories.create({ agent_id: agent.id, type: 'semantic', content: 'The launch is on 12 May.' });

const reply = await hivekeep.agents.message(agent.id, {
  content: 'When is the launch?',
  overrides: { temperature: 0 },
  metadata: { ticket: 7 },
});
const { answer, confidence, sources } = reply.output_data as typeof found;
say(`${answer} (confidence ${confidence}, from: ${sources.join('; ')})`);
const run = await hivekeep.runs.get(agent.id, reply.run_id);
say(`ticket ${String(run.metadata['ticket'])} took ${run.usage.requests} requests to the model`);

await server.stop();
model.stop();
