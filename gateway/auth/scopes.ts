/** What a principal may do: on REST, and at an agent's A2A endpoint (docs/api.md 5.1, 5.2). */
import { HivekeepError, notFound } from '../../src/domain/errors.js';
import type { Scope } from '../../src/domain/vocabulary.js';
import type { Caller, Principal } from '../../src/service.js';

/** The caller, when it is an API key that has the scope. An agent token opens its own agent's A2A endpoint and nothing else. */
export function requireScope(principal: Principal | null, scope: Scope): Principal {
  if (principal === null) throw unauthenticated();
  if (principal.kind === 'token')
    throw new HivekeepError(
      'INSUFFICIENT_SCOPE',
      "an agent token opens its own agent's A2A endpoint only: use an API key",
      { details: { required_scope: scope } },
    );
  return requireGranted(principal, scope);
}

/** The caller at the endpoint of `agent`: an API key, or a token of this agent. To another agent's token there is no such agent. */
export function openAgent(principal: Principal | null, agent: string): Caller {
  if (principal === null) throw unauthenticated();
  if (principal.kind === 'token' && principal.agent !== agent) throw notFound('agent', agent);
  return principal;
}

/** The caller, when it has the scope. */
export function requireGranted<C extends Caller | Principal>(caller: C, scope: Scope): C {
  if (caller.scopes.has(scope)) return caller;
  const what = 'kind' in caller && caller.kind === 'token' ? 'token' : 'key';
  throw new HivekeepError('INSUFFICIENT_SCOPE', `this ${what} lacks the scope ${scope}`, {
    details: { required_scope: scope },
  });
}

export const unauthenticated = (): HivekeepError =>
  new HivekeepError('UNAUTHENTICATED', 'send a valid API key: Authorization: Bearer svc_...');
