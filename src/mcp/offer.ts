/** What is taken of the list of tools that a server sends, which may be anything and of any size. */
import { z } from 'zod';
import { jsonBytes } from '../domain/shared/bounded.js';
import { jsonObjectSchema } from '../domain/shared/output-schema.js';
import { outputCheck, SchemaProblem } from '../output-schema/check.js';
import { storableJson } from '../reasoner/chat/storable.js';
import type { Offer, McpOffer } from './port.js';

/** Of one server: tools that are looked at, those that are taken, and bytes of all that a model is told of them. */
const most = { listed: 1024, tools: 128, bytes: 256 * 1024, description: 4096, problems: 5, problem: 200 };

const listed = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().optional(),
  inputSchema: jsonObjectSchema,
  annotations: z.looseObject({ readOnlyHint: z.unknown(), idempotentHint: z.unknown() }).partial().optional(),
});

/** A tool whose schema is none, is too large or costs too much to read is left out, and named. */
export async function offerOf(list: readonly unknown[]): Promise<Offer> {
  const tools = new Map<string, McpOffer>();
  const problems: string[] = [];
  let left = Math.max(0, list.length - most.listed);
  let bytes = 0;
  const leaveOut = (problem: string): void => {
    if (problems.length < most.problems) problems.push(problem.slice(0, most.problem).toWellFormed());
    else left++;
  };
  for (const given of list.slice(0, most.listed)) {
    // one tool a turn, whatever becomes of it
    await new Promise((next) => setImmediate(next));
    const parsed = listed.safeParse(storableJson(given));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      leaveOut(`${nameOf(given)}: ${issue?.message ?? 'is not valid'} (${issue?.path.join('.') ?? ''})`);
      continue;
    }
    const { name, description = '', inputSchema, annotations } = parsed.data;
    const told = { name, description: description.slice(0, most.description).toWellFormed(), inputSchema };
    const size = jsonBytes(told);
    if (tools.has(name)) leaveOut(`${name}: it is listed twice`);
    else if (tools.size >= most.tools || bytes + size > most.bytes)
      leaveOut(`${name}: the server lists too much, choose of it by \`allow\``);
    else
      try {
        const check = await outputCheck(inputSchema);
        bytes += size;
        tools.set(name, {
          ...told,
          check,
          claims: {
            ...(annotations?.readOnlyHint === true && { readsOnly: true }),
            ...(annotations?.idempotentHint === true && { repeatable: true }),
          },
        });
      } catch (error) {
        if (!(error instanceof SchemaProblem)) throw error;
        leaveOut(`${name}: its schema ${error.message}`);
      }
  }
  if (left > 0) problems.push(`and ${left} more`);
  return { tools: [...tools.values()], problems };
}

const nameOf = (given: unknown): string => {
  const name = (given as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name.slice(0, 64).toWellFormed() : 'a tool without a name';
};
