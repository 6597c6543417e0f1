/**
 * The tools that an agent has beside the built-in ones (AgentTools), of its configuration and of its servers, as a
 * model is told of them and calls them.
 */
import type { ToolCall } from '../../domain/model/model.js';
import { outputCheck } from '../../output-schema/check.js';
import type { OfferedTool, StepContext } from '../port.js';
import type { ChatTool } from './chat.js';
import { storableJson } from './storable.js';
import { wireName, wireNames } from './wire-names.js';

export interface OwnTools {
  definitions: readonly ChatTool[];
  has(wire: string): boolean;
  /** The name of the tool that a model calls so. */
  nameOf(wire: string): string;
  /** The name by which a model knows, or has known, the tool of this name. */
  wireOf: (name: string) => string;
  /** The call, or a sentence that says what is wrong with it. */
  read(wire: string, given: unknown): ToolCall | string;
  /** Servers that offer nothing now, and what is not offered and why. */
  away: readonly string[];
  problems: readonly string[];
}

const anyObject = { type: 'object' };

/** The names in `taken` are those of other tools. Throws SchemaProblem. */
export async function ownToolsOf(
  { agent: { config }, offered }: Pick<StepContext, 'agent' | 'offered'>,
  taken: readonly string[],
  signal: AbortSignal,
): Promise<OwnTools | undefined> {
  const configured = await Promise.all(
    (config.tools ?? []).flatMap((tool) =>
      tool.kind === 'client' || tool.kind === 'http' ? [configuredTool(tool)] : [],
    ),
  );
  const { tools: others = [], problems = [], away = [] } = (await offered?.(signal)) ?? {};
  const all = [...configured, ...others];
  if (all.length === 0 && problems.length === 0) return undefined;
  const wire = wireNames(
    all.map(({ name }) => name),
    taken,
  );
  const wireOf = (name: string): string => wire.get(name) ?? wireName(name);
  const byWire = new Map(all.map((tool) => [wireOf(tool.name), tool]));
  /** A model may call what it has seen before: it is told what comes of that, as of any call. */
  const ofAway = (called: string): string | undefined => {
    const server = away.find((name) => called.startsWith(`${name}_`) && called.length > name.length + 1);
    return server === undefined ? undefined : `${server}.${called.slice(server.length + 1)}`;
  };
  return {
    definitions: [...byWire].map(([name, { description, inputSchema }]) => {
      const { $schema: _, ...given } = inputSchema;
      const parameters = { properties: {}, ...given };
      return { type: 'function', function: { name, description, parameters } };
    }),
    has: (called) => byWire.has(called) || ofAway(called) !== undefined,
    nameOf: (called) => byWire.get(called)?.name ?? ofAway(called) ?? called,
    wireOf,
    away,
    problems,
    read(called, given) {
      const input = storableJson(given);
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return `the arguments of ${called} are not a JSON object`;
      const tool = byWire.get(called);
      const problem = tool?.check(input, 'the whole') ?? null;
      return problem === null
        ? {
            tool: 'use_tool',
            arguments: { name: tool?.name ?? ofAway(called) ?? called, input: JSON.stringify(input) },
          }
        : `the arguments of ${called} do not fit its schema: ${problem}`;
    },
  };
}

async function configuredTool({
  name,
  description,
  input_schema: inputSchema = anyObject,
}: {
  name: string;
  description: string;
  input_schema?: Readonly<Record<string, unknown>> | undefined;
}): Promise<OfferedTool> {
  return { name, description, inputSchema, check: await outputCheck(inputSchema) };
}
