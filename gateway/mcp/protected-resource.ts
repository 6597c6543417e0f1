/**
 * Protected resource metadata (RFC 9728) of the MCP endpoints, where the operator names an authorization server
 * (docs/decisions/0017). The service takes keys and tokens of its own and no others: the authorization server belongs
 * to whatever stands before it, checks OAuth tokens, and passes requests on with a key.
 */
import type { ServerResponse } from 'node:http';
import { HivekeepError } from '../../src/domain/errors.js';
import { checkedAgent, originFor, type PublicAddress } from '../a2a/address.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import type { PageRoute } from '../pages/pages.js';
import { mcpAgentPath, mcpWorkspacePath } from './endpoint.js';

const wellKnown = '/.well-known/oauth-protected-resource';

export interface ProtectedResourceDeps extends PublicAddress {
  /** Null: there is no metadata, and nothing refers to it. */
  oauthIssuer: string | null;
  responder: Pick<Responder, 'json'>;
}

export function resourceRoutes(deps: ProtectedResourceDeps): PageRoute[] {
  const { oauthIssuer, responder } = deps;
  if (oauthIssuer === null) return [];
  const serve = (path: (req: GatewayRequest) => string) => (req: GatewayRequest, res: ServerResponse) => {
    const metadata = {
      resource: originFor(req, deps) + path(req),
      authorization_servers: [oauthIssuer],
      bearer_methods_supported: ['header'],
      resource_name: 'hivekeep',
    };
    // the metadata is public, and browser-based clients on other origins read it
    responder.json(req, res, 200, metadata, { 'Access-Control-Allow-Origin': '*' });
  };
  return [
    { method: 'GET', path: wellKnown + mcpWorkspacePath, serve: serve(() => mcpWorkspacePath) },
    {
      method: 'GET',
      path: wellKnown + mcpAgentPath,
      serve: serve((req) => mcpAgentPath.replace(':id', checkedAgent(req))),
    },
  ];
}

/** With 401 at an MCP endpoint: where its metadata is. */
export function challengeOf(
  req: GatewayRequest,
  refusal: unknown,
  deps: ProtectedResourceDeps,
): Record<string, string> | undefined {
  const path = /^\/mcp(\/agents\/[A-Za-z0-9_-]{1,128})?(?=\/?(\?|$))/.exec(req.url ?? '')?.[0];
  const isUnauthenticated = refusal instanceof HivekeepError && refusal.code === 'UNAUTHENTICATED';
  if (deps.oauthIssuer === null || path === undefined || !isUnauthenticated) return undefined;
  try {
    const metadata = originFor(req, deps) + wellKnown + path;
    return { 'WWW-Authenticate': `Bearer realm="hivekeep", resource_metadata="${metadata}"` };
  } catch {
    return undefined; // a host that metadata may not name
  }
}
