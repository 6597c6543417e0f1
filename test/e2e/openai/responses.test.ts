/** OpenAI's Responses API (docs/api.md 4.5), by its official client, against a running server. */
import { expect } from 'chai';
import type OpenAI from 'openai';
import { a2aWorld } from '../a2a/support/world.js';
import { until, type Json } from '../api/support/client.js';
import type { Thought } from '../api/support/thinker.js';
import { clientOf, problem } from './support.js';

const world = a2aWorld();
const { api, think, thinking } = world;
type Body = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>;
type Answer = OpenAI.Responses.Response;

const create = (model: string, input: Body['input'], more: Body = {}, headers = {}): Promise<Answer> =>
  clientOf(world).responses.create({ model, ...(input !== undefined && { input }), ...more }, { headers });
/** What is answered where the model thinks so. */
async function answered(thought: Thought, ...asked: Parameters<typeof create>): Promise<Answer> {
  const answer = create(...asked);
  await think(thought);
  return answer;
}
const says = (text: string): Thought => ({ text, usage: { prompt_tokens: 20, completion_tokens: 5 } });
/** What the model was given last, as role and text, without its instructions and what the service says. */
const told = (): string[] =>
  (JSON.parse(world.thinker().asked.at(-1) ?? '[]') as Json[])
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${String(role)}: ${String(content).replace(/<service>[\s\S]*?<\/service>\s*/g, '')}`);
const about = (answer: Answer): Json => (answer as unknown as { hivekeep: Json }).hivekeep;

const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
};

describe("OpenAI: the Responses API by OpenAI's client", function () {
  this.timeout(60_000);
  world.hooks();

  it('answers, goes on after a response, and is retrieved', async () => {
    const model = await thinking();
    const first = await answered(says('At nine.'), model, 'When does it leave?', { instructions: 'Be brief.' });
    expect(first).to.include({ object: 'response', status: 'completed', output_text: 'At nine.' });
    expect(first.usage).to.include({ input_tokens: 20, output_tokens: 5, total_tokens: 25 });
    expect(world.thinker().asked.at(-1)).to.include('Be brief.');
    const second = await answered(says('At ten.'), model, 'And back?', { previous_response_id: first.id });
    expect(second).to.include({ output_text: 'At ten.', previous_response_id: first.id });
    expect(told()).to.deep.equal(['user: When does it leave?', 'assistant: At nine.', 'user: And back?']);
    expect(about(second)['session_id']).to.equal(about(first)['session_id']);
    const again = await clientOf(world).responses.retrieve(second.id);
    expect(again).to.include({ id: second.id, status: 'completed', output_text: 'At ten.' });
  });

  it('the same response may be gone on after twice: two branches, of which neither sees the other', async () => {
    const model = await thinking();
    const root = await answered(says('Hello.'), model, 'I am Mia.');
    const stem = await answered(says('Noted.'), model, 'I like tea.', { previous_response_id: root.id });
    const after = { previous_response_id: stem.id };
    const red = await answered(says('Red it is.'), model, 'Paint it red.', after);
    const blue = await answered(says('Blue it is.'), model, 'Paint it blue.', after);
    const before = ['user: I am Mia.', 'assistant: Hello.', 'user: I like tea.', 'assistant: Noted.'];
    expect(told()).to.deep.equal([...before, 'user: Paint it blue.']);
    expect(about(blue)['session_id']).to.not.equal(about(red)['session_id']);
    // each goes on by itself, and so does what was branched from before
    await answered(says('Dark red.'), model, 'Darker.', { previous_response_id: red.id });
    expect(told()).to.deep.equal([...before, 'user: Paint it red.', 'assistant: Red it is.', 'user: Darker.']);
    await answered(says('Dark blue.'), model, 'Darker.', { previous_response_id: blue.id });
    expect(told()).to.deep.equal([...before, 'user: Paint it blue.', 'assistant: Blue it is.', 'user: Darker.']);
    await answered(says('Coffee.'), model, 'And coffee.', { previous_response_id: root.id });
    expect(told()).to.deep.equal(['user: I am Mia.', 'assistant: Hello.', 'user: And coffee.']);
  });

  it('both at once are two branches, too', async () => {
    const model = await thinking();
    const root = await answered(says('Hello.'), model, 'I am Mia.');
    const both = ['Paint it red.', 'Paint it blue.'].map((input) =>
      create(model, input, { previous_response_id: root.id }),
    );
    await world.asking(2);
    const asked = world.thinker().asked.slice(-2);
    expect(asked.filter((text) => text.includes('red') && text.includes('blue'))).to.deep.equal([]);
    for (const text of ['1', '2']) world.thinker().release(says(text));
    const sessions = (await Promise.all(both)).map((each) => about(each)['session_id']);
    expect(new Set(sessions).size).to.equal(2);
  });

  it('a question that was answered otherwise is a branch that ends with it', async () => {
    const model = await thinking();
    const ask: Thought = { tool: 'ask_human', arguments: { question: 'Red or blue?' } };
    const question = await answered(ask, model, 'Paint it.');
    expect(question.output_text).to.equal('Red or blue?');
    const after = { previous_response_id: question.id };
    const red = await answered(says('Red.'), model, 'red', after);
    expect(about(red)['run_id']).to.equal(about(question)['run_id']);
    const blue = await answered(says('Blue.'), model, 'blue', after);
    expect(about(blue)['run_id']).to.not.equal(about(question)['run_id']);
    expect(told()).to.deep.equal(['user: Paint it.', 'assistant: Red or blue?', 'user: blue']);
    await answered(says('Fine.'), model, 'Thanks.', { previous_response_id: red.id });
    expect(told().join()).to.include('assistant: Red.').and.not.include('blue\n');
  });

  it('another agent, and what is no response, is 400 by the field', async () => {
    const [model, other] = [await thinking(), await thinking()];
    const { id } = await answered(says('Hello.'), model, 'I am Mia.');
    for (const previous of [id, 'resp_nothing'])
      expect(await problem(create(other, 'x', { previous_response_id: previous }))).to.include({
        status: 400,
        param: 'previous_response_id',
      });
    const missing = `resp_${model}.run_01m0000000000000000000000`;
    expect(await problem(create(model, 'x', { previous_response_id: missing }))).to.include({ status: 404 });
  });

  it('streams its events as OpenAI numbers and names them, whole or in calls', async () => {
    const model = await thinking();
    const stream = clientOf(world).responses.stream({ model, input: 'Say it slowly.' });
    const events: string[] = [];
    const numbers: number[] = [];
    stream.on('event', (event) => {
      events.push(event.type);
      numbers.push(event.sequence_number);
    });
    await world.asking();
    world.thinker().write('Slow');
    world.thinker().release({ text: 'ly.' });
    expect((await stream.finalResponse()).output_text).to.equal('Slowly.');
    expect(numbers).to.deep.equal(numbers.map((_, i) => i));
    expect([...new Set(events)]).to.deep.equal([
      ...['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added'],
      ...['response.output_text.delta', 'response.output_text.done', 'response.content_part.done'],
      ...['response.output_item.done', 'response.completed'],
    ]);

    const calling = clientOf(world).responses.stream({ model, input: 'How is it?', tools: [weather] });
    await think({ tool: 'weather', arguments: { city: 'Rome' } });
    const [call] = (await calling.finalResponse()).output;
    expect(call).to.include({ type: 'function_call', name: 'weather', arguments: '{"city":"Rome"}' });
  });

  it('runs functions: results go on by the id of the response, or with the whole input', async () => {
    const model = await thinking();
    for (const whole of [false, true]) {
      const asked = await answered({ tool: 'weather', arguments: { city: 'Rome' } }, model, 'How is it?', {
        tools: [weather],
      });
      const [call] = asked.output;
      if (call?.type !== 'function_call') throw new Error('it asks for no call');
      const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'sunny' };
      const done = await (whole
        ? answered(says('Sunny.'), model, [{ role: 'user', content: 'How is it?' }, call, result], { tools: [weather] })
        : answered(says('Sunny.'), model, [result], { tools: [weather], previous_response_id: asked.id }));
      expect(done.output_text).to.equal('Sunny.');
      expect(about(done)['run_id']).to.equal(about(asked)['run_id']);
    }
  });

  it('answers by a schema, in the background, and tells what has no effect', async () => {
    const model = await thinking();
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const data = await answered({ tool: 'answer', arguments: { city: 'Rome' } }, model, 'Where?', {
      text: { format: { type: 'json_schema', name: 'where', schema } },
    });
    expect(JSON.parse(data.output_text)).to.deep.equal({ city: 'Rome' });

    const begun = await create(model, 'Take your time.', { background: true, service_tier: 'flex' });
    expect(begun).to.include({ status: 'in_progress', background: true });
    expect(about(begun)['ignored']).to.deep.equal(['service_tier']);
    await think(says('Done.'));
    const run = String(about(begun)['run_id']);
    await until(
      () => api.one('GET', `/v1/agent-constellations/${model}/runs/${run}`),
      ({ status }) => status === 'completed',
    );
    expect(await clientOf(world).responses.retrieve(begun.id)).to.include({
      status: 'completed',
      output_text: 'Done.',
    });
  });
});
