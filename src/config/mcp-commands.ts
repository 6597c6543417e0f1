/** The commands that agents may use as MCP servers by stdio: those of the file that HIVEKEEP_MCP_COMMANDS names. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { McpCommand } from '../mcp/commands.js';
import { type Config, ConfigError } from './config.js';

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
export function mcpCommands({ mcpCommands: path }: Pick<Config, 'mcpCommands'>): ReadonlyMap<string, McpCommand> {
  if (path === null) return new Map();
  const parsed = file.safeParse(jsonOf(path));
  if (parsed.success) return new Map(Object.entries(parsed.data));
  throw new ConfigError(
    parsed.error.issues.map(
      (issue) => `HIVEKEEP_MCP_COMMANDS: ${issue.path.join('.') || path} is wrong: ${issue.message}.`,
    ),
  );
}

function jsonOf(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([
      `HIVEKEEP_MCP_COMMANDS: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    ]);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError([`HIVEKEEP_MCP_COMMANDS: ${path} is not JSON.`]);
  }
}
