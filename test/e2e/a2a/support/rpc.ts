/**
 * An agent's endpoint as a client without an SDK talks to it: JSON-RPC 2.0 over HTTP (docs/api.md 4.2). Every answer is
 * looked at for what each must be: 200, JSON, version, the id of the request, and a result or an error.
 */
import { thoughtsExtension } from '../../../../src/a2a/card.js';
import { expect } from 'chai';
import { RawStream } from './raw-stream.js';
import type { Json } from '../../api/support/client.js';

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export interface Rpc {
  readonly url: string;
  /** Whatever comes back, unchecked. */
  ask(method: string, params: unknown, headers?: Record<string, string>): Promise<Response>;
  result(method: string, params: unknown, headers?: Record<string, string>): Promise<Json>;
  refused(method: string, params: unknown, code: number, headers?: Record<string, string>): Promise<RpcError>;
  stream(method: string, params: unknown, headers?: Record<string, string>): Promise<RawStream>;
}

let requests = 0;

/** `url` is asked for each time: a server that was started again has another port. */
export function rpcOf(server: () => string, agent: string, key: string): Rpc {
  const authorization = `Bearer ${key}`;
  const url = (): string => `${server()}/api/v1/a2a/agents/${agent}`;
  const body = (method: string, params: unknown): { id: string; text: string } => {
    const id = `q-${++requests}`;
    return { id, text: JSON.stringify({ jsonrpc: '2.0', id, method, params }) };
  };
  const post = (text: string, headers: Record<string, string>): Promise<Response> =>
    fetch(url(), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: text,
    });
  const answer = async (method: string, params: unknown, headers: Record<string, string>): Promise<Json> => {
    const { id, text } = body(method, params);
    const response = await post(text, headers);
    const said = await response.text();
    expect(response.status, `${method}: ${said}`).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^application\/json/);
    const json = JSON.parse(said) as Json;
    expect(json, `${method}: ${said}`).to.include({ jsonrpc: '2.0', id });
    return json;
  };
  return {
    get url() {
      return url();
    },
    ask: (method, params, headers = {}) => post(body(method, params).text, headers),
    async result(method, params, headers = {}) {
      const json = await answer(method, params, headers);
      expect(json, `${method}: ${JSON.stringify(json)}`).to.have.all.keys('jsonrpc', 'id', 'result');
      return json['result'] as Json;
    },
    async refused(method, params, code, headers = {}) {
      const json = await answer(method, params, headers);
      expect(json, `${method}: ${JSON.stringify(json)}`).to.have.all.keys('jsonrpc', 'id', 'error');
      const error = json['error'] as RpcError;
      expect(error.code, `${method}: ${error.message}`).to.equal(code);
      expect(error.message).to.be.a('string').and.not.equal('');
      return error;
    },
    async stream(method, params, headers = {}) {
      const { id, text } = body(method, params);
      const stream = await RawStream.open(
        url(),
        text,
        { authorization, 'A2A-Extensions': thoughtsExtension, ...headers },
        (rpc) => {
          expect(rpc).to.include({ jsonrpc: '2.0', id });
        },
      );
      expect(stream.response.statusCode, method).to.equal(200);
      expect(stream.response.headers['content-type'], method).to.match(/^text\/event-stream/);
      return stream;
    },
  };
}

let messages = 0;
export const freshId = (): string => `m-${process.pid}-${++messages}`;

export interface Said {
  messageId?: string;
  taskId?: string;
  contextId?: string;
  configuration?: Json;
}

/** Parameters of message/send and message/stream (0.2, 0.3). */
export const say = (text: string, { messageId = freshId(), taskId, contextId, configuration }: Said = {}): Json => ({
  message: {
    kind: 'message',
    role: 'user',
    messageId,
    parts: [{ kind: 'text', text }],
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
  },
  ...(configuration && { configuration }),
});

/** Parameters of SendMessage and SendStreamingMessage (1.0). */
export const say1 = (text: string, { messageId = freshId(), taskId, contextId, configuration }: Said = {}): Json => ({
  message: {
    role: 'ROLE_USER',
    messageId,
    parts: [{ text }],
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
  },
  ...(configuration && { configuration }),
});

/** The header that a client of 1.0 sends. */
export const v1 = { 'a2a-version': '1.0' };

export const stateOf = (task: Json): string => String((task['status'] as Json | undefined)?.['state']);
export const textOf = (holder: unknown): string =>
  ((holder as { parts?: { text?: string }[] } | undefined)?.parts ?? []).map((p) => p.text ?? '').join('');
export const outputOf = (task: Json): string => ((task['artifacts'] ?? []) as Json[]).map(textOf).join('');
