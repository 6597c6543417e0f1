/**
 * A run as a chat completion, whole or in chunks (docs/api.md 4.5).
 *
 *  OpenAiAnswer.W1 The chunks add up to the answer. Text that turned out to be no answer cannot be taken back from a
 *     client of OpenAI: the answer then follows as a paragraph of its own.
 *  OpenAiAnswer.W2 A run that waits is answered with what it asks, and `hivekeep.waitingFor` says for what.
 */
import { isSettled, type Run, type RunUpdate } from '../../src/domain/model.js';
import type { SseFrame } from '../streams/port.js';
import { failureOf } from './errors.js';

/** What is asked for and answered under. */
export interface Asked {
  model: string;
  requestId: string;
  includeUsage: boolean;
}

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);
const textOf = (run: Run): string => run.output ?? run.waitingFor?.question ?? '';
const finishOf = ({ stopReason }: Run): 'stop' | 'length' =>
  stopReason === null || stopReason === 'answer' ? 'stop' : 'length';
const aboutRun = (run: Run): object => ({
  run_id: run.id,
  session_id: run.sessionId,
  status: run.status,
  waitingFor: run.waitingFor,
});
const usageOf = ({ usage }: Run): object => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
});

export const completionOf = (run: Run, { model }: Asked): object => ({
  id: run.id,
  object: 'chat.completion',
  created: secondsOf(run.created_at),
  model,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: textOf(run), refusal: null },
      logprobs: null,
      finish_reason: finishOf(run),
    },
  ],
  usage: usageOf(run),
  hivekeep: aboutRun(run),
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
  asked: Asked,
): AsyncIterable<SseFrame> {
  return { [Symbol.asyncIterator]: () => new Chunks(run, events[Symbol.asyncIterator](), now, asked) };
}

class Chunks implements AsyncIterator<SseFrame> {
  readonly #run: Run;
  readonly #source: AsyncIterator<RunUpdate>;
  readonly #now: () => Promise<Run>;
  readonly #asked: Asked;
  readonly #ready: SseFrame[] = [];
  #over = false;
  /** All that was told, and the part of it that the answer may begin with. */
  #told = '';
  #current = '';

  constructor(run: Run, source: AsyncIterator<RunUpdate>, now: () => Promise<Run>, asked: Asked) {
    this.#run = run;
    this.#source = source;
    this.#now = now;
    this.#asked = asked;
    this.#put({ role: 'assistant', content: '' });
  }

  async next(): Promise<IteratorResult<SseFrame>> {
    for (;;) {
      const frame = this.#ready.shift();
      if (frame) return { done: false, value: frame };
      if (this.#over) return { done: true, value: undefined };
      const step = await this.#source.next();
      if (step.done) this.#end(await this.#now());
      else await this.#take(step.value);
    }
  }

  async return(): Promise<IteratorResult<SseFrame>> {
    this.#over = true;
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  async #take(event: RunUpdate): Promise<void> {
    if (event.type === 'delta') {
      if (event.append) this.#say(event.text);
      else this.#whole(event.text);
    } else if (event.type === 'answer') this.#whole(event.content);
    else if (event.type === 'status' && isSettled(event)) {
      const run = await this.#now();
      if (!isSettled(run)) return;
      await this.#source.return?.();
      this.#end(run);
    }
  }

  /** Tells what is missing of a text that takes the place of the current one. */
  #whole(text: string): void {
    if (text === '') {
      this.#current = '';
      return;
    }
    if (!text.startsWith(this.#current) || (this.#current === '' && this.#told !== '')) {
      this.#put({ content: '\n\n' });
      this.#current = '';
    }
    this.#say(text.slice(this.#current.length));
  }

  #say(text: string): void {
    if (text === '') return;
    this.#told += text;
    this.#current += text;
    this.#put({ content: text });
  }

  #end(run: Run): void {
    this.#over = true;
    const failure = failureOf(run, this.#asked.requestId);
    if (failure) {
      this.#ready.push({ data: failure });
      return;
    }
    if (textOf(run) !== this.#current) this.#whole(textOf(run));
    this.#put({}, finishOf(run), { hivekeep: aboutRun(run) });
    if (this.#asked.includeUsage) this.#ready.push({ data: { ...this.#head(), choices: [], usage: usageOf(run) } });
    this.#ready.push({ text: '[DONE]' });
  }

  #head(): object {
    return {
      id: this.#run.id,
      object: 'chat.completion.chunk',
      created: secondsOf(this.#run.created_at),
      model: this.#asked.model,
    };
  }

  #put(delta: object, finish: string | null = null, more: object = {}): void {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    this.#ready.push({ data: { ...this.#head(), choices, ...(this.#asked.includeUsage && { usage: null }), ...more } });
  }
}
