/**
 * What can be asked of a kind of entity, one operation for each type of request: what the request carries, what is read
 * for it, the command that is decided on, how it is answered, and how others have to treat it. The operations of agents
 * are in agent/operations.ts, those of hives and desks in workspace-entity/operations.ts, and those that all of them
 * share in memory-operations.ts.
 */
import type { RunRecord } from '../../src/domain/agent/agent-state.js';
import type { CommandOf, ResultOf, AuditNote } from '../../src/domain/shared/draft.js';
import type { StorageExceeded } from '../../src/domain/workspace/usage.js';
import type { IdempotencyKey } from '../../src/commands/idempotency.js';
import type { AwaitedAnswer } from './agent/run-answers.js';

/** How long the caller of a deletion waits at most, ms: there may be a lot of data to remove. */
export const deletionPatienceMs = 600_000;

/** How an operation is treated by those who pass its requests on. */
export interface Rules<Q> {
  /** Whether it adds data, so that the storage limit applies to it; an agent can be stopped beyond the limit, too. */
  adds?: boolean | ((request: Q) => boolean);
  /** Whether it is idempotent without an idempotency key, because the store or the request shows what is left to do. */
  repeatable?: boolean | ((request: Q) => boolean);
}

/** How the result of a decision becomes the answer. */
export interface Answers<E, Q, R, A> {
  /** Makes the answer; without it, the result is the answer. */
  answer?(this: void, result: R, request: Q): A;
  /** The answer shows the run once it has settled, or as it is when the request has waited for long enough. */
  awaits?: {
    run(this: void, result: R): RunRecord;
    answer(this: void, awaited: AwaitedAnswer, result: R, request: Q): A;
  };
  /** The part of the answer that the idempotency record keeps, as a JSON value; without it, the result. */
  record?(this: void, result: R, request: Q): unknown;
  /** Makes the answer to a repeated command from its record; null if the request is not a repeat after all. */
  repeat?(this: void, entity: E, recorded: unknown, request: Q): Promise<{ answer: A } | null>;
}

/** `E`: what it reads from; `C`: the commands of the entity; `Q`: the request; `A`: the answer. */
export interface Operation<E = never, C = unknown, Q = never, A = unknown> extends Rules<Q>, Answers<E, Q, never, A> {
  /**
   * Reads what the decision needs, and returns the command; throws or rejects to refuse the request. Without it, the
   * request is the command.
   */
  read?(this: void, entity: E, request: Q): C | Promise<C>;
  /** The entity handles the request itself, and answers it when all of its work is done. */
  isWork?: true;
}

interface Settling {
  settled<R>(read: () => Promise<R>): Promise<R>;
}

/** Makes operations of an entity with these commands, whose reads are given `E`. */
export const operationsWith = <T extends object, E extends Settling>() => ({
  /** The request is the command. */
  plain: <N extends keyof T & string, A = ResultOf<T, N>>(
    _command: N,
    rules: Rules<Omit<CommandOf<T, N>, 'type'>> & Answers<E, Omit<CommandOf<T, N>, 'type'>, ResultOf<T, N>, A> = {},
  ): Operation<E, CommandOf<T>, Omit<CommandOf<T, N>, 'type'>, A> => rules,

  /** The command is made of the request and of what is read. */
  reading: <N extends keyof T & string, Q, A = ResultOf<T, N>>(
    _command: N,
    read: (entity: E, request: Q) => CommandOf<T, N> | Promise<CommandOf<T, N>>,
    rules: Rules<Q> & Answers<E, Q, ResultOf<T, N>, A> = {},
  ): Operation<E, CommandOf<T>, Q, A> => ({ ...rules, read }),

  /** Besides its type, the command is what is read once the commits in progress are through, so that it misses none. */
  looking: <N extends keyof T & string, Q, A = ResultOf<T, N>>(
    command: N,
    look: (entity: E, request: Q) => Promise<Omit<CommandOf<T, N>, 'type'>>,
    rules: Rules<Q> & Answers<E, Q, ResultOf<T, N>, A> = {},
  ): Operation<E, CommandOf<T>, Q, A> => ({
    ...rules,
    read: (e, request) => e.settled(async () => ({ ...(await look(e, request)), type: command }) as CommandOf<T, N>),
  }),

  work: <Q, A>(rules: Rules<Q> = {}): Operation<E, CommandOf<T>, Q, A> => ({ ...rules, isWork: true }),
});

export type AnyOperation = Operation<never, unknown, never, unknown>;
export type Operations = Readonly<Record<string, AnyOperation>>;

/** What any request may carry besides its type and the fields of its operation. */
export interface RequestOptions {
  idempotencyKey?: IdempotencyKey | undefined;
  storageExceeded?: StorageExceeded;
  /** What the audit says of it. */
  audit?: AuditNote | undefined;
  /** The trace that it belongs to, as a traceparent. */
  trace?: string;
}

/** A message of an entity's actor, whichever it is. */
export type AnyMessage = { readonly type: string } & RequestOptions;

type FieldsOf<O> = O extends Operation<never, unknown, infer Q> ? Q : never;

/** A request of type `N` to an entity with these operations. */
export type RequestOf<O, N extends keyof O = keyof O> = {
  [K in N]: { type: K } & FieldsOf<O[K]> & RequestOptions;
}[N];
/** The answer to it. */
export type AnswerOf<O, N extends keyof O> = O[N] extends Operation<never, unknown, never, infer A> ? A : never;
