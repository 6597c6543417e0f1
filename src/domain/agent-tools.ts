/**
 * Tools that somebody gives to an agent (`config.tools`, or `overrides.tools` for one run), beside the built-in ones. A
 * call of one is a call of `use_tool`, whose arguments are the `name` of the tool and its `input` as JSON text.
 *
 *  AgentTools.T1 Of a call that waits for its outcome the run keeps the whole, and the calls behind it begin only when
 *     that outcome is stored.
 */
import { z } from 'zod';
import { listOf } from './bounded.js';
import { jsonObjectSchema } from './output-schema.js';
import { tools as builtIn } from './vocabulary.js';

const mostTools = 64;
const wellFormed = /^[^\0\p{Cs}]*$/u;

const toolName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, _ or -, starting with a letter or _')
  .refine((name) => !(builtIn as readonly string[]).includes(name), 'must not be the name of a built-in tool')
  .describe('The name by which the model calls it: other than those of the built-in tools and of its other tools.');

const told = {
  name: toolName,
  description: z
    .string()
    .max(4096)
    .regex(wellFormed, 'must be text without NUL and lone surrogates')
    .describe('What it does and when to use it, for the model. At most 4096 characters.'),
  input_schema: jsonObjectSchema
    .optional()
    .describe(
      'The JSON Schema (2020-12) of its arguments, an object. Calls that do not fit are returned to the model. Without it, any object.',
    ),
  reads_only: z
    .boolean()
    .optional()
    .describe('Whether it changes nothing. Of an agent with the gate `action`, other calls wait for approval.'),
};

const clientTool = z
  .strictObject({ kind: z.literal('client'), ...told })
  .describe('A tool that whoever started the run carries out: the run pauses, and is resumed with the results.');

const agentTool = z.discriminatedUnion('kind', [clientTool]);
export type AgentTool = z.infer<typeof agentTool>;

export const agentTools = listOf(agentTool, { max: mostTools })
  .refine((given) => new Set(given.map(({ name }) => name)).size === given.length, 'must not have two of one name')
  .describe(
    `Tools beside the built-in ones, at most ${mostTools}, each with a name of its own. Models use them; the built-in reasoner does not.`,
  );

/** The calls of a paused run, which whoever started it carries out. */
export const clientCall = z.object({
  id: z.string().describe('The id of the call, which its result names.'),
  name: z.string().describe('The name of the tool.'),
  arguments: z.record(z.string(), z.unknown()).describe('The arguments, which fit the `input_schema` of the tool.'),
});
export type ClientCall = z.infer<typeof clientCall>;

/** Which tool a call of `use_tool` uses. */
export const toolNamed = (
  { tools = [] }: { tools?: readonly AgentTool[] | undefined },
  name: string | undefined,
): AgentTool | undefined => tools.find((tool) => tool.name === name);

/** What was imported may be anything. */
function readInput(input: string): Record<string, unknown> {
  try {
    return JSON.parse(input) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What a run that has paused for these calls of its step waits for. The id of a call is its run, its step and its place. */
export function waitsForClient(
  { id, steps }: { id: string; steps: number },
  calls: readonly { arguments: Readonly<Record<string, string>> }[],
  done: number,
): { kind: 'tools'; question: string; action: null; calls: ClientCall[] } {
  const asked = calls.map(({ arguments: { name = '', input = '{}' } }, i) => ({
    id: `${id}.${steps + 1}.${done + i + 1}`,
    name,
    arguments: readInput(input),
  }));
  const question = `waits for the results of ${asked.map(({ name }) => name).join(', ')}`;
  return { kind: 'tools', question, action: null, calls: asked };
}
