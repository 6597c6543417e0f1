/** What the keywords of JSON Schema 2020-12 may have as values; those that hold schemas are read by validator.ts. */

type Rule = readonly [message: string, fits: (value: unknown) => boolean];

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isDistinct = (value: readonly unknown[]): boolean => new Set(value).size === value.length;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText) && isDistinct(value);
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const isType = (value: unknown): boolean => types.includes(value as string);

const count: Rule = ['must be an integer >= 0', isCount];
const text: Rule = ['must be string', isText];
const flag: Rule = ['must be boolean', isFlag];
const number: Rule = ['must be number', isNumber];
const texts: Rule = ['must be an array of different strings', isTexts];
const object: Rule = ['must be object', isObject];
const some: Rule = ['must be an array with an item at least', (value) => Array.isArray(value) && value.length > 0];

const rules: Readonly<Record<string, Rule>> = {
  type: [
    `must be equal to one of the allowed values, or an array of them (${JSON.stringify(types)})`,
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) && isDistinct(value) : isType(value)),
  ],
  enum: ['must be array', Array.isArray],
  multipleOf: ['must be > 0', (value) => isNumber(value) && (value as number) > 0],
  ...Object.fromEntries(
    (
      [
        [number, 'maximum exclusiveMaximum minimum exclusiveMinimum'],
        [count, 'maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties'],
        [flag, 'uniqueItems deprecated readOnly writeOnly'],
        [text, 'pattern $ref $dynamicRef $anchor $dynamicAnchor $id $comment title description format'],
        [texts, 'required'],
        [some, 'prefixItems allOf anyOf oneOf'],
        [object, 'properties patternProperties dependentSchemas $defs definitions dependencies'],
      ] as const
    ).flatMap(([rule, names]) => names.split(' ').map((name) => [name, rule])),
  ),
  dependentRequired: [
    'must be an object of arrays of different strings',
    (value) => isObject(value) && Object.values(value as object).every(isTexts),
  ],
};

/** The keyword whose value is not taken and why, as a path below the schema; null if there is none. */
export function keywordProblem(schema: Readonly<Record<string, unknown>>): string | null {
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = Object.hasOwn(rules, keyword) ? rules[keyword] : undefined;
    if (rule && !rule[1](value)) return `${keyword} ${rule[0]}`;
  }
  return null;
}
