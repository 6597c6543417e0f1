/** The endpoints below /api/v1/a2a (docs/api.md 4.2): each agent in the bindings of A2A, and its cards. */
import type { Endpoint } from '../http/endpoint.js';
import { agentPath } from './address.js';
import { type CardDeps, cardPaths, serveCard } from './card-routes.js';
import { serveExchange, type EndpointDeps } from './exchange.js';
import { httpBinding, httpOperations } from './http-json.js';
import { JsonRpc } from './json-rpc.js';

export const a2aRoutes = (deps: EndpointDeps & Pick<CardDeps, 'publicAgents'>): Endpoint[] => [
  {
    path: agentPath,
    method: 'POST',
    serve: serveExchange(deps, (responder, req, res) => new JsonRpc(responder, req, res)),
  },
  ...httpOperations.map(({ method, path, operation }): Endpoint => ({
    path: `${agentPath}/${path}`.replace(/(?<!\/):/g, '\\:'),
    method,
    serve: serveExchange(deps, httpBinding(operation)),
  })),
  ...Array.from(cardPaths, ([name, make]): Endpoint => ({
    path: name === '' ? agentPath : `${agentPath}/${name}`,
    method: 'GET',
    serve: serveCard(make, deps),
  })),
];
