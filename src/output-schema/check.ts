/**
 * Checks answers and the arguments of tools by a JSON Schema that a client gave.
 *
 *  OutputSchema.O1 Neither compiling a schema nor checking a value by it takes longer than `mostMs`, whatever they are:
 *     patterns that backtrack without end, references that branch at every level, and lists whose items are all
 *     compared are given up. Nothing is fetched.
 */
import { createContext, Script } from 'node:vm';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import type { OutputSchema } from '../domain/output-schema.js';
import { memoize } from '../base/memoize.js';

const mostMs = { compile: 2000, check: 500 };
const mostReasons = 5;
/** Schemas kept compiled. */
const kept = 64;

/** Returns why the value, which is called so in the reasons, does not fit; null if it does. */
export type OutputCheck = (value: unknown, called?: string) => string | null;

/** It is no schema, or too costly. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
}

const context = createContext({ work: undefined as (() => unknown) | undefined });
const script = new Script('work()');

/** Calls `work`, or gives it up: the time limit of a script ends whatever it calls, regular expressions included. */
function bounded<T>(timeout: number, work: () => T): T | 'too costly' {
  context['work'] = work;
  try {
    return script.runInContext(context, { timeout }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || error instanceof RangeError)
      return 'too costly';
    throw error;
  } finally {
    context['work'] = undefined;
  }
}

/** Loaded when the first schema comes, as many a server never sees one. */
let compiler: Promise<(text: string) => OutputCheck> | undefined;

/** Throws SchemaProblem. */
export const outputCheck = async (schema: OutputSchema): Promise<OutputCheck> => (await outputChecks())(schema);

/** `outputCheck` for one schema after another. */
export async function outputChecks(): Promise<(schema: OutputSchema) => OutputCheck> {
  compiler ??= import('ajv/dist/2020.js').then(({ Ajv2020: Compiler }) => compilerOf(Compiler));
  const compile = await compiler;
  return (schema) => compile(JSON.stringify(schema));
}

function compilerOf(Compiler: typeof Ajv2020): (text: string) => OutputCheck {
  const common = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const schemas = new Compiler(common);
  void schemas.validateSchema({}); // compiles the schema of schemas, once
  return memoize(
    (text): OutputCheck => {
      const { $schema: _, ...schema } = JSON.parse(text) as OutputSchema;
      const validate = bounded(mostMs.compile, () => {
        if (schemas.validateSchema(schema) !== true) return reasonsOf(schemas.errors, 'the schema');
        try {
          // a compiler of its own, so that what one schema defines is unknown to all others
          return new Compiler({ ...common, meta: false, validateSchema: false, inlineRefs: false }).compile(schema);
        } catch (error) {
          if (error instanceof RangeError) throw error;
          return (error as Error).message;
        }
      });
      if (validate === 'too costly') throw new SchemaProblem('takes too long to compile');
      if (typeof validate === 'string') throw new SchemaProblem(`is no JSON Schema of 2020-12: ${validate}`);
      return (value, called = 'the answer') => {
        const fits = bounded(mostMs.check, () => validate(value));
        if (fits === 'too costly') return `${called} takes too long to check`;
        return fits === true ? null : reasonsOf(validate.errors, called);
      };
    },
    kept,
    Infinity,
  );
}

const reasonsOf = (errors: readonly ErrorObject[] | null | undefined, whole: string): string =>
  [...new Set((errors ?? []).map((error) => reasonOf(error, whole)))].slice(0, mostReasons).join('; ');

function reasonOf({ instancePath, message = 'does not fit', params }: ErrorObject, whole: string): string {
  const { additionalProperty, allowedValues } = params as { additionalProperty?: unknown; allowedValues?: unknown };
  const more = additionalProperty ?? allowedValues;
  return `${instancePath || whole} ${message}${more === undefined ? '' : ` (${JSON.stringify(more)})`}`;
}
