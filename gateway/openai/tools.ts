/** The functions of a client of OpenAI as tools of kind `client` (docs/api.md 4.5, docs/tools.md). */
import { z } from 'zod';
import type { ClientCall } from '../../src/domain/agent/agent-tools.js';
import { invalid } from '../../src/domain/shared/errors.js';
import { listOf } from '../../src/domain/shared/bounded.js';
import type { RunOverrides } from '../../src/domain/shared/inputs.js';

const functionTool = z.looseObject({
  type: z.literal('function', 'must be "function"').describe('Only functions.'),
  function: z
    .looseObject({
      name: z.string().describe('The name by which the model calls it.'),
      description: z.string().nullish().describe('What it does and when to use it.'),
      parameters: z.record(z.string(), z.unknown()).nullish().describe('The JSON Schema of its arguments, an object.'),
    })
    .describe('The function.'),
});

export const toolFields = {
  tools: listOf(functionTool, { max: 64 })
    .nullish()
    .describe("Functions of the client, which take the place of the agent's own tools in this run; none of `[]`."),
  tool_choice: z
    .union(
      [
        z.enum(['auto', 'none', 'required']),
        z.looseObject({
          type: z.literal('function').describe('A function.'),
          function: z
            .looseObject({ name: z.string().describe('Its name.') })
            .describe('The function that is to be called.'),
        }),
      ],
      'must be "auto", "none", "required" or {"type":"function","function":{"name":"..."}}',
    )
    .nullish()
    .describe(
      '`none` has the agent do without tools, but for the built-in ones; `required`, or a function, has its model call one before it answers.',
    ),
  parallel_tool_calls: z.boolean().nullish().describe('Whether the model may ask for several calls at once.'),
};
type Tools = z.infer<z.ZodObject<typeof toolFields>>;

export function toolsOf({
  tools,
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: Tools): Pick<RunOverrides, 'tools' | 'tool_choice' | 'parallel_tool_calls'> | null {
  if (choice === 'none') return { tools: [] };
  const named = typeof choice === 'object' ? choice?.function.name : undefined;
  if (named !== undefined && !tools?.some(({ function: { name } }) => name === named))
    throw invalid({ path: 'tool_choice.function.name', message: 'must be the name of one of the `tools`' });
  if (choice === 'required' && !tools?.length)
    throw invalid({ path: 'tool_choice', message: 'must be left out where there are no `tools`' });
  if (!tools?.length) return null;
  return {
    ...(choice === 'required' && { tool_choice: 'required' as const }),
    ...(named !== undefined && { tool_choice: { name: named } }),
    ...(parallel === false && { parallel_tool_calls: false as const }),
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      kind: 'client',
      name,
      description: description ?? '',
      ...(parameters && Object.keys(parameters).length > 0 && { input_schema: parameters as { type: 'object' } }),
    })),
  };
}

/** The field of the request that a field of `overrides.tools` was taken from. */
export const toolPath = (path: string): string =>
  path
    .replace(/^overrides\.tools\.(\d+)\.input_schema/, 'tools.$1.function.parameters')
    .replace(/^overrides\.tools\.(\d+)\.(name|description)/, 'tools.$1.function.$2');

/** A call that a run waits for, as OpenAI writes it. */
export const toolCallOf = ({ id, name, arguments: input }: ClientCall): object => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});
