/**
 * The MCP Server Card of an agent's endpoint (modelcontextprotocol.io, SEP-2127): what the server is and where it is
 * reached, without a connection. What it can do is told by the server itself to whoever opens it.
 */
import { packageVersion } from '../base/system.js';
import type { Agent } from '../domain/model/model.js';

export const serverCardType = 'application/mcp-server-card+json';
const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
/** The revisions that the endpoint speaks, the newest first. */
const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
/** The longest description that the format takes. */
const mostDescribed = 100;

const version = packageVersion();

/** `url` is the endpoint of the agent. */
export function serverCard({ id, name, description }: Pick<Agent, 'id' | 'name' | 'description'>, url: string): object {
  const purpose = description.trim() === '' ? `The memory, mailbox and runs of ${name}.` : description.trim();
  return {
    $schema: schema,
    name: `hivekeep/${id}`,
    title: name,
    description: Array.from(purpose).slice(0, mostDescribed).join(''),
    version,
    remotes: [
      {
        type: 'streamable-http',
        url,
        supportedProtocolVersions: protocolVersions,
        headers: [
          {
            name: 'Authorization',
            description: 'Bearer, and a token of this agent with the scope agent:mcp, or an API key of its workspace.',
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  };
}
