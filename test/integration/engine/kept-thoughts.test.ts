/**
 * What a model hands out with a step is sent back with the next one, in the form of its API, whichever process takes
 * that step, and in forks (src/domain/run/records.ts).
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createAnthropic } from '../../../src/reasoner/anthropic.js';
import { createOpenAi } from '../../../src/reasoner/openai.js';
import type { Reasoner } from '../../../src/reasoner/port.js';
import { createReasonerFor } from '../../../src/reasoner/registry.js';
import { createResponses } from '../../../src/reasoner/responses.js';
import { caller, type TestEngineOptions } from '../../helpers/engine.js';
import { type ScriptedOpenAi, type ScriptedReply, startScriptedOpenAi } from '../../helpers/scripted-openai.js';
import { oldestFirst, overStores, type Running, runIn } from './kit.js';
import { forkRun, getRun, listRuns } from '../../../src/commands/runs.js';
import { getTask } from '../../../src/commands/tasks.js';
import { listCheckpoints, listThoughts } from '../../../src/commands/journals.js';

const secret = 'sealed-4711';
const recalls = { name: 'recall', arguments: '{"query":"pier"}' };
const completion = (message: object): ScriptedReply => ({ completion: { choices: [{ message }] } });
const called = (more: object = {}): object[] => [{ id: 'x', type: 'function', function: recalls, ...more }];

interface Form {
  vendor: string;
  /** The step with what is handed out, and the last one. */
  thinks: ScriptedReply;
  answers: ScriptedReply;
  /** Where it stands in the next request. */
  sentBack: unknown;
  model(baseUrl: string): (model: string) => Reasoner;
}
const signed = { google: { thought_signature: secret } };
const thinking = [
  { type: 'thinking', thinking: 'hm', signature: secret },
  { type: 'redacted_thinking', data: 'sealed-too' },
];
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: secret };
const details = [{ type: 'reasoning.encrypted', data: secret }];
const options = (baseUrl: string) => ({ baseUrl, apiKey: null, stream: false });
const forms: readonly Form[] = [
  {
    vendor: 'reasoning_content (DeepSeek, Kimi)',
    thinks: completion({ content: null, reasoning_content: secret, tool_calls: called() }),
    answers: completion({ content: 'done' }),
    sentBack: { reasoning_content: secret },
    model: (baseUrl) => createOpenAi(options(baseUrl)),
  },
  {
    vendor: 'reasoning_details (OpenRouter)',
    thinks: completion({ content: null, reasoning_details: details, tool_calls: called() }),
    answers: completion({ content: 'done' }),
    sentBack: { reasoning_details: details },
    model: (baseUrl) => createOpenAi(options(baseUrl)),
  },
  {
    vendor: 'thought_signature (Gemini)',
    thinks: completion({ content: null, tool_calls: called({ extra_content: signed }) }),
    answers: completion({ content: 'done' }),
    sentBack: { extra_content: signed },
    model: (baseUrl) => createOpenAi(options(baseUrl)),
  },
  {
    vendor: 'thinking blocks (Anthropic)',
    thinks: {
      completion: {
        content: [...thinking, { type: 'tool_use', id: 't', name: 'recall', input: { query: 'pier' } }],
        stop_reason: 'tool_use',
      },
    },
    answers: { completion: { content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' } },
    sentBack: thinking,
    model: (baseUrl) => createAnthropic(options(baseUrl.replace('/v1', ''))),
  },
  {
    vendor: 'reasoning items (Responses API)',
    thinks: { completion: { output: [reasoning, { type: 'function_call', call_id: 'c', ...recalls }] } },
    answers: {
      completion: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'done' }] }] },
    },
    sentBack: [reasoning],
    model: (baseUrl) => createResponses(options(baseUrl)),
  },
];

/** The JSON of what is sent back, without the braces or brackets around it. */
const inside = (value: unknown): string => JSON.stringify(value).slice(1, -1);

overStores('What a model hands out', (bed) => {
  let server: ScriptedOpenAi;
  beforeEach(async () => {
    server = await startScriptedOpenAi();
  });
  afterEach(() => server.close());

  for (const { vendor, thinks, answers, sentBack, model } of forms)
    describe(vendor, () => {
      const start = (): Promise<Running> => {
        const servers = new Map([['model', model(server.baseUrl)]]);
        const builtIn = { name: 'none', next: () => ({ thoughts: [], calls: [] }) };
        const more: TestEngineOptions = { reasonerFor: createReasonerFor({ builtIn, servers }) };
        return bed.start(undefined, more);
      };
      const sent = (n: number): string => JSON.stringify(server.requests[n - 1]?.body);
      const begin = async ({ service }: Running): Promise<{ agent: string; run: string }> => {
        const config = { model: 'model/m', multi_step: true, memory: { learn: 'off' as const } };
        const { id: agent } = await service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
        return { agent, run: (await service.startRun(caller, agent, { input: 'When does it close?' })).id };
      };

      for (const ended of ['killed', 'stopped'] as const)
        it(`comes back after its process was ${ended} in the middle of the next step`, async () => {
          const first = await start();
          server.queue(thinks, { hang: true });
          const { agent, run } = await begin(first);
          await server.received(2);
          if (ended === 'killed') first.kill();
          else await first.engine.stop(0);
          server.queue(answers);
          const second = await start();
          expect(await runIn(second, agent, run, 'completed', 'failed')).to.include({ output: 'done', error: null });
          expect(sent(3)).to.include(inside(sentBack));
          expect(sent(3)).to.equal(sent(2), 'the step is asked for as it was');
        });

      it('comes back in a fork, also of a run that a process before has ended', async () => {
        const first = await start();
        server.queue(thinks, answers);
        const { agent, run } = await begin(first);
        await runIn(first, agent, run, 'completed');
        await first.engine.stop(0);
        const second = await start();
        server.queue(answers);
        const forked = await second.service.execute(caller, forkRun, { id: agent, runId: run }, { checkpoint: 1 });
        await runIn(second, agent, forked.id, 'completed');
        expect(sent(3)).to.include(inside(sentBack));
      });

      it('is shown to nobody', async () => {
        const e = await start();
        server.queue(thinks, answers);
        const { agent, run } = await begin(e);
        await runIn(e, agent, run, 'completed');
        const { service } = e;
        const shown: unknown[] = [
          await service.execute(caller, getRun, { id: agent, runId: run }),
          await service.execute(caller, getTask, { id: agent, taskId: run }),
          await service.execute(caller, listCheckpoints, { id: agent }, { runId: run, page: oldestFirst }),
          await service.execute(caller, listThoughts, { id: agent }, { page: oldestFirst }),
          await service.execute(caller, listRuns, { id: agent }, { page: oldestFirst }),
        ];
        for await (const event of await service.runEvents(caller, agent, run, 0, new AbortController().signal))
          shown.push(event);
        expect(JSON.stringify(shown)).to.not.include(secret);
        expect(e.log.join()).to.not.include(secret);
      });
    });
});
