/** One time limit over everything that a try does: looking up the name, connecting, sending, reading the answer. */
import type { Clock } from '../domain/clock.js';
import { PushError } from './port.js';

export interface TimeLimit {
  /** Aborted, with a PushError as its reason, when the time is up or `outer` is aborted. */
  readonly signal: AbortSignal;
  /** What `work` comes to, or the reason why it need not be waited for any more. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Lets go of timer and `outer`. */
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

/** Whoever asked for the push does not want it any more: the service stops, or the config is gone. */
export const stopped = (): PushError => new PushError('stopped before there was an answer');
