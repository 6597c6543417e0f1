/**
 * How mail, names and whatever else neither the client nor the agent has said is told to a model: as fenced JSON, so that
 * it can neither close its fence nor pose as rules. Memories are lines (memory-lines.ts).
 */
/** One JSON value on a line. `<` is escaped, so that no value can contain the end of the fence. */
export const lineOf = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const opening = (name: string): string => `<data name="${name}">\n`;
const closing = '\n</data>';

export const fencedLines = (name: string, lines: readonly string[]): string =>
  `${opening(name)}${lines.join('\n')}${closing}`;

export const fenced = (name: string, values: readonly object[]): string => fencedLines(name, values.map(lineOf));
