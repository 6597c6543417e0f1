/** Agent tokens (docs/api.md 2.4). The secret is contained in the response to its creation and nowhere else. */
import { tokenInput } from '../../src/domain/inputs.js';
import { list, remove, write, type Route } from './route.js';

export const tokenRoutes: readonly Route[] = [
  write({
    operationId: 'mintToken',
    path: '/v1/agent-constellations/:id/tokens',
    scope: 'agent:manage',
    summary: 'Create a token for the A2A endpoint of an agent.',
    result: 'MintedToken',
    audited: true,
    body: tokenInput,
    status: 201,
    handle: async (service, { caller, params, body }) => {
      const { token, secret } = await service.mintToken(caller, params.id, body);
      return { ...token, token: secret };
    },
    location: (token) => `/v1/agent-constellations/${token.agent_id}/tokens/${token.id}`,
  }),
  list({
    operationId: 'listTokens',
    path: '/v1/agent-constellations/:id/tokens',
    scope: 'agent:manage',
    summary: 'List tokens, without their secrets.',
    result: 'AgentToken',
    handle: (service, { caller, params, page }) => service.listTokens(caller, params.id, page),
  }),
  remove({
    operationId: 'revokeToken',
    path: '/v1/agent-constellations/:id/tokens/:tokenId',
    scope: 'agent:manage',
    summary: 'Revoke a token.',
    removes: 'tokenId',
    revokes: true,
    audited: true,
    handle: (service, { caller, params }) => service.revokeToken(caller, params.id, params.tokenId),
  }),
];
