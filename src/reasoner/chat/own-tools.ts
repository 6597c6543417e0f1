/** The tools that an agent has beside the built-in ones (AgentTools), as a model is told of them and calls them. */
import type { AgentTool } from '../../domain/agent-tools.js';
import type { ToolCall } from '../../domain/model.js';
import type { OutputSchema } from '../../domain/output-schema.js';
import { outputCheck } from '../../output-schema/check.js';
import type { ChatTool } from './server.js';
import { storableJson } from './storable.js';

export interface OwnTools {
  definitions: readonly ChatTool[];
  has(name: string): boolean;
  /** The call, or a sentence that says what is wrong with it. */
  read(name: string, given: unknown): ToolCall | string;
}

const anyObject: OutputSchema = { type: 'object' };

/** Throws SchemaProblem. */
export async function ownToolsOf(tools: readonly AgentTool[] | undefined): Promise<OwnTools | undefined> {
  if (!tools?.length) return undefined;
  const checks = new Map(
    await Promise.all(
      tools.map(async ({ name, input_schema: schema = anyObject }) => [name, await outputCheck(schema)] as const),
    ),
  );
  return {
    definitions: tools.map(({ name, description, input_schema: schema = anyObject }) => {
      const { $schema: _, ...given } = schema;
      const parameters = { properties: {}, ...given };
      return { type: 'function', function: { name, description, parameters } };
    }),
    has: (name) => checks.has(name),
    read(name, given) {
      const input = storableJson(given);
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return `the arguments of ${name} are not a JSON object`;
      const problem = checks.get(name)?.(input, 'the whole') ?? null;
      return problem === null
        ? { tool: 'use_tool', arguments: { name, input: JSON.stringify(input) } }
        : `the arguments of ${name} do not fit its schema: ${problem}`;
    },
  };
}
