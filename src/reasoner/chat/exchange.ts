/**
 * One request to a model server, with retries.
 *
 *  - An abort takes effect at once: it closes the connection of the request in progress, or ends the wait before the
 *    next attempt.
 *  - An attempt takes at most `timeoutMs`, including its body; an attempt that timed out is not repeated. In the
 *    middle of a stream no silence lasts for longer than twice `stallMs`; then the connection counts as broken.
 *  - 429, 5xx and broken connections are retried, at most `maxRetries` times, after the delay of Retry-After or else
 *    after 0.5 s, 1 s, 2 s and so on (at most 8 s, less up to a quarter of jitter). A server that asks for more than
 *    ten seconds is away: the error says for how long, and whoever asked waits without it.
 *  - It throws a ReasonerError, or the signal's reason.
 *  - A listener hears of one attempt at a time: each begins by making void what was heard of the one before.
 */
import { backoffMs, type Backoff } from '../../domain/backoff.js';
import type { Clock } from '../../domain/clock.js';
import { ReasonerError, type TextListener } from '../port.js';
import { failureOf, Stalled } from './failure.js';
import type { Chat, ModelServer } from './server.js';

export interface Tokens {
  input: number;
  /** Those of the input that were read from the server's prompt cache. */
  cached: number;
  output: number;
}

export interface ExchangeDeps {
  server: ModelServer;
  timeoutMs: number;
  stallMs: number;
  maxRetries: number;
  clock: Clock;
  /**
   * Called after each attempt with its outcome, its duration in seconds, and the token counts that the server reported.
   */
  onCall?: (outcome: 'answered' | 'failed' | 'aborted', seconds: number, tokens?: Tokens) => void;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

const longestWaitMs = 10_000;
const retry: Backoff = { firstMs: 500, longestMs: 8000, jitter: 0.25 };

/** Resolves to the server's response, unvalidated. */
export async function exchange(
  deps: ExchangeDeps,
  chat: Chat,
  signal: AbortSignal,
  listener?: TextListener,
): Promise<unknown> {
  const { clock, maxRetries, random, server } = deps;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    listener?.restart();
    const outcome = await once(deps, chat, signal, listener);
    if (outcome.ok) return outcome.completion;
    signal.throwIfAborted();
    if (outcome.timedOut)
      throw Object.assign(
        new ReasonerError(
          'timeout',
          `the model server at ${server.url} did not answer within ${deps.timeoutMs / 1000} s`,
        ),
        { fault: 'away' as const },
      );
    const error = failureOf(outcome.error, server, chat.model, clock.now());
    const { fault, retryAfterMs } = error;
    if (retryAfterMs !== null && retryAfterMs > longestWaitMs)
      error.message += `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    else if (fault === 'away' && tries <= maxRetries) {
      await wait(retryAfterMs ?? backoffMs(retry, tries, random), clock, signal);
      continue;
    }
    if (tries > 1) error.message += ` (tried ${tries} times)`;
    throw error;
  }
}

type Outcome = { ok: true; completion: unknown } | { ok: false; error: unknown; timedOut: boolean };

async function once(
  deps: ExchangeDeps,
  chat: Chat,
  signal: AbortSignal,
  listener: TextListener | undefined,
): Promise<Outcome> {
  const start = performance.now();
  const outcome = await tried(deps, chat, signal, listener);
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
  chat: Chat,
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
  try {
    const progress = { alive: () => silence.broken(), listener };
    return { ok: true, completion: await server.complete(chat, controller.signal, progress) };
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

function wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
