/** What a principal may do on REST (design, sections 6 and 11). */
import { HivekeepError } from '../../src/domain/errors.js';
import type { Scope } from '../../src/domain/model.js';
import type { Caller, Principal } from '../../src/service.js';

/** The caller, when it is an API key that has the scope. An agent token opens its own agent's A2A endpoint and nothing else. */
export function requireScope(principal: Principal | null, scope: Scope): Caller {
  if (principal === null) throw unauthenticated();
  if (principal.kind === 'token') throw new HivekeepError('INSUFFICIENT_SCOPE', 'an agent token opens its own agent\'s A2A endpoint only: use an API key', { details: { required_scope: scope } });
  if (!principal.scopes.has(scope)) throw new HivekeepError('INSUFFICIENT_SCOPE', `this key lacks the scope ${scope}`, { details: { required_scope: scope } });
  return principal;
}

export const unauthenticated = (): HivekeepError =>
  new HivekeepError('UNAUTHENTICATED', 'send a valid API key: Authorization: Bearer svc_...');
