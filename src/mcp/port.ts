/**
 * Servers of the Model Context Protocol whose tools agents use (docs/tools.md): what they offer, and calls of it.
 * What a server says, of its tools as well as in its answers, is data that may be anything.
 */
import type { ToolClaims, McpServer } from '../domain/agent/agent-tools.js';
import type { OutputSchema } from '../domain/shared/output-schema.js';
import type { OutputCheck } from '../output-schema/check.js';

export interface McpAgentRef {
  workspace: string;
  id: string;
}

export interface McpOffer {
  /** As its server calls it. */
  name: string;
  description: string;
  inputSchema: OutputSchema;
  /** Checks arguments by the schema. */
  check: OutputCheck;
  claims: ToolClaims;
}

export interface Offer {
  tools: readonly McpOffer[];
  /** What is not offered and why, a sentence each. */
  problems: readonly string[];
}

export interface McpCall {
  /** As its server calls it. */
  tool: string;
  arguments: Record<string, unknown>;
  /** The id of the call, the same when it is made again. */
  key: string;
}

export interface McpServers {
  /** Resolves if an agent of the workspace may have this server; rejects with VALIDATION_ERROR below this path. */
  check(workspace: string, server: McpServer, path: string): Promise<void>;
  /** The tools of the server that the agent may call, from a cache. Rejects only when the signal is aborted. */
  offer(agent: McpAgentRef, server: McpServer, signal: AbortSignal): Promise<Offer>;
  /** What the server has said of its tool when it was last asked; nothing where its annotations are not trusted. */
  claims(server: McpServer, tool: string): ToolClaims | undefined;
  /**
   * Makes the call, once. Resolves with what the server answered, be it an error; rejects with a PushError if there was
   * no answer, which is `final` if the call has not gone out.
   */
  call(
    agent: McpAgentRef,
    server: McpServer,
    call: McpCall,
    signal: AbortSignal,
  ): Promise<{ ok: boolean; result: string }>;
  /** Closes the connections of an agent that is deleted, and ends the servers that were started for it. */
  release(agent: McpAgentRef): void;
  /** Closes all connections, and ends the servers that were started. */
  close(): Promise<void>;
}
