/**
 * Streamed replies of model servers (src/reasoner/chat/stream.ts, exchange.ts), as OpenAI's chat/completions and
 * Anthropic's Messages API write them: whole, cut into small pieces, half sent, silent, with errors in the middle.
 * What a listener has heard at the end is what it would show.
 */
import { expect } from 'chai';
import type { Clock } from '../../src/domain/shared/clock.js';
import type { ModelServerOptions } from '../../src/reasoner/chat/reasoner.js';
import { createAnthropic } from '../../src/reasoner/anthropic.js';
import { createOpenAi } from '../../src/reasoner/openai.js';
import { ReasonerError, type StepProposal, type TextListener } from '../../src/reasoner/port.js';
import { startScriptedOpenAi, type ScriptedOpenAi } from '../helpers/scripted-openai.js';
import { contextOf } from '../unit/reasoner/support.js';
import { turn } from '../helpers/turn.js';

const timeoutMs = 5000;
const stallMs = 3000;

/** Pauses end at once, the time limit never does, and a silence is too long when `stall` says so. */
class TestClock implements Clock {
  stall: (() => void) | null = null;
  now(): number {
    return 0;
  }
  after(ms: number, fn: () => void): () => void {
    if (ms === timeoutMs) return () => undefined;
    if (ms === stallMs) this.stall = fn;
    const timer = ms === stallMs ? undefined : setImmediate(fn);
    return () => {
      clearImmediate(timer);
    };
  }
}

class Ear implements TextListener {
  shown = '';
  parts: string[] = [];
  voided = 0;
  heard(text: string): void {
    this.shown += text;
    this.parts.push(text);
  }
  restart(): void {
    if (this.shown !== '') this.voided++;
    this.shown = '';
  }
}

interface Wire {
  name: string;
  make(server: ScriptedOpenAi, options: Partial<ModelServerOptions>): ReturnType<typeof createOpenAi>;
  /**
   * The events of a reply: texts, and calls whose arguments come in pieces; null in the place of its end leaves it
   * open.
   */
  events(parts: (string | { call: string; json: string[] })[], end?: string | null): string[];
  error(type: string, message: string): string;
}

const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-x', choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }] })}\n\n`;

const openai: Wire = {
  name: 'chat/completions',
  make: (server, options) => createOpenAi({ baseUrl: server.baseUrl, apiKey: 'sk-1234567890', ...options }),
  events(parts, end) {
    const calls = parts.filter((part) => typeof part !== 'string');
    return [
      chunk({ role: 'assistant', content: '', refusal: null }),
      ...parts.flatMap((part) =>
        typeof part === 'string'
          ? [chunk({ content: part })]
          : [
              chunk({
                tool_calls: [
                  {
                    index: calls.indexOf(part),
                    id: `call_${calls.indexOf(part)}`,
                    type: 'function',
                    function: { name: part.call, arguments: '' },
                  },
                ],
              }),
              ...part.json.map((text) =>
                chunk({ tool_calls: [{ index: calls.indexOf(part), function: { arguments: text } }] }),
              ),
            ],
      ),
      ...(end === null
        ? []
        : [
            chunk({}, { finish_reason: end ?? (calls.length > 0 ? 'tool_calls' : 'stop') }),
            `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 30, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 20 } } })}\n\n`,
            'data: [DONE]\n\n',
          ]),
    ];
  },
  error: (type, message) => `data: ${JSON.stringify({ error: { message, type, param: null, code: null } })}\n\n`,
};

const event = (type: string, more: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

const anthropic: Wire = {
  name: 'the Messages API',
  make: (server, options) =>
    createAnthropic({ baseUrl: server.baseUrl.replace('/v1', ''), apiKey: 'sk-ant-1234567890', ...options }),
  events(parts, end) {
    const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 20, output_tokens: 1 };
    return [
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'claude-x',
          stop_reason: null,
          usage,
        },
      }),
      event('ping', {}),
      ...parts.flatMap((part, index) => [
        event('content_block_start', {
          index,
          content_block:
            typeof part === 'string'
              ? { type: 'text', text: '' }
              : { type: 'tool_use', id: `toolu_${index}`, name: part.call, input: {} },
        }),
        ...(typeof part === 'string'
          ? [event('content_block_delta', { index, delta: { type: 'text_delta', text: part } })]
          : part.json.map((partial) =>
              event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: partial } }),
            )),
        event('content_block_stop', { index }),
      ]),
      ...(end === null
        ? []
        : [
            event('message_delta', {
              delta: {
                stop_reason:
                  end === 'length' ? 'max_tokens' : parts.some((p) => typeof p !== 'string') ? 'tool_use' : 'end_turn',
                stop_sequence: null,
              },
              usage: { output_tokens: 7 },
            }),
            event('message_stop', {}),
          ]),
    ];
  },
  error: (type, message) => event('error', { error: { type, message } }),
};

for (const wire of [openai, anthropic])
  describe(`Streamed replies of ${wire.name}`, () => {
    let server: ScriptedOpenAi;
    let clock: TestClock;
    let ear: Ear;
    let counted: unknown[];
    beforeEach(async () => {
      server = await startScriptedOpenAi();
      [clock, ear, counted] = [new TestClock(), new Ear(), []];
    });
    afterEach(() => server.close());

    const make = (more: Partial<ModelServerOptions> = {}) =>
      wire.make(server, {
        maxAnswerBytes: 2000,
        clock,
        onCall: (outcome, _, tokens) => counted.push([outcome, tokens]),
        tuning: { timeoutMs, stallMs, maxRetries: 1, random: () => 0 },
        ...more,
      })('model-x');
    const think = async (model = make(), signal = new AbortController().signal): Promise<StepProposal> =>
      model.next(contextOf({ input: 'x' }), signal, ear);
    const failure = async (): Promise<ReasonerError> => {
      try {
        await think();
      } catch (e) {
        if (e instanceof ReasonerError) return e;
        throw e;
      }
      throw new Error('it should have failed');
    };
    const answer = ({ calls }: StepProposal): unknown => calls.at(-1)?.arguments['content'];

    it('asks for a stream, hears the text as it comes, and counts the tokens told at the end', async () => {
      const text = 'On 12 May — café 🚀, as "they" say.\n';
      server.queue({ sse: [...wire.events([text])].flatMap((said) => said.match(/[^]{1,40}/gu) ?? []) });
      const proposal = await think();
      expect(answer(proposal)).to.equal(text.trim());
      expect([ear.shown, ear.voided]).to.deep.equal([text, 0]);
      expect(proposal.usage).to.deep.equal({ requests: 1, inputTokens: 30, cachedInputTokens: 20, outputTokens: 7 });
      expect(counted).to.deep.equal([['answered', { input: 30, cached: 20, output: 7 }]]);
      const { stream, stream_options: options } = server.requests[0]!.body;
      expect([stream, options]).to.deep.equal([true, wire === openai ? { include_usage: true } : undefined]);
    });

    it('calls in pieces are put together, and only the content of an answer is heard', async () => {
      const json = JSON.stringify({ content: 'a "quote", a tab\t, \\ and 🚀' }).replace('🚀', '\\ud83d\\ude80');
      server.queue({
        sse: wire.events([
          'I keep this in mind.',
          { call: 'remember', json: ['{"content": "Ana is', ' in Rome"', '}'] },
          { call: 'answer', json: [...json] },
        ]),
      });
      const { calls, thoughts } = await think();
      expect(calls).to.deep.equal([
        { tool: 'remember', arguments: { content: 'Ana is in Rome', type: 'semantic' } },
        { tool: 'answer', arguments: { content: 'a "quote", a tab\t, \\ and 🚀' } },
      ]);
      expect(thoughts.map(({ content }) => content)).to.include('I keep this in mind.');
      expect([ear.shown, ear.voided]).to.deep.equal(['a "quote", a tab\t, \\ and 🚀', 1]);
      expect(ear.parts.join('')).not.to.contain('Rome');
    });

    it('a call without arguments in pieces is an outcome as any other that does not fit', async () => {
      server.queue({ sse: wire.events([{ call: 'recall', json: [] }]) });
      expect((await think()).calls[0]?.refused).to.match(/needs "query"/);
      expect(ear.shown).to.equal('');
    });

    for (const then of ['cut', undefined] as const)
      it(`a stream that is ${then ?? 'ended'} half-way is tried again, and what was heard is void`, async () => {
        server.queue({ sse: wire.events(['The launch is on'], null), then }, { sse: wire.events(['On 12 May.']) });
        expect(answer(await think())).to.equal('On 12 May.');
        expect([ear.shown, ear.voided, server.requests.length]).to.deep.equal(['On 12 May.', 1, 2]);
      });

    it('a stream that breaks each time is unreachable, and nothing of it is an answer', async () => {
      server.queue({ sse: wire.events(['One'], null) }, { sse: wire.events(['Two'], null) });
      const error = await failure();
      expect([error.code, error.message]).to.deep.equal([
        'unreachable',
        `the connection to the model server at ${wire === openai ? server.baseUrl : server.baseUrl.replace('/v1', '/')} broke (tried 2 times)`,
      ]);
    });

    it('an error within the stream is tried again, or refused where asking again does not help', async () => {
      const half = wire.events(['Half'], null);
      server.queue({ sse: [...half, wire.error('overloaded_error', 'Overloaded')] }, { sse: wire.events(['Whole']) });
      expect(answer(await think())).to.equal('Whole');
      expect([ear.shown, ear.voided]).to.deep.equal(['Whole', 1]);
      server.queue({ sse: [...half, wire.error('invalid_request_error', 'too long for sk-ant-1234567890')] });
      const error = await failure();
      expect(error.code).to.equal('refused');
      expect(error.message).to.contain('ended its answer with an error: too long').and.not.to.contain('1234567890');
    });

    it('what is no JSON in the stream is a bad_response', async () => {
      server.queue({ sse: ['event: message_start\ndata: {"half\n\n'] });
      expect((await failure()).code).to.equal('bad_response');
    });

    it('a silence in the middle ends the attempt and closes the connection', async () => {
      server.queue({ sse: wire.events(['Half'], null), then: 'hang' }, { sse: wire.events(['Whole']) });
      const thinking = think();
      while (ear.shown === '') await turn();
      clock.stall?.(); // something has come since the last look
      expect(server.requests).to.have.length(1);
      clock.stall?.();
      expect(answer(await thinking)).to.equal('Whole');
      await server.requests[0]!.dropped;
      expect(counted.map((call) => (call as [string])[0])).to.deep.equal(['failed', 'answered']);
    });

    it('an abort in the middle closes the connection, and nothing more is heard', async () => {
      server.queue({ sse: wire.events(['Half'], null), then: 'hang' });
      const controller = new AbortController();
      const thinking = think(make(), controller.signal).catch((error: unknown) => error);
      const { dropped } = await server.received(1);
      while (ear.shown === '') await turn();
      controller.abort(new Error('cancelled'));
      expect(await thinking).to.equal(controller.signal.reason);
      await dropped;
      expect([ear.shown, server.requests.length]).to.deep.equal(['Half', 1]);
    });

    it('an answer of many short pieces is as long as another may be, and not longer', async () => {
      server.queue({ sse: wire.events(Array.from({ length: 180 }, () => 'ten chars ')) });
      expect(String(answer(await think())).length).to.be.within(1799, 1979);
      server.queue({ sse: wire.events([{ call: 'remember', json: Array.from({ length: 250 }, () => 'ten chars ') }]) });
      expect((await failure()).message).to.contain('longer than 2000 bytes');
      server.queue({ sse: [`data: {"x":"${'y'.repeat(70_000)}`] });
      expect((await failure()).message).to.contain('longer than');
    });

    if (wire === openai)
      it('nothing is heard of what a model thinks before it speaks', async () => {
        server.queue({ sse: wire.events(['<th', 'ink>Is it', ' so?</thi', 'nk>\n\nIt ', 'is so.']) });
        expect(answer(await think())).to.equal('It is so.');
        expect(ear.parts.join('').trim()).to.equal('It is so.');
      });

    it('an answer that was cut off is continued, plain or as a call, and heard in one piece', async () => {
      for (const begun of ['It is on the', { call: 'answer', json: ['{"content": "It is ', 'on the'] }]) {
        ear.restart();
        server.queue(
          { sse: wire.events([begun], 'length') },
          { sse: wire.events([' 12th'], null), then: 'cut' },
          { sse: wire.events([' 12th of'], 'length') },
          { sse: wire.events([' May.']) },
        );
        expect(answer(await think())).to.equal('It is on the 12th of May.');
        expect(ear.shown).to.equal('It is on the 12th of May.');
        expect(JSON.stringify(server.requests.at(-1)?.body.messages)).to.contain('It is on the 12th of');
      }
    });

    it('a length limit and a filter mean in a stream what they mean without one', async () => {
      server.queue(
        { sse: wire.events([{ call: 'remember', json: ['{"content": "cut o'] }], 'length') },
        { sse: wire.events(['Then so.']) },
      );
      expect(answer(await think())).to.equal('Then so.');
      expect(server.requests[1]!.body.messages.at(-1)?.content).to.satisfy((content: unknown) =>
        JSON.stringify(content).includes('cut off at the length limit'),
      );
    });

    it('a server that refuses streams is asked without, then and from then on', async () => {
      const whole =
        wire === openai
          ? { text: 'Whole.' }
          : { completion: { content: [{ type: 'text', text: 'Whole.' }], stop_reason: 'end_turn' } };
      server.queue({ status: 400, body: '{"error":{"message":"Unsupported parameter: stream"}}' }, whole, whole);
      const model = make();
      expect(answer(await think(model))).to.equal('Whole.');
      expect(answer(await think(model))).to.equal('Whole.');
      expect(server.requests.map(({ body }) => body.stream ?? false)).to.deep.equal([true, false, false]);
      expect(ear.parts).to.deep.equal([]);
    });

    it('a server that answers at once, though asked for a stream, is understood; one that is set so is not asked', async () => {
      const whole =
        wire === openai
          ? { text: 'Whole.' }
          : { completion: { content: [{ type: 'text', text: 'Whole.' }], stop_reason: 'end_turn' } };
      server.queue(whole, whole);
      expect(answer(await think())).to.equal('Whole.');
      expect(answer(await think(make({ stream: false })))).to.equal('Whole.');
      expect(server.requests.map(({ body }) => body.stream ?? false)).to.deep.equal([true, false]);
    });
  });

describe('Streamed replies of servers that write chat/completions their own way', () => {
  let server: ScriptedOpenAi;
  beforeEach(async () => {
    server = await startScriptedOpenAi();
  });
  afterEach(() => server.close());

  const call = (name: string, given: unknown, more: object): string =>
    chunk({ tool_calls: [{ ...more, function: { name, arguments: given } }] });
  for (const [how, ids] of [
    [
      'under one index',
      [
        { index: 0, id: 'a' },
        { index: 0, id: 'b' },
      ],
    ],
    ['without index', [{ id: 'a' }, { id: 'b' }]],
  ] as const)
    it(`several whole calls ${how}, arguments as an object, no role, no usage, no [DONE]`, async () => {
      server.queue({
        sse: [
          call('remember', { content: 'Ana is in Rome' }, ids[0]),
          call('answer', '{"content":"Kept."}', ids[1]),
          chunk({}, { finish_reason: 'tool_calls' }),
        ],
      });
      const ear = new Ear();
      const { calls } = await createOpenAi({ baseUrl: server.baseUrl, apiKey: null })('x').next(
        contextOf({ input: 'x' }),
        new AbortController().signal,
        ear,
      );
      expect(calls.map(({ tool, arguments: { content } }) => [tool, content])).to.deep.equal([
        ['remember', 'Ana is in Rome'],
        ['answer', 'Kept.'],
      ]);
      expect(ear.shown).to.equal('Kept.');
    });
});
