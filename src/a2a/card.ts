/**
 * Builds agent cards, which describe an agent to A2A clients, in the format of each generation. A card contains an
 * agent's name, purpose and address and what `config.card` says, but nothing else of its settings, hives or memories.
 */
import type { Agent } from '../domain/model/model.js';
import type { A2AVersion } from '../domain/task/task.js';
import { acceptedTypes } from '../domain/run/conversation.js';

/*
 * Extensions of A2A that agents declare in their cards. A client asks for one by naming its URI in `A2A-Extensions`
 * (1.0) or `X-A2A-Extensions` (0.3).
 */

/**
 * Streams tell what the agent thinks, and the text of its answer while it is written, to callers with agent:read.
 * Without it 0.2 and 0.3 tell in short neutral words what the agent is doing, and 1.0 tells states and the artifact.
 */
export const thoughtsExtension = 'urn:hivekeep:a2a:thoughts:v1';

/** A message names the question that it answers, as `hivekeep/answers` in its metadata (docs/api.md 11.5). */
const answersExtension = 'urn:hivekeep:a2a:answers:v1';

/** Without `required`, which is false: fields with their default value are left out of signed cards (A2A 1.0, 8.4). */
export const declared = [
  {
    uri: thoughtsExtension,
    description: 'Streams tell thoughts, and answers while they are written.',
  },
  {
    uri: answersExtension,
    description: 'The metadata `hivekeep/answers` of a message names the messageId of the question that it answers.',
  },
] as const;

const known: ReadonlySet<string> = new Set(declared.map(({ uri }) => uri));

/** Which of the agent's extensions a header asks for. */
export const requestedExtensions = (header: string | string[] | undefined): ReadonlySet<string> =>
  header === undefined
    ? none
    : new Set(
        String(header)
          .split(',')
          .map((uri) => uri.trim())
          .filter((uri) => known.has(uri)),
      );

const none: ReadonlySet<string> = new Set();

/** The properties of an agent that its cards contain. */
export type CardAgent = Pick<Agent, 'name' | 'description' | 'updated_at'> & {
  config?: Pick<Agent['config'], 'card' | 'model' | 'accepts' | 'output_schema'>;
};

type Card = Readonly<Record<string, unknown>>;

const textOnly = ['text/plain'] as const;
/**
 * JSON data parts and JSON files are accepted as well (message.ts); the card of docs/api.md 2.6 lists text only.
 */
const textAndJson = ['text/plain', 'application/json'] as const;
const slashCapabilities = { streaming: true, pushNotifications: true, stateTransitionHistory: false } as const;
const bearer = { type: 'http', scheme: 'bearer' } as const;
const credentials = {
  description: 'A token of this agent (at_...), or an API key of its workspace (svc_...).',
} as const;
const bearerOneof = { httpAuthSecurityScheme: { scheme: 'Bearer', ...credentials } } as const;
/** Who sends messages needs this scope. An empty list would be canonical to some verifiers of signatures only. */
const requirements = [{ schemes: { bearer: { list: ['agent:spawn'] } } }] as const;

/**
 * The card for `/card`, with exactly the fields of docs/api.md 2.6. `url` is the absolute URL of the agent's JSON-RPC
 * endpoint. `stateTransitionHistory` is false, because a task contains its current status but not the earlier ones.
 */
export function specCard(agent: CardAgent, url: string): Card {
  return {
    protocolVersion: '0.2',
    ...described(agent),
    url,
    capabilities: slashCapabilities,
    defaultInputModes: inputModes(agent, textOnly),
    defaultOutputModes: outputModes(agent),
    securitySchemes: { bearer },
    security: [{ bearer: [] }],
    skills: [skill(agent)],
  };
}

/**
 * The card for the well-known paths, which combines the fields of 0.2, 0.3 and 1.0: each client reads the fields that
 * it knows and ignores the rest.
 */
export function supersetCard(agent: CardAgent, url: string): Card {
  return {
    protocolVersion: '0.3.0',
    ...described(agent),
    ...saidOf(agent),
    url,
    preferredTransport: 'JSONRPC',
    supportedInterfaces: interfaces(url),
    capabilities: { ...slashCapabilities, extendedAgentCard: true, extensions: declared },
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: inputModes(agent, textAndJson),
    defaultOutputModes: outputModes(agent),
    // spelt as 1.0 does: readers of 1.0 that know 0.3, too, take these fields, and verify signatures with them
    securitySchemes: { bearer: { ...bearer, scheme: 'Bearer', ...credentials, ...bearerOneof } },
    security: [{ bearer: [] }],
    securityRequirements: requirements,
    skills: skillsOf(agent),
  };
}

/** A2A 1.0, 4.4.1: only fields of `a2a.proto`, because the conformance kit rejects any other. */
export function strictCard(agent: CardAgent, url: string): Card {
  return {
    ...described(agent),
    ...saidOf(agent),
    supportedInterfaces: interfaces(url),
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: declared },
    defaultInputModes: inputModes(agent, textAndJson),
    defaultOutputModes: outputModes(agent),
    securitySchemes: { bearer: bearerOneof },
    securityRequirements: requirements,
    skills: skillsOf(agent),
  };
}

/** A reader of any card is authenticated already (docs/api.md 4.2), so the extended card adds nothing. */
export const extendedCard = (version: A2AVersion, agent: CardAgent, url: string): Card =>
  version === '1.0' ? strictCard(agent, url) : supersetCard(agent, url);

const described = (agent: CardAgent) => ({ name: agent.name, description: purpose(agent), version: version(agent) });

/** What `config.card` says beyond what every card says. */
const saidOf = ({ config }: CardAgent): Card => {
  const { name, provider, icon, documentation } = config?.card ?? {};
  return {
    ...(name !== undefined && { name }),
    ...(provider !== undefined && { provider }),
    ...(icon !== undefined && { iconUrl: icon }),
    ...(documentation !== undefined && { documentationUrl: documentation }),
  };
};

const skillsOf = (agent: CardAgent): readonly Card[] => {
  const modes = { inputModes: inputModes(agent, textAndJson), outputModes: outputModes(agent) };
  const own = agent.config?.card?.skills?.map((each) => ({ ...each, ...modes }));
  return own ?? [{ ...skill(agent), examples, ...modes }];
};

/** Clients and conformance kits reject an empty description. */
const purpose = ({ name, description }: CardAgent): string =>
  description.trim() === '' ? `${name} answers messages from what it remembers.` : description;

/** A semantic version, as clients expect, whose build metadata changes with the agent's settings. */
const version = ({ updated_at }: CardAgent): string => `1.0.0+${updated_at.replaceAll(/[^0-9A-Za-z]/g, '')}`;

const skill = (agent: CardAgent) => ({
  id: 'execute-task',
  name: `${agent.name}: execute task`,
  description: purpose(agent),
  tags: ['task', 'memory'],
});

/** What any agent understands, whatever it thinks with. */
const examples = ['Remember that the launch is on 12 May.', 'When is the launch?', 'What do you know about Ana?'];

const inputModes = ({ config }: CardAgent, always: readonly string[]): readonly string[] =>
  config ? [...always, ...acceptedTypes(config)] : always;

/** An agent that answers by a schema says the same as text and as data. */
const outputModes = ({ config }: CardAgent): readonly string[] => (config?.output_schema ? textAndJson : textOnly);

/** Every binding and version that is served, what is preferred first. */
const interfaces = (url: string) => [
  { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  { url, protocolBinding: 'JSONRPC', protocolVersion: '0.2' },
];
