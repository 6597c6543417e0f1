/**
 * Answers by a schema (`output_schema`): the schema is what the tool `answer` takes, and an answer that does not fit it
 * is a reply that cannot be used, so the model is told once why (reasoner.ts). A text that is such JSON will do, as not
 * every model calls tools when it should.
 */
import type { OutputSchema } from '../../domain/shared/output-schema.js';
import type { ToolCall } from '../../domain/model/model.js';
import { outputCheck } from '../../output-schema/check.js';
import type { ChatTool } from './chat.js';
import { jsonIn, storableJson } from './storable.js';

export interface OutputForm {
  tool: ChatTool;
  schema: ChatTool['function']['parameters'];
  /** The answer, or a sentence that says what is wrong with it. Of a text, the last JSON that fits is taken. */
  read(given: unknown): ToolCall | string;
}

const description = 'Give your final answer, as the arguments of this call; nothing else is read of it. Ends the run.';

/** Throws SchemaProblem. */
export async function outputFormOf(schema: OutputSchema | undefined): Promise<OutputForm | undefined> {
  if (schema === undefined) return undefined;
  const check = await outputCheck(schema);
  const { $schema: _, ...parameters } = schema;
  return {
    tool: { type: 'function', function: { name: 'answer', description, parameters } },
    schema: parameters,
    read(given) {
      let first: string | undefined;
      for (const found of typeof given === 'string' ? jsonIn(given) : [given]) {
        const data = storableJson(Array.isArray(found) && found.length === 1 ? (found[0] as unknown) : found);
        if (typeof data !== 'object' || data === null) continue;
        const problem = check(data);
        if (problem === null)
          return { tool: 'answer', arguments: { content: JSON.stringify(data) }, parts: [{ kind: 'data', data }] };
        first ??= `the answer does not fit its schema: ${problem}`;
      }
      return first ?? 'the answer is not the JSON object that `answer` takes';
    },
  };
}
