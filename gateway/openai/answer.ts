/**
 * A run as a chat completion, whole or in chunks (docs/api.md 4.5).
 *
 *  - The chunks add up to the answer. Text that turned out to be no answer cannot be taken back from a client of
 *    OpenAI: the answer then follows as a paragraph of its own.
 *  - A run that waits is answered with what it asks, and `hivekeep.waitingFor` says for what.
 *  - A run that asks for calls several times is a completion each time, with an id and a usage of its own.
 */
import type { ClientCall } from '../../src/domain/agent/agent-tools.js';
import { isSettled, isTerminal, type Run, type RunUpdate } from '../../src/domain/model/model.js';
import type { SseFrame } from '../streams/port.js';
import { runFailure } from './errors.js';
import { toolCallOf } from './tools.js';

/** What is asked for and answered under. */
export interface AnswerTerms {
  /** The id of the completion. */
  id: string;
  model: string;
  requestId: string;
  includeUsage: boolean;
  /** What the run had used before. */
  used: Run['usage'] | null;
  /** Fields of the request that have no effect. */
  ignored: readonly string[];
}

export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);
export const callsOf = ({ waitingFor }: Run): readonly ClientCall[] => waitingFor?.calls ?? [];
export const answeredText = (run: Run): string =>
  callsOf(run).length > 0 ? '' : (run.output ?? run.waitingFor?.question ?? '');
const finishOf = (run: Run): 'stop' | 'length' | 'tool_calls' =>
  callsOf(run).length > 0 ? 'tool_calls' : run.stopReason === null || run.stopReason === 'answer' ? 'stop' : 'length';
export const aboutRun = (run: Run, { ignored }: Pick<AnswerTerms, 'ignored'>): object => ({
  run_id: run.id,
  session_id: run.sessionId,
  status: run.status,
  waitingFor: run.waitingFor,
  ...(ignored.length > 0 && { ignored }),
});

/** What the answer has used. */
export const usedTokens = (
  { usage }: Run,
  { used }: AnswerTerms,
): { input: number; output: number; cached: number } => ({
  input: usage.inputTokens - (used?.inputTokens ?? 0),
  output: usage.outputTokens - (used?.outputTokens ?? 0),
  cached: usage.cachedInputTokens - (used?.cachedInputTokens ?? 0),
});

function usageOf(run: Run, asked: AnswerTerms): object {
  const { input, output, cached } = usedTokens(run, asked);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function messageOf(run: Run): object {
  const calls = callsOf(run);
  const said = calls.length > 0 ? { content: null, tool_calls: calls.map(toolCallOf) } : { content: answeredText(run) };
  return { role: 'assistant', ...said, refusal: null, annotations: [] };
}

export const completionOf = (run: Run, asked: AnswerTerms): object => ({
  id: asked.id,
  object: 'chat.completion',
  created: secondsOf(run.created_at),
  model: asked.model,
  choices: [{ index: 0, message: messageOf(run), logprobs: null, finish_reason: finishOf(run) }],
  usage: usageOf(run, asked),
  hivekeep: aboutRun(run, asked),
});

/** The run once it has ended or waits, or as it is when its events end before. */
export async function settled(events: AsyncIterable<RunUpdate>, now: () => Promise<Run>): Promise<Run> {
  for await (const event of events)
    if (event.type === 'status' && isSettled(event)) {
      const run = await now();
      if (isSettled(run)) return run;
    }
  return now();
}

/** The frames of a stream. Not a generator, so that it can be left while it waits for its source. */
export function chunksOf(
  run: Run,
  events: AsyncIterable<RunUpdate>,
  now: () => Promise<Run>,
  asked: AnswerTerms,
): AsyncIterable<SseFrame> {
  return { [Symbol.asyncIterator]: () => new Chunks(run, events[Symbol.asyncIterator](), now, asked) };
}

/** The frames of an answer while it is written. What is told adds up to the answer. */
export abstract class AnswerFrames implements AsyncIterator<SseFrame> {
  private readonly now: () => Promise<Run>;
  protected readonly ready: SseFrame[] = [];
  private over = false;
  /** All that was told, and the part of it that the answer may begin with. */
  protected told = '';
  private current = '';

  constructor(
    private readonly source: AsyncIterator<RunUpdate>,
    now: () => Promise<Run>,
  ) {
    this.now = now;
  }

  /** Tells a further piece of the text. */
  protected abstract speak(text: string): void;
  /** Tells how the run has ended, or what it waits for; all of its text is told. */
  protected abstract finish(run: Run): void;

  async next(): Promise<IteratorResult<SseFrame>> {
    for (;;) {
      const frame = this.ready.shift();
      if (frame) return { done: false, value: frame };
      if (this.over) return { done: true, value: undefined };
      const step = await this.source.next();
      if (step.done) this.end(await this.now());
      else await this.take(step.value);
    }
  }

  async return(): Promise<IteratorResult<SseFrame>> {
    this.over = true;
    await this.source.return?.();
    return { done: true, value: undefined };
  }

  private async take(event: RunUpdate): Promise<void> {
    if (event.type === 'delta') {
      if (event.append) this.say(event.text);
      else this.whole(event.text);
    } else if (event.type === 'answer') this.whole(event.content);
    else if (event.type === 'status' && isSettled(event)) {
      const run = await this.now();
      if (!isSettled(run)) return;
      await this.source.return?.();
      this.end(run);
    }
  }

  /** Tells what is missing of a text that takes the place of the current one. */
  private whole(text: string): void {
    if (text === '') {
      this.current = '';
      return;
    }
    if (!text.startsWith(this.current) || (this.current === '' && this.told !== '')) {
      this.tellText('\n\n');
      this.current = '';
    }
    this.say(text.slice(this.current.length));
  }

  private say(text: string): void {
    if (text === '') return;
    this.current += text;
    this.tellText(text);
  }

  private tellText(text: string): void {
    this.told += text;
    this.speak(text);
  }

  private end(run: Run): void {
    this.over = true;
    const isAnswer = !isTerminal(run.status) || run.status === 'completed';
    if (isAnswer && callsOf(run).length === 0 && answeredText(run) !== this.current) this.whole(answeredText(run));
    this.finish(run);
  }
}

class Chunks extends AnswerFrames {
  constructor(
    private readonly run: Run,
    source: AsyncIterator<RunUpdate>,
    now: () => Promise<Run>,
    private readonly asked: AnswerTerms,
  ) {
    super(source, now);
    this.put({ role: 'assistant', content: '' });
  }

  protected speak(text: string): void {
    this.put({ content: text });
  }

  protected finish(run: Run): void {
    const failure = runFailure(run, this.asked.requestId);
    if (failure) {
      this.ready.push({ data: failure });
      return;
    }
    const calls = callsOf(run);
    if (calls.length > 0) this.put({ tool_calls: calls.map((call, index) => ({ index, ...toolCallOf(call) })) });
    this.put({}, finishOf(run), { hivekeep: aboutRun(run, this.asked) });
    if (this.asked.includeUsage)
      this.ready.push({ data: { ...this.head(), choices: [], usage: usageOf(run, this.asked) } });
    this.ready.push({ text: '[DONE]' });
  }

  private head(): object {
    return {
      id: this.asked.id,
      object: 'chat.completion.chunk',
      created: secondsOf(this.run.created_at),
      model: this.asked.model,
    };
  }

  private put(delta: object, finish: string | null = null, more: object = {}): void {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    this.ready.push({ data: { ...this.head(), choices, ...(this.asked.includeUsage && { usage: null }), ...more } });
  }
}
