/** What is taken of the card of a peer, in the format of any generation: where it is spoken to, and what it can do. */
import { z } from 'zod';
import { firstBytes } from '../domain/shared/bounded.js';
import type { PeerTask } from '../domain/mailbox/peer-item.js';
import { PushError } from '../push/port.js';
import { storable } from '../reasoner/chat/storable.js';

export type PeerEndpoint = Omit<PeerTask, 'task' | 'pushes'>;

export interface PeerCard {
  endpoint: PeerEndpoint;
  streams: boolean;
  pushes: boolean;
  description: string;
  skills: readonly { id: string; text: string }[];
}

/** Interfaces and skills that are looked at, and bytes that are told of a name and a description. */
const most = { interfaces: 32, skills: 64, name: 100, description: 1024, skill: 300 };

const optionalText = z.string().optional().catch(undefined);
const card = z.looseObject({
  name: z.string(),
  description: optionalText,
  url: optionalText,
  protocolVersion: optionalText,
  preferredTransport: optionalText,
  supportedInterfaces: z.array(z.unknown()).optional().catch(undefined),
  additionalInterfaces: z.array(z.unknown()).optional().catch(undefined),
  capabilities: z
    .looseObject({ streaming: z.unknown(), pushNotifications: z.unknown() })
    .partial()
    .optional()
    .catch(undefined),
  skills: z.array(z.unknown()).optional().catch(undefined),
});

const newer = z.looseObject({
  url: z.string(),
  protocolBinding: z.string(),
  protocolVersion: z.string(),
  tenant: optionalText,
});
const older = z.looseObject({ url: z.string(), transport: z.string() });
const skill = z.looseObject({ id: z.string(), name: optionalText, description: optionalText });

const parsedAll = <T>(schema: z.ZodType<T>, given: readonly unknown[] | undefined, limit: number): T[] =>
  (given ?? []).slice(0, limit).flatMap((one) => {
    const parsed = schema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });

const isBinding = (name: string): name is PeerEndpoint['binding'] => name === 'JSONRPC' || name === 'HTTP+JSON';

/** A card that is none, or names no endpoint that can be spoken to, is a PushError that is final. */
export function readCard(given: unknown, from: URL, hasSecret: boolean): PeerCard {
  const parsed = card.safeParse(given);
  if (!parsed.success) throw new PushError('its card is none of A2A', true);
  const { data } = parsed;
  const endpoint = endpointsOf(data)[0];
  if (!endpoint) throw new PushError('its card names no interface of A2A 1.0 or 0.3 by JSON-RPC or HTTP+JSON', true);
  const url = URL.parse(endpoint.url, from.href);
  if (!url || !/^https?:$/.test(url.protocol)) throw new PushError('its card names no URL where it is spoken to', true);
  // a card may change: the secret goes where whoever configured it has sent it, and nowhere else
  if (hasSecret && url.origin !== from.origin)
    throw new PushError('its card names an endpoint on another host, where its secret is not sent', true);
  return {
    endpoint: { ...endpoint, url: url.href },
    streams: data.capabilities?.streaming === true,
    pushes: data.capabilities?.pushNotifications === true,
    description: told(`${told(data.name, most.name)}: ${data.description ?? ''}`, most.description),
    skills: parsedAll(skill, data.skills, most.skills).map(({ id, name = '', description = '' }) => ({
      id,
      text: told([name, description].filter((text) => text !== '').join(': '), most.skill),
    })),
  };
}

const told = (text: string, bytes: number): string => firstBytes(storable(text).replaceAll(/\s+/g, ' ').trim(), bytes);

/** In the order of the card's preference. */
function endpointsOf(data: z.infer<typeof card>): PeerEndpoint[] {
  const interfaces = parsedAll(newer, data.supportedInterfaces, most.interfaces).flatMap(
    ({ url, protocolBinding: binding, protocolVersion, tenant }): PeerEndpoint[] => {
      const version = /^1(\.|$)/.test(protocolVersion) ? '1.0' : /^0\.[23]/.test(protocolVersion) ? '0.3' : null;
      if (!isBinding(binding) || !version) return [];
      return [{ url, binding, version, ...(tenant !== undefined && tenant !== '' && { tenant }) }];
    },
  );
  if (interfaces.length > 0) return interfaces;
  const first = data.url === undefined ? [] : [{ url: data.url, transport: data.preferredTransport ?? 'JSONRPC' }];
  return [...first, ...parsedAll(older, data.additionalInterfaces, most.interfaces)].flatMap(
    ({ url, transport: binding }): PeerEndpoint[] => (isBinding(binding) ? [{ url, binding, version: '0.3' }] : []),
  );
}
