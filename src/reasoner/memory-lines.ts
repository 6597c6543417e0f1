/**
 * How memories are told to a model: a line for each, with its day and who said it, below a heading for each session.
 *
 *  - A memory is one line, whatever it has: its line breaks are " / ", and no `<` of it begins or ends a fence, so that
 *    it can neither leave its place nor pose as another or as rules.
 *  - Who said it stands in brackets, and a text that begins like that, or like a heading, is that of somebody unknown,
 *    `[?]`.
 */
import type { RecalledMemory } from './port.js';

type Memory = Omit<RecalledMemory, 'relevance'>;

const breaks = /\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g;
const marks = /<(?=\s*\/?\s*(?:data|service)\b)/gi;
const brackets = /[[\]]/g;

const oneLine = (text: string): string => text.trim().replace(breaks, ' / ').replace(marks, '&lt;');

function speakerOf({ role, speaker, content }: Memory): string {
  if (speaker !== undefined) return `[${oneLine(speaker).replace(brackets, '')}] `;
  if (role !== undefined) return role === 'user' ? '[user] ' : '[you] ';
  return /^\s*[[#]/.test(content) ? '[?] ' : '';
}

const dayOf = ({ at }: Memory): string => at?.slice(0, 10) ?? '';

/** A turn below the heading of its session. */
export const turnLine = (memory: Memory): string => `${speakerOf(memory)}${oneLine(memory.content)}`;

/** A fact with its day. */
export function factLine(memory: Memory, isNewest = false): string {
  const day = dayOf(memory);
  return `${day === '' ? '' : `${day} `}${isNewest ? '(newest) ' : ''}${turnLine(memory)}`;
}

/** The same with the short name by which a tool names it, where it may be changed. */
export const namedLine = (memory: Memory, isNewest: boolean): string =>
  `${memory.id.startsWith('mem_') ? `(${shortName(memory.id)}) ` : ''}${factLine(memory, isNewest)}`;

const shortest = 5;
/** A memory's name in a prompt, in a fifth of the tokens of its id: its end, which is chance. */
export const shortName = (id: string): string => `m-${id.slice('mem_'.length).slice(-shortest)}`;

/** The id of what is named so among the memories that a model was given; else the name itself. */
export function idNamed(name: string, given: readonly Pick<Memory, 'id'>[]): string {
  const bare = name.replace(/^\((.*)\)$/, '$1');
  const [one, two] = given.filter(({ id }) => id.startsWith('mem_') && shortName(id) === bare);
  return one && !two ? one.id : name;
}

/** What stands above the turns of one session on one day. */
export const heading = (memory: Memory): string => `# ${dayOf(memory)}`;

/*
 * How mail, names and whatever else neither the client nor the agent has said is told to a model: as fenced JSON, so that
 * it can neither close its fence nor pose as rules. Memories are lines.
 */

/** One JSON value on a line. `<` is escaped, so that no value can contain the end of the fence. */
export const lineOf = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const opening = (name: string): string => `<data name="${name}">\n`;
const closing = '\n</data>';

export const fencedLines = (name: string, lines: readonly string[]): string =>
  `${opening(name)}${lines.join('\n')}${closing}`;

export const fenced = (name: string, values: readonly object[]): string => fencedLines(name, values.map(lineOf));
