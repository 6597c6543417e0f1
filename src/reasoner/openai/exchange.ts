/**
 * One chat/completions request, tried again where that may help.
 *
 *  OpenAiExchange.E1 An abort ends everything at once: the request on the wire, whose connection closes, or the wait
 *     before the next.
 *  OpenAiExchange.E2 A try takes `timeoutMs` at most, its body included; a try that ran out of time is not repeated.
 *  OpenAiExchange.E3 429, 5xx and broken connections are tried again, `maxRetries` times at most, after what
 *     Retry-After says, else after 0.5 s, 1 s, 2 s... (8 s at most, less up to a quarter by chance). A server that asks
 *     for more than a minute is not waited for.
 *  OpenAiExchange.E4 What is thrown is a ReasonerError, or the signal's reason.
 *
 * The SDK's own retries and timeout are off: its wait between tries cannot be aborted, and its timeout ends with the
 * response's headers.
 */
import type OpenAI from 'openai';
import type { Clock } from '../../domain/clock.js';
import { ReasonerError } from '../port.js';
import { failureOf, type Where } from './failure.js';

export type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

export interface ExchangeParts {
  client: OpenAI;
  where: Omit<Where, 'model'>;
  timeoutMs: number;
  maxRetries: number;
  clock: Clock;
  /** From 0 to 1. */
  random: () => number;
}

const longestWaitMs = 60_000;
const firstBackoffMs = 500;
const longestBackoffMs = 8000;

/** What the server sent, unchecked. */
export async function exchange(parts: ExchangeParts, body: Body, signal: AbortSignal): Promise<unknown> {
  const { clock, maxRetries, random } = parts;
  const where: Where = { ...parts.where, model: body.model };
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    const outcome = await once(parts, body, signal);
    if (outcome.ok) return outcome.completion;
    signal.throwIfAborted();
    if (outcome.timedOut)
      throw new ReasonerError(
        'timeout',
        `the model server at ${where.url} did not answer within ${parts.timeoutMs / 1000} s`,
      );
    const { error, retry, waitMs } = failureOf(outcome.error, where, clock.now());
    if (!retry || tries > maxRetries)
      throw tries === 1 ? error : new ReasonerError(error.code, `${error.message} (tried ${tries} times)`);
    if (waitMs !== null && waitMs > longestWaitMs)
      throw new ReasonerError(
        error.code,
        `${error.message}; it asks to wait ${Math.ceil(waitMs / 1000)} s, which is too long`,
      );
    await wait(
      waitMs ?? Math.min(firstBackoffMs * 2 ** (tries - 1), longestBackoffMs) * (1 - random() / 4),
      clock,
      signal,
    );
  }
}

type Outcome = { ok: true; completion: unknown } | { ok: false; error: unknown; timedOut: boolean };

async function once({ client, clock, timeoutMs }: ExchangeParts, body: Body, signal: AbortSignal): Promise<Outcome> {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  let timedOut = false;
  const cancelTimer = clock.after(timeoutMs, () => {
    timedOut = true;
    abort();
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    return {
      ok: true,
      completion: await client.chat.completions.create(body, { signal: controller.signal, maxRetries: 0 }),
    };
  } catch (error) {
    return { ok: false, error, timedOut };
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', abort);
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
