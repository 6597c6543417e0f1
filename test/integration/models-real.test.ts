/**
 * The reasoner on a real server of models: `TEST_MODELS=real` with `TEST_MODEL_URLS`, the addresses (ending in /v1) of
 * llama.cpp servers with small models, separated by commas: one with the template of its model, others with templates
 * in which roles must alternate, or that have no system role. Skipped without them. First the reasoner is asked by
 * itself, then whole agents are. What a small model says is its own affair; that it is asked as it takes it is tested.
 *
 * With `TEST_EMBEDDINGS_URL`, the address of a server of multilingual embeddings that takes `input_type` (its model is
 * named by `TEST_EMBEDDINGS_MODEL`), recall by meaning is tried, too.
 */
import { spawnAgent } from '../../src/commands/agents.js';
import { allOf } from '../../src/maybe-promise.js';
import { expect } from 'chai';
import type { AgentConfig } from '../../src/domain/agent/agent-config.js';
import type { Run } from '../../src/domain/model/model.js';
import { createEmbedder } from '../../src/embeddings/openai.js';
import { createOpenAi } from '../../src/reasoner/openai.js';
import type { StepContext, StepProposal } from '../../src/reasoner/port.js';
import { createReasonerFor } from '../../src/reasoner/registry.js';
import { caller, eventually, testEngine, type TestEngine } from '../helpers/engine.js';
import { contextOf } from '../unit/reasoner/support.js';
import { agentRef } from './engine/kit.js';
import { getRun, cancelRun } from '../../src/commands/runs.js';

const real = process.env['TEST_MODELS'] === 'real';
const urls = (process.env['TEST_MODEL_URLS'] ?? '').split(',').filter((url) => url !== '');

describe('A real server of models', () => {
  if (!real || urls.length === 0) it.skip('TEST_MODELS=real and TEST_MODEL_URLS are not set');
  for (const url of real ? urls : [])
    describe(url, () => {
      const model = createOpenAi({ baseUrl: url, apiKey: null, tuning: { timeoutMs: 600_000 } })('small');
      const step = async (context: StepContext): Promise<StepProposal> =>
        model.next(context, new AbortController().signal);
      const brief = { max_output_tokens: 16 };
      const at = '2026-11-22T11:00:00.000Z';

      it('answers a first message, a later turn, and a step behind the result of a tool', async () => {
        const turns = (['user', 'agent'] as const).map((role) => ({ role, content: 'Hello', at }));
        const outcome = {
          tool: 'recall' as const,
          arguments: { query: 'pier' },
          ok: true,
          result: 'It closes at nine.',
        };
        for (const context of [
          contextOf({ input: 'Say hello.', config: brief }),
          contextOf({ input: 'Say it again.', config: brief, turns }),
          contextOf({ input: 'When does the pier close?', config: brief }, { step: 2, transcript: [[outcome]] }),
        ])
          expect((await step(context)).calls).not.to.deep.equal([]);
      }).timeout(1_800_000);

      it('a limit ends an answer, once', async () => {
        const { calls, usage } = await step(contextOf({ input: 'Tell me a long story.', config: brief }));
        expect(usage?.requests).to.equal(1);
        expect(calls.at(-1)).to.include({ tool: 'answer' });
      }).timeout(600_000);

      it('an answer of a form is held to it', async () => {
        const output_schema = {
          type: 'object' as const,
          properties: { city: { type: 'string', maxLength: 12 } },
          required: ['city'],
          additionalProperties: false,
        };
        const { calls } = await step(
          contextOf({ input: 'Which city?', config: { output_schema, max_output_tokens: 48 } }),
        );
        expect(JSON.parse(calls.at(-1)?.arguments['content'] ?? '')).to.have.property('city');
      }).timeout(1_200_000);

      it('what is too long for its window is cut, and the window remembered', async () => {
        const turns = Array.from({ length: 60 }, (_, i) => ({
          role: i % 2 ? ('agent' as const) : ('user' as const),
          content: `${i} ${'word '.repeat(80)}`,
          at,
        }));
        const { thoughts } = await step(contextOf({ input: 'Say hi.', turns, config: brief }));
        expect(thoughts.map(({ content }) => content).join(' ')).to.contain('older turns of the conversation');
      }).timeout(1_200_000);

      describe('a whole agent', () => {
        const minutes = 60_000;
        let world: TestEngine;
        let agent: string;
        const spawn = async (config: AgentConfig): Promise<string> => {
          const settings = { model: 'openai/small', builtin_tools: [], max_output_tokens: 24, ...config };
          return (await world.engine.service.execute(caller, spawnAgent, {}, { name: 'Ada', config: settings })).id;
        };
        const settled = (id: string, run: string): Promise<Run> =>
          eventually(
            async () => {
              const found = await world.engine.service.execute(caller, getRun, { id, runId: run });
              return !['pending', 'running'].includes(found.status) && found;
            },
            'the end of a run',
            15 * minutes,
          );
        const asked = async (id: string, input: string, more: object = {}): Promise<Run> =>
          settled(id, (await world.engine.service.startRun(caller, id, { input, ...more })).id);

        before(async () => {
          const server = { baseUrl: url, apiKey: null, tuning: { timeoutMs: 10 * minutes } };
          world = await testEngine(undefined, undefined, {
            reasonerFor: createReasonerFor({
              builtIn: { name: 'none', next: () => ({ thoughts: [], calls: [] }) },
              servers: new Map([
                ['openai', createOpenAi({ ...server })],
                // a small model does not always come to an end by itself
                ['brief', createOpenAi({ ...server, additions: { extraBody: { max_tokens: 300 } } })],
              ]),
            }),
          });
          agent = await spawn({ memory: { learn: 'off' } });
        });
        after(() => world.engine.stop(0));

        it('answers in a session, streams what it says, and ends at its limit', async () => {
          const sessionId = 'stream';
          const { service } = world.engine;
          for (const input of ['Tell me about the sea.', 'And about the moon.']) {
            const { id } = await service.startRun(caller, agent, { input, sessionId });
            const texts: string[] = [];
            for await (const event of await service.runUpdates(caller, agent, id, 0)) {
              if (event.type === 'delta') texts.push(event.append ? event.text : '');
              if (event.type === 'status' && event.status === 'completed') break;
            }
            const run = await settled(agent, id);
            expect(run).to.include({ status: 'completed', error: null });
            expect(run.output).to.be.a('string').that.is.not.empty;
            expect(texts.length).to.be.greaterThan(1);
          }
        }).timeout(30 * minutes);

        it('calls the tool that it has to call, and goes on with its result', async () => {
          const tool = {
            ...{ kind: 'client' as const, name: 'weather', description: 'The weather of a city.' },
            input_schema: {
              type: 'object' as const,
              properties: { city: { type: 'string', maxLength: 12 } },
              required: ['city'],
              additionalProperties: false,
            },
          };
          const overrides = { tools: [tool], tool_choice: { name: 'weather' }, max_output_tokens: 60 };
          const run = await asked(agent, 'What is the weather in Rome?', { overrides });
          expect(run.waitingFor?.calls?.map(({ name }) => name)).to.deep.equal(['weather']);
          const results = (run.waitingFor?.calls ?? []).map(({ id }) => ({ id, content: 'It is sunny in Rome.' }));
          await world.engine.service.resumeRun(caller, agent, run.id, { results });
          expect(await settled(agent, run.id)).to.include({ status: 'completed', error: null });
        }).timeout(30 * minutes);

        it('answers by a schema', async () => {
          const output_schema = {
            type: 'object' as const,
            properties: { city: { type: 'string', maxLength: 12 } },
            required: ['city'],
            additionalProperties: false,
          };
          const overrides = { output_schema, max_output_tokens: 60 };
          const run = await asked(agent, 'Which city has the Colosseum?', { overrides });
          expect(run).to.include({ status: 'completed', error: null });
          expect(run.output_data).to.have.property('city');
        }).timeout(30 * minutes);

        it('goes on in a session that is longer than its window', async () => {
          const sessionId = 'long';
          const id = await spawn({ memory: { learn: 'off', conversation: 'off', context_tokens: 100_000 } });
          const input = `${'The pier of the old town is long and made of wood. '.repeat(120)} Say yes.`;
          for (let turn = 0; turn < 4; turn++)
            expect(await asked(id, input, { sessionId })).to.include({ status: 'completed', error: null });
        }).timeout(60 * minutes);

        it('ends at once where it is cancelled', async () => {
          const { service } = world.engine;
          const overrides = { max_output_tokens: 2000 };
          const { id } = await service.startRun(caller, agent, { input: 'Write a long poem.', overrides });
          const updates = await service.runUpdates(caller, agent, id, 0);
          for await (const event of updates) if (event.type === 'delta') break;
          await service.execute(caller, cancelRun, { id: agent, runId: id });
          expect(await settled(agent, id)).to.include({ status: 'cancelled' });
          expect(await asked(agent, 'Say hi.')).to.include({ status: 'completed' });
        }).timeout(30 * minutes);

        it('holds twenty conversations at once', async () => {
          const id = await spawn({ max_parallel: 20, max_output_tokens: 8, memory: { learn: 'off' } });
          const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => asked(id, `Say the number ${i}.`)));
          expect(runs.map(({ status, error }) => [status, error])).to.deep.equal(runs.map(() => ['completed', null]));
        }).timeout(60 * minutes);

        it('fits twelve conversations into its window, however small that is', async () => {
          const id = await spawn({ max_parallel: 4, memory: { learn: 'off' } });
          const long = 'The pier of the old town is long and made of wood. '.repeat(40);
          const conversation = async (i: number): Promise<Run[]> => {
            const runs: Run[] = [];
            for (const input of [`Tell me about the number ${i}.`, `${long} How long is it?`, 'Which number was it?'])
              runs.push(await asked(id, input, { sessionId: `window-${i}` }));
            return runs;
          };
          const runs = (await Promise.all(Array.from({ length: 12 }, (_, i) => conversation(i)))).flat();
          expect(runs.map(({ status, error }) => [status, error])).to.deep.equal(runs.map(() => ['completed', null]));
        }).timeout(90 * minutes);

        it('reads what was said to it for what to remember', async () => {
          const id = await spawn({ model: 'brief/small' });
          await asked(id, 'My cat is called Miez, and I live in Lisbon.');
          const read = async (): Promise<boolean> => {
            const head = await world.store.head(agentRef(id));
            return head?.snapshot['toLearn'] === undefined;
          };
          await eventually(read, 'the end of learning', 20 * minutes);
          // what it says of facts may make no sense, but nothing of the request was refused
          expect(world.log.filter((line) => !line.includes('what model "small" says of facts'))).to.deep.equal([]);
        }).timeout(40 * minutes);
      });
    });
});

const embeddings = process.env['TEST_EMBEDDINGS_URL'] ?? '';
describe('A real server of embeddings', () => {
  if (!real || embeddings === '') {
    it.skip('TEST_MODELS=real and TEST_EMBEDDINGS_URL are not set');
    return;
  }

  it('finds what is asked for in other words, in three languages and across them', async () => {
    const model = process.env['TEST_EMBEDDINGS_MODEL'] ?? 'multilingual-e5-small-q4';
    const form = { inputType: { query: 'query', passage: 'passage' } };
    const server = { name: 'e5', baseUrl: embeddings, apiKey: null, timeoutMs: 60_000, form };
    const world = await testEngine(undefined, undefined, { embedder: createEmbedder(server, model) });
    try {
      const { service } = world.engine;
      const agent_id = (await service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
      const facts = [
        'The cat throws up whenever it has eaten tuna.',
        'Anna parks her car behind the bakery.',
        'The server room is cooled to eighteen degrees.',
        'Mein Bruder arbeitet als Zahnarzt in Hamburg.',
        'Der Zug nach Wien fällt am Sonntag aus.',
        '我妹妹对花生过敏。',
        '会议改到星期五下午三点。',
      ];
      const { results } = await service.createMemories(caller, {
        memories: facts.map((content) => ({ type: 'semantic', content, agent_id })),
      });
      const asked = [
        ['Which food makes the kitty sick?', 0],
        ['Where does Anna leave her vehicle?', 1],
        ['Welchen Beruf hat dein Bruder?', 3],
        ['Can I travel to Vienna by rail at the weekend?', 4],
        ['妹妹不能吃什么？', 5],
      ] as const;
      // vectors are made beside the writes, and a query waits for a second only
      await eventually(
        async () => {
          const docs = await allOf(
            results.map(({ memory }) => world.store.get(agentRef(agent_id), 'memory', memory!.id)),
          );
          return docs.every((doc) => doc?.body['vector'] !== undefined);
        },
        'the vectors',
        120_000,
      );
      const wrong: string[] = [];
      for (const [query, fact] of asked) {
        const found = await eventually(
          async () => {
            const hits = await service.searchMemories(caller, { query, agent_id, limit: 3 });
            return hits.words_only ? false : hits;
          },
          'an answer by meaning',
          120_000,
        );
        if (!found.some(({ id }) => id === results[fact]!.memory!.id)) wrong.push(query);
      }
      expect(wrong).to.deep.equal([]);
    } finally {
      await world.engine.stop(0);
    }
  }).timeout(600_000);
});
