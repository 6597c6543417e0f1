/** The context that all parts of the service share, and helpers for asking actors and for reading pages of lists. */
import { claimedKey } from '../../src/commands/claims.js';
import type { RunDecision } from '../../src/domain/model.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import type { TierLimits } from '../../src/limits/tiers.js';
import type { QuotaExceeded } from '../../src/domain/usage.js';
import { sizeOf, type StorageExceeded } from '../../src/domain/storage.js';
import { agentRef, type WorkspaceEntityRef } from '../../src/commands/entities.js';
import type { Services } from '../../src/commands/command.js';
import type { Caller } from '../../src/service.js';
import type { EntityRef } from '../../src/store/port.js';
import type { Powers } from '../../src/domain/powers.js';
import type { AgentOperations } from '../entities/agent/operations.js';
import { addsData, type UntypedAsk } from '../entities/ask.js';
import type { WorkspaceEntityOperations } from '../entities/workspace-entity/operations.js';
import type { AnswerOf, RequestOf, RequestOptions } from '../entities/operation.js';
import { type IdempotencyKey, ReplayedAnswer } from '../../src/commands/idempotency.js';
import type { QuotaSubject } from '../quota/monthly-quota.js';
import type { EntityDeps } from '../entities/deps.js';

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

/** Who decides, for those who see the run. */
export const deciderOf = ({ credentialId: id, name }: Caller): RunDecision['by'] => ({ id, name: name ?? null });

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
