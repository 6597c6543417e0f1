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

/** A fact with its day, and the name by which a tool may name it, if it has one. */
export function factLine(memory: Memory, name?: string): string {
  const day = dayOf(memory);
  return `${name === undefined ? '' : `(${name}) `}${day === '' ? '' : `${day} `}${turnLine(memory)}`;
}

/** What stands above the turns of one session on one day. */
export const heading = (memory: Memory): string => `# ${dayOf(memory)}`;
