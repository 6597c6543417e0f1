/**
 * Agent cards over HTTP (docs/api.md 2.6, 4.2; A2A 1.0, 8.2-8.6). The agent's URL, and `/card` and the well-known paths
 * of each A2A generation below it, serve one card that clients of every generation can read. With `A2A-Version: 1.0`
 * each path serves the strict card of 1.0.
 *
 * Invariants
 *  - A card is served to callers that may read the agent: a key with agent:read, or a token of this very agent. That of
 *    a public agent (public-cards.ts) is served to everybody; without a credential any other is 401, whether or not
 *    there is such an agent. Vary tells caches that it depends on the credential and the version.
 *  - A client whose copy is current gets 304 without a body.
 *  - Where the operator has set a key and a public URL, cards for 0.3 and 1.0 are signed (a2a/card-signature.ts), and
 *    its public half is at the origin that they name. A URL that follows the Host of a request is vouched for by
 *    nobody, so a card with one is not signed. A signature differs each time, so the ETag is one of the card without
 *    it.
 */
import { getAgent } from '../../src/commands/agents.js';
import type { ServerResponse } from 'node:http';
import { specCard, strictCard, supersetCard, type CardAgent } from '../../src/a2a/card.js';
import type { Service } from '../../src/service.js';
import type { Agent } from '../../src/domain/model/model.js';
import { openAgent, requireGranted, unauthenticated } from '../auth/bearer.js';
import type { Endpoint, GatewayRequest } from '../http/prototypes.js';
import { etagOf, matchesEtag } from '../http/etag.js';
import type { Responder } from '../http/responder.js';
import { checkedAgent, urlOfAgent } from './address.js';
import { type CardSigning, signed, versionOf } from './signed-cards.js';
import type { PublicAgents } from './public-cards.js';

export interface CardDeps extends CardSigning {
  /** Null: there are no public cards. */
  publicAgents: PublicAgents | null;
  service: Pick<Service, 'execute'>;
  responder: Responder;
}

type MakeCard = (agent: CardAgent, url: string) => object;

/** Relative to the agent's URL. */
export const cardPaths: ReadonlyMap<string, MakeCard> = new Map([
  ['', supersetCard],
  ['card', specCard],
  ['.well-known/agent.json', supersetCard],
  ['.well-known/agent-card.json', supersetCard],
]);

export function serveCard(make: MakeCard, deps: CardDeps): Endpoint['serve'] {
  const { service, responder } = deps;
  return async (req, res) => {
    const id = checkedAgent(req);
    const principal = req.exchange?.principal ?? null;
    const caller = principal && requireGranted(openAgent(principal, id), 'agent:read');
    const agent = caller === null ? await publicAgent(deps, id) : await service.execute(caller, getAgent, { id }, {});
    const version = versionOf(req);
    const url = urlOfAgent(req, deps, id);
    const card = version === '1.0' ? strictCard(agent, url) : make(agent, url);
    const isSigned = deps.cardSigner !== null && deps.publicUrl !== '' && (version === '1.0' || make !== specCard);
    const tag = etagOf(JSON.stringify(isSigned ? [card, deps.cardSigner?.kid] : card));
    const headers = {
      ETag: isSigned ? `W/${tag}` : tag,
      'Last-Modified': new Date(agent.updated_at).toUTCString(),
      'Cache-Control': 'private, max-age=60',
      Vary: varyOf(res),
    };
    if (matchesEtag(req.headers['if-none-match'], tag)) responder.empty(req, res, 304, headers);
    else {
      const body = JSON.stringify(isSigned ? await signed(req, deps, card, agent, url) : card);
      responder.text(req, res, 200, 'application/json; charset=utf-8', body, headers);
    }
  };
}

const cardPath = /^\/api\/v1\/a2a\/agents\/[\w-]{1,128}(\/(card|\.well-known\/agent(-card)?\.json)?)?(\?|$)/;

/** Whether a request without a credential may go on to a card, which is served to it if its agent is public. */
export const readsCard = ({ method, url = '', headers }: GatewayRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  headers['x-api-key'] === undefined &&
  cardPath.test(url);

async function publicAgent({ publicAgents }: CardDeps, id: string): Promise<Agent> {
  const agents = publicAgents === null ? [] : await publicAgents().agents;
  const found = agents.find((agent) => agent.id === id);
  if (!found) throw unauthenticated();
  return found;
}

/** Adds to the Vary header that CORS may have set already (http/cors.ts). */
function varyOf(res: ServerResponse): string {
  const known = res.getHeader('Vary');
  return typeof known === 'string' ? `A2A-Version, Authorization, ${known}` : 'A2A-Version, Authorization';
}
