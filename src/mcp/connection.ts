/**
 * A connection to a server by the official SDK, which speaks the revision 2026-07-28 and those before it. Requests of
 * HTTP go by exchange.ts; a server by stdio is a process that the operator has configured (program.ts).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { McpServer } from '../domain/agent/agent-tools.js';
import type { Clock } from '../domain/shared/clock.js';
import { PushError, type Push } from '../push/port.js';
import { traceNow } from '../telemetry/tracing.js';
import type { McpCommand } from './commands.js';
import { createExchange } from './exchange.js';
import type { McpAgentRef, McpCall, McpOffer } from './port.js';
import { textOfResult } from './result.js';

/** Of a list: pages, and tools after which no further page is asked for. */
const most = { pages: 16, tools: 1024 };

export interface McpConnection {
  /** By which the next connection to the same program need not find out which revision it speaks. */
  readonly prior: PriorDiscovery;
  /** The tools of the server as it lists them. */
  list(timeoutMs: number): Promise<unknown[]>;
  /** As `McpServers.call`. Rejects with Forgotten, too. */
  call(
    tool: Pick<McpOffer, 'name' | 'inputSchema'>,
    call: McpCall,
    limit: { signal: AbortSignal; timeoutMs: number },
  ): Promise<{ ok: boolean; result: string }>;
  close(): Promise<void>;
}

/** The server does not know the session any more, and has done nothing. */
export class Forgotten extends Error {
  override readonly name = 'Forgotten';
}

export interface ConnectionEvents {
  /** Nothing can be called by it any more. */
  closed(): void;
  /** The server says that it has other tools now, or refuses what it should know. */
  changed(): void;
}

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** What the server is told in `_meta` of each call: a server that knows it can do each call once (docs/mcp.md). */
const keyName = 'hivekeep/idempotency_key';

/** Rejects with PushError. */
export async function connect(
  to: {
    push: Push;
    clock: Clock;
    agent: McpAgentRef;
    server: McpServer;
    command: McpCommand | undefined;
    prior?: PriorDiscovery | undefined;
  },
  timeoutMs: number,
  events: ConnectionEvents,
): Promise<McpConnection> {
  const sdk = await import('@modelcontextprotocol/client');
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = sdk;
  /** Why the connection broke last, in the words of the guard. */
  let broken: PushError | undefined;

  async function transportOf(): Promise<Transport> {
    const { server, command } = to;
    if (command !== undefined) return (await import('./program.js')).startProgram(command);
    const fetch = createExchange({
      ...to,
      broke: (error) => {
        broken = error;
      },
      changed: () => {
        events.changed();
      },
    });
    return new sdk.StreamableHTTPClientTransport(new URL(server.url ?? ''), { fetch });
  }

  const client: Client = new sdk.Client(
    { name: 'hivekeep', version: '1' },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: timeoutMs / 2 } },
      inputRequired: { autoFulfill: false },
      // results are told as they are; a schema of the server's is not compiled for them
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    events.changed();
  });

  /** What is known of a request that came to no result: an answer as text, or it throws what it was. */
  function answerIn(error: unknown): string {
    if (ProtocolError.isInstance(error)) {
      events.changed();
      return `the server answered: ${error.message}`;
    }
    if (SdkHttpError.isInstance(error)) {
      const { status, text } = error.data;
      const said = typeof text === 'string' ? text : '';
      // the protocol has 404 for it; the examples of the first SDK answer 400, and that they know no such session
      const isForgotten = status === 404 || (status === 400 && /session/i.test(said));
      if (transport.sessionId !== undefined && isForgotten) throw new Forgotten();
      return `the server answered ${status}: ${said}`;
    }
    if (SdkError.isInstance(error) && error.code === SdkErrorCode.UnsupportedResultType)
      return 'the server asks for something that only a person can give';
    if (error instanceof PushError) throw error;
    if (broken) throw broken;
    if (!SdkError.isInstance(error) || !unanswered.has(error.code))
      return 'the server answered, but not as the protocol has it';
    throw new PushError('the connection was closed before there was an answer', false, { cause: error });
  }
  const unanswered: ReadonlySet<string> = new Set([
    SdkErrorCode.ConnectionClosed,
    SdkErrorCode.NotConnected,
    SdkErrorCode.RequestTimeout,
    SdkErrorCode.SendFailed,
  ]);

  const transport = await transportOf();
  try {
    await client.connect(transport, { timeout: timeoutMs, ...(to.prior && { prior: to.prior }) });
  } catch (error) {
    await client.close().catch(() => undefined);
    // programs of revisions before may end at what they do not know, and are then spoken to as such
    const ended = SdkError.isInstance(error) && error.code === SdkErrorCode.EraNegotiationFailed;
    if (to.command && !to.prior && ended) return connect({ ...to, prior: { kind: 'legacy' } }, timeoutMs, events);
    throw failed(() => answerIn(error));
  }
  client.onclose = () => {
    events.closed();
  };
  const discover = client.getDiscoverResult();
  return {
    prior: discover ? { kind: 'modern', discover } : { kind: 'legacy' },
    async list(timeout) {
      const tools: unknown[] = [];
      let cursor: string | undefined;
      try {
        for (let pages = 0; pages < most.pages; pages++) {
          const params = cursor === undefined ? {} : { cursor };
          const { tools: more, nextCursor } = await client.request({ method: 'tools/list', params }, page, { timeout });
          tools.push(...more);
          if (nextCursor === undefined || tools.length >= most.tools) return tools;
          cursor = nextCursor;
        }
      } catch (error) {
        throw failed(() => answerIn(error));
      }
      return tools;
    },
    async call({ name, inputSchema }, { arguments: args, key }, { signal, timeoutMs: timeout }) {
      broken = undefined;
      const traceparent = traceNow();
      try {
        const result = await client.callTool(
          { name, arguments: args, _meta: { [keyName]: key, ...(traceparent !== undefined && { traceparent }) } },
          { signal, timeout, toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' } } },
        );
        return { ok: result.isError !== true, result: textOfResult(result) };
      } catch (error) {
        return { ok: false, result: answerIn(error) };
      }
    },
    async close() {
      if (transport instanceof sdk.StreamableHTTPClientTransport)
        await Promise.race([
          transport.terminateSession().catch(() => undefined),
          pause(1000, undefined, { ref: false }),
        ]);
      await client.close();
    },
  };
}

/** What has not gone out has not taken effect, whatever the reason. */
function failed(reason: () => string): PushError {
  try {
    return new PushError(reason(), true);
  } catch (error) {
    if (error instanceof PushError) return new PushError(error.message, true, { cause: error });
    return new PushError('the server does not know the session', true);
  }
}
