/** The routes below /api/v1/a2a (docs/api.md 4.2): each agent in the bindings of A2A, and its cards. */
import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from '../http/prototypes.js';
import { agentPath } from './address.js';
import { cardPaths, serveCard } from './card-routes.js';
import { serveExchange, type EndpointDeps } from './exchange.js';
import { httpBinding, httpOperations } from './http-json.js';
import { JsonRpc } from './json-rpc.js';

export interface A2aRoute {
  /** A path template, with colons that begin no parameter escaped; one trailing slash is ignored. */
  path: string;
  method: 'GET' | 'POST' | 'DELETE';
  serve: (req: GatewayRequest, res: ServerResponse) => void;
}

export function a2aRoutes(deps: EndpointDeps): readonly A2aRoute[] {
  return [
    {
      path: agentPath,
      method: 'POST',
      serve: serveExchange(deps, agentPath, (responder, req, res) => new JsonRpc(responder, req, res)),
    },
    ...httpOperations.map(({ method, path, operation }): A2aRoute => {
      const route = `${agentPath}/${path}`;
      return {
        path: route.replace(/(?<!\/):/g, '\\:'),
        method,
        serve: serveExchange(deps, route, httpBinding(operation)),
      };
    }),
    ...Array.from(cardPaths, ([name, make]): A2aRoute => {
      const path = `${agentPath}/${name}`;
      return { path, method: 'GET', serve: serveCard(path, make, deps) };
    }),
  ];
}
