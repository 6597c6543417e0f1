/** What every suite of MCP has beside that of A2A: the endpoints, tokens for them, and clients that are closed again. */
import { a2aWorld, type World } from '../../a2a/support/world.js';
import type { Connection } from './clients.js';

interface Closable {
  close(): Promise<void>;
}

export interface McpWorld extends World {
  /** The endpoint of an agent, or with null that of the workspace. */
  at(agent: string | null, key?: string): Connection;
  /** A token of the agent. */
  mint(agent: string, scopes: readonly string[]): Promise<string>;
  /** Closes it after the test. */
  opened<T extends Closable>(made: T | Promise<T>): Promise<T>;
}

export function mcpWorld(): McpWorld {
  const world = a2aWorld();
  const { api, server } = world;
  const open: Closable[] = [];
  return {
    ...world,
    hooks: () => {
      world.hooks();
      afterEach(async () => {
        await Promise.all(open.splice(0).map((each) => each.close()));
      });
    },
    at: (agent, key = api.key) => ({ url: `${server().url}/mcp${agent === null ? '' : `/agents/${agent}`}`, key }),
    async mint(agent, scopes) {
      const path = `/v1/agent-constellations/${agent}/tokens`;
      return String((await api.one('POST', path, { name: 'mcp', scopes }, 201))['token']);
    },
    async opened(made) {
      const each = await made;
      open.push(each);
      return each;
    },
  };
}
