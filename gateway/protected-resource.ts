/**
 * Protected resource metadata (RFC 9728), where the operator names an authorization server (docs/decisions/0017): of
 * the service, and of the MCP and A2A endpoints. Where the service takes no access tokens itself, a proxy before it
 * does so for MCP, and the metadata is of these endpoints alone.
 */
import type { ServerResponse } from 'node:http';
import { HivekeepError } from '../src/domain/shared/errors.js';
import { scopes, type Scope } from '../src/domain/shared/vocabulary.js';
import { agentPath, checkedAgent, originFor, type PublicAddress } from './a2a/address.js';
import type { Endpoint, GatewayRequest } from './http/prototypes.js';
import type { Responder } from './http/responder.js';
import { mcpAgentPath, mcpWorkspacePath } from './mcp/endpoint.js';

const wellKnown = '/.well-known/oauth-protected-resource';

export interface ProtectedResourceDeps extends PublicAddress {
  /** Null: there is no metadata, and nothing refers to it. */
  oauthIssuer: string | null;
  takesAccessTokens: boolean;
  responder: Pick<Responder, 'json'>;
}

/** Clients ask a person for all scopes that are named. What administers is left to those who ask for it by name. */
const forAssistants: readonly Scope[] = scopes.filter(
  (scope) => scope !== 'agent:manage' && scope !== 'usage:read' && scope !== 'workspace:admin',
);

export function resourceRoutes(deps: ProtectedResourceDeps): Endpoint[] {
  const { oauthIssuer, takesAccessTokens, responder } = deps;
  if (oauthIssuer === null) return [];
  const route = (template: string): Endpoint => ({
    method: 'GET',
    path: wellKnown + template,
    serve(req: GatewayRequest, res: ServerResponse) {
      const path = template.includes(':id') ? template.replace(':id', checkedAgent(req)) : template;
      const metadata = {
        resource: originFor(req, deps) + path,
        authorization_servers: [oauthIssuer],
        ...(takesAccessTokens && { scopes_supported: scopesAt(template) }),
        bearer_methods_supported: ['header'],
        resource_name: 'hivekeep',
      };
      // the metadata is public, and browser-based clients on other origins read it
      responder.json(req, res, 200, metadata, { 'Access-Control-Allow-Origin': '*' });
    },
  });
  return [route(mcpWorkspacePath), route(mcpAgentPath), ...(takesAccessTokens ? [route(''), route(agentPath)] : [])];
}

/** The scopes that the metadata of a resource names. */
const scopesAt = (path: string): readonly Scope[] => (path === '' ? scopes : forAssistants);

const agentEndpoint = '/agents/[A-Za-z0-9_-]{1,128}';
const ofMcp = new RegExp(`^/mcp(${agentEndpoint})?(?=/?(\\?|$))`);
const ofA2a = new RegExp(`^/api/v1/a2a${agentEndpoint}(?=[/?]|$)`);

/**
 * With 401: where the metadata of what was asked is, for which scopes a client may ask, and whether the token that it
 * sent is what was refused (RFC 6750, 3.1).
 */
export function challengeOf(
  req: GatewayRequest,
  refusal: unknown,
  deps: ProtectedResourceDeps,
): Record<string, string> | undefined {
  const url = req.url ?? '';
  const path = ofMcp.exec(url)?.[0] ?? (deps.takesAccessTokens ? (ofA2a.exec(url)?.[0] ?? '') : undefined);
  const isUnauthenticated = refusal instanceof HivekeepError && refusal.code === 'UNAUTHENTICATED';
  if (deps.oauthIssuer === null || path === undefined || !isUnauthenticated) return undefined;
  try {
    const metadata = originFor(req, deps) + wellKnown + path;
    const parts = [
      'realm="hivekeep"',
      ...(req.headers.authorization === undefined ? [] : ['error="invalid_token"']),
      ...(deps.takesAccessTokens ? [`scope="${scopesAt(path).join(' ')}"`] : []),
      `resource_metadata="${metadata}"`,
    ];
    return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` };
  } catch {
    return undefined; // a host that metadata may not name
  }
}
