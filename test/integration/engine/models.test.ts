/** Agents on models, with servers that speak OpenAI's and Anthropic's protocols: what the requests of a run have in common. */
import { expect } from 'chai';
import { createAnthropic } from '../../../src/reasoner/anthropic.js';
import { createOpenAi } from '../../../src/reasoner/openai.js';
import { createReasonerFor } from '../../../src/reasoner/registry.js';
import { caller, eventually, skippingClock, type TestEngineOptions } from '../../helpers/engine.js';
import { type ScriptedOpenAi, type ScriptedReply, startScriptedOpenAi } from '../../helpers/scripted-openai.js';
import { overStores } from './kit.js';

interface Wire {
  model: string;
  text(text: string): ScriptedReply;
  call(name: string, input: object, text?: string): ScriptedReply;
}

const usage = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 80 } };
const openai: Wire = {
  model: 'openai/x',
  text: (content) => ({ completion: { choices: [{ finish_reason: 'stop', message: { content } }], usage } }),
  call: (name, input, content = '') => ({
    completion: {
      choices: [{ message: { content, tool_calls: [{ function: { name, arguments: JSON.stringify(input) } }] } }],
      usage,
    },
  }),
};
const counted = { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 10, cache_read_input_tokens: 80 };
const anthropic: Wire = {
  model: 'anthropic/x',
  text: (text) => ({ completion: { content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: counted } }),
  call: (name, input, text = '') => ({
    completion: {
      content: [
        { type: 'text', text },
        { type: 'tool_use', id: 't', name, input },
      ],
      stop_reason: 'tool_use',
      usage: counted,
    },
  }),
};

/** What servers cache, in the order in which they read it. */
const readBy = ({ body }: ScriptedOpenAi['requests'][number]): string => {
  const { tools, messages, system } = body as typeof body & { system?: unknown };
  return JSON.stringify([tools, system ?? null, messages]).replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, '');
};
function shared(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  return at / after.length;
}

overStores('Agents on models', (bed) => {
  let server: ScriptedOpenAi;
  beforeEach(async () => {
    server = await startScriptedOpenAi();
  });
  afterEach(() => server.close());

  const start = (options: TestEngineOptions = {}) => {
    const baseUrl = server.baseUrl;
    const reasonerFor = createReasonerFor({
      builtIn: { name: 'none', next: () => ({ thoughts: [], calls: [] }) },
      servers: new Map([
        ['openai', createOpenAi({ baseUrl, apiKey: null, stream: false })],
        ['anthropic', createAnthropic({ baseUrl: baseUrl.replace('/v1', ''), apiKey: null, stream: false })],
      ]),
    });
    return bed.start(undefined, { reasonerFor, ...options });
  };
  const sent = (n = -1): string => JSON.stringify(server.requests.at(n)?.body.messages);

  it('a run waits for a model that is away as long as it asks, beyond its runtime, and fails at last', async () => {
    const clock = skippingClock();
    const { service } = await start({ clock });
    const config = { model: openai.model, memory: { learn: 'off' as const } };
    const { id } = await service.spawnAgent(caller, { name: 'Ada', config, maxRuntimeSeconds: 60 });
    const busy: ScriptedReply = { status: 429, headers: { 'retry-after': '240' } };
    server.queue(busy, busy, openai.text('At last.'));
    const asked = async (n: number): Promise<void> => {
      await server.received(n);
      await new Promise((resolve) => setTimeout(resolve, 50)); // the reply has been read by then
    };
    const ended = async (run: string) =>
      eventually(async () => {
        const found = await service.getRun(caller, id, run);
        return found.status !== 'running' && found;
      });
    const first = await service.startRun(caller, id, { input: 'Go' });
    for (const n of [1, 2]) {
      await asked(n);
      clock.skip(239_000);
      expect([server.requests.length, (await service.getRun(caller, id, first.id)).status]).to.deep.equal([
        n,
        'running',
      ]);
      clock.skip(1_000);
    }
    expect(await ended(first.id)).to.include({ status: 'completed', output: 'At last.' });
    server.queue(busy, busy, busy, busy);
    const second = await service.startRun(caller, id, { input: 'Go' });
    for (const n of [4, 5, 6]) {
      await asked(n);
      clock.skip(240_000);
    }
    const failed = await ended(second.id);
    expect(failed.error?.message).to.match(/asks to wait 240 s; no model has answered for \d+ s, though asked 4 times/);
  });

  for (const wire of [openai, anthropic]) {
    const config = { model: wire.model, instructions: 'Be kind.', memory: { learn: 'off' as const } };

    it(`${wire.model}: an eighth step repeats at least 80 % of the seventh, and usage tells what was cached`, async () => {
      const { service } = await start();
      const { id } = await service.spawnAgent(caller, { name: 'Ada', config });
      await service.createMemory(caller, { type: 'semantic', content: 'The launch is in May', agent_id: id });
      const steps = Array.from({ length: 7 }, (_, i) =>
        wire.call('remember', { content: `The launch has part ${i}` }, `Part ${i}.`),
      );
      server.queue(...steps, wire.text('Done.'));
      const { run_id: run, response } = await service.messageAgent(caller, id, { content: 'Plan the launch' });
      expect(response).to.equal('Done.');
      const texts = server.requests.map(readBy);
      expect(texts).to.have.length(8);
      expect(shared(texts[6] ?? '', texts[7] ?? '')).to.be.greaterThan(0.9);
      expect(sent().match(/The launch is in May/g)).to.have.length(1);
      expect(sent()).to.contain('Part 6.');
      expect((await service.getRun(caller, id, run)).usage).to.deep.equal({
        requests: 8,
        inputTokens: 800,
        cachedInputTokens: 640,
        outputTokens: 80,
      });
    });

    it(`${wire.model}: what was agreed in the first turn is a turn of the user in the fifth, and stands there once`, async () => {
      const { service } = await start();
      const { id } = await service.spawnAgent(caller, { name: 'Ada', config });
      for (const content of [
        'Answer only in French, my dear',
        'Two plus two',
        'And three',
        'And four',
        'And five, in French?',
      ]) {
        server.queue(wire.text(`D'accord, ${content.length}.`));
        await service.messageAgent(caller, id, { content, sessionId: 's' });
      }
      const messages = server.requests[4]!.body.messages.filter(({ role }) => role !== 'system');
      expect(JSON.stringify(messages[0])).to.match(/"role":"user","content":.*"Answer only in French, my dear"/);
      expect(messages[1]).to.have.property('role', 'assistant');
      expect(sent().match(/Answer only in French/g)).to.have.length(1);
      expect(shared(readBy(server.requests[3]!), readBy(server.requests[4]!))).to.be.greaterThan(0.8);
    });

    it(`${wire.model}: a recall sees what calls before it in the same reply have kept and forgotten`, async () => {
      const { service } = await start();
      const { id } = await service.spawnAgent(caller, { name: 'Ada', config });
      await service.createMemory(caller, { type: 'semantic', content: 'The key is 41', agent_id: id });
      const both = [
        { name: 'forget', input: { memory: 'The key is 41' } },
        { name: 'remember', input: { content: 'The key is 42' } },
        { name: 'recall', input: { query: 'key' } },
      ];
      server.queue(
        wire === openai
          ? { calls: both.map(({ name, input }) => ({ name, arguments: input })) }
          : {
              completion: {
                content: both.map((one, i) => ({ type: 'tool_use', id: `t${i}`, ...one })),
                stop_reason: 'tool_use',
              },
            },
        wire.text('42'),
      );
      await service.messageAgent(caller, id, { content: 'It is 42 now.' });
      expect(sent()).to.contain('The key is 42 (just now, by you)').and.not.to.contain('The key is 41 (2');
    });
  }
});
