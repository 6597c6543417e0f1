/** One time limit for a whole attempt: look-up, connection, sending, and reading the response. */
import type { Clock } from '../domain/clock.js';
import { PushError } from './port.js';

export interface TimeLimit {
  /** Aborted, with a PushError as its reason, when the time is up or `outer` is aborted. */
  readonly signal: AbortSignal;
  /** Settles as `work` does, or rejects with the abort reason if that comes first. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Releases the timer and the listener on `outer`. */
  end(): void;
}

export function timeLimit(clock: Clock, ms: number, outer?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => {
    controller.abort(stopped());
  };
  const cancel = clock.after(ms, () => {
    controller.abort(new PushError(`no answer within ${ms / 1000} s`));
  });
  if (outer?.aborted) stop();
  else outer?.addEventListener('abort', stop, { once: true });
  return {
    signal,
    race: (work) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => {
          reject(signal.reason as PushError);
        };
        if (signal.aborted) giveUp();
        else signal.addEventListener('abort', giveUp, { once: true });
        work.then(resolve, reject).finally(() => {
          signal.removeEventListener('abort', giveUp);
        });
      }),
    end() {
      cancel();
      outer?.removeEventListener('abort', stop);
    },
  };
}

/** The push is no longer wanted: the service is stopping, or the configuration was deleted. */
export const stopped = (): PushError => new PushError('stopped before there was an answer');
