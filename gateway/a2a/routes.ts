/** The routes below /api/v1/a2a (docs/api.md 4.2): each agent's JSON-RPC endpoint and its cards. */
import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from '../http/prototypes.js';
import { agentPath } from './address.js';
import { cardPaths, serveCard } from './card-routes.js';
import { serveRpcEndpoint, type EndpointDeps } from './endpoint.js';

export interface A2aRoute {
  /** A path template; one trailing slash is ignored. */
  path: string;
  method: 'GET' | 'POST';
  serve: (req: GatewayRequest, res: ServerResponse) => void;
}

export function a2aRoutes(deps: EndpointDeps): readonly A2aRoute[] {
  return [
    { path: agentPath, method: 'POST', serve: serveRpcEndpoint(deps) },
    ...Array.from(cardPaths, ([name, make]): A2aRoute => {
      const path = `${agentPath}/${name}`;
      return { path, method: 'GET', serve: serveCard(path, make, deps) };
    }),
  ];
}
