/** The commands that agents may use as MCP servers by stdio: those of the file that HIVEKEEP_MCP_COMMANDS names. */
import { z } from 'zod';
import type { McpCommand } from '../mcp/commands.js';
import type { Config } from './config.js';
import { jsonFile } from './json-file.js';

const file = z.record(
  z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'must be 1 to 64 lower-case letters, digits, _ and -, a letter or digit first',
    ),
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().min(1).optional(),
    workspaces: z.array(z.string().min(1)).optional(),
  }),
);

/** By name. Throws ConfigError with a sentence for each problem, none of which contains a value. */
export const mcpCommands = ({ mcpCommands: path }: Pick<Config, 'mcpCommands'>): ReadonlyMap<string, McpCommand> =>
  new Map(path === null ? [] : Object.entries(jsonFile('HIVEKEEP_MCP_COMMANDS', path, file)));
