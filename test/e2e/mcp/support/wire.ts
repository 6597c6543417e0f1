/** Requests of 2026-07-28 as they are on the wire, by a client with whatever capabilities. */
import { messagesOf } from '../../../../src/mcp/event-stream.js';
import type { Json } from '../../api/support/client.js';
import type { Connection } from './clients.js';

export const revision = '2026-07-28';
export const clientInfo = { name: 'test', version: '1' };
export const tasksExtension = 'io.modelcontextprotocol/tasks';
/** A client that can ask its user and knows tasks. */
export const ableClient = { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } };

export interface WireAnswer {
  result?: Json;
  error?: Json;
}

export async function ask(
  to: Connection,
  method: string,
  params: Json,
  clientCapabilities: object = ableClient,
): Promise<WireAnswer> {
  const name = params['taskId'] ?? params['name'];
  const response = await fetch(to.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${to.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
        },
      },
    }),
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return (await response.json()) as WireAnswer;
  for await (const message of messagesOf(response.body!)) if ('id' in message) return message;
  throw new Error('the stream ended without an answer');
}

/** The result of a request that succeeds. */
export async function resultOf(...request: Parameters<typeof ask>): Promise<Json> {
  const { result, error } = await ask(...request);
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}
