/** Agents on models, with servers that speak OpenAI's and Anthropic's protocols: what the requests of a run have in common. */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createAnthropic } from '../../../src/reasoner/anthropic.js';
import { createOpenAi } from '../../../src/reasoner/openai.js';
import { createMetrics } from '../../../src/telemetry/metrics.js';
import { createReasonerFor } from '../../../src/reasoner/registry.js';
import { caller, eventually, skippingClock, type TestEngineOptions } from '../../helpers/engine.js';
import { type ScriptedOpenAi, type ScriptedReply, startScriptedOpenAi } from '../../helpers/scripted-openai.js';
import { follow, overStores, type Running } from './kit.js';
import { getRun, cancelRun } from '../../../src/commands/runs.js';
import { getTask } from '../../../src/commands/tasks.js';

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

  const start = (options: TestEngineOptions = {}, more: { contextWindow?: number } = {}) => {
    const baseUrl = server.baseUrl;
    // a model that is away is asked again when the time of the engine has come
    const clock = options.clock ? { clock: options.clock } : {};
    const { metrics } = options;
    const observe = metrics ? { observeWaiting: metrics.observeWaiting } : {};
    const reasonerFor = createReasonerFor({
      builtIn: { name: 'none', next: () => ({ thoughts: [], calls: [] }) },
      servers: new Map([
        ['openai', createOpenAi({ baseUrl, apiKey: null, stream: false, ...clock, ...observe, ...more })],
        [
          'anthropic',
          createAnthropic({ baseUrl: baseUrl.replace('/v1', ''), apiKey: null, stream: false, ...clock, ...more }),
        ],
      ]),
    });
    return bed.start(undefined, { reasonerFor, ...options });
  };
  const sent = (n = -1): string => JSON.stringify(server.requests.at(n)?.body.messages);

  describe('a run whose model is away', () => {
    const config = { model: openai.model, memory: { learn: 'off' as const } };
    const busy: ScriptedReply = { status: 429, headers: { 'retry-after': '240' } };
    const begin = async ({ service }: Running, input: string) => {
      const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada', config, maxRuntimeSeconds: 1 });
      return { agent: id, id: (await service.startRun(caller, id, { input })).id };
    };
    const waitsFrom = ({ service }: Running, run: { agent: string; id: string }, before: string | null) =>
      eventually(async () => {
        const { retryAt, status } = await service.execute(caller, getRun, { id: run.agent, runId: run.id });
        return status === 'running' && retryAt !== before && retryAt;
      });
    const ended = ({ service }: Running, run: { agent: string; id: string }) =>
      eventually(async () => {
        const found = await service.execute(caller, getRun, { id: run.agent, runId: run.id });
        return found.status !== 'running' && found;
      });

    for (const how of ['stopped', 'killed'] as const)
      it(`asks again when it was told to, beyond its runtime, also in a process that follows one that was ${how} (ModelOutage.M1, M2)`, async () => {
        const clock = skippingClock();
        const first = await start({ clock });
        server.queue(busy, busy, openai.text('At last.'));
        const run = await begin(first, 'Go');
        const told = Date.parse((await waitsFrom(first, run, null)) || '');
        expect(told - clock.now()).to.be.within(230_000, 240_000);
        clock.skip(100_000);
        if (how === 'killed') first.kill();
        else await first.engine.stop(0);
        const later = skippingClock();
        later.skip(100_000);
        const second = await start({ clock: later });
        later.skip(100_000);
        const shown = await second.service.execute(caller, getRun, { id: run.agent, runId: run.id });
        expect([shown.status, Date.parse(shown.retryAt ?? ''), server.requests.length]).to.deep.equal([
          'running',
          told,
          1,
        ]);
        const task = await second.service.execute(caller, getTask, { id: run.agent, taskId: run.id });
        expect(task.statusMessage).to.equal('no model answers at present; it is asked again');
        later.skip(40_000);
        await waitsFrom(second, run, shown.retryAt);
        expect(server.requests).to.have.length(2);
        later.skip(240_000);
        expect(await ended(second, run)).to.include({ status: 'completed', output: 'At last.', retryAt: null });
        const events = await follow(second, run.agent, run.id);
        expect(
          events.flatMap((event) => (event.type === 'status' ? [[event.status, event.message]] : [])),
        ).to.deep.equal([
          ['running', null],
          ['running', 'no model answers at present; it is asked again'],
          ['running', null],
          ['completed', null],
        ]);
      });

    it('is counted among what waits for its server, until it ends', async () => {
      const metrics = createMetrics();
      const clock = skippingClock();
      const first = await start({ clock, metrics });
      const waits = async (): Promise<string | undefined> =>
        /model_waiting_requests\{server="openai"\} (\d+)/.exec(await metrics.text())?.[1];
      expect(await waits()).to.equal('0');
      server.queue(busy);
      const runs = [];
      for (const input of ['One', 'Two']) {
        const run = await begin(first, input);
        runs.push(run);
        await waitsFrom(first, run, null);
      }
      await eventually(async () => (await waits()) === '2', 'both to be counted');
      await first.service.execute(caller, cancelRun, { id: runs[0]!.agent, runId: runs[0]!.id });
      await eventually(async () => (await waits()) === '1', 'one to be left');
      server.queue(openai.text('At last.'));
      clock.skip(250_000);
      expect(await ended(first, runs[1]!)).to.include({ status: 'completed' });
      expect(await waits()).to.equal('0');
    });

    it('fails where more is asked than is left of the longest wait in all, whichever processes have waited, and says what was tried', async () => {
      const clock = skippingClock();
      let engine = await start({ clock });
      server.queue(busy, busy, busy);
      const run = await begin(engine, 'Go');
      for (let at: string | null = null, n = 1; n <= 2; n++) {
        at = (await waitsFrom(engine, run, at)) || null;
        await engine.engine.stop(0);
        engine = await start({ clock });
        clock.skip(240_000);
      }
      const { status, error } = await ended(engine, run);
      expect([status, error?.code]).to.deep.equal(['failed', 'rate_limited']);
      expect(error?.message).to.match(/asks to wait 240 s; no model has answered for 48\d s, though asked 3 times/);
    });
  });

  for (const wire of [openai, anthropic]) {
    const config = { model: wire.model, instructions: 'Be kind.', memory: { learn: 'off' as const } };

    it(`${wire.model}: an eighth step repeats at least 97 % of the seventh, and usage tells what was cached`, async () => {
      const { service } = await start();
      const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
      await service.createMemory(caller, { type: 'semantic', content: 'The launch is in May', agent_id: id });
      const steps = Array.from({ length: 7 }, (_, i) =>
        wire.call('send_message', { to: 'nobody', content: `The launch has part ${i}` }, `Part ${i}.`),
      );
      server.queue(...steps, wire.text('Done.'));
      const { run_id: run, response } = await service.messageAgent(caller, id, { content: 'Plan the launch' });
      expect(response).to.equal('Done.');
      const texts = server.requests.map(readBy);
      expect(texts).to.have.length(8);
      expect(shared(texts[6] ?? '', texts[7] ?? '')).to.be.greaterThan(0.9);
      expect(
        (shared(texts[6] ?? '', texts[7] ?? '') * (texts[7]?.length ?? 0)) / (texts[6]?.length ?? 1),
      ).to.be.at.least(0.97);
      expect(sent().match(/The launch is in May/g)).to.have.length(1);
      expect(sent()).to.contain('Part 6.');
      expect((await service.execute(caller, getRun, { id, runId: run })).usage).to.deep.equal({
        requests: 8,
        inputTokens: 800,
        cachedInputTokens: 640,
        outputTokens: 80,
      });
    });

    it(`${wire.model}: what was agreed in the first turn is a turn of the user in the fifth, and stands there once`, async () => {
      const { service } = await start();
      const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
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

    for (const [what, window, context_tokens] of [
      ['its own bound', undefined, 8000],
      ['the window of its model', 9000, 250_000],
    ] as const)
      it(`${wire.model}: turns of a conversation that fills ${what} repeat 80 % of the one before on average`, async () => {
        const { service } = await start({}, window === undefined ? {} : { contextWindow: window });
        const memory = { learn: 'off' as const, recall_limit: 0, context_tokens };
        const { id } = await service.execute(
          caller,
          spawnAgent,
          {},
          { name: 'Ada', config: { model: wire.model, memory } },
        );
        const texts: string[] = [];
        for (let turn = 0; turn < 60; turn++) {
          server.queue(wire.text(`Answer ${turn}. ${'It is so. '.repeat(220)}`));
          const content = `Question ${turn}? ${'I wonder. '.repeat(50)}`;
          await service.messageAgent(caller, id, { content, sessionId: 's' });
          texts.push(readBy(server.requests.at(-1)!));
        }
        const full = texts.slice(25);
        const ratios = full
          .slice(1)
          .map((text, i) => (shared(full[i] ?? '', text) * text.length) / (full[i]?.length ?? 1));
        expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).to.be.at.least(0.8);
      }).timeout(60_000);

    it(`${wire.model}: a recall sees what calls before it in the same reply have kept and forgotten`, async () => {
      const { service } = await start();
      const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
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
