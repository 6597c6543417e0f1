/** The context that all parts of the service share, and helpers for asking actors and for reading pages of lists. */
import type { AuditNote } from '../../src/domain/shared/draft.js';
import type { AuditAction } from '../../src/domain/shared/vocabulary.js';
import { auditActorOf } from '../../src/domain/workspace/audit.js';
import { claimedKey } from '../../src/commands/claims.js';
import { type RunEvent, type RunUpdate, isSettled, isTerminal, tellsText } from '../../src/domain/model/model.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import type { TierLimits } from '../../src/limits/tiers.js';
import { type QuotaExceeded, type StorageExceeded, sizeOf } from '../../src/domain/workspace/usage.js';
import { type WorkspaceEntityRef, agentRef, headOf } from '../../src/commands/entities.js';
import type { Services } from '../../src/commands/command.js';
import type { Caller } from '../../src/service.js';
import { type EntityRef, StoreError } from '../../src/store/port.js';
import { type Powers } from '../../src/domain/shared/caller.js';
import type { AgentOperations } from '../entities/agent/operations.js';
import { type UntypedAsk, addsData } from '../entities/ask.js';
import type { WorkspaceEntityOperations } from '../entities/workspace-entity/operations.js';
import type { AnswerOf, RequestOf, RequestOptions } from '../entities/operation.js';
import { type IdempotencyKey, ReplayedAnswer } from '../../src/commands/idempotency.js';
import type { QuotaSubject } from '../quota/monthly-quota.js';
import type { EntityDeps } from '../entities/deps.js';
import { refusalOf, storeUnavailable } from '../entities/outages.js';
import { type RunRecord, configOf } from '../../src/domain/agent/agent-state.js';
import type { Dismissal, RunTopic } from '../../src/bus/port.js';
import { followRun } from '../../src/bus/run-events.js';
import { withText } from '../../src/bus/run-updates.js';
import { eventFor, sightOf } from '../../src/domain/task/run-as-task.js';
import { eventsAfter, recordOf } from '../../src/commands/run-reads.js';

/** The dependencies of entities, without those that only an entity's own actor has. */
export type ServiceDeps = Omit<EntityDeps, 'indexes' | 'wakeLater' | 'takeGivenUp' | 'giveUp'>;

export interface ServiceContext {
  deps: ServiceDeps;
  /** What commands work with, for what is no command yet. */
  services: Services;
  /** How long a direct message waits for its run to settle, ms. */
  messageWaitMs: number;
  /** How much the files of one message may have together. */
  filesMaxBytes: number;
  heartbeatMs: number;
  /** The names of the model servers of this process, which `getMe` shows. */
  modelServers: readonly string[];
  tiers: TierLimits;
  randomBytes: (n: number) => Uint8Array;
  /** Must be the same at every start on this store, and in all processes of a cluster. */
  keyring: Keyring;
}

/** What the audit says of a change, to be sent with the request for it. */
export const auditNoteOf = (
  caller: Caller,
  action: AuditAction,
  { target = null, fields = [], count = null }: Partial<Pick<AuditNote, 'target' | 'fields' | 'count'>> = {},
): { audit: AuditNote } => ({ audit: { action, by: auditActorOf(caller), target, place: null, fields, count } });

/**
 * Sends a request to the actor of an agent (by its id) or of another entity, and resolves to its answer. If the request
 * adds data and the storage limit is exceeded, the actor is told so and refuses it: only the actor can still give a
 * repeated command its first answer.
 */
export function askActor<N extends keyof AgentOperations>(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  request: { type: N } & RequestOf<AgentOperations, N>,
): Promise<AnswerOf<AgentOperations, N>>;
export function askActor<N extends keyof WorkspaceEntityOperations>(
  c: ServiceContext,
  caller: Caller,
  workspaceEntity: WorkspaceEntityRef,
  request: { type: N } & RequestOf<WorkspaceEntityOperations, N>,
): Promise<AnswerOf<WorkspaceEntityOperations, N>>;
export function askActor<N extends keyof AgentOperations & keyof WorkspaceEntityOperations>(
  c: ServiceContext,
  caller: Caller,
  entity: EntityRef,
  request: { type: N } & RequestOf<AgentOperations, N> & RequestOf<WorkspaceEntityOperations, N>,
): Promise<AnswerOf<AgentOperations, N>>;
export function askActor(
  { deps }: ServiceContext,
  caller: Caller,
  to: string | EntityRef,
  request: RequestOptions,
): Promise<unknown> {
  const entity = typeof to === 'string' ? agentRef(caller, to) : to;
  const send = (exceeded: StorageExceeded | null): Promise<unknown> => {
    const message = exceeded ? { ...request, storageExceeded: exceeded } : request;
    const answer = (deps.ask as UntypedAsk)(entity, message);
    return request.idempotencyKey ? answer.then((value) => unwrapReplay(caller, value)) : answer;
  };
  const exceeded = addsData(entity, request)
    ? deps.bounds.storageExceeded(caller.workspace, () => sizeOf(request))
    : null;
  return exceeded instanceof Promise ? exceeded.then(send) : send(exceeded);
}

/** Returns the result itself, and records on the caller whether it is a replay. */
function unwrapReplay({ idempotencyKey }: Caller, value: unknown): unknown {
  if (!(value instanceof ReplayedAnswer)) return value;
  if (idempotencyKey) idempotencyKey.replayed = true;
  return value.result;
}

/** The caller's idempotency key, to be sent with the one request of a call that has an effect. */
export const withIdempotencyKey = ({ idempotencyKey }: Caller): { idempotencyKey: IdempotencyKey } | undefined =>
  idempotencyKey && { idempotencyKey: { id: idempotencyKey.id, bodyHash: idempotencyKey.bodyHash } };

/** The same with the key claimed in the workspace's name (src/commands/claims.ts). */
export function withClaimedKey(caller: Caller): { idempotencyKey: IdempotencyKey } | undefined {
  const idempotencyKey = claimedKey(caller);
  return idempotencyKey && { idempotencyKey };
}

/** What the caller may make an agent do, to be sent with everything that starts or continues a run (Powers.P2). */
export const withPowers = ({ powers }: Caller): { powers: Powers } | undefined => powers && { powers };

/** Added to a request that may add one memory to the workspace's monthly count. */
export interface QuotaOutcome {
  full: QuotaExceeded | null;
}
export const unreserved: QuotaOutcome = { full: null };

/**
 * Sends a request that may add one memory to the workspace's monthly count, with a quota reservation if the tier has a
 * limit. If the month is full, `withOutcome` is told so, and the actor refuses the request: only the actor knows
 * whether the reservation is needed at all.
 */
export function withReservation<T>(
  { deps }: ServiceContext,
  whose: QuotaSubject,
  withOutcome: (outcome: QuotaOutcome) => Promise<T>,
): Promise<T> {
  const reservation = deps.quota.take(whose, 1);
  const send = (full: QuotaExceeded | null): Promise<T> => withOutcome({ full });
  if (reservation === null) return withOutcome(unreserved);
  return reservation instanceof Promise ? reservation.then((p) => p.during(send)) : reservation.during(send);
}

/*
 * Translates failures of the store into UNAVAILABLE, as src/service.ts promises. Queries read the store directly, so
 * this is done here for all of them.
 */

const translated = (error: unknown): unknown =>
  refusalOf(error) ?? (error instanceof StoreError ? storeUnavailable(error) : error);
/** For reads that happen after the call that they belong to has returned, as in streams. */
export const rethrowStoreFailure = (error: unknown): never => {
  throw translated(error);
};

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Returns the same calls, with the errors that they throw or reject with translated. */
export function withStoreFailures<T extends object>(calls: T): T {
  const wrapped = Object.entries(calls as Calls).map(([name, call]) => [
    name,
    (...args: never[]) => {
      try {
        const result = call(...args);
        return result instanceof Promise ? result.catch(rethrowStoreFailure) : result;
      } catch (error) {
        throw translated(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}

/* Following a run: its events, the text that its model writes, and its outcome, for who waits for it. */

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
export function eventsSeenBy<E extends RunUpdate>(caller: Caller, events: AsyncIterable<E>): AsyncIterable<E> {
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
