/** Functions of OpenAI's clients as tools of a run (docs/api.md 4.5), against a running server. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { expect } from 'chai';
import type OpenAI from 'openai';
import { z } from 'zod';
import { a2aWorld } from '../a2a/support/world.js';
import type { Json } from '../api/support/client.js';
import type { Thought } from '../api/support/thinker.js';
import { baseURL, clientOf, problem, user } from './support.js';

const world = a2aWorld();
const { api, think, thinking } = world;
const client = (): OpenAI => clientOf(world);
type Message = OpenAI.ChatCompletionMessageParam;

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const described = { name: 'weather', description: 'The weather of a city.', parameters: city };
const weather = { type: 'function', function: described } as const;
const calls = (...cities: string[]): Thought => ({
  calls: cities.map((each) => ({ tool: 'weather', arguments: { city: each } })),
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
});
const answers = (text: string): Thought => ({
  text,
  usage: { prompt_tokens: 120, completion_tokens: 5, total_tokens: 125 },
});
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content });
const runOf = (model: string, id: string): Promise<Json> =>
  api.one('GET', `/v1/agent-constellations/${model}/runs/${id}`);

const create = (
  model: string,
  messages: Message[],
  more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {},
  headers: Record<string, string> = {},
): Promise<OpenAI.ChatCompletion> =>
  client().chat.completions.create({ model, messages, tools: [weather], ...more }, { headers });

/** A run that waits for the weather of these cities: the messages so far, and the ids of the calls. */
async function waiting(
  model: string,
  ...cities: string[]
): Promise<{ run: string; messages: Message[]; ids: string[] }> {
  const asked = create(model, [user('How is it?')]);
  await think(calls(...cities));
  const { id, choices } = await asked;
  const message = choices[0]?.message;
  if (!message) throw new Error('it has no message');
  return { run: id, messages: [user('How is it?'), message], ids: message.tool_calls?.map((call) => call.id) ?? [] };
}

describe('OpenAI: tools of the client', function () {
  this.timeout(60_000);
  world.hooks();

  for (const stream of [false, true])
    it(`openai runs functions, several at once and one after another, ${stream ? 'streamed' : 'whole'}`, async () => {
      const model = await thinking();
      const asked: string[] = [];
      const sunny = ({ city: where }: { city: string }): string => {
        asked.push(where);
        return `sunny in ${where}`;
      };
      const body = {
        model,
        messages: [user('How is it in Rome, Oslo and Bern?')],
        tools: [{ ...weather, function: { ...described, function: sunny, parse: JSON.parse } }],
      };
      const { completions } = client().chat;
      const runner = stream ? completions.runTools({ ...body, stream: true }) : completions.runTools(body);
      await think(calls('Rome', 'Oslo'));
      await think(calls('Bern'));
      await think(answers('Sunny everywhere.'));
      expect(await runner.finalContent()).to.equal('Sunny everywhere.');
      expect(asked).to.deep.equal(['Rome', 'Oslo', 'Bern']);
      const told = runner.allChatCompletions();
      expect(told.map(({ choices }) => choices[0]?.finish_reason)).to.deep.equal(['tool_calls', 'tool_calls', 'stop']);
      expect(new Set(told.map(({ id }) => id)).size).to.equal(3, 'each is a completion of its own');
      const [first] = told;
      const run = await runOf(model, String(first?.id));
      expect(run).to.include({ status: 'completed', output: 'Sunny everywhere.', steps: 3 });
      expect(world.thinker().asked.at(-1)).to.include('sunny in Oslo').and.include('sunny in Bern');
      if (!stream) {
        expect(told.map(({ usage }) => usage?.total_tokens)).to.deep.equal([110, 110, 125]);
        expect(run['usage']).to.include({ inputTokens: 320, outputTokens: 25 });
      }
    });

  it('results go to their run after a restart, take effect once, and get the same answer each time', async () => {
    const model = await thinking();
    const { messages, ids, run } = await waiting(model, 'Rome', 'Oslo');
    await world.killed();
    const [rome = '', oslo = ''] = ids;
    const given = [...messages, result(oslo, 'rain'), result(rome, 'sun')];
    const first = Promise.all([create(model, given), create(model, given)]);
    await think(answers('Sun in Rome.'));
    for (const { choices, id } of [...(await first), await create(model, given)]) {
      expect(choices[0]?.message.content).to.equal('Sun in Rome.');
      expect(id).to.not.equal(run);
    }
    const streamed = client().chat.completions.stream({ model, messages: given });
    expect((await streamed.finalChatCompletion()).choices[0]?.message.content).to.equal('Sun in Rome.');
    expect(await runOf(model, run)).to.include({ status: 'completed', steps: 2 });

    const other = [...messages, result(rome, 'snow'), result(oslo, 'rain')];
    expect(await problem(create(model, other))).to.include({ status: 400, param: 'messages.2.content' });
    const more = create(model, [...given, { role: 'assistant', content: 'Sun in Rome.' }, user('Thanks.')]);
    await think({ text: 'You are welcome.' });
    expect((await more).choices[0]?.message.content).to.equal('You are welcome.');
    const told = world.thinker().asked.at(-1) ?? '';
    expect(told).to.include('Sun in Rome.').and.include('rain').and.include('weather');
  });

  it('results that no run waits for are 400, by the field, and change nothing', async () => {
    const model = await thinking();
    const [one, two] = [await waiting(model, 'Rome', 'Oslo'), await waiting(model, 'Bern')];
    const [rome = '', oslo = ''] = one.ids;
    const [bern = ''] = two.ids;
    const other = await thinking();
    const refusals: [string, string, () => Promise<unknown>][] = [
      [
        'an id of another service',
        'messages.2.tool_call_id',
        () => create(model, [...one.messages, result('call_1', 'x')]),
      ],
      [
        'a run that is unknown',
        'messages.2.tool_call_id',
        () => create(model, [...one.messages, result('run_0.1.1', 'x')]),
      ],
      ['another agent', 'messages.2.tool_call_id', () => create(other, [...two.messages, result(bern, 'x')])],
      ['a part of the results', 'messages.2.tool_call_id', () => create(model, [...one.messages, result(rome, 'x')])],
      [
        'one of them twice',
        'messages.2.tool_call_id',
        () => create(model, [...one.messages, result(rome, 'x'), result(rome, 'x')]),
      ],
      [
        'those of two runs',
        'messages.4.tool_call_id',
        () => create(model, [...one.messages, result(rome, 'x'), result(oslo, 'x'), result(bern, 'x')]),
      ],
      ['a text with NUL', 'messages.2.content', () => create(model, [...two.messages, result(bern, '\0')])],
      ['another session', 'user', () => create(model, [...two.messages, result(bern, 'x')], { user: 'another' })],
      [
        'another subject',
        'X-Hivekeep-Subject',
        () => create(model, [...two.messages, result(bern, 'x')], {}, { 'X-Hivekeep-Subject': 'mara' }),
      ],
      [
        'no tools any more',
        'tool_choice',
        () => create(model, [...two.messages, result(bern, 'x')], { tool_choice: 'none' }),
      ],
      [
        'more from the user',
        'messages.3.role',
        () => create(model, [...two.messages, result(bern, 'x'), user('Or not.')]),
      ],
      ['no results', 'messages.1.role', () => create(model, two.messages)],
    ];
    for (const [what, param, ask] of refusals)
      expect(await problem(ask()), what).to.include({ status: 400, param, type: 'invalid_request_error' });
    const [run, waits] = [await runOf(model, one.run), await runOf(model, two.run)];
    expect([run['status'], waits['status']]).to.deep.equal(['paused', 'paused']);
    expect((await api.page(`/v1/agent-constellations/${model}/runs`)).data).to.have.lengthOf(2);

    const resume = `/v1/agent-constellations/${model}/runs/${two.run}/resume`;
    await api.one('POST', resume, { results: [{ id: bern, content: 'fog' }] }, 202);
    await think(answers('Fog.'));
    expect(await problem(create(model, [...two.messages, result(bern, 'x')]))).to.include({ status: 400 });
  });

  it('tools and choices that an agent does not know are 400, by the field', async () => {
    const model = await thinking();
    const named = (more: object): OpenAI.ChatCompletionFunctionTool[] => [
      { ...weather, function: { ...described, ...more } },
    ];
    const refusals: [string, Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>][] = [
      ['tools.0.function.parameters.type', { tools: named({ parameters: { type: 'array' } }) }],
      ['tools.0.function.parameters', { tools: named({ parameters: { type: 'object', required: 'city' } }) }],
      ['tools.0.type', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
      ['tools', { tools: [weather, weather] }],
      ['functions', { functions: [{ name: 'weather' }] }],
    ];
    for (const [param, more] of refusals)
      expect(await problem(create(model, [user('x')], more)), JSON.stringify(more)).to.include({ status: 400, param });
    const without = create(model, [user('How is it?')], { tool_choice: 'none' });
    await think(answers('I cannot tell.'));
    const { id, choices } = await without;
    expect(choices[0]).to.deep.include({ finish_reason: 'stop' });
    expect((await runOf(model, id))['overrides']).to.deep.equal({ tools: [] });
  });

  it('the Vercel AI SDK runs tools, whole and streamed', async () => {
    const model = createOpenAICompatible({ name: 'hivekeep', baseURL: baseURL(world), apiKey: api.key })(
      await thinking(),
    );
    const tools = {
      weather: tool({
        description: 'The weather of a city.',
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city: where }) => ({ where, sky: 'clear' }),
      }),
    };
    const generated = generateText({ model, tools, stopWhen: stepCountIs(5), prompt: 'Rome and Oslo?' });
    await think(calls('Rome', 'Oslo'));
    await think(answers('Clear.'));
    const { text, steps } = await generated;
    expect(text).to.equal('Clear.');
    expect(steps[0]?.toolResults.map(({ output }) => output)).to.deep.equal([
      { where: 'Rome', sky: 'clear' },
      { where: 'Oslo', sky: 'clear' },
    ]);

    const stream = streamText({ model, tools, stopWhen: stepCountIs(5), prompt: 'Bern?' });
    const read = Promise.resolve(stream.text);
    await think(calls('Bern'));
    await think(answers('Clear, too.'));
    expect(await read).to.equal('Clear, too.');
    expect((await stream.steps).map(({ finishReason }) => finishReason)).to.deep.equal(['tool-calls', 'stop']);
  });
});
