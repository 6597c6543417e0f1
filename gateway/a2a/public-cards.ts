/**
 * Cards for everybody, where the operator names a workspace for that: of its active agents with `config.card.public`,
 * at the agent's own paths (card-routes.ts), at the origin as an AI Catalog (`/.well-known/ai-catalog.json`,
 * ai-catalog.io), which also has the cards of their MCP servers, and where there is one such agent also as the card of
 * the origin (A2A 1.0, 8.2). Nothing is told of any other agent, and calling one needs a credential as ever.
 *
 * Invariants
 *  - The agents are read, and the catalogue is made, at most once in `keptMs`, however many ask, a few agents in a turn
 *    of the event loop. A card is told for as long at most after it ceased to be public.
 *  - Cards of agents are in the catalogue as long as they fit into `inlineBytes`; those of further agents are named by
 *    their addresses.
 */
import { listPublicAgents } from '../../src/commands/agents.js';
import type { PageOf } from '../../src/commands/lists.js';
import { setImmediate } from 'node:timers/promises';
import { strictCard, supersetCard } from '../../src/a2a/card.js';
import { serverCard, serverCardType } from '../../src/mcp/server-card.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { Agent } from '../../src/domain/model/model.js';
import type { Caller, PageRequest, Service } from '../../src/service.js';
import type { Endpoint, GatewayRequest } from '../http/prototypes.js';
import { mcpUrlOfAgent, urlOfAgent } from './address.js';
import type { Responder } from '../http/responder.js';
import { type CardSigning, signed, versionOf } from './signed-cards.js';

const keptMs = 10_000;
const inlineBytes = 256 * 1024;
/** Agents whose entries are made in one turn. */
const slice = 16;
/** The first so many agents are in the catalogue. */
const mostListed = 1000;
/** Addresses under which the service is known; of further ones the catalogue is made each time. */
const mostCatalogs = 16;

interface PublicAgentDeps {
  /** The workspace whose agents may be public. */
  publicCards: string;
  service: Pick<Service, 'execute'>;
  clock: Pick<Clock, 'now'>;
}

interface ReadAgents {
  agents: Promise<Agent[]>;
  /** By the version and the address that were asked for. */
  catalogs: Map<string, Promise<Buffer>>;
}

/** The public agents, as they were read at most `keptMs` ago. */
export type PublicAgents = () => ReadAgents;

export function createPublicAgents({ publicCards: workspace, service, clock }: PublicAgentDeps): PublicAgents {
  const caller: Caller = {
    workspace,
    credentialId: 'public cards',
    tier: 'enterprise',
    scopes: ['agent:read'],
  };
  let kept: (ReadAgents & { at: number }) | undefined;
  return () => {
    if (kept !== undefined && Math.abs(clock.now() - kept.at) < keptMs) return kept;
    const reading = { agents: readPublic(service, caller), at: clock.now(), catalogs: new Map() };
    kept = reading;
    reading.agents.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return reading;
  };
}

export interface PublicCardDeps extends CardSigning {
  /** Null: there are no public cards. */
  publicAgents: PublicAgents | null;
  responder: Responder;
}

export function publicCardRoutes(deps: PublicCardDeps): Endpoint[] {
  const { publicAgents: read, responder } = deps;
  if (read === null) return [];
  const catalogFor = (req: GatewayRequest): Promise<Buffer> => {
    const { agents, catalogs } = read();
    const address = `${versionOf(req)} ${urlOfAgent(req, deps, '')}`;
    const made = catalogs.get(address);
    if (made) return made;
    const catalog = agents.then((listed) => catalogOf(req, listed));
    if (catalogs.size < mostCatalogs) {
      catalogs.set(address, catalog);
      catalog.catch(() => catalogs.delete(address));
    }
    return catalog;
  };
  const headers = {
    'Cache-Control': `public, max-age=${keptMs / 1000}`,
    'Access-Control-Allow-Origin': '*',
    Vary: 'A2A-Version',
  };
  const cardOf = (req: GatewayRequest, agent: Agent): Promise<object> => {
    const url = urlOfAgent(req, deps, agent.id);
    const make = versionOf(req) === '1.0' ? strictCard : supersetCard;
    return signed(req, deps, make(agent, url), agent, url);
  };
  const catalogOf = async (req: GatewayRequest, agents: readonly Agent[]): Promise<Buffer> => {
    const entries: Buffer[] = [];
    let inline = 0;
    for (const [i, agent] of agents.entries()) {
      if (i % slice === 0) await setImmediate();
      const url = urlOfAgent(req, deps, agent.id);
      const card = inline < inlineBytes ? Buffer.from(JSON.stringify(await cardOf(req, agent))) : null;
      inline += card?.length ?? 0;
      const fits = card !== null && inline <= inlineBytes;
      const head = { identifier: url, type: 'application/a2a-agent-card+json', updatedAt: agent.updated_at };
      entries.push(
        fits ? withData(head, card) : entry({ ...head, url: `${url}/.well-known/agent-card.json` }),
        entry({
          identifier: mcpUrlOfAgent(req, deps, agent.id),
          type: serverCardType,
          data: serverCard(agent, mcpUrlOfAgent(req, deps, agent.id)),
          updatedAt: agent.updated_at,
        }),
      );
    }
    const between = entries.flatMap((each, i) => (i === 0 ? [each] : [comma, each]));
    return Buffer.concat([Buffer.from('{"specVersion":"1.0","entries":['), ...between, Buffer.from(']}')]);
  };
  return [
    {
      method: 'GET',
      path: '/.well-known/agent-card.json',
      async serve(req, res) {
        const [agent, ...others] = await read().agents;
        if (agent === undefined || others.length > 0)
          throw new HivekeepError(
            'NOT_FOUND',
            'there is not one public agent: /.well-known/ai-catalog.json lists them',
          );
        responder.json(req, res, 200, await cardOf(req, agent), headers);
      },
    },
    {
      method: 'GET',
      path: '/.well-known/ai-catalog.json',
      async serve(req, res) {
        const catalog = await catalogFor(req);
        responder.text(req, res, 200, 'application/ai-catalog+json; charset=utf-8', catalog, headers);
      },
    },
  ];
}

const comma = Buffer.from(',');
const entry = (value: object): Buffer => Buffer.from(JSON.stringify(value));
/** The entry with its artifact, which is JSON already. */
const withData = (head: object, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":`), data, Buffer.from('}')]);

async function readPublic(service: Pick<Service, 'execute'>, caller: Caller): Promise<Agent[]> {
  const found: Agent[] = [];
  let page: PageRequest | null = { sort: 'created_at', order: 'asc', limit: 100 };
  while (page !== null && found.length < mostListed) {
    const listed: PageOf<Agent> = await service.execute(caller, listPublicAgents, {}, { page });
    found.push(...listed.items);
    page = listed.next && { ...page, after: listed.next };
  }
  return found;
}
