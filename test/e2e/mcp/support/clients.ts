/** The official TypeScript clients, connected to an endpoint with a credential. */
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { Client as Client1 } from 'mcp-sdk-1/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from 'mcp-sdk-1/client/streamableHttp.js';
import { ElicitRequestSchema } from 'mcp-sdk-1/types.js';
import type { Json } from '../../api/support/client.js';

export interface Connection {
  url: string;
  key: string;
  /** How its requests are sent. */
  fetch?: typeof fetch;
}

const info = { name: 'test', version: '1' };
/** Comes back more often than by default, since a server may need a while to start under load. */
const reconnectionOptions = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 30,
};
const sent = ({ key, fetch }: Connection) => ({
  requestInit: { headers: { authorization: `Bearer ${key}` } },
  reconnectionOptions,
  ...(fetch && { fetch }),
});

/** What a person answers to a question; a list is used up one by one. */
export type Person = (question: string) => { action: 'accept'; content: Json } | { action: 'decline' | 'cancel' };

/** The current client: of the revision 2026-07-28, or of those before it with `legacy`. */
export async function connect(
  to: Connection,
  { legacy = false, person }: { legacy?: boolean; person?: Person } = {},
): Promise<Client> {
  const client = new Client(info, {
    versionNegotiation: { mode: legacy ? 'legacy' : { pin: '2026-07-28' } },
    ...(person && { capabilities: { elicitation: { form: {} } } }),
  });
  if (person)
    client.setRequestHandler('elicitation/create', ({ params }) => person(params.message) as { action: 'decline' });
  await client.connect(new StreamableHTTPClientTransport(new URL(to.url), sent(to)));
  // from here on it compares results with the schemas that the tools announce
  await client.listTools();
  return client;
}

/** The client of the line before. */
export async function connectSdk1(to: Connection, person?: Person): Promise<Client1> {
  const client = new Client1(info, { capabilities: person ? { elicitation: {} } : {} });
  if (person)
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }) => person(params.message) as { action: 'accept'; content: Record<string, string> },
    );
  await client.connect(new Transport1(new URL(to.url), sent(to)));
  return client;
}

/** The structured content of a call that succeeds. */
export async function done(client: Client, name: string, args: Json = {}): Promise<Json> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(textOf(result));
  return result.structuredContent as Json;
}

/** The error of a call that fails, in the envelope. */
export async function failed(client: Client, name: string, args: Json = {}): Promise<Json> {
  const result = await client.callTool({ name, arguments: args });
  if (!result.isError) throw new Error(`succeeded: ${textOf(result)}`);
  return (JSON.parse(unfenced(textOf(result))) as { error: Json }).error;
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

export const unfenced = (text: string): string => /<hivekeep_data>\n(.*)\n<\/hivekeep_data>/s.exec(text)?.[1] ?? '';
