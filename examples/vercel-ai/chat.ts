/** A model that forgets everything between two calls, and an agent of hivekeep that remembers it for the model. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { createClient } from '../../packages/client/src/client.js'; // elsewhere: from '@hivekeep/client'
import { startModel } from '../model.js';
import { say, startServer } from '../server.js';
import { hivekeepMemory } from './memory.js';

/** Stands for a language model: it knows what its prompt says. */
const scripted = await startModel(({ messages }) => {
  const prompt = messages.map(({ content }) => content).join('\n');
  const boat = /my boat is the (\w+)/i.exec(prompt)?.[1];
  if (!/\?$/.test(prompt)) return { say: 'Noted.' };
  return { say: boat === undefined ? 'I do not know.' : `It is the ${boat}.` };
});
const plain = createOpenAICompatible({ name: 'scripted', baseURL: scripted.url })('scripted');

const server = await startServer();
const hivekeep = createClient({ baseUrl: server.url, key: server.key });
const ada = await hivekeep.agents.spawn({ name: 'Ada' });
const remembering = (session: string) =>
  wrapLanguageModel({ model: plain, middleware: hivekeepMemory({ hivekeep, agent: ada.id, session }) });

const question = 'What is my boat called?';
await generateText({ model: remembering('monday'), prompt: 'My boat is the Nora, and it lies at the north quay.' });
say(`Alone, the model says: ${(await generateText({ model: plain, prompt: question })).text}`);

const { textStream } = streamText({ model: remembering('friday'), prompt: question });
let answer = '';
for await (const piece of textStream) answer += piece;
say(`With its memory, in another conversation: ${answer}`);

for (const session of ['monday', 'friday']) {
  const said = await hivekeep.memories.list({ agent_id: ada.id, sessionId: session, order: 'asc' }).page();
  say(`${session}: ${said.data.map(({ speaker, content }) => `${speaker}: ${content}`).join(' / ')}`);
}

scripted.stop();
await server.stop();
