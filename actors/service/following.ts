/** Following a run: its events, the text that its model writes, and its outcome, for who waits for it. */
import type { RunRecord } from '../../src/domain/agent-state.js';
import { isSettled, isTerminal, type RunEvent, type RunUpdate, tellsText } from '../../src/domain/model.js';
import type { Dismissal, RunTopic } from '../../src/bus/port.js';
import { followRun } from '../../src/bus/run-events.js';
import { withText } from '../../src/bus/run-updates.js';
import { notFound } from '../../src/domain/errors.js';
import { reaches } from '../../src/domain/own-tasks.js';
import { configOf } from '../../src/domain/run-config.js';
import { eventFor, sightOf } from '../../src/domain/sight.js';
import type { Caller } from '../../src/service.js';
import { eventsAfter, recordOf } from '../../src/commands/run-reads.js';
import { agentRef, headOf } from '../../src/commands/entities.js';
import { type ServiceContext } from './context.js';
import { rethrowStoreFailure } from './store-failures.js';

export async function runById(c: ServiceContext, caller: Caller, agent: string, id: string): Promise<RunRecord> {
  await headOf(c.deps, agentRef(caller, agent));
  const run = await recordOf(c.deps.store, agentRef(caller, agent), id);
  if (!reaches(caller, run)) throw notFound('run', id);
  return run;
}

/** The number of events that may wait for a reader of a run's stream before it falls back to reading the store. */
const buffer = 256;

export function runEvents(
  { deps: { store, bus, clock }, heartbeatMs }: ServiceContext,
  caller: Caller,
  agent: string,
  run: string,
  lastSeq: number,
  signal?: AbortSignal,
): AsyncIterableIterator<RunEvent, undefined> {
  return followRun({
    bus,
    topic: { workspace: caller.workspace, agent, run },
    read: (seq) => eventsAfter(store, agentRef(caller, agent), run, seq).catch(rethrowStoreFailure),
    lastSeq,
    signal,
    clock,
    pollMs: heartbeatMs,
    buffer,
  });
}

/** How long a subscription may take. A bus that is down tells nothing, and its listeners do without. */
const subscribingMs = 1000;

export function dismissals(
  { deps: { bus, clock } }: ServiceContext,
  topic: RunTopic,
  tell: (dismissal: Dismissal) => void,
): Promise<() => void> {
  return new Promise((resolve) => {
    const leave = bus.subscribe('dismissal', topic, (told) => {
      if (told.length === 0) listening();
      told.forEach(tell);
    });
    const cancel = clock.after(subscribingMs, () => {
      resolve(leave);
    });
    const listening = (): void => {
      cancel();
      resolve(leave);
    };
    if (bus.confirms === undefined) listening();
  });
}

/** The events as the caller sees them. */
export function seenBy<E extends RunUpdate>(caller: Caller, events: AsyncIterable<E>): AsyncIterable<E> {
  const sight = sightOf(caller);
  if (sight.thoughts) return events;
  return {
    [Symbol.asyncIterator]() {
      const source = events[Symbol.asyncIterator]();
      return {
        async next() {
          for (;;) {
            const step = await source.next();
            if (step.done) return step;
            const value = eventFor(step.value, sight);
            if (value !== null) return { done: false, value };
          }
        },
        return: () => source.return?.() ?? Promise.resolve({ done: true, value: undefined }),
      };
    },
  };
}

/** Adds the text that the run's model is writing, if it has one that may still write. */
export async function withTextOf(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  record: RunRecord,
  events: AsyncIterable<RunEvent>,
): Promise<AsyncIterable<RunUpdate>> {
  if (isTerminal(record.status)) return events;
  const { bus, clock } = c.deps;
  const { snapshot } = await headOf(c.deps, agentRef(caller, agent));
  if (!tellsText(configOf(snapshot.config, record))) return events;
  return withText({
    events,
    subscribe: (tell) => bus.subscribe('text', { workspace: caller.workspace, agent, run: record.id }, tell),
    now: () => clock.now(),
  });
}

/**
 * The owner of an agent answers when the run has settled, if that is soon; most runs do, and need not be followed. The
 * time is shorter than that after which an unanswered request is sent again (actors/cluster/router.ts).
 */
const soonMs = 1500;
export const atOwnerMs = ({ messageWaitMs }: ServiceContext): number => Math.min(messageWaitMs, soonMs);

/** When the wait for a run that is asked for now is over, by the clock's `elapsed`. */
export const waitUntil = ({ deps: { clock }, messageWaitMs }: ServiceContext): number =>
  clock.elapsed() + messageWaitMs;

/** Resolves to the run once it has settled, or to its current state when the wait is over, at `until`. */
export async function awaitOutcome(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  run: RunRecord,
  until: number,
  gone?: AbortSignal,
): Promise<RunRecord> {
  const enough = new AbortController();
  const leave = (): void => {
    enough.abort();
  };
  if (gone?.aborted) leave();
  else gone?.addEventListener('abort', leave);
  const cancel = c.deps.clock.after(Math.max(0, until - c.deps.clock.elapsed()), () => {
    enough.abort();
  });
  try {
    for await (const event of runEvents(c, caller, agent, run.id, run.nextSeq - 1, enough.signal))
      if (event.type === 'status' && isSettled(event)) break;
  } finally {
    cancel();
    gone?.removeEventListener('abort', leave);
    enough.abort();
  }
  return recordOf(c.deps.store, agentRef(caller, agent), run.id); // knows of the event (RunEvents.S4)
}
