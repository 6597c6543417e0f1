/**
 * `hivekeep mcp`: MCP over standard input and output, for desktop clients and editors that start a program instead of
 * calling a URL. Each message is sent to the MCP endpoint of a running server, and what comes back is written out; it
 * holds no state of the conversation but the revision that was agreed on.
 *
 * Invariants
 *  - Every request gets one response: the server's, or an error that says why there is none.
 *  - A request whose connection fails or is cut is sent again, and takes effect once: calls of tools carry an
 *    idempotency key, and all other requests only read.
 *  - Standard output carries messages and nothing else.
 *  - No redirect is followed: what is said to a server is for that one.
 */
import { randomUUID } from 'node:crypto';
import pRetry, { AbortError } from 'p-retry';
import type { Environment } from '../../src/config/config.js';
import { type JsonRpcMessage, streamMessages } from '../../src/mcp/event-stream.js';
import { readLines } from '../../src/transfer/lines.js';
import { Failure } from './failure.js';
import type { Io } from './io.js';
import { askRemote, redirectOf, sentTo, type Remote } from './remote.js';

/** The waits between attempts double from half a second on, 15 s in all. */
const retries = { retries: 5, minTimeout: 500, maxTimeout: 10_000 };

export async function mcpBridge(
  environment: Environment,
  io: Io,
  input: AsyncIterable<Uint8Array>,
  agent: string | undefined,
): Promise<void> {
  const { HIVEKEEP_KEY: key = '', HIVEKEEP_URL: base = 'http://127.0.0.1:8420' } = environment;
  if (key === '')
    throw new Failure('HIVEKEEP_KEY must be an API key, or a token of the agent with the scope agent:mcp');
  const server = { url: base.replace(/\/+$/, ''), key, named: 'HIVEKEEP_URL' };
  const path = agent === undefined ? '/mcp' : `/mcp/agents/${await agentId(server, agent)}`;
  const bridge = new Bridge({ url: server.url + path, key }, (message) => io.out(JSON.stringify(message)));
  // not node's readline, which ends a line at U+2028, too
  for await (const { bytes } of readLines(input, Infinity)) {
    const line = bytes.toString();
    if (line.trim() !== '') bridge.take(line);
  }
  await bridge.done();
}

/** An agent's token may not look agents up, so with one the agent is named by its id. */
async function agentId(server: Remote, agent: string): Promise<string> {
  if (agent.startsWith('agent_')) return agent;
  if (server.key.startsWith('at_')) throw new Failure(`with a token, name the agent by its id: ${agent} is none`);
  const response = await askRemote(server, `/v1/agents?name=${encodeURIComponent(agent)}&page_size=100`);
  const { data } = (await response.json()) as { data: { id: string; name: string }[] };
  const named = data.filter(({ name }) => name === agent);
  const [found] = named;
  if (found === undefined) throw new Failure(`there is no agent named ${agent}`);
  if (named.length > 1)
    throw new Failure(`several agents are named ${agent}, choose by id: ${named.map(({ id }) => id).join(', ')}`);
  return found.id;
}

type Params = Readonly<Record<string, unknown>> & { _meta?: Readonly<Record<string, unknown>> };

const versionMeta = 'io.modelcontextprotocol/protocolVersion';

class Bridge {
  private readonly write: (message: JsonRpcMessage) => void;
  /** Requests in progress by their id, and notifications by themselves. */
  private readonly open = new Map<unknown, { cut: AbortController; ended: Promise<void> }>();
  /** The revision that `initialize` agreed on; later revisions name theirs in each message. */
  private version: string | null = null;
  /** What `initialize` was answered under, which says to the server what the client can do. */
  private session: string | null = null;

  constructor(
    private readonly server: Remote,
    write: (message: JsonRpcMessage) => void,
  ) {
    this.write = write;
  }

  take(line: string): void {
    let read: unknown;
    try {
      read = JSON.parse(line);
    } catch {
      this.write(failure(null, -32700, 'the line is not JSON'));
      return;
    }
    if (!isMessage(read)) {
      this.write(failure(null, -32600, 'the line must be one JSON-RPC message'));
      return;
    }
    const message = read;
    const params = (message['params'] ?? {}) as Params;
    if (message['method'] === 'notifications/cancelled') {
      this.open.get(params['requestId'])?.cut.abort();
      return;
    }
    const key = message['id'] ?? message;
    const cut = new AbortController();
    const ended = this.exchange(message, params, cut.signal)
      .catch((error: unknown) => {
        if (!cut.signal.aborted && isRequest(message))
          this.write(failure(message['id'], -32603, error instanceof Error ? error.message : 'no answer'));
      })
      .finally(() => this.open.delete(key));
    this.open.set(key, { cut, ended });
  }

  /** Resolves when everything has been answered. */
  async done(): Promise<void> {
    await Promise.all([...this.open.values()].map(({ ended }) => ended));
  }

  private async exchange(message: JsonRpcMessage, params: Params, signal: AbortSignal): Promise<void> {
    const sent = named(message, params);
    await pRetry(() => this.once(sent, params, signal), { ...retries, signal });
  }

  private async once(message: JsonRpcMessage, params: Params, signal: AbortSignal): Promise<void> {
    const response = await this.post(message, params, signal);
    const elsewhere = redirectOf(response);
    if (elsewhere !== null) throw new AbortError(sentTo(elsewhere, 'HIVEKEEP_URL'));
    this.session = response.headers.get('mcp-session-id') ?? this.session;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream') && response.body) {
      let answered = false;
      try {
        for await (const each of streamMessages(response.body)) if (this.pass(message, each)) answered = true;
      } catch (cause) {
        throw new Error('the connection was cut', { cause });
      }
      if (!answered) throw new Error('the connection ended before the answer');
      return;
    }
    const text = await response.text();
    if (response.ok && text === '' && !isRequest(message)) return;
    const body = parsed(text);
    if (body?.['jsonrpc'] === '2.0') {
      // the server did not get so far as to read the id
      this.pass(message, isRequest(message) && body['id'] === null ? { ...body, id: message['id'] } : body);
      return;
    }
    const { code, message: why } = (body?.['error'] ?? {}) as { code?: unknown; message?: unknown };
    const told =
      typeof code === 'string'
        ? `${code}: ${String(why)}`
        : `the server answered ${response.status}, without a message of MCP`;
    throw passing.has(response.status) ? new Error(told) : new AbortError(told);
  }

  private async post(message: JsonRpcMessage, params: Params, signal: AbortSignal): Promise<Response> {
    const version = params._meta?.[versionMeta] ?? this.version;
    const name = params['name'] ?? params['uri'] ?? params['taskId'];
    const stated: Record<string, string> = {};
    if (typeof version === 'string') stated['MCP-Protocol-Version'] = version;
    if (this.session !== null) stated['Mcp-Session-Id'] = this.session;
    if (params._meta?.[versionMeta] !== undefined) {
      stated['Mcp-Method'] = headerValue(String(message['method']));
      if (typeof name === 'string') stated['Mcp-Name'] = headerValue(name);
    }
    try {
      return await fetch(this.server.url, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.server.key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...stated,
        },
        body: JSON.stringify(message),
        redirect: 'manual',
        signal,
      });
    } catch (cause) {
      throw new Error(`no server answers at ${this.server.url}`, { cause });
    }
  }

  /** Writes a message of the server; true if it is the response to the request. */
  private pass(request: JsonRpcMessage, message: JsonRpcMessage): boolean {
    this.write(message);
    if (message['id'] !== request['id'] || 'method' in message) return false;
    if (request['method'] === 'initialize') {
      const { protocolVersion } = (message['result'] ?? {}) as { protocolVersion?: string };
      this.version = protocolVersion ?? null;
    }
    return true;
  }
}

const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const isMessage = (value: unknown): value is JsonRpcMessage =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const isRequest = (message: JsonRpcMessage): boolean => 'id' in message && 'method' in message;

/** Null for what is no object of JSON. */
function parsed(text: string): JsonRpcMessage | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}

/** Gives the call of a tool an idempotency key, unless it has one. */
function named(message: JsonRpcMessage, params: Params): JsonRpcMessage {
  if (message['method'] !== 'tools/call') return message;
  const _meta = { 'hivekeep/idempotency_key': randomUUID(), ...params._meta };
  return { ...message, params: { ...params, _meta } };
}

/** Text that a header cannot carry as it is goes as Base64, as the protocol says. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

const failure = (id: unknown, code: number, message: string): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
