/**
 * An operation of the service, described once: who may ask for it, what it takes, what it does and what it answers. A
 * change is decided on by the entity that it changes, a query reads the store, and a procedure is made of both: it
 * waits, asks several entities, or makes what only its caller may see. REST, MCP and A2A parse requests and encode
 * answers; in between is `execute` (actors/engine/execute.ts), which knows commands and no noun.
 *
 * A change decides, creates its entity or removes it. It is carried out in this order:
 *  1. `prepare`, in the process that was asked: checks what has to be looked up outside of the entity, and returns what
 *     goes to the entity in place of the input, where that differs. What it refuses leaves no record.
 *  2. `read`, in the entity's actor, before anything is decided: what the decision has to know of the store.
 *  3. `decide`, the pure decision: changes the draft and returns the result, or throws a HivekeepError to refuse.
 *  4. The commit, with the record of the request if it may be repeated.
 *  5. `show`, in the process that was asked: what this caller sees of the result. A repeat is shown the recorded one.
 *
 * All commands and messages have one shape each, because objects of many shapes are slow on the path of a request.
 */
import type { z } from 'zod';
import type { Keyring } from '../secrets/keyring.js';
import type { RandomBytes } from '../secrets/api-keys.js';
import type { Push } from '../push/port.js';
import type { TierLimits } from '../limits/tiers.js';
import type { McpServers } from '../mcp/port.js';
import type { IdSource } from '../domain/shared/ids.js';
import type { AgentDraft } from '../domain/agent/agent-draft.js';
import type { AgentState, LiveRun, SessionState } from '../domain/agent/agent-state.js';
import type { Caller } from '../domain/shared/caller.js';
import type { MonotonicClock } from '../domain/shared/clock.js';
import type { Decided, Decision, Env, AuditNote } from '../domain/shared/draft.js';
import type { results } from '../domain/model/model.js';
import type { StorageExceeded } from '../domain/workspace/usage.js';
import type { Scope, AuditAction } from '../domain/shared/vocabulary.js';
import type { WorkspaceEntityDraft, WorkspaceEntityState } from '../domain/workspace/workspace-entity.js';
import type { EntityKind, EntityRef, Store } from '../store/port.js';
import type { IdempotencyKey } from './idempotency.js';

/** One request: by whom, for which thing (its ids, as in the path of its route), and what it says. */
export interface Call<N extends string = string, I = unknown, C = Caller> {
  readonly caller: C;
  readonly target: Target<N>;
  readonly input: I;
}
export type Target<N extends string = string> = Readonly<Record<N, string>>;

/** What a decision of each kind of entity changes, and what it is made on. */
interface Kinds {
  agent: { draft: AgentDraft; state: AgentState };
  hive: { draft: WorkspaceEntityDraft; state: WorkspaceEntityState };
  workspace: { draft: WorkspaceEntityDraft; state: WorkspaceEntityState };
}

/** What `read` is given of an agent beside what it is given of any entity. */
interface AgentReading {
  /** The run with what its next step needs. */
  run(id: string): Promise<LiveRun>;
  /** The same; null if it was deleted. */
  runIfKept(id: string): Promise<LiveRun | null>;
  /** A session as a new run of it needs to know it; null if there is none yet. */
  session(id: string): Promise<SessionState | null>;
}

/** What `read` is given of the entity. */
export type Reading<K extends EntityKind> = EntityReading<K> & (K extends 'agent' ? AgentReading : unknown);
interface EntityReading<K extends EntityKind> {
  readonly deps: { readonly store: Store; readonly clock: MonotonicClock };
  readonly entity: EntityRef;
  readonly state: Kinds[K]['state'];
  /** Runs a read after the commits in progress, so that it does not miss them. */
  settled<T>(read: () => T | Promise<T>): Promise<T>;
}

/** The types of what a command takes and answers, for `execute`; there is no such value. */
interface Typed<T, I, A> {
  readonly types?: { target: T; input: I; answer: A };
}

/** What the documents and adapters of all wires take from a command. */
interface Described {
  /** A verb and its object, which names the operation in generated clients and between processes. */
  readonly name: string;
  /** One sentence, for the documentation. */
  readonly summary: string;
  /** Null: any API key may. */
  readonly scope: Scope | null;
  /** The schema of the answer, or of one item of a list; null for what is asked for over A2A and MCP alone. */
  readonly result: keyof typeof results | null;
  /** What the audit log calls it; null for what changes nothing, and for what is told elsewhere (domain/workspace/audit.ts). */
  readonly audit: AuditAction | null;
}

type Rule = boolean | ((call: never) => boolean);

export interface Change<T = unknown, I = unknown, A = unknown> extends Described, Typed<T, I, A> {
  readonly kind: 'change';
  readonly of: EntityKind;
  /** The names of the ids of what is changed, as in the path of its route. */
  readonly target: readonly string[];
  /** What the body has to be; null if there is none. */
  readonly input: z.ZodType | null;
  /** The query parameters, which join the input: what names the changed thing beside its path. */
  readonly filter: Filter;
  readonly prepare: ((services: Services, call: never) => unknown) | null;
  readonly read: ((reading: never, call: never) => unknown) | null;
  /** Null for a change that creates its entity, or removes it. */
  readonly decide: ((draft: never, call: never, found: never) => unknown) | null;
  /** Makes the first decision of a new entity. */
  readonly create: ((id: string, call: never, env: Env) => Decision<unknown>) | null;
  /** The entity and all that it has go, by many commits; answered when nothing of it is left. */
  readonly removes: boolean;
  readonly show: ((result: never, call: never, services: Services) => unknown) | null;
  /** The part of the result that the record of the request keeps, as a JSON value; null: all of it. */
  readonly record: ((result: never, call: never) => unknown) | null;
  readonly key: ((call: never) => IdempotencyKey | undefined) | null;
  /** The entity, if `of` and `target.id` do not say it. */
  readonly at: ((call: never) => EntityRef) | null;
  readonly adds: Rule;
  readonly repeatable: Rule;
  /** What its record says beside what is known of any; null if the decision writes the record itself. */
  readonly noted: ((call: never) => Noted | null) | null;
}

/** What the audit says of one change: the id of what is changed, and how many things are. */
export interface Noted {
  target?: string;
  count?: number;
}

export interface Query<T = unknown, I = unknown, A = unknown> extends Described, Typed<T, I, A> {
  readonly kind: 'query';
  /** The names of the ids of what is asked for, as in the path of its route. */
  readonly target: readonly string[];
  /** The query parameters, besides those of pages. */
  readonly filter: Filter;
  readonly run: (services: Services, call: never) => Promise<unknown>;
}

export interface Procedure<T = unknown, I = unknown, A = unknown> extends Described, Typed<T, I, A> {
  readonly kind: 'procedure';
  readonly target: readonly string[];
  readonly input: z.ZodType | null;
  readonly filter: Filter;
  readonly run: (services: Services, call: never) => Promise<unknown>;
}

export type Command<T = unknown, I = unknown, A = unknown> = Change<T, I, A> | Query<T, I, A> | Procedure<T, I, A>;

/** What commands have to work with, whatever they are about. */
export interface Services {
  readonly store: Store;
  readonly clock: MonotonicClock;
  readonly ids: IdSource;
  readonly push: Push;
  readonly mcp: McpServers;
  /** Must be the same at every start on this store, and in all processes of a cluster. */
  readonly keyring: Keyring;
  readonly randomBytes: RandomBytes;
  /** The rate limits of API keys, which `getMe` shows. */
  readonly tiers: TierLimits;
  /** The names of the model servers of this process, which `getMe` shows. */
  readonly modelServers: readonly string[];
  readonly execute: Execute;
}

/**
 * Carries out a command, and resolves to what its caller is shown. A change that resolves is durable; one that rejects
 * has thrown a HivekeepError and changed nothing. Inputs have been validated; what depends on the state is checked by
 * the command. Everything is of the caller's workspace: anything in another workspace is NOT_FOUND.
 */
export interface Execute {
  <T, A>(caller: Caller, command: Command<T, NoInput, A>, target: NoInfer<T>): Promise<A>;
  <T, I, A>(caller: Caller, command: Command<T, I, A>, target: NoInfer<T>, input: NoInfer<I>): Promise<A>;
}

/** Query parameters by name, each read from a text. */
export type Filter = Readonly<Record<string, z.ZodType>>;
export type FilterOf<F extends Filter> = { [K in keyof F]?: z.infer<F[K]> };

/** What is given to a command that takes nothing but its target. */
type NoInput = Record<string, never> | undefined;
type InputOf<I, F extends Filter> = unknown extends I
  ? [keyof F] extends [never]
    ? NoInput
    : FilterOf<F>
  : I & FilterOf<F>;

interface ChangeSpec<C, K extends EntityKind, N extends string, I, P, F, R> {
  /** The kind of entity that is changed: the one whose id is `target.id`, or the workspace's desk. */
  of: K;
  /** The names of its ids, as in the path of its route. */
  target: readonly N[];
  prepare?(this: void, services: Services, call: Call<N, I, C>): P | Promise<P>;
  read?(this: void, reading: Reading<K>, call: Call<N, P, C>): F | Promise<F>;
  decide?(this: void, draft: Kinds[K]['draft'], call: Call<N, P, C>, found: F): R;
  create?(this: void, id: string, call: Call<N, P, C>, env: Env): Decision<Kinds[K]['state']> & { result: R };
  removes?: boolean;
  /** The part of the result that the record of the request keeps, as a JSON value; all of it, unless this is given. */
  record?(this: void, result: NoInfer<R>, call: Call<N, NoInfer<P>, C>): unknown;
  /** The key of its record, if that is not the client's. */
  key?(this: void, call: Call<N, NoInfer<P>, C>): IdempotencyKey | undefined;
  /** The entity, if it is another than that of `of` and `target.id`. */
  at?(this: void, call: Call<N, NoInfer<P>, C>): EntityRef;
  /** Whether it adds data, so that the storage limit applies to it; an agent can be stopped beyond the limit, too. */
  adds?: boolean | ((call: Call<N, P, C>) => boolean);
  /** Whether it may be sent again without a key, because the store or the request shows what is left to do. */
  repeatable?: boolean | ((call: Call<N, P, C>) => boolean);
  /** What its record in the audit says; null if the decision writes that itself, or there is to be none. */
  noted?(this: void, call: Call<N, P, C>): Noted | null;
}

/** A change that clients ask for. */
export const change = <K extends EntityKind, const N extends string, I = undefined, P = I, F = null, R = void, A = R>(
  spec: Described &
    ChangeSpec<Caller, K, N, I, P, F, R> & {
      input?: z.ZodType<I>;
      filter?: Filter;
      /** Where only its query parameters are its input. */
      takes?: Takes<I>;
      show?(this: void, result: R, call: Call<N, I>, services: Services): A;
    },
): Change<Target<N>, I, A> => made(spec.name, spec.summary, spec.scope, spec.result, spec.audit, spec);

/** Says the type of an input that no client sends: `takes: takes<Delivery>()`. */
export const takes = <I>(): Takes<I> => ({});
interface Takes<I> {
  readonly type?: I;
}

/** A change that a procedure makes for its caller. */
export const partialChange = <K extends EntityKind, const N extends string, I, F = null, R = void>(
  spec: { name: string; takes: Takes<I>; audit?: AuditAction } & Omit<ChangeSpec<Caller, K, N, I, I, F, R>, 'prepare'>,
): Change<Target<N>, I, R> => made(spec.name, '', null, 'Deleted', spec.audit ?? null, spec);

/** A change that one entity, or the service itself, asks another for. */
export const internalChange = <K extends EntityKind, const N extends string, I, F = null, R = void>(
  spec: { name: string; takes: Takes<I> } & Omit<ChangeSpec<null, K, N, I, I, F, R>, 'prepare'>,
): Change<Target<N>, I, R> => made(spec.name, '', null, 'Deleted', null, spec);

const noFilter: Filter = {};

function made<C, K extends EntityKind, N extends string, I, P, F, R, A>(
  name: string,
  summary: string,
  scope: Scope | null,
  result: keyof typeof results | null,
  audit: AuditAction | null,
  spec: ChangeSpec<C, K, N, I, P, F, R> & {
    input?: z.ZodType<I>;
    filter?: Filter;
    show?(this: void, result: R, call: Call<N, I, C>, services: Services): A;
  },
): Change<Target<N>, I, A> {
  return {
    kind: 'change',
    name,
    summary,
    scope,
    result,
    audit,
    of: spec.of,
    target: spec.target,
    input: spec.input ?? null,
    filter: spec.filter ?? noFilter,
    prepare: spec.prepare ?? null,
    read: spec.read ?? null,
    decide: spec.decide ?? null,
    create: spec.create ?? null,
    removes: spec.removes ?? false,
    show: spec.show ?? null,
    record: spec.record ?? null,
    key: spec.key ?? null,
    at: spec.at ?? null,
    adds: spec.adds ?? false,
    repeatable: spec.repeatable ?? false,
    noted: spec.noted ?? null,
  };
}

/** A query of one thing, or of a page of a list; the input is the filter, and the page where it is a list. */
export const query = <const N extends string, A, I = unknown, F extends Filter = Record<never, never>>(
  spec: Omit<Described, 'audit'> & {
    target: readonly N[];
    filter?: F;
    run(this: void, services: Services, call: Call<N, I & FilterOf<F>>): Promise<A>;
  },
): Query<Target<N>, InputOf<I, F>, A> => ({
  kind: 'query',
  name: spec.name,
  summary: spec.summary,
  scope: spec.scope,
  result: spec.result,
  audit: null,
  target: spec.target,
  filter: spec.filter ?? {},
  run: spec.run,
});

/** An operation of several steps; with a `filter` in place of a body for what is removed. */
export const procedure = <const N extends string, A, I = undefined, F extends Filter = Record<never, never>>(
  spec: Described & {
    target: readonly N[];
    input?: z.ZodType<I>;
    filter?: F;
    run(this: void, services: Services, call: Call<N, I & FilterOf<F>>): Promise<A>;
  },
): Procedure<Target<N>, I & FilterOf<F>, A> => ({
  kind: 'procedure',
  name: spec.name,
  summary: spec.summary,
  scope: spec.scope,
  result: spec.result,
  audit: spec.audit,
  target: spec.target,
  input: spec.input ?? null,
  filter: spec.filter ?? {},
  run: spec.run,
});

/** A change as it goes to the actor of its entity. */
export interface CommandMessage<A = unknown> extends Call<string, unknown, Caller | null> {
  readonly type: 'command';
  readonly command: Change<unknown, unknown, A>;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** The workspace may store nothing more: the entity refuses the change, unless it is a repeat. */
  readonly storageExceeded: StorageExceeded | undefined;
  /** What the audit says of it. */
  readonly audit: AuditNote | undefined;
  /** The trace that it belongs to, as a traceparent; only where it is traced (actors/entities/ask.ts). */
  readonly trace?: string;
}

export const commandMessage = <A>(
  command: Change<unknown, unknown, A>,
  caller: Caller | null,
  target: Target,
  input: unknown,
  idempotencyKey?: IdempotencyKey,
  storageExceeded?: StorageExceeded,
  audit?: AuditNote,
): CommandMessage<A> => ({
  type: 'command',
  command,
  caller,
  target,
  input,
  idempotencyKey,
  storageExceeded,
  audit,
});

/** The decision on a change, as the entity takes it. */
export const decided = (
  { name, decide }: Pick<Change, 'name' | 'decide'>,
  call: Pick<CommandMessage, 'caller' | 'target' | 'input'>,
  found: unknown,
): Decided<never> => ({
  type: 'decide',
  name,
  decide: (draft) => decide?.(draft, call as never, found as never),
});

export const isCommandMessage = (message: unknown): message is CommandMessage =>
  (message as { type?: unknown }).type === 'command';

export const holds = (rule: Rule, message: CommandMessage): boolean =>
  typeof rule === 'function' ? rule(message as never) : rule;
