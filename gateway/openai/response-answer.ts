/**
 * A run as a response of OpenAI's Responses API (docs/api.md 4.5), whole or as events. It has what OpenAI's has;
 * `hivekeep` beside it says which run it is, and what that waits for.
 */
import type { ClientCall } from '../../src/domain/agent/agent-tools.js';
import { isSettled, isTerminal, type Run, type RunUpdate } from '../../src/domain/model/model.js';
import type { SseFrame } from '../streams/port.js';
import { aboutRun, AnswerFrames, type AnswerTerms, callsOf, secondsOf, answeredText, usedTokens } from './answer.js';
import { runFailure, type OpenAiError } from './errors.js';
import type { ResponseRequest } from './responses.js';

/** What is asked for and answered under. */
export interface AskedResponse extends AnswerTerms {
  /** What the answer repeats of the request; null where it is retrieved. */
  request: ResponseRequest | null;
}

type Item = Record<string, unknown>;

const messageItem = ({ id }: AskedResponse, text: string, status: string): Item => ({
  type: 'message',
  id: id.replace(/^resp_/, 'msg_'),
  status,
  role: 'assistant',
  content: [textPart(text)],
});
const textPart = (text: string): Item => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const callItem = ({ id, name, arguments: input }: ClientCall): Item => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: JSON.stringify(input),
  status: 'completed',
});

function statusOf(run: Run): 'in_progress' | 'completed' | 'incomplete' | 'failed' {
  if (!isSettled(run)) return 'in_progress';
  if (isTerminal(run.status) && run.status !== 'completed') return 'failed';
  return run.stopReason === null || run.stopReason === 'answer' ? 'completed' : 'incomplete';
}

function outputOf(run: Run, asked: AskedResponse): Item[] {
  const calls = callsOf(run);
  if (calls.length > 0) return calls.map(callItem);
  const status = statusOf(run);
  if (status === 'in_progress' || status === 'failed') return [];
  return [messageItem(asked, answeredText(run), status)];
}

function usageOf(run: Run, asked: AskedResponse): object | null {
  if (!isSettled(run)) return null;
  const { input, output, cached } = usedTokens(run, asked);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

export function responseOf(run: Run, asked: AskedResponse, output: readonly Item[] = outputOf(run, asked)): object {
  const { request } = asked;
  const status = statusOf(run);
  const failure = status === 'failed' ? runFailure(run, asked.requestId) : null;
  return {
    id: asked.id,
    object: 'response',
    created_at: secondsOf(run.created_at),
    completed_at: status === 'completed' ? secondsOf(run.ended_at ?? run.updated_at) : null,
    status,
    background: request?.background ?? false,
    error: failure && errorOf(failure),
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: request?.instructions ?? null,
    max_output_tokens: request?.max_output_tokens ?? null,
    max_tool_calls: null,
    model: asked.model,
    output,
    parallel_tool_calls: request?.parallel_tool_calls ?? true,
    previous_response_id: request?.previous_response_id ?? null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: true,
    temperature: request?.temperature ?? 1,
    text: { format: request?.text?.format ?? { type: 'text' } },
    tool_choice: request?.tool_choice ?? 'auto',
    tools: (request?.tools ?? []).map((tool) => ({ strict: null, description: null, parameters: null, ...tool })),
    top_logprobs: 0,
    top_p: request?.top_p ?? 1,
    presence_penalty: request?.presence_penalty ?? 0,
    frequency_penalty: request?.frequency_penalty ?? 0,
    truncation: 'disabled',
    usage: usageOf(run, asked),
    user: request?.user ?? null,
    metadata: run.metadata,
    hivekeep: aboutRun(run, asked),
  };
}

const errorOf = ({ error: { code, message } }: OpenAiError): object => ({ code, message });

/** The events of a stream. */
export function responseEvents(
  run: Run,
  events: AsyncIterable<RunUpdate>,
  now: () => Promise<Run>,
  asked: AskedResponse,
): AsyncIterable<SseFrame> {
  return { [Symbol.asyncIterator]: () => new ResponseEvents(run, events[Symbol.asyncIterator](), now, asked) };
}

class ResponseEvents extends AnswerFrames {
  private sequence = 0;
  private speaking = false;

  constructor(
    run: Run,
    source: AsyncIterator<RunUpdate>,
    now: () => Promise<Run>,
    private readonly asked: AskedResponse,
  ) {
    super(source, now);
    const begun = {
      ...responseOf(run, asked, []),
      status: 'in_progress',
      completed_at: null,
      error: null,
      usage: null,
    };
    this.tell('response.created', { response: begun });
    this.tell('response.in_progress', { response: begun });
  }

  private tell(type: string, more: object): void {
    this.ready.push({ event: type, data: { type, sequence_number: this.sequence++, ...more } });
  }

  private get place(): object {
    return { item_id: messageItem(this.asked, '', '')['id'], output_index: 0, content_index: 0 };
  }

  protected speak(text: string): void {
    if (!this.speaking) {
      this.speaking = true;
      const item = { ...messageItem(this.asked, '', 'in_progress'), content: [] };
      this.tell('response.output_item.added', { output_index: 0, item });
      this.tell('response.content_part.added', { ...this.place, part: textPart('') });
    }
    this.tell('response.output_text.delta', { ...this.place, delta: text, logprobs: [] });
  }

  protected finish(run: Run): void {
    const { asked } = this;
    if (runFailure(run, asked.requestId)) {
      this.tell('response.failed', { response: responseOf(run, asked) });
      return;
    }
    const calls = callsOf(run).map(callItem);
    const output: Item[] = [];
    const status = statusOf(run);
    if (calls.length === 0 && !this.speaking) this.speak('');
    if (this.speaking) {
      const item = messageItem(asked, this.told, status === 'incomplete' ? 'incomplete' : 'completed');
      this.tell('response.output_text.done', { ...this.place, text: this.told, logprobs: [] });
      this.tell('response.content_part.done', { ...this.place, part: textPart(this.told) });
      this.tell('response.output_item.done', { output_index: 0, item });
      output.push(item);
    }
    for (const item of calls) this.call(item, output);
    const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    this.tell(type, { response: responseOf(run, asked, output) });
  }

  private call(item: Item, output: Item[]): void {
    const at = { item_id: item['id'], output_index: output.length };
    const added = { ...item, arguments: '', status: 'in_progress' };
    this.tell('response.output_item.added', { output_index: output.length, item: added });
    this.tell('response.function_call_arguments.delta', { ...at, delta: item['arguments'] });
    this.tell('response.function_call_arguments.done', { ...at, name: item['name'], arguments: item['arguments'] });
    this.tell('response.output_item.done', { output_index: output.length, item });
    output.push(item);
  }
}
