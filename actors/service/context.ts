/** The context that all parts of the service share, and helpers for asking actors and for reading pages of lists. */
import type { AuditActor } from '../../src/domain/audit.js';
import { HivekeepError, invalid, notFound } from '../../src/domain/errors.js';
import { scopes, type Scope, type TokenScope } from '../../src/domain/vocabulary.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import type { TierLimits } from '../../src/limits/tiers.js';
import type { QuotaExceeded } from '../../src/domain/usage.js';
import { homeOf } from '../../src/domain/sandbox.js';
import { sizeOf, type StorageExceeded } from '../../src/domain/storage.js';
import { idsFrom, type IdKind } from '../../src/domain/ids.js';
import type { Caller, CreatedFilter, PageOf, PageRequest } from '../../src/service.js';
import { type EntityKind, isDeleting } from '../../src/domain/documents.js';
import type { CollectionName } from '../../src/store/collections.js';
import type { EntityRef, Head, Listed, ListQuery, Position } from '../../src/store/port.js';
import type { Powers } from '../../src/domain/powers.js';
import type { AgentOperations } from '../entities/agent/operations.js';
import { addsData, type AgentRef, type WorkspaceEntityRef, type UntypedAsk } from '../entities/ask.js';
import type { WorkspaceEntityOperations } from '../entities/workspace-entity/operations.js';
import type { AnswerOf, RequestOf, RequestOptions } from '../entities/operation.js';
import {
  type IdempotencyKey,
  idempotencyMismatch,
  idempotencyRecordMs,
  ReplayedAnswer,
} from '../entities/idempotency.js';
import type { QuotaSubject } from '../quota/monthly-quota.js';
import type { EntityDeps } from '../entities/deps.js';

/** The dependencies of entities, without those that only an entity's own actor has. */
export type ServiceDeps = Omit<EntityDeps, 'indexes' | 'wakeLater' | 'takeGivenUp' | 'giveUp'>;

export interface ServiceContext {
  deps: ServiceDeps;
  /** How long a direct message waits for its run to settle, ms. */
  messageWaitMs: number;
  /** How much the files of one message may have together. */
  filesMaxBytes: number;
  heartbeatMs: number;
  /** The rate limits of API keys, which `me` shows. */
  tiers: TierLimits;
  randomBytes: (n: number) => Uint8Array;
  /** Must be the same at every start on this store, and in all processes of a cluster. */
  keyring: Keyring;
}

/** The actor to record in the audit trail for a change by this caller. */
export const auditActorOf = ({ credentialId: actor, from }: Caller): AuditActor => ({ actor, from: from ?? null });

/**
 * A key cannot grant scopes that it does not have: VALIDATION_ERROR on `scopes`. `agent:mcp` only says where a token is
 * accepted, and gives it nothing else.
 */
export function checkGranted(caller: Caller, granted: readonly TokenScope[]): void {
  const beyond = granted.filter((s) => s !== 'agent:mcp' && !caller.scopes.has(s));
  if (beyond.length > 0)
    throw invalid({
      path: 'scopes',
      message: `must be among the scopes of the key that mints it, which has no ${beyond.join(', ')}`,
    });
}

/** The scopes of a key, in the order of the vocabulary. */
export const keyScopes = (caller: Caller): Scope[] => scopes.filter((scope) => caller.scopes.has(scope));

/** Credentials created by an expiring key expire no later than that key: VALIDATION_ERROR if a later time is given. */
export function expiryWithin(caller: Caller, wanted: string | null | undefined): string | null {
  const end = caller.expires_at;
  if (end === undefined || (wanted && Date.parse(wanted) <= Date.parse(end))) return wanted ?? null;
  if (wanted)
    throw invalid({ path: 'expires_at', message: `must not be after ${end}, when the key that mints it expires` });
  return end;
}

export const agentRef = (caller: { workspace: string }, id: string): AgentRef => ({
  workspace: caller.workspace,
  kind: 'agent',
  id,
});
export const hiveRef = (caller: { workspace: string }, id: string): EntityRef<'hive'> => ({
  workspace: caller.workspace,
  kind: 'hive',
  id,
});
export const deskRef = (caller: { workspace: string }): EntityRef<'workspace'> => ({
  workspace: caller.workspace,
  kind: 'workspace',
  id: caller.workspace,
});

/** The desk that stores the keys a caller can see. A sandbox's keys are stored at its workspace's desk (Sandbox.S2). */
export const keyDesk = (caller: { workspace: string }): WorkspaceEntityRef =>
  deskRef({ workspace: homeOf(caller.workspace) });

/**
 * Sends a request to the actor of an agent (by its id) or of another entity, and resolves to its answer. If the request
 * adds data and the storage limit is exceeded, the actor is told so and refuses it: only the actor can still give a
 * repeated command its first answer.
 */
export function ask<N extends keyof AgentOperations>(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  request: { type: N } & RequestOf<AgentOperations, N>,
): Promise<AnswerOf<AgentOperations, N>>;
export function ask<N extends keyof WorkspaceEntityOperations>(
  c: ServiceContext,
  caller: Caller,
  workspaceEntity: WorkspaceEntityRef,
  request: { type: N } & RequestOf<WorkspaceEntityOperations, N>,
): Promise<AnswerOf<WorkspaceEntityOperations, N>>;
export function ask<N extends keyof AgentOperations & keyof WorkspaceEntityOperations>(
  c: ServiceContext,
  caller: Caller,
  entity: EntityRef,
  request: { type: N } & RequestOf<AgentOperations, N> & RequestOf<WorkspaceEntityOperations, N>,
): Promise<AnswerOf<AgentOperations, N>>;
export function ask(
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

/**
 * The same for a command whose body names the entity that handles it: the entity claims the key in the workspace's
 * name, so that a repeat with a different body is refused even if that body names another entity (Idempotency.Y3).
 */
export function withClaimedKey(caller: Caller): { idempotencyKey: IdempotencyKey } | undefined {
  if (!caller.idempotencyKey) return undefined;
  const { id, bodyHash } = caller.idempotencyKey;
  return { idempotencyKey: { id, bodyHash, claims: id } };
}

/** What the caller may make an agent do, to be sent with everything that starts or continues a run (Powers.P2). */
export const withPowers = ({ powers }: Caller): { powers: Powers } | undefined => powers && { powers };

/**
 * For a command that creates an entity or has to find one: first records the command's parameters, so that a repeat of
 * the command uses the same. The record is the workspace's, but no actor writes it (`claim` of the store).
 */
export async function reserve<T>({ deps }: ServiceContext, caller: Caller, result: T): Promise<T> {
  if (!caller.idempotencyKey) return result;
  const { store, clock } = deps;
  const { id, bodyHash } = caller.idempotencyKey;
  const now = clock.now();
  const record = { id, bodyHash, result, expiresAt: now + idempotencyRecordMs };
  const kept = (await store.claim(deskRef(caller), record, now)) ?? record;
  if (kept.bodyHash !== bodyHash) throw idempotencyMismatch();
  return kept.result as T;
}

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

/** Throws NOT_FOUND for an id of another kind or workspace. */
export async function headOf<K extends EntityKind>(
  { deps: { store } }: ServiceContext,
  entity: EntityRef<K>,
): Promise<Head<K>> {
  const head = await store.head(entity);
  if (!head || head.deleted || isDeleting(head.snapshot)) throw notFound(entity.kind, entity.id);
  return head;
}

/** The approximate maximum size of a page in bytes; a page has at least one item. */
export const pageBytes = 1024 * 1024;

/** Returns as many of the first items as fit in a page, but at least one. */
export function fitting<T>(items: readonly T[], bytesOf: (item: T) => number): T[] {
  let bytes = 0;
  const end = items.findIndex((item, i) => (bytes += bytesOf(item)) > pageBytes && i > 0);
  return items.slice(0, end < 0 ? items.length : end);
}

/** The number up to which lists without a maintained count are counted. */
const countLimit = 10_000;

export type ListSelection<C extends CollectionName> = Omit<
  ListQuery<C>,
  'order' | 'limit' | 'maxBytes' | 'after' | 'offset'
>;

/** Reads a page of a list. Pass `total` if the size of the list is known; otherwise items are counted, up to 10,000. */
export async function pageOf<T, C extends CollectionName>(
  { deps: { store } }: ServiceContext,
  wanted: ListSelection<C>,
  page: PageRequest,
  total: number | null,
  show: (item: Listed<C>) => T | Promise<T>,
): Promise<PageOf<T>> {
  const [found, counted] = await Promise.all([
    store.list({
      ...wanted,
      order: page.order,
      limit: page.limit,
      maxBytes: pageBytes,
      ...(page.after && { after: page.after }),
      ...(page.offset !== undefined && { offset: page.offset }),
    }),
    total === null ? store.count(wanted, countLimit).then((c) => c.count) : total,
  ]);
  // the next page would count the offset from here again
  if (page.offset !== undefined && found.items.length === 0 && found.next !== null)
    throw invalid({ path: 'offset', message: 'reaches beyond what a page looks at with these filters: use cursor' });
  return { items: await Promise.all(found.items.map(show)), next: found.next, total: counted };
}

/** The part of a list by creation (by the times in ids) that a filter asks for. */
export function createdRange(
  kind: IdKind,
  { created_after: after, created_before: before }: CreatedFilter,
): { from?: Position; until?: Position } {
  return {
    ...(after !== undefined && { from: [idsFrom(kind, Date.parse(after))] }),
    ...(before !== undefined && { until: [idsFrom(kind, Date.parse(before))] }),
  };
}

/** The name of the list to read: ordered by update if the page asks for that, and otherwise by creation. */
export const listFor = <L extends string>(page: PageRequest, updated: L): L | 'created' =>
  page.sort === 'updated_at' ? updated : 'created';

export const isNotFound = (error: unknown): boolean => error instanceof HivekeepError && error.code === 'NOT_FOUND';
