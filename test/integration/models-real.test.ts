/**
 * The reasoner on a real server of models: `TEST_MODELS=real` with `TEST_MODEL_URLS`, the addresses (ending in /v1) of
 * llama.cpp servers with small models, separated by commas: one with the template of its model, others with templates
 * in which roles must alternate, or that have no system role. Skipped without them. What a small model says is its own
 * affair; that it is asked as it takes it is tested.
 */
import { expect } from 'chai';
import { createOpenAi } from '../../src/reasoner/openai.js';
import type { StepContext, StepProposal } from '../../src/reasoner/port.js';
import { contextOf } from '../unit/reasoner/support.js';

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
    });
});
