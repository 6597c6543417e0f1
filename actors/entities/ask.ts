/** How entities are asked, wherever they live, and how the requests to them are treated on the way. */
import { type CommandMessage, holds as commandHolds, isCommandMessage } from '../../src/commands/command.js';
import type { AgentRef, WorkspaceEntityRef } from '../../src/commands/entities.js';
import type { EntityRef } from '../../src/store/port.js';
import type { Address } from '../runtime/port.js';
import { traceNow } from '../../src/telemetry/tracing.js';
import { type AgentOperations, agentOperations } from './agent/operations.js';
import { type WorkspaceEntityOperations, workspaceEntityOperations } from './workspace-entity/operations.js';
import {
  type AnswerOf,
  type AnyOperation,
  deletionPatienceMs,
  type Operations,
  type RequestOf,
  type Rules,
} from './operation.js';

/** What any entity can be asked. */
type SharedName = keyof AgentOperations & keyof WorkspaceEntityOperations;

/**
 * Sends a request to an entity's actor, whichever process runs it, and resolves with the answer; router.ts says for how
 * long it waits. The answer to a request with an idempotency key is a `ReplayedAnswer` if it had taken effect before.
 */
export interface Ask {
  <A>(entity: EntityRef, message: CommandMessage<A>, options?: { deadline?: number }): Promise<A>;
  <N extends keyof AgentOperations>(
    agent: AgentRef,
    request: { type: N } & RequestOf<AgentOperations, N>,
  ): Promise<AnswerOf<AgentOperations, N>>;
  <N extends keyof WorkspaceEntityOperations>(
    workspaceEntity: WorkspaceEntityRef,
    request: { type: N } & RequestOf<WorkspaceEntityOperations, N>,
  ): Promise<AnswerOf<WorkspaceEntityOperations, N>>;
  <N extends SharedName>(
    entity: EntityRef,
    request: { type: N } & RequestOf<AgentOperations, N> & RequestOf<WorkspaceEntityOperations, N>,
  ): Promise<AnswerOf<AgentOperations, N>>;
}

/** What carries requests without knowing them. */
export type UntypedAsk = (address: Address, request: unknown) => Promise<unknown>;

/** A request says to which trace it belongs, where it is traced. */
export const withTrace = (request: unknown): unknown => {
  const trace = traceNow();
  return trace === undefined ? request : { ...(request as object), trace };
};

const operations = (kind: Address['kind']): Operations =>
  kind === 'agent' ? agentOperations : workspaceEntityOperations;

/** The rules for this request; none for a request that its entity does not know. */
const rulesOf = ({ kind }: Pick<Address, 'kind'>, request: unknown): Rules<unknown> => {
  const known: AnyOperation | undefined = operations(kind)[(request as { type: string }).type];
  return (known as Rules<unknown> | undefined) ?? {};
};

const holds = (rule: Rules<unknown>['adds'], request: unknown): boolean =>
  typeof rule === 'function' ? rule(request) : rule === true;

export const addsData = (to: Pick<Address, 'kind'>, request: unknown): boolean =>
  isCommandMessage(request) ? commandHolds(request.command.adds, request) : holds(rulesOf(to, request).adds, request);
export const isRepeatable = (to: Pick<Address, 'kind'>, request: unknown): boolean =>
  isCommandMessage(request)
    ? commandHolds(request.command.repeatable, request)
    : holds(rulesOf(to, request).repeatable, request);
/** How long the answer is waited for at most, if that is not the usual time, ms. */
export const patienceMs = (request: unknown): number | undefined =>
  isCommandMessage(request) && request.command.removes ? deletionPatienceMs : undefined;
