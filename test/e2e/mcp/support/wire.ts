/** Requests as they are on the wire. */
import { streamMessages } from '../../../../src/mcp/event-stream.js';
import type { Json } from '../../api/support/client.js';
import type { Connection } from './clients.js';

export const revision = '2026-07-28';
const earlier = '2025-11-25';
export const clientInfo = { name: 'test', version: '1' };
export const tasksExtension = 'io.modelcontextprotocol/tasks';
/** A client that can ask its user and knows tasks. */
export const ableClient = { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } };

export interface WireAnswer {
  result?: Json;
  error?: Json;
}

/** One message, by whatever client. */
export const post = (
  { url, key }: Connection,
  message: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
    ...(signal && { signal }),
  });

/** The first message in the stream of a call that has an id: its answer, or a question. */
export async function firstOf({ body }: Response): Promise<Json> {
  for await (const message of streamMessages(body!)) if ('id' in message) return message;
  throw new Error('the stream ended without an answer');
}

/** A request of 2026-07-28. */
export async function ask(
  to: Connection,
  method: string,
  params: Json,
  clientCapabilities: object = ableClient,
): Promise<WireAnswer> {
  const name = params['taskId'] ?? params['name'];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
  };
  const response = await post(
    to,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  );
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return streamed ? firstOf(response) : ((await response.json()) as WireAnswer);
}

/** The session of a client of 2025-11-25 with these capabilities, for which `post` sends messages. */
export async function sessionOf(to: Connection, capabilities: object): Promise<string | null> {
  const params = { protocolVersion: earlier, capabilities, clientInfo };
  const response = await post(to, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await response.text();
  return response.headers.get('mcp-session-id');
}

/** A message of a client of 2025-11-25. */
export const postEarlier = (
  to: Connection,
  message: Json,
  session?: string | null,
  signal?: AbortSignal,
): Promise<Response> =>
  post(
    to,
    { jsonrpc: '2.0', ...message },
    { 'mcp-protocol-version': earlier, ...(typeof session === 'string' && { 'mcp-session-id': session }) },
    signal,
  );

/** The result of a request that succeeds. */
export async function resultOf(...request: Parameters<typeof ask>): Promise<Json> {
  const { result, error } = await ask(...request);
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}
