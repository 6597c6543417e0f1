/**
 * One request to a model server, with retries, and with what the server teaches about how it wants to be asked.
 *
 *  - An abort takes effect at once: it closes the connection of the request in progress, or ends the wait before the
 *    next attempt.
 *  - An attempt has `timeoutMs` to begin its answer, or to give the whole where it does not stream; one that timed out
 *    is not repeated. In a stream no silence lasts for longer than twice `stallMs`; then the connection counts as
 *    broken. A stream that goes on has no other limit here.
 *  - 429, 5xx and broken connections are retried, at most `maxRetries` times, when the model's breaker lets them
 *    (breaker.ts). A server that asks for more than ten seconds is away: the error says for how long, and whoever
 *    asked waits without it.
 *  Exchange.X1 The same 500 three times to the same request, or a 5xx while others are answered, is a refusal of
 *     this request: nobody waits for it to end. Nor does anybody for a reply that ends with an error each time: that
 *     is asked for three times, also where another model could be asked, and keeps nobody else from the model.
 *  - It throws a ReasonerError, or the signal's reason.
 *  - A listener hears of one attempt at a time: each begins by making void what was heard of the one before.
 */
import { type Clock, backoffMs, waitedUnlessAborted } from '../../domain/shared/clock.js';
import { ReasonerError, type TextListener } from '../port.js';
import { type Breaker, longestWaitMs, usualPause } from './breaker.js';
import { failureOf, Stalled } from './failure.js';
import { type Habits, type KnownHabits, lessonOf, lessonOfReply } from './habits.js';
import { ServerProblem, Unfinished } from './problems.js';
import type { Chat } from './chat.js';
import type { ModelServer } from './server.js';

export interface Tokens {
  input: number;
  /** Those of the input that were read from the server's prompt cache. */
  cached: number;
  output: number;
}

export type CallOutcome = 'answered' | 'failed' | 'aborted';

export interface ExchangeDeps {
  server: ModelServer;
  timeoutMs: number;
  stallMs: number;
  maxRetries: number;
  random: () => number;
  clock: Clock;
  /**
   * Called after each attempt with its outcome, its duration in seconds, and the token counts that the server reported.
   */
  onCall?: (outcome: CallOutcome, seconds: number, tokens?: Tokens) => void;
  habits: KnownHabits;
  breaker: Breaker;
  /** Whether it may wait for a model that is away. */
  patient: boolean;
  /** Is told what the server has refused, and how it was asked instead. */
  onLesson?: (told: string) => void;
}

const mostLessons = 8;
const mostAlike = 3;

/** Resolves to the server's response, unvalidated. */
export async function exchange(
  deps: ExchangeDeps,
  chat: Chat,
  signal: AbortSignal,
  listener?: TextListener,
): Promise<unknown> {
  const { clock, maxRetries, server, breaker } = deps;
  const answersBefore = breaker.answers;
  let habits = deps.habits.of(chat.model);
  const learnt: { changes: Partial<Habits>; told: string }[] = [];
  let before = '';
  let alike = 0;
  for (let tries = 1; ; tries++) {
    await breaker.enter(signal, deps.patient);
    listener?.restart();
    const body = server.body(chat, habits);
    const outcome = await once(deps, body, signal, listener);
    if (outcome.ok) {
      breaker.leave('answered');
      const unheeded = learnt.length < mostLessons ? lessonOfReply(outcome.completion, body, chat, habits) : null;
      if (unheeded) {
        habits = { ...habits, ...unheeded.changes };
        learnt.push(unheeded);
        tries--;
        continue;
      }
      for (const { changes, told } of learnt) {
        deps.habits.learn(chat.model, changes);
        deps.onLesson?.(told);
      }
      return outcome.completion;
    }
    if (signal.aborted) {
      breaker.leave(null);
      signal.throwIfAborted();
    }
    const lesson =
      outcome.error instanceof ServerProblem && learnt.length < mostLessons
        ? lessonOf(outcome.error, body, chat, habits)
        : null;
    if (lesson) {
      breaker.leave(null);
      habits = { ...habits, ...lesson.changes };
      learnt.push(lesson);
      tries--;
      continue;
    }
    const error = outcome.timedOut
      ? Object.assign(
          new ReasonerError(
            'timeout',
            `the model server at ${server.url} did not answer within ${deps.timeoutMs / 1000} s`,
          ),
          { fault: 'away' as const },
        )
      : failureOf(outcome.error, server, chat.model, clock.now());
    const { fault, retryAfterMs } = error;
    const unfinished = outcome.error instanceof Unfinished;
    breaker.leave(fault === 'away' && !unfinished ? error : null);
    const status = outcome.error instanceof ServerProblem ? (outcome.error.status ?? 0) : 0;
    alike = error.message === before ? alike + 1 : 1;
    before = error.message;
    const isOfRequest = (status === 500 || unfinished) && alike >= mostAlike;
    if (outcome.timedOut) throw error;
    if (retryAfterMs !== null && retryAfterMs > longestWaitMs)
      error.message += `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    else if (fault === 'away' && !isOfRequest && tries <= maxRetries) {
      if (unfinished) await waitedUnlessAborted(clock, backoffMs(usualPause, alike, deps.random), signal);
      continue;
    }
    if (fault === 'away' && (unfinished || isOfRequest || (status >= 500 && breaker.answers > answersBefore)))
      error.fault = 'server'; // Exchange.X1
    if (tries > 1) error.message += ` (tried ${tries} times)`;
    throw error;
  }
}

type Body = ReturnType<ModelServer['body']>;
type Outcome = { ok: true; completion: unknown } | { ok: false; error: unknown; timedOut: boolean };

async function once(
  deps: ExchangeDeps,
  body: Body,
  signal: AbortSignal,
  listener: TextListener | undefined,
): Promise<Outcome> {
  const start = performance.now();
  const outcome = await tried(deps, body, signal, listener);
  const how = outcome.ok ? 'answered' : signal.aborted ? 'aborted' : 'failed';
  deps.onCall?.(how, (performance.now() - start) / 1000, outcome.ok ? tokensOf(outcome.completion) : undefined);
  return outcome;
}

/** Reads the token counts. They come from the server, so they are as untrusted as the rest of its response. */
function tokensOf(completion: unknown): Tokens | undefined {
  const { usage } = (completion ?? {}) as {
    usage?: {
      prompt_tokens?: unknown;
      completion_tokens?: unknown;
      prompt_tokens_details?: { cached_tokens?: unknown } | null;
    } | null;
  };
  if (!usage) return undefined;
  const count = (given: unknown): number => (Number.isSafeInteger(given) ? Math.max(0, given as number) : 0);
  const input = count(usage.prompt_tokens);
  return {
    input,
    cached: Math.min(input, count(usage.prompt_tokens_details?.cached_tokens)),
    output: count(usage.completion_tokens),
  };
}

async function tried(
  { server, clock, timeoutMs, stallMs }: ExchangeDeps,
  body: Body,
  signal: AbortSignal,
  listener: TextListener | undefined,
): Promise<Outcome> {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  let timedOut = false;
  const cancelTimer = clock.after(timeoutMs, () => {
    timedOut = true;
    abort();
  });
  const silence = new Silence(clock, stallMs, abort);
  signal.addEventListener('abort', abort, { once: true });
  // it may have been aborted while the request waited for its turn, and tells nobody a second time
  if (signal.aborted) abort();
  try {
    const alive = (): void => {
      cancelTimer();
      silence.broken();
    };
    return { ok: true, completion: await server.complete(body, controller.signal, { alive, listener }) };
  } catch (error) {
    return { ok: false, error: silence.stalled ? new Stalled() : error, timedOut };
  } finally {
    cancelTimer();
    silence.end();
    signal.removeEventListener('abort', abort);
  }
}

/** Looks every `stallMs` whether anything has come since; a timer for each piece would cost more than the piece. */
class Silence {
  stalled = false;
  private quiet = true;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly stallMs: number,
    private readonly tooLong: () => void,
  ) {}

  broken(): void {
    this.quiet = false;
    if (!this.cancel) this.watch();
  }

  private watch(): void {
    this.cancel = this.clock.after(this.stallMs, () => {
      if (this.quiet) {
        this.stalled = true;
        this.tooLong();
        return;
      }
      this.quiet = true;
      this.watch();
    });
  }

  end(): void {
    this.cancel?.();
  }
}
