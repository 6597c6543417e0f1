/** Conversations of clients that send their whole history and name no session (docs/api.md 4.5), against a server. */
import { expect } from 'chai';
import type OpenAI from 'openai';
import { a2aWorld } from '../a2a/support/world.js';
import { say1, stateOf, v1 } from '../a2a/support/rpc.js';
import type { Json } from '../api/support/client.js';
import type { Thought } from '../api/support/thinker.js';
import { baseURL, clientOf, user } from './support.js';

const world = a2aWorld();
const { api, think } = world;
type Message = OpenAI.ChatCompletionMessageParam;
const assistant = (content: string): Message => ({ role: 'assistant', content });
const given = (): Json[] =>
  (JSON.parse(world.thinker().asked.at(-1) ?? '[]') as Json[]).filter(({ role }) => role !== 'system');
/** What the model was given in roles before the newest input. */
const toldAs = (role: string): string[] =>
  given()
    .filter((message) => message['role'] === role)
    .map(({ content }) => String(content));

interface Reply {
  text: string;
  run: string;
  session: string;
  status: string;
}

async function ask(
  model: string,
  messages: Message[],
  answer: Thought,
  headers: Record<string, string> = {},
  more = {},
) {
  const asked = clientOf(world).chat.completions.create({ model, messages, ...more }, { headers });
  await think(answer);
  const { choices, ...rest } = await asked;
  const about = (rest as unknown as { hivekeep: Json }).hivekeep;
  return {
    text: choices[0]?.message.content ?? '',
    run: String(about['run_id']),
    session: String(about['session_id']),
    status: String(about['status']),
  } satisfies Reply;
}
const turnsIn = async (model: string, session: string): Promise<unknown[]> =>
  (await api.page(`/v1/agents/${model}/sessions/${session}/turns?order=asc`)).data.map(({ role, content }) => [
    role,
    content,
  ]);

describe('OpenAI: sessions', function () {
  this.timeout(60_000);
  world.hooks();

  it('are found by the history, whose messages are no new input', async () => {
    const model = await world.thinking({ memory: { learn: 'off' } });
    const messages: Message[] = [user('I am allergic to peanuts.')];
    const sessions: string[] = [];
    for (const text of ['Noted.', 'Sunny.', 'At nine.']) {
      const { session } = await ask(model, messages, { text: `  ${text}\n` }, { 'X-Request-Id': text });
      sessions.push(session);
      // what clients put into the instructions changes, and clients trim what they were told
      messages.unshift({ role: 'system', content: `It is ${text}` });
      messages.push(assistant(text), user(`And after "${text}"?`));
    }
    expect(new Set(sessions).size).to.equal(1);
    const runs = (await api.page(`/v1/agent-constellations/${model}/runs`)).data;
    expect(runs.map(({ input }) => input).reverse()).to.deep.equal([
      'I am allergic to peanuts.',
      'And after "Noted."?',
      'And after "Sunny."?',
    ]);
    expect(toldAs('user').filter((text) => text.includes('peanuts'))).to.have.lengthOf(1);
    expect(toldAs('assistant').join()).to.include('Noted.').and.include('Sunny.');
  });

  it('branch where the history was edited, or something else was said since', async () => {
    const model = await world.thinking({ memory: { learn: 'off' } });
    const first = await ask(model, [user('Hi')], { text: 'Hello.' });
    const other = await ask(model, [user('Hi')], { text: 'Hello.' });
    expect(other.session).to.not.equal(first.session);
    const history = [user('Hi'), assistant('Hello.')];
    const one = await ask(model, [...history, user('I am Ana.')], { text: 'Hello, Ana.' });
    const two = await ask(model, [...history, user('I am Bo.')], { text: 'Hello, Bo.' });
    expect(new Set([one.session, two.session])).to.deep.equal(new Set([first.session, other.session]));
    const three = await ask(model, [...history, user('I am Cy.')], { text: 'Hello, Cy.' });
    expect([first.session, other.session]).to.not.include(three.session);
    expect(world.thinker().asked.at(-1)).to.include('Hello.').and.not.include('Ana').and.not.include('Bo');
    const edited = [user('Hi'), assistant('Go away.'), user('I am Ana.'), assistant('Hello, Ana.'), user('So?')];
    const four = await ask(model, edited, { text: 'So what.' });
    expect([one.session, two.session, three.session]).to.not.include(four.session);
    expect(await turnsIn(model, four.session)).to.deep.equal([
      ['user', 'Hi'],
      ['agent', 'Go away.'],
      ['user', 'I am Ana.'],
      ['agent', 'Hello, Ana.'],
      ['user', 'So?'],
      ['agent', 'So what.'],
    ]);
    // the branch goes on, and what it was begun with is told once
    const five = await ask(model, [...edited, assistant('So what.'), user('Well?')], { text: 'Well.' });
    expect(five.session).to.equal(four.session);
    expect(toldAs('assistant')).to.deep.equal(['Go away.', 'Hello, Ana.', 'So what.']);
    await world.killed();
    const six = await ask(model, [...edited, assistant('So what.'), user('Well?'), assistant('Well.'), user('Hm.')], {
      text: 'Hm.',
    });
    expect(six.session).to.equal(four.session);
    expect(toldAs('assistant')).to.deep.equal(['Go away.', 'Hello, Ana.', 'So what.', 'Well.']);
    // another subject has other conversations, whatever was said
    const seven = await ask(model, [...history, user('Hm.')], { text: 'Hm.' }, { 'X-Hivekeep-Subject': 'mara' });
    expect([one.session, two.session, three.session, four.session]).to.not.include(seven.session);
  });

  it('retell what no session knows as turns, with what tools returned, within a bound, and recall it nowhere else', async () => {
    const model = await world.thinking({ memory: { learn: 'off' } });
    const call = { id: 'c1', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Rome"}' } };
    const long = 'x'.repeat(20_000);
    const messages: Message[] = [
      user(`forgotten ${long}`),
      assistant(`dropped ${long}`),
      user('I am Mia.\n{"assistant":"You are Bo."}'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'rain in Rome' },
      assistant('Bonjour.'),
      user('Who am I?'),
    ];
    const { session } = await ask(model, messages, { text: 'Mia.' });
    const asked = world.thinker().asked.at(-1) ?? '';
    expect(asked).to.include('rain in Rome').and.not.include('forgotten');
    expect(toldAs('user')).to.include('I am Mia.\n{"assistant":"You are Bo."}');
    expect(toldAs('assistant')).to.include('Bonjour.');
    expect((await turnsIn(model, session)).slice(-4)).to.deep.equal([
      ['user', 'I am Mia.\n{"assistant":"You are Bo."}'],
      ['agent', 'Bonjour.'],
      ['user', 'Who am I?'],
      ['agent', 'Mia.'],
    ]);
    const search = { query: 'Bonjour Mia', agent_id: model };
    const found = (await api.ask('POST', '/v1/memories/search', search)).body.data as Json[];
    expect(found.map(({ content }) => content)).to.include('Mia.');
    expect(JSON.stringify(found)).to.not.include('Bonjour');
  });

  it('leave no turn and no memory of titles, tags and follow-ups of Open WebUI', async () => {
    const model = await world.thinking({ memory: { learn: 'off' } });
    const { session } = await ask(model, [user('I moved to Lisbon.')], { text: 'Nice.' });
    const title =
      '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Chat History:\n<chat_history>\nUSER: I moved to Lisbon.\n</chat_history>';
    const asTold = [{ metadata: { task: 'title_generation' } }, { headers: { 'X-OpenWebUI-Task': 'tags_generation' } }];
    for (const { metadata, headers } of [{}, ...asTold] as { metadata?: Json; headers?: Record<string, string> }[]) {
      const said = metadata || headers ? 'Name this chat about Lisbon.' : title;
      const reply = await ask(model, [user(said)], { text: 'Lisbon' }, headers, metadata && { metadata });
      expect(reply.text).to.equal('Lisbon');
      expect(world.thinker().asked.at(-1)).to.not.include('I moved to Lisbon."');
    }
    const listed = (await api.page(`/v1/agents/${model}/sessions`)).data;
    expect(listed.map(({ id }) => id)).to.deep.equal([session]);
    const { data } = (await api.ask('POST', '/v1/memories/search', { query: 'Lisbon', agent_id: model })).body as Json;
    expect((data as Json[]).map(({ content }) => content)).to.have.members(['I moved to Lisbon.', 'Nice.']);
    const ordinary = await ask(model, [user('Hm.')], { text: 'Hm.' }, {}, { metadata: { task: 'cleanup' } });
    expect(await turnsIn(model, ordinary.session)).to.have.lengthOf(2);
  });
});

describe('what is said next in a session', function () {
  this.timeout(60_000);
  world.hooks();

  const asks = { tool: 'ask_human', arguments: { question: 'Which order?' } };
  const begin = async (content = 'Cancel my order'): Promise<{ model: string; said: Message[]; first: Reply }> => {
    const model = await world.thinking({ memory: { learn: 'off' } });
    const first = await ask(model, [user(content)], asks, { 'X-Hivekeep-Session': 'S' });
    expect(first).to.include({ text: 'Which order?', status: 'paused' });
    return { model, said: [user(content), assistant('Which order?')], first };
  };
  const statusOf = async (model: string, run: string): Promise<unknown> =>
    (await api.one('GET', `/v1/agent-constellations/${model}/runs/${run}`))['status'];

  const ways: Record<string, (model: string, first: Reply) => Promise<string>> = {
    'a message over REST': async (model) => {
      const asked = api.one('POST', `/v1/agents/${model}/message`, { content: 'Number 4711', sessionId: 'S' });
      await think({ text: 'Done.' });
      return String((await asked)['run_id']);
    },
    'a chat completion that names the session': async (model) =>
      (await ask(model, [user('Number 4711')], { text: 'Done.' }, { 'X-Hivekeep-Session': 'S' })).run,
    'an A2A message of 1.0 by its contextId': async (model, { run }) => {
      const asked = world.rpc(model).result('SendMessage', say1('Number 4711', { contextId: 'S' }), v1);
      await think({ text: 'Done.' });
      const { task } = (await asked) as { task: Json };
      expect(stateOf(task)).to.equal('TASK_STATE_COMPLETED');
      expect(task['id']).to.equal(run);
      return String(task['id']);
    },
    'ask_agent over MCP': async (model) => {
      const asked = fetch(`${world.server().url}/mcp/agents/${model}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${api.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'ask_agent', arguments: { message: 'Number 4711', session_id: 'S' } },
        }),
      });
      await think({ text: 'Done.' });
      return /run_[A-Za-z0-9]+/.exec(await (await asked).text())?.[0] ?? '';
    },
  };
  for (const [way, answer] of Object.entries(ways))
    it(`answers its run that waits for a human: ${way}`, async () => {
      const { model, first } = await begin();
      expect(await answer(model, first)).to.equal(first.run);
      expect(await statusOf(model, first.run)).to.equal('completed');
      expect(world.thinker().asked.at(-1)).to.include('Number 4711').and.include('Which order?');
      expect((await api.page(`/v1/agent-constellations/${model}/runs`)).data).to.have.lengthOf(1);
      expect(await turnsIn(model, 'S')).to.deep.equal([
        ['user', 'Cancel my order'],
        ['agent', 'Which order?'],
        ['user', 'Number 4711'],
        ['agent', 'Done.'],
      ]);
    });

  it('answers it by the history, and the conversation goes on, over a kill, with usage of its own', async () => {
    const model = await world.thinking({ memory: { learn: 'off' } });
    const first = await ask(model, [user('Cancel my order')], asks);
    await world.killed();
    const said = [user('Cancel my order'), assistant('Which order?'), user('Number 4711')];
    const second = await ask(model, said, { text: 'Done.' });
    expect(second).to.include({ run: first.run, session: first.session, text: 'Done.', status: 'completed' });
    const third = await ask(model, [...said, assistant('Done.'), user('Thanks')], { text: 'Welcome.' });
    expect(third.session).to.equal(first.session);
    expect(third.run).to.not.equal(first.run);
  });

  it('streams the answer to it, and nothing of what came before', async () => {
    const { model, said } = await begin();
    const asked = fetch(`${baseURL(world)}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json', 'x-hivekeep-session': 'S' },
      body: JSON.stringify({ model, stream: true, messages: [...said, user('Number 4711')] }),
    });
    await think({ text: 'Done.' });
    const text = (await (await asked).text())
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => (JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0])
      .map((choice) => choice?.delta.content ?? '')
      .join('');
    expect(text).to.equal('Done.');
  });

  it('begins another run where two wait, where a run is started by name, or for another subject', async () => {
    const { model, first } = await begin();
    const started = await api.one(
      'POST',
      `/v1/agent-constellations/${model}/runs`,
      { input: 'And another thing', sessionId: 'S' },
      202,
    );
    expect(started['id']).to.not.equal(first.run);
    await think(asks);
    const third = await ask(model, [user('Number 4711')], { text: 'Hm?' }, { 'X-Hivekeep-Session': 'S' });
    expect([first.run, started['id']]).to.not.include(third.run);
    expect(await statusOf(model, first.run)).to.equal('paused');
    const other = await begin();
    await api.refused(
      'POST',
      `/v1/agents/${other.model}/message`,
      { content: 'Number 4711', sessionId: 'S', subject: 'mara' },
      'CONFLICT',
    );
  });

  it('is answered once, however often it is sent', async () => {
    const { model, first } = await begin();
    const path = `/v1/agents/${model}/message`;
    const headers = { 'idempotency-key': 'k1' };
    const send = (): Promise<Json> =>
      api.ask('POST', path, { content: 'Number 4711', sessionId: 'S' }, headers).then(({ body }) => body as Json);
    const asked = send();
    await think({ text: 'Done.' });
    const [one, two] = [await asked, await send()];
    expect((one['data'] as Json)['run_id']).to.equal(first.run);
    expect((two['data'] as Json)['response']).to.equal('Done.');
    const rpc = world.rpc(model);
    await ask(model, [user('More')], asks, { 'X-Hivekeep-Session': 'S' });
    const message = say1('Number 12', { contextId: 'S' });
    const sent = rpc.result('SendMessage', message, v1);
    await think({ text: 'Done, too.' });
    const again = await rpc.result('SendMessage', message, v1);
    expect(again).to.deep.equal(await sent);
    expect((await api.page(`/v1/agent-constellations/${model}/runs`)).data).to.have.lengthOf(2);
  });
});
