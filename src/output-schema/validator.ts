/**
 * JSON Schema 2020-12, interpreted: nothing is compiled, and everything that it does is counted in steps, so that what is
 * too costly is so on every machine alike. `format` and the keywords of content say nothing here.
 */
import type { OutputSchema } from '../domain/shared/output-schema.js';
import { keywordProblem } from './keywords.js';
import { type Pattern, patternOf, PatternProblem, type Steps } from './pattern.js';

/** Throws when the steps are used up. */
export class StepLimit extends Error implements Steps {
  override readonly name = 'StepLimit';
  constructor(private left: number) {
    super('too costly');
  }
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw this;
  }
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };
type Schema = boolean | JsonObject;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The message says what is wrong with the schema. */
export class NoSchema extends Error {
  override readonly name = 'NoSchema';
}

/** Keywords whose value is a schema, a list of them, or an object of them. */
const single = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
];
const listed = ['prefixItems', 'allOf', 'anyOf', 'oneOf'];
const named = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'dependencies'];
const dependents = ['dependentRequired', 'dependentSchemas', 'dependencies'];

/** The part of a document that one `$id` names: what `#` and anchors in it refer to. */
interface Resource {
  root: JsonObject;
  anchors: Map<string, JsonObject>;
  dynamic: Map<string, JsonObject>;
}

const deepest = 512;
const mostReasons = 5;
/** Reasons that are kept as texts while it is checked: some say the same, or are taken back. */
const mostKept = 64;

export class Validator {
  private readonly resources = new Map<JsonObject, Resource>();
  private readonly byId = new Map<string, Resource>();
  private readonly patterns = new Map<string, Pattern>();
  /** Of `enum` and `const`: their values as texts. */
  private readonly constants = new Map<Json, Set<string>>();
  private readonly targets = new Map<JsonObject, JsonObject | boolean>();
  /** Whether what was evaluated matters, which is costly to know. */
  private tracks = false;

  /** Throws NoSchema or StepLimit. */
  constructor(
    private readonly schema: OutputSchema,
    steps: Steps,
  ) {
    const refs: JsonObject[] = [];
    this.read(
      schema as JsonObject,
      '',
      { root: schema as JsonObject, anchors: new Map(), dynamic: new Map() },
      refs,
      steps,
    );
    for (const node of refs) this.target(node, refs, steps);
  }

  /** The reasons why the value does not fit, at most five; none if it does. Throws StepLimit. */
  reasons(value: unknown, whole: string, steps: Steps): string[] {
    const check = new Check(this, whole, steps);
    check.evaluate(this.schema as JsonObject, value as Json, null, null);
    return check.reasons.slice(0, mostReasons);
  }

  resourceOf(node: JsonObject): Resource | undefined {
    return this.resources.get(node);
  }
  pattern(source: string): Pattern {
    return this.patterns.get(source) as Pattern;
  }
  constantsOf(list: Json): Set<string> {
    return this.constants.get(list) as Set<string>;
  }
  targetOf(node: JsonObject): Schema {
    return this.targets.get(node) as Schema;
  }
  get isTracking(): boolean {
    return this.tracks;
  }

  private read(node: Json, at: string, outer: Resource, refs: JsonObject[], steps: Steps): void {
    if (typeof node === 'boolean') return;
    if (!isObject(node)) throw new NoSchema(`${at || 'the schema'} must be object,boolean`);
    if (this.resources.has(node)) return;
    steps.spend(1 + Object.keys(node).length);
    const problem = keywordProblem(node);
    if (problem) throw new NoSchema(`${at}/${problem}`);
    const id = typeof node['$id'] === 'string' && !node['$id'].startsWith('#') ? node['$id'] : undefined;
    const resource =
      id === undefined || node === outer.root ? outer : { root: node, anchors: new Map(), dynamic: new Map() };
    if (id !== undefined) this.byId.set(id, resource);
    this.resources.set(node, resource);
    for (const [keyword, anchors] of [
      ['$anchor', resource.anchors],
      ['$dynamicAnchor', resource.anchors],
      ['$dynamicAnchor', resource.dynamic],
    ] as const)
      if (typeof node[keyword] === 'string') anchors.set(node[keyword], node);
    if ('unevaluatedItems' in node || 'unevaluatedProperties' in node) this.tracks = true;
    if (typeof node['$ref'] === 'string' || typeof node['$dynamicRef'] === 'string') refs.push(node);
    if (typeof node['pattern'] === 'string') this.addPattern(node['pattern'], at, steps);
    for (const source of Object.keys(isObject(node['patternProperties']) ? node['patternProperties'] : {}))
      this.addPattern(source, at, steps);
    if (node['enum'] !== undefined) this.addConstants(node['enum'], node['enum'] as Json[], steps);
    if (isObject(node['const']) || Array.isArray(node['const']))
      this.addConstants(node['const'], [node['const']], steps);
    for (const keyword of single)
      if (node[keyword] !== undefined) this.read(node[keyword], `${at}/${keyword}`, resource, refs, steps);
    for (const keyword of listed)
      for (const [i, each] of ((node[keyword] ?? []) as Json[]).entries())
        this.read(each, `${at}/${keyword}/${i}`, resource, refs, steps);
    for (const keyword of named)
      for (const [name, each] of Object.entries((node[keyword] ?? {}) as JsonObject))
        if (keyword !== 'dependencies' || !Array.isArray(each))
          this.read(each, `${at}/${keyword}/${name}`, resource, refs, steps);
  }

  private addPattern(source: string, at: string, steps: Steps): void {
    if (this.patterns.has(source)) return;
    steps.spend(source.length);
    try {
      this.patterns.set(source, patternOf(source, steps));
    } catch (error) {
      if (!(error instanceof PatternProblem)) throw error;
      throw new NoSchema(`${at || '/'} has a pattern that ${error.message}`);
    }
  }

  private addConstants(list: Json, values: readonly Json[], steps: Steps): void {
    this.constants.set(list, new Set(values.map((value) => canonical(value, steps))));
  }

  private target(node: JsonObject, refs: JsonObject[], steps: Steps): void {
    const to = (node['$ref'] ?? node['$dynamicRef']) as string;
    const [id = '', fragment = ''] = to.split('#', 2);
    const resource = id === '' ? this.resources.get(node) : this.byId.get(id);
    const found = resource && this.within(resource, decoded(fragment), steps);
    if (found === undefined || (typeof found !== 'boolean' && !isObject(found)))
      throw new NoSchema(`can't resolve reference ${to}`);
    // it may stand below a keyword that is not known
    this.read(found, to, resource as Resource, refs, steps);
    this.targets.set(node, found);
  }

  private within({ root, anchors }: Resource, fragment: string, steps: Steps): Json | undefined {
    if (fragment === '') return root;
    if (!fragment.startsWith('/')) return anchors.get(fragment);
    let at: Json | undefined = root;
    for (const part of fragment.slice(1).split('/')) {
      steps.spend(1);
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined;
    }
    return at;
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Equal values, and only they, have the same text. */
function canonical(value: Json, steps: Steps): string {
  if (typeof value !== 'object' || value === null) {
    steps.spend(1 + (typeof value === 'string' ? value.length >> 4 : 0));
    return JSON.stringify(value);
  }
  steps.spend(1);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map((item) => canonical(item, steps)).join()}]`;
  const object = value as JsonObject;
  const names = Object.keys(object).sort();
  steps.spend(names.length);
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(object[name] as Json, steps)}`).join()}}`;
}

/** What has been evaluated of one value. */
class Evaluated {
  readonly names = new Set<string>();
  allNames = false;
  /** The items before this one, and others. */
  upTo = 0;
  readonly items = new Set<number>();

  take(other: Evaluated, steps: Steps): void {
    steps.spend(other.names.size + other.items.size);
    for (const name of other.names) this.names.add(name);
    for (const item of other.items) this.items.add(item);
    this.allNames ||= other.allNames;
    this.upTo = Math.max(this.upTo, other.upTo);
  }
}

/** The resources that were entered on the way to a schema, the innermost first. */
interface Scope {
  resource: Resource;
  outer: Scope | null;
}

const typeOf = (value: Json): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number' && Number.isInteger(value)
        ? 'integer'
        : typeof value;

/** One check of one value. */
class Check {
  reasons: string[] = [];
  private readonly path: (string | number)[] = [];
  private depth = 0;

  constructor(
    private readonly of: Validator,
    private readonly whole: string,
    private readonly steps: Steps,
  ) {}

  evaluate(schema: Schema, value: Json, seen: Evaluated | null, scope: Scope | null): boolean {
    this.steps.spend(1);
    if (schema === true) return true;
    if (schema === false) return this.fail('boolean schema is false');
    this.steps.spend(9);
    if (++this.depth > deepest) throw new StepLimit(0);
    const resource = this.of.resourceOf(schema);
    const within = resource && resource !== scope?.resource ? { resource, outer: scope } : scope;
    const here = this.of.isTracking ? new Evaluated() : null;
    const before = this.reasons.length;
    this.inPlace(schema, value, here, within);
    if (Array.isArray(value)) this.array(schema, value as readonly Json[], here, within);
    else if (isObject(value)) this.object(schema, value, here, within);
    else this.scalar(schema, value);
    if (here) {
      if (Array.isArray(value)) this.otherItems(schema, value as readonly Json[], here, within);
      else if (isObject(value)) this.otherNames(schema, value, here, within);
    }
    this.depth--;
    const fits = this.reasons.length === before;
    if (fits && here && seen) seen.take(here, this.steps);
    return fits;
  }

  private fail(reason: string, more?: unknown): false {
    this.steps.spend(4);
    // beyond some it only counts that there are more
    if (this.reasons.length >= mostKept) {
      this.reasons.push('');
      return false;
    }
    this.steps.spend(6 * this.path.length);
    const place = this.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    const text = `${place || this.whole} ${reason}${more === undefined ? '' : ` (${JSON.stringify(more)})`}`;
    this.steps.spend(text.length >> 4);
    this.reasons.push(text);
    return false;
  }

  /** Whether it fits, without a word where it does not. */
  private tries(schema: Schema, value: Json, seen: Evaluated | null, scope: Scope | null): boolean {
    const before = this.reasons.length;
    const fits = this.evaluate(schema, value, seen, scope);
    this.reasons.length = before;
    return fits;
  }

  private below(part: string | number, schema: Schema, value: Json, scope: Scope | null): boolean {
    this.path.push(part);
    const fits = this.evaluate(schema, value, null, scope);
    this.path.pop();
    return fits;
  }

  private inPlace(schema: JsonObject, value: Json, seen: Evaluated | null, scope: Scope | null): void {
    const { type, $ref, $dynamicRef, allOf, anyOf, oneOf, not, if: condition } = schema;
    if (type !== undefined) this.type(schema, type, value);
    if (schema['const'] !== undefined || 'const' in schema) this.constant(schema['const'], value);
    if (schema['enum'] !== undefined) {
      const values = this.of.constantsOf(schema['enum']);
      if (!values.has(canonical(value, this.steps)))
        this.fail('must be equal to one of the allowed values', schema['enum']);
    }
    if ($ref !== undefined) this.evaluate(this.of.targetOf(schema), value, seen, scope);
    else if ($dynamicRef !== undefined) this.evaluate(this.dynamicTarget(schema, scope), value, seen, scope);
    for (const each of (allOf ?? []) as Schema[]) this.evaluate(each, value, seen, scope);
    if (anyOf !== undefined) this.some(anyOf as Schema[], value, seen, scope);
    if (oneOf !== undefined) {
      const before = this.reasons.length;
      let fitting = 0;
      for (const each of oneOf as Schema[]) if (this.evaluate(each, value, seen, scope)) fitting++;
      if (fitting === 1) this.reasons.length = before;
      else this.fail('must match exactly one schema in oneOf');
    }
    if (not !== undefined && this.tries(not as Schema, value, null, scope)) this.fail('must NOT be valid');
    if (condition !== undefined) {
      const which = this.tries(condition as Schema, value, seen, scope) ? 'then' : 'else';
      const next = schema[which];
      if (next !== undefined && !this.evaluate(next as Schema, value, seen, scope))
        this.fail(`must match "${which}" schema`);
    }
  }

  private some(schemas: readonly Schema[], value: Json, seen: Evaluated | null, scope: Scope | null): void {
    const before = this.reasons.length;
    let fits = false;
    for (const each of schemas) {
      if (!this.evaluate(each, value, seen, scope)) continue;
      fits = true;
      if (!seen) break;
    }
    if (fits) this.reasons.length = before;
    else this.fail('must match a schema in anyOf');
  }

  private dynamicTarget(node: JsonObject, scope: Scope | null): Schema {
    const target = this.of.targetOf(node);
    const name = typeof target === 'object' ? target['$dynamicAnchor'] : undefined;
    if (typeof name !== 'string' || !(node['$dynamicRef'] as string).endsWith(`#${name}`)) return target;
    let outermost: Schema = target;
    for (let each = scope; each; each = each.outer) {
      this.steps.spend(1);
      outermost = each.resource.dynamic.get(name) ?? outermost;
    }
    return outermost;
  }

  private type(schema: JsonObject, wanted: Json, value: Json): void {
    const types = (Array.isArray(wanted) ? wanted : [wanted]) as readonly string[];
    const is = typeOf(value);
    if (types.includes(is) || (is === 'integer' && types.includes('number'))) return;
    if (is === 'null' && schema['nullable'] === true) return;
    this.fail(`must be ${types.join()}`);
  }

  private constant(wanted: Json, value: Json): void {
    const fits =
      typeof wanted === 'object' && wanted !== null
        ? this.of.constantsOf(wanted).has(canonical(value, this.steps))
        : wanted === value;
    if (!fits) this.fail('must be equal to constant');
  }

  private scalar(schema: JsonObject, value: Json): void {
    if (typeof value === 'number') {
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<string, number>;
      if (minimum !== undefined && value < minimum) this.fail(`must be >= ${minimum}`);
      if (maximum !== undefined && value > maximum) this.fail(`must be <= ${maximum}`);
      if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) this.fail(`must be > ${exclusiveMinimum}`);
      if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) this.fail(`must be < ${exclusiveMaximum}`);
      if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
        this.fail(`must be multiple of ${multipleOf}`);
    } else if (typeof value === 'string') {
      const { minLength, maxLength } = schema as Record<string, number>;
      if (minLength !== undefined || maxLength !== undefined) {
        this.steps.spend(value.length >> 3);
        const length = lengthOf(value);
        if (minLength !== undefined && length < minLength)
          this.fail(`must NOT have fewer than ${minLength} characters`);
        if (maxLength !== undefined && length > maxLength) this.fail(`must NOT have more than ${maxLength} characters`);
      }
      const { pattern } = schema;
      if (typeof pattern === 'string' && !this.of.pattern(pattern)(value, this.steps))
        this.fail(`must match pattern "${pattern}"`);
    }
  }

  private array(schema: JsonObject, value: readonly Json[], seen: Evaluated | null, scope: Scope | null): void {
    const { minItems, maxItems } = schema as Record<string, number>;
    if (minItems !== undefined && value.length < minItems) this.fail(`must NOT have fewer than ${minItems} items`);
    if (maxItems !== undefined && value.length > maxItems) this.fail(`must NOT have more than ${maxItems} items`);
    if (schema['uniqueItems'] === true && new Set(value.map((item) => canonical(item, this.steps))).size < value.length)
      this.fail('must NOT have duplicate items');
    const first = (schema['prefixItems'] ?? []) as Schema[];
    const { items, contains } = schema as Record<string, Schema | undefined>;
    for (let i = 0; i < Math.min(first.length, value.length); i++)
      this.below(i, first[i] as Schema, value[i] as Json, scope);
    if (items !== undefined)
      for (let i = first.length; i < value.length; i++) this.below(i, items, value[i] as Json, scope);
    if (seen) seen.upTo = items === undefined ? Math.min(first.length, value.length) : value.length;
    if (contains === undefined) return;
    const { minContains = 1, maxContains = Infinity } = schema as Record<string, number>;
    let contained = 0;
    for (const [i, item] of value.entries()) {
      if (!this.tries(contains, item, null, scope)) continue;
      contained++;
      seen?.items.add(i);
    }
    if (contained < minContains) this.fail(`must contain at least ${minContains} valid item(s)`);
    if (contained > maxContains) this.fail(`must contain at most ${maxContains} valid item(s)`);
  }

  private object(schema: JsonObject, value: JsonObject, seen: Evaluated | null, scope: Scope | null): void {
    const names = Object.keys(value);
    this.steps.spend(names.length);
    const { minProperties, maxProperties } = schema as Record<string, number>;
    if (minProperties !== undefined && names.length < minProperties)
      this.fail(`must NOT have fewer than ${minProperties} properties`);
    if (maxProperties !== undefined && names.length > maxProperties)
      this.fail(`must NOT have more than ${maxProperties} properties`);
    for (const name of (schema['required'] ?? []) as string[]) {
      this.steps.spend(1);
      if (!Object.hasOwn(value, name)) this.fail(`must have required property '${name}'`);
    }
    this.dependent(schema, value, seen, scope);
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    const { patternProperties } = schema;
    const patterns = patternProperties === undefined ? [] : Object.entries(patternProperties as Record<string, Schema>);
    const { additionalProperties, propertyNames } = schema as Record<string, Schema | undefined>;
    for (const name of names) {
      let known = false;
      const inner = value[name] as Json;
      if (Object.hasOwn(properties, name)) {
        known = true;
        this.below(name, properties[name] as Schema, inner, scope);
      }
      for (const [source, each] of patterns) {
        if (!this.of.pattern(source)(name, this.steps)) continue;
        known = true;
        this.below(name, each, inner, scope);
      }
      if (!known && additionalProperties === false) this.fail('must NOT have additional properties', name);
      else if (!known && additionalProperties !== undefined) this.below(name, additionalProperties, inner, scope);
      if (known || additionalProperties !== undefined) seen?.names.add(name);
      if (propertyNames !== undefined && !this.tries(propertyNames, name, null, scope))
        this.fail('property name must be valid', name);
    }
  }

  private dependent(schema: JsonObject, value: JsonObject, seen: Evaluated | null, scope: Scope | null): void {
    for (const keyword of dependents) {
      const wanted = schema[keyword];
      if (wanted === undefined) continue;
      for (const [name, wants] of Object.entries(wanted as JsonObject)) {
        this.steps.spend(1);
        if (!Object.hasOwn(value, name)) continue;
        if (!Array.isArray(wants)) {
          this.evaluate(wants as Schema, value, seen, scope);
          continue;
        }
        for (const other of wants as readonly string[])
          if (!Object.hasOwn(value, other)) this.fail(`must have property ${other} when property ${name} is present`);
      }
    }
  }

  private otherItems(schema: JsonObject, value: readonly Json[], here: Evaluated, scope: Scope | null): void {
    const rest = schema['unevaluatedItems'] as Schema | undefined;
    if (rest === undefined) return;
    for (let i = here.upTo; i < value.length; i++) {
      if (here.items.has(i)) continue;
      if (rest === false) this.fail('must NOT have unevaluated items');
      else this.below(i, rest, value[i] as Json, scope);
    }
    here.upTo = value.length;
  }

  private otherNames(schema: JsonObject, value: JsonObject, here: Evaluated, scope: Scope | null): void {
    const rest = schema['unevaluatedProperties'] as Schema | undefined;
    if (rest === undefined) return;
    for (const name of Object.keys(value)) {
      this.steps.spend(1);
      if (here.allNames || here.names.has(name)) continue;
      if (rest === false) this.fail('must NOT have unevaluated properties', name);
      else this.below(name, rest, value[name] as Json, scope);
    }
    here.allNames = true;
  }
}

function lengthOf(text: string): number {
  let pairs = 0;
  for (let i = 1; i < text.length; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}
