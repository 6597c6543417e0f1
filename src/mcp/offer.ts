/** What is taken of the list of tools that a server sends, which may be anything and of any size. */
import { z } from 'zod';
import { jsonBytes } from '../domain/bounded.js';
import { jsonObjectSchema } from '../domain/output-schema.js';
import { outputChecks, SchemaProblem } from '../output-schema/check.js';
import { storableJson } from '../reasoner/chat/storable.js';
import type { Offer, OfferedTool } from './port.js';

/** Of one server: tools, bytes of all that a model is told of them, and time to compile their schemas. */
const most = { tools: 128, bytes: 256 * 1024, compileMs: 1000, description: 4096, problems: 5, problem: 200 };

const listed = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().optional(),
  inputSchema: jsonObjectSchema,
  annotations: z.looseObject({ readOnlyHint: z.unknown(), idempotentHint: z.unknown() }).partial().optional(),
});

/** A tool whose schema is none, is too large or takes too long to compile is left out, and named. */
export async function offerOf(list: readonly unknown[]): Promise<Offer> {
  const compile = await outputChecks();
  const tools = new Map<string, OfferedTool>();
  const problems: string[] = [];
  let bytes = 0;
  let compiledMs = 0;
  for (const given of list) {
    const parsed = listed.safeParse(storableJson(given));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      problems.push(`${nameOf(given)}: ${issue?.message ?? 'is not valid'} (${issue?.path.join('.') ?? ''})`);
      continue;
    }
    const { name, description = '', inputSchema, annotations } = parsed.data;
    const told = { name, description: description.slice(0, most.description).toWellFormed(), inputSchema };
    const size = jsonBytes(told);
    if (tools.has(name)) problems.push(`${name}: it is listed twice`);
    else if (tools.size >= most.tools || bytes + size > most.bytes)
      problems.push(`${name}: the server lists too much, choose of it by \`allow\``);
    else if (compiledMs > most.compileMs) problems.push(`${name}: the schemas of the server take too long to compile`);
    else
      try {
        const begun = performance.now();
        const check = compile(inputSchema);
        compiledMs += performance.now() - begun;
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
        compiledMs += error.message.includes('too long') ? most.compileMs + 1 : 0;
        problems.push(`${name}: its schema ${error.message}`);
      }
    // one schema a turn
    await new Promise((next) => setImmediate(next));
  }
  const told = problems.slice(0, most.problems).map((text) => text.slice(0, most.problem).toWellFormed());
  if (problems.length > told.length) told.push(`and ${problems.length - told.length} more`);
  return { tools: [...tools.values()], problems: told };
}

const nameOf = (given: unknown): string => {
  const name = (given as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name.slice(0, 64).toWellFormed() : 'a tool without a name';
};
