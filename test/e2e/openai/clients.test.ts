/** Agents as models of the clients that most programs have (docs/api.md 4.5), against a running server. */
import { expect } from 'chai';
import OpenAI from 'openai';
import { a2aWorld } from '../a2a/support/world.js';
import type { Json } from '../api/support/client.js';
import { clientOf, problem, user } from './support.js';

const world = a2aWorld();
const { api, think } = world;
const client = (key = api.key): OpenAI => clientOf(world, key);
type Message = OpenAI.ChatCompletionMessageParam;
/** What the model of the agent was given last, without its instructions. */
const given = (): Json[] =>
  (JSON.parse(world.thinker().asked.at(-1) ?? '[]') as Json[]).filter(({ role }) => role !== 'system');

describe('OpenAI: the official clients', function () {
  this.timeout(60_000);
  world.hooks();

  it('openai lists agents, and talks with one by id and by name in one session', async () => {
    const model = await world.thinking({}, { name: 'Harbour office' });
    const listed = [];
    for await (const each of client().models.list()) listed.push(each.id);
    expect(listed).to.include(model);

    const ask = { model, messages: [user('When does it leave?')], user: 'quay', temperature: 0.2 };
    const headers = { 'X-Hivekeep-Subject': 'mara' };
    const first = client().chat.completions.create(ask, { headers });
    await think({ text: 'At nine.' });
    const { choices, usage, id } = await first;
    expect(choices[0]).to.deep.include({ finish_reason: 'stop' });
    expect(choices[0]?.message).to.include({ role: 'assistant', content: 'At nine.' });
    expect(usage).to.have.all.keys('prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_tokens_details');
    const run = await api.one('GET', `/v1/agent-constellations/${model}/runs/${id}`);
    expect(run).to.include({ sessionId: 'quay', subject: 'mara', input: 'When does it leave?' });
    expect(run['overrides']).to.deep.equal({ temperature: 0.2 });

    const messages = [user('When does it leave?'), { role: 'assistant', content: 'At nine.' }, user('And back?')];
    const second = client().chat.completions.create(
      { model: 'Harbour office', messages: messages as Message[] },
      { headers: { ...headers, 'X-Hivekeep-Session': 'quay' } },
    );
    await think({ text: 'At ten.' });
    expect((await second).choices[0]?.message.content).to.equal('At ten.');
    const told = given().map(({ content }) => String(content));
    expect(told.filter((text) => text.includes('When does it leave?'))).to.have.lengthOf(1, 'it is not retold');
  });

  it('openai is told an answer while it is written, with usage and the end', async () => {
    const model = await world.thinking();
    const stream = await client().chat.completions.create({
      model,
      messages: [user('Say it slowly.')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = stream[Symbol.asyncIterator]();
    const texts: string[] = [];
    let last: OpenAI.ChatCompletionChunk | undefined;
    await world.asking();
    world.thinker().write('Slow');
    for (let step = await chunks.next(); !step.done; step = await chunks.next()) {
      last = step.value;
      const text = last.choices[0]?.delta.content ?? '';
      if (text !== '') texts.push(text);
      if (text === 'Slow') world.thinker().release({ text: 'ly.' });
    }
    expect(texts).to.deep.equal(['Slow', 'ly.']);
    expect(last?.choices).to.deep.equal([]);
    expect(last?.usage?.total_tokens).to.be.a('number');
  });

  it('openai retells a conversation that no session knows, as its turns, and its instructions', async () => {
    const model = await world.thinking({ instructions: 'Answer in verse.' });
    const asked = client().chat.completions.create({
      model,
      messages: [
        { role: 'system', content: 'Answer in French.' },
        user('I am Mia.'),
        { role: 'assistant', content: 'Bonjour.' },
        user('Who am I?'),
      ],
    });
    await think({ text: 'Mia.' });
    const { id } = await asked;
    const told = given().map(({ role, content }) => [role, content]);
    expect(told.slice(0, 2)).to.deep.equal([
      ['user', 'I am Mia.'],
      ['assistant', 'Bonjour.'],
    ]);
    const run = await api.one('GET', `/v1/agent-constellations/${model}/runs/${id}`);
    expect(run['input']).to.equal('Who am I?');
    expect(world.thinker().asked.at(-1)).to.include('Answer in French.').and.not.to.include('Answer in verse.');
  });

  it('openai gets the question of a run that waits, and data by a schema', async () => {
    const model = await world.thinking();
    const asked = client().chat.completions.create({ model, messages: [user('Paint it.')] });
    await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
    const { choices, ...rest } = await asked;
    expect(choices[0]?.message.content).to.include('Red or blue?');
    const about = (rest as unknown as { hivekeep: Json }).hivekeep;
    expect(about).to.include({ status: 'paused' });
    expect(about['waitingFor']).to.include({ kind: 'human' });

    const schema = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
    const data = client().chat.completions.create({
      model,
      messages: [user('Which colour?')],
      response_format: { type: 'json_schema', json_schema: { name: 'colour', schema } },
    });
    await think({ tool: 'answer', arguments: { colour: 'blue' } });
    expect(JSON.parse((await data).choices[0]?.message.content ?? '')).to.deep.equal({ colour: 'blue' });
  });

  it('openai raises its own errors, with the field and the id of the request, and asks no failed run again', async () => {
    const model = await world.quick();
    const create = (more: object, key?: string): Promise<unknown> =>
      client(key).chat.completions.create({ model, messages: [user('hello')], ...more });
    await problem(create({ model: 'nobody'.repeat(5000) }));
    const missing = await problem(create({ model: 'nobody' }));
    expect(missing).to.be.instanceOf(OpenAI.NotFoundError).and.include({ code: 'NOT_FOUND' });
    expect(missing.requestID).to.match(/^req_/);
    expect(await problem(create({}, 'svc_live_nonsense'))).to.be.instanceOf(OpenAI.AuthenticationError);
    const key = await api.one('POST', '/v1/keys', { name: 'r', mode: 'live', scopes: ['agent:read'] }, 201);
    expect(await problem(create({}, String(key['key'] ?? key['secret'])))).to.be.instanceOf(
      OpenAI.PermissionDeniedError,
    );
    expect(await problem(create({ temperature: 9 }))).to.include({ status: 400, param: 'temperature' });
    expect(await problem(create({ n: 2 }))).to.include({ status: 400, param: 'n' });
    expect(await problem(create({ response_format: { type: 'json_object' } }))).to.include({
      status: 400,
      param: 'response_format',
    });
    await api.one('POST', '/v1/agents/spawn', { name: 'Twin' }, 201);
    await api.one('POST', '/v1/agents/spawn', { name: 'Twin' }, 201);
    expect(await problem(create({ model: 'Twin' }))).to.include({ status: 400, param: 'model' });

    const thinking = await world.thinking({ output_schema: { type: 'object', required: ['colour'] } });
    const failed = problem(client().chat.completions.create({ model: thinking, messages: [user('x')] }));
    await think({ tool: 'answer', arguments: {} });
    await think({ tool: 'answer', arguments: {} });
    expect(await failed).to.include({ status: 422, code: 'bad_output', type: 'run_failed' });
    expect((await api.page(`/v1/agent-constellations/${thinking}/runs`)).data).to.have.lengthOf(1);
  });
});
