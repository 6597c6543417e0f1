/**
 * Agent cards: who an agent is to a client that may talk to it, in the shape of each generation. A card tells an agent's
 * name, purpose and address, and nothing of its settings, hives or memories.
 */
import type { Agent } from '../domain/model.js';
import type { A2AVersion } from '../domain/task.js';

/** What of an agent its cards tell. */
export type CardAgent = Pick<Agent, 'name' | 'description' | 'updated_at'>;

type Card = Readonly<Record<string, unknown>>;

const textOnly = ['text/plain'] as const;
/**
 * Data parts and files of JSON are read as well (input-modes.ts); the spec's own card names text alone (docs/api.md
 * 2.6).
 */
const textAndJson = ['text/plain', 'application/json'] as const;
const slashCapabilities = { streaming: true, pushNotifications: true, stateTransitionHistory: false } as const;
const bearer = { type: 'http', scheme: 'bearer' } as const;
const bearerOneof = { httpAuthSecurityScheme: { scheme: 'Bearer' } } as const;
const requirements = [{ schemes: { bearer: { list: [] } } }] as const;

/**
 * Exactly the fields of docs/api.md 2.6, for `/card`. `url` is the agent's JSON-RPC endpoint, absolute.
 * `stateTransitionHistory` is false: a task tells its status, not those before it.
 */
export function specCard(agent: CardAgent, url: string): Card {
  return {
    protocolVersion: '0.2',
    ...described(agent),
    url,
    capabilities: slashCapabilities,
    defaultInputModes: textOnly,
    defaultOutputModes: textOnly,
    securitySchemes: { bearer },
    security: [{ bearer: [] }],
    skills: [skill(agent)],
  };
}

/**
 * One card that clients of 0.2, 0.3 and 1.0 each find their fields in, for the well-known paths: they read what they know
 * and ignore the rest.
 */
export function supersetCard(agent: CardAgent, url: string): Card {
  return {
    protocolVersion: '0.3.0',
    ...described(agent),
    url,
    preferredTransport: 'JSONRPC',
    supportedInterfaces: interfaces(url),
    capabilities: { ...slashCapabilities, extendedAgentCard: true },
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: textAndJson,
    defaultOutputModes: textOnly,
    securitySchemes: { bearer: { ...bearer, ...bearerOneof } },
    security: [{ bearer: [] }],
    securityRequirements: requirements,
    skills: [skill(agent)],
  };
}

/** A2A 1.0, 4.4.1: nothing that `a2a.proto` does not have, as its conformance kit refuses any other field. */
export function strictCard(agent: CardAgent, url: string): Card {
  return {
    ...described(agent),
    supportedInterfaces: interfaces(url),
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: textAndJson,
    defaultOutputModes: textOnly,
    securitySchemes: { bearer: bearerOneof },
    securityRequirements: requirements,
    skills: [skill(agent)],
  };
}

/** Who gets a card has been authenticated already (docs/api.md 4.2), so there is nothing to extend it by. */
export const extendedCard = (version: A2AVersion, agent: CardAgent, url: string): Card =>
  version === '1.0' ? strictCard(agent, url) : supersetCard(agent, url);

const described = (agent: CardAgent) => ({ name: agent.name, description: purpose(agent), version: version(agent) });

/** Clients and kits refuse an empty description. */
const purpose = ({ name, description }: CardAgent): string =>
  description.trim() === '' ? `${name} answers messages from what it remembers.` : description;

/** Semantic, as clients expect, and another one for each change of the agent's settings: these are the build. */
const version = ({ updated_at }: CardAgent): string => `1.0.0+${updated_at.replaceAll(/[^0-9A-Za-z]/g, '')}`;

const skill = (agent: CardAgent) => ({
  id: 'execute-task',
  name: `${agent.name}: execute task`,
  description: purpose(agent),
  tags: ['task', 'memory'],
});

const interfaces = (url: string) => [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
