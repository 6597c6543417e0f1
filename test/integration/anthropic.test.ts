/**
 * The reasoner on Anthropic's Messages API against a scripted server: what it sends and what it makes of replies
 * (src/reasoner/anthropic.ts). Retries, time limits and aborts are those of chat/exchange.ts, which has tests of its
 * own.
 */
import { expect } from 'chai';
import { createAnthropic } from '../../src/reasoner/anthropic.js';
import { ReasonerError, type StepContext, type StepProposal } from '../../src/reasoner/port.js';
import { startScriptedOpenAi, type ScriptedOpenAi } from '../helpers/scripted-openai.js';
import { contextOf, memory } from '../unit/reasoner/support.js';

interface Sent {
  model: string;
  max_tokens: number;
  temperature?: number;
  system: { type: string; text: string; [more: string]: unknown }[];
  messages: { role: string; content: { type: string; [more: string]: unknown }[] }[];
  tools: { name: string; input_schema: { type: string } }[];
  tool_choice?: { type: string };
}

const said = (text: string, more: object = {}): { completion: unknown } => replied([{ type: 'text', text }], more);
const replied = (content: unknown[], more: object = {}): { completion: unknown } => ({
  completion: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 },
    ...more,
  },
});
const failed = (status: number, type: string, message: string): { status: number; body: string } => ({
  status,
  body: JSON.stringify({ type: 'error', error: { type, message } }),
});

describe('The reasoner on the Messages API', () => {
  let server: ScriptedOpenAi;
  let counted: unknown[];
  beforeEach(async () => {
    server = await startScriptedOpenAi();
    counted = [];
  });
  afterEach(() => server.close());

  const think = async (context: StepContext, apiKey: string | null = 'sk-ant-1234567890'): Promise<StepProposal> =>
    createAnthropic({
      baseUrl: server.baseUrl.replace('/v1', ''),
      apiKey,
      maxAnswerBytes: 10_000,
      onCall: (outcome, _, tokens) => counted.push([outcome, tokens]),
      tuning: { timeoutMs: 20_000, maxRetries: 0, random: () => 0 },
    })('claude-x').next(context, new AbortController().signal);
  it('has the model cite facts from turns', async () => {
    server.queue(
      replied([{ type: 'tool_use', id: 't', name: 'facts', input: { facts: [{ turn: 1, quote: 'I live in Rome' }] } }]),
    );
    const baseUrl = server.baseUrl.replace('/v1', '');
    const { extract } = createAnthropic({ baseUrl, apiKey: null })('claude-x');
    const { spans, usage } = await extract!(
      [{ content: 'I live in Rome', at: '2026-11-22T12:00:00.000Z' }],
      [],
      new AbortController().signal,
    );
    expect(spans).to.deep.equal([{ turn: 0, quote: 'I live in Rome', type: 'semantic' }]);
    expect(usage).to.deep.equal({ requests: 1, inputTokens: 1110, cachedInputTokens: 1000, outputTokens: 5 });
    const sent = server.requests[0]!.body as unknown as Sent;
    expect(sent.tools.map(({ name }) => name)).to.deep.equal(['facts']);
    expect(JSON.stringify(sent.messages)).to.contain('I live in Rome');
  });

  const failure = async (context: StepContext): Promise<ReasonerError> => {
    try {
      await think(context);
    } catch (e) {
      if (e instanceof ReasonerError) return e;
      throw e;
    }
    throw new Error('it should have failed');
  };
  const sent = (n = 0): Sent => server.requests[n]!.body as unknown as Sent;

  it('sends model, key, tools, date, instructions, memories and input, and asks to cache what stays the same', async () => {
    server.queue(said('On 12 May.'));
    const proposal = await think(
      contextOf({
        input: 'When is the launch?',
        instructions: 'Be kind.',
        memories: [memory('The launch is on 12 May', 0.83)],
        turns: (['user', 'agent'] as const).map((role) => ({ role, content: 'Hello', at: '2026-11-22T11:00:00.000Z' })),
        config: { temperature: 1.5, max_output_tokens: 20_000 },
      }),
    );
    expect(proposal.calls).to.deep.equal([{ tool: 'answer', arguments: { content: 'On 12 May.' } }]);
    const { method, path, headers } = server.requests[0]!;
    expect([method, path, headers['x-api-key'], headers.authorization]).to.deep.equal([
      'POST',
      '/v1/messages',
      'sk-ant-1234567890',
      undefined,
    ]);
    expect(headers['anthropic-version']).to.match(/^\d{4}-\d{2}-\d{2}$/);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-stainless'))).to.deep.equal([]);
    const { model, max_tokens: most, temperature, system, messages, tools } = sent();
    expect([model, most, temperature]).to.deep.equal(['claude-x', 20_000, 1]);
    expect(tools.map(({ name }) => name)).to.include.members(['recall', 'remember']);
    expect(tools[0]?.input_schema.type).to.equal('object');
    expect(system[0]?.text).to.contain('Be kind.').and.contain('<data name="agent">');
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user']);
    const blocks = [...system, ...messages.flatMap(({ content }) => content)];
    expect(blocks.map((block) => block['cache_control'] ?? null)).to.deep.equal([
      { type: 'ephemeral' },
      null,
      { type: 'ephemeral' },
      { type: 'ephemeral' },
    ]);
    expect(messages[2]!.content[0]!['text'])
      .to.match(/<\/service>\n\nWhen is the launch\?$/)
      .and.contain('The launch is on 12 May')
      .and.contain('Sun, 22 Nov 2026 12:00 UTC');
  });

  it('gives images and PDFs as blocks beside their text', async () => {
    server.queue(said('Two cats.'));
    const context = contextOf({ input: 'Who?' });
    const files = [
      { mediaType: 'image/png', filename: 'cat.png', bytes: 'aGk=' },
      { mediaType: 'application/pdf', filename: 'a.pdf', bytes: 'aG8=' },
    ];
    await think({ ...context, run: { ...context.run, files } });
    const [message] = sent().messages;
    expect(message?.content.slice(1, 3)).to.deep.equal([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      {
        type: 'document',
        title: 'a.pdf',
        source: { type: 'base64', media_type: 'application/pdf', data: 'aG8=' },
        cache_control: { type: 'ephemeral' },
      },
    ]);
  });

  it('tells earlier steps as uses of tools with their results, turn by turn', async () => {
    server.queue(said('Done.'));
    await think(
      contextOf(
        { input: 'Go' },
        {
          step: 3,
          transcript: [
            [
              { tool: 'recall', arguments: { query: 'launch' }, ok: true, result: '12 May' },
              { tool: 'remember', arguments: { content: 'x', type: 'semantic' }, ok: false, result: 'quota' },
            ],
          ],
          humanInputs: [{ step: 1, decision: null, input: 'hurry' }],
        },
      ),
    );
    const { messages } = sent();
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user']);
    expect(messages[1]?.content).to.deep.equal([
      { type: 'tool_use', id: 'call0002s', name: 'recall', input: { query: 'launch' } },
      { type: 'tool_use', id: 'call0002t', name: 'remember', input: { content: 'x', type: 'semantic' } },
    ]);
    expect(messages[2]?.content).to.deep.equal([
      { type: 'tool_result', tool_use_id: 'call0002s', content: [{ type: 'text', text: '12 May' }] },
      {
        type: 'tool_result',
        tool_use_id: 'call0002t',
        content: [{ type: 'text', text: 'failed: quota\n\n<service>A human says: hurry</service>' }],
        cache_control: { type: 'ephemeral' },
      },
    ]);
  });

  it('reads uses of tools into calls, what was said beside them as a thought, and counts all tokens', async () => {
    server.queue(
      replied(
        [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'tu_1', name: 'recall', input: { query: 'rain' } },
        ],
        { stop_reason: 'tool_use' },
      ),
    );
    const { calls, thoughts, usage } = await think(contextOf({ input: 'Note it' }));
    expect(calls).to.deep.equal([{ tool: 'recall', arguments: { query: 'rain' } }]);
    expect(usage).to.deep.equal({ requests: 1, inputTokens: 1110, cachedInputTokens: 1000, outputTokens: 5 });
    expect(thoughts).to.deep.include({ thoughtType: 'insight', content: 'Let me look.' });
    expect(counted).to.deep.equal([['answered', { input: 1110, cached: 1000, output: 5 }]]);
  });

  it('tells the model once what was wrong with its reply', async () => {
    server.queue(said(''), said('Sorry: 12 May.'));
    const { calls } = await think(contextOf({ input: 'When?' }));
    expect(calls).to.deep.equal([{ tool: 'answer', arguments: { content: 'Sorry: 12 May.' } }]);
    expect(sent(1).messages.at(-1)?.content.at(-1)?.['text']).to.contain('it is empty');
  });

  it('continues an answer that was cut off, by its own limit or by that of the context', async () => {
    for (const stop_reason of ['max_tokens', 'model_context_window_exceeded']) {
      server.queue(said('It is on the', { stop_reason }), said(' 12th of May'));
      const { calls } = await think(contextOf({ input: 'When?' }));
      expect(calls[0]?.arguments).to.deep.equal({ content: 'It is on the 12th of May' });
    }
    expect(sent(1).max_tokens).to.equal(8192);
    expect(sent(1).messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user']);
  });

  it('rules calls out at the last step', async () => {
    server.queue(said('12 May'));
    await think(contextOf({ input: 'When?', maxSteps: 2 }, { step: 2 }));
    expect(sent().tool_choice).to.deep.equal({ type: 'none' });
    expect(JSON.stringify(sent().messages)).to.contain('last step');
  });

  const failures: [string, Parameters<ScriptedOpenAi['queue']>[0], string, RegExp][] = [
    [
      'a wrong key',
      failed(401, 'authentication_error', 'invalid x-api-key'),
      'refused',
      /check HIVEKEEP_ANTHROPIC_API_KEY$/,
    ],
    [
      'a model that is not there',
      failed(404, 'not_found_error', 'model: claude-x'),
      'refused',
      /no model "claude-x".*: model: claude-x$/,
    ],
    [
      'a bad request',
      failed(400, 'invalid_request_error', 'credit balance is too low'),
      'refused',
      /\(400\): credit balance is too low$/,
    ],
    [
      'too many requests',
      failed(429, 'rate_limit_error', 'slow down'),
      'rate_limited',
      /asked too often \(429\): slow down$/,
    ],
    [
      'an overloaded server',
      failed(529, 'overloaded_error', 'Overloaded'),
      'unreachable',
      /fails \(529\): Overloaded$/,
    ],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'refused', /redirect/],
    ['a refusal', said('', { stop_reason: 'refusal', content: [] }), 'refused', /content filter/],
    ['something else', { completion: { hello: 'world' } }, 'bad_response', /HIVEKEEP_ANTHROPIC_BASE_URL/],
    ['an answer without an end', said('x'.repeat(20_000)), 'bad_response', /longer than 10000 bytes/],
    ['a cut before the answer', { cut: 'before' }, 'unreachable', /cannot reach|broke/],
    ['a cut in the answer', { cut: 'body' }, 'unreachable', /cannot reach|broke/],
  ];
  for (const [what, given, code, message] of failures)
    it(`${what} is ${code}`, async () => {
      server.queue(given);
      const error = await failure(contextOf({ input: 'x' }));
      expect(error.code).to.equal(code);
      expect(error.message).to.match(message).and.not.contain('sk-ant-1234567890');
    });
});
