/** Authorization of principals on REST and at an agent's A2A endpoint (docs/api.md 5.1, 5.2). */
import { HivekeepError, notFound } from '../../src/domain/errors.js';
import type { Scope, TokenScope } from '../../src/domain/vocabulary.js';
import type { Caller, Principal } from '../../src/service.js';

/**
 * Returns the caller if it is an API key with the scope, or an access token for the whole workspace; with null,
 * whatever its scopes. A token of agents gives access to their endpoints only.
 */
export function requireScope(principal: Principal | null, scope: Scope | null): Principal {
  if (principal === null) throw unauthenticated();
  if (agentsOf(principal) !== null)
    throw new HivekeepError(
      'INSUFFICIENT_SCOPE',
      "an agent token opens its own agent's A2A endpoint only: use an API key",
      { details: { ...(scope !== null && { required_scope: scope }) } },
    );
  return scope === null ? principal : requireGranted(principal, scope);
}

/**
 * Returns the caller at the endpoint of `agent`: one of the whole workspace, or a token of this agent. A token of
 * another agent gets NOT_FOUND.
 */
export function openAgent(principal: Principal | null, agent: string): Caller {
  if (principal === null) throw unauthenticated();
  if (agentsOf(principal)?.has(agent) === false) throw notFound('agent', agent);
  return principal;
}

/** The agents that the credential is for; null are all of its workspace. */
const agentsOf = (principal: Principal): ReadonlySet<string> | null =>
  principal.kind === 'token' ? new Set([principal.agent]) : principal.kind === 'access' ? principal.agents : null;

/** Returns the caller if it has the scope. */
export function requireGranted<C extends Caller | Principal>(caller: C, scope: TokenScope): C {
  if (caller.scopes.includes(scope)) return caller;
  const kindName = 'kind' in caller && caller.kind !== 'key' ? 'token' : 'key';
  throw new HivekeepError('INSUFFICIENT_SCOPE', `this ${kindName} lacks the scope ${scope}`, {
    details: { required_scope: scope },
  });
}

export const unauthenticated = (): HivekeepError =>
  new HivekeepError('UNAUTHENTICATED', 'send a valid API key: Authorization: Bearer svc_...');
