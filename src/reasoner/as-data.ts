/**
 * How memories, mail and whatever else neither the client nor the agent has said is told to a model: as fenced JSON, so
 * that it can neither close its fence nor pose as rules.
 */
import type { RecalledMemory } from './port.js';

/** One JSON value on a line. `<` is escaped, so that no value can contain the end of the fence. */
export const lineOf = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const opening = (name: string): string => `<data name="${name}">\n`;
const closing = '\n</data>';

export const fencedLines = (name: string, lines: readonly string[]): string =>
  `${opening(name)}${lines.join('\n')}${closing}`;

export const fenced = (name: string, values: readonly object[]): string => fencedLines(name, values.map(lineOf));

/** What a model is told of a memory; `newest` is one that stands beside older ones. */
export const memoryData = (
  { id, type, at, role, speaker, content }: Omit<RecalledMemory, 'relevance'>,
  newest = false,
): object => ({
  ...(id.startsWith('mem_') && { id }),
  type,
  ...(at !== undefined && { at: at.slice(0, 16) }),
  ...(at !== undefined && newest && { newest: true }),
  ...(role !== undefined && { said_by: role === 'user' ? 'the user' : 'you' }),
  ...(speaker !== undefined && { said_by: speaker }),
  content,
});
