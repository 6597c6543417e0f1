/** Agent tokens (docs/api.md 2.4). */
import { listTokens, mintToken, revokeToken } from '../../src/commands/tokens.js';
import { page, post, remove, type Route } from './route.js';

const all = '/v1/agent-constellations/:id/tokens';

export const tokenRoutes: readonly Route[] = [
  post(all, mintToken, {
    status: 201,
    location: (token) => `/v1/agent-constellations/${token.agent_id}/tokens/${token.id}`,
  }),
  page(all, listTokens),
  remove(`${all}/:tokenId`, revokeToken, { removes: 'tokenId', revokes: true }),
];
