/**
 * Memories of other programs, from what they document as their export:
 *   mem0   the answer of its list of memories: an array, or an object with `results`; `memory` is the text. The
 *          `relations` of its graph are left out.
 *   letta  an agent file (.af): its blocks, and what users and agents said in its messages; or a list of passages.
 *          What a user said may be wrapped in JSON, and what an agent said be the argument of a call of send_message.
 *   text   a plain text: each paragraph is a memory
 *
 * Ids follow from the text and its place, so that the same file imported again takes in nothing twice.
 */
import { createHash } from 'node:crypto';
import { encodeTime } from '../domain/ids.js';
import { checkRecord, type CheckedRecord } from '../domain/import-records.js';
import { limits } from '../domain/inputs.js';
import { firstBytes } from '../domain/bounded.js';
import { ImportError } from './check.js';

export const foreignFormats = ['mem0', 'letta', 'text'] as const;
export type ForeignFormat = (typeof foreignFormats)[number];

/** Such a file is read as a whole. */
export const longestForeignFile = 256 * 1024 * 1024;

type Fields = Record<string, unknown>;

interface Found {
  content: string;
  type: 'semantic' | 'episodic';
  at?: unknown;
  changed?: unknown;
  speaker?: string;
  metadata?: Fields;
}

/**
 * The memories of a file, for the owner that is opened before them. `now` is the time of those that have none. `note`
 * is told of what is left out. Throws ImportError.
 */
export function foreignMemories(
  format: ForeignFormat,
  text: string,
  now: number,
  note: (sentence: string) => void = () => undefined,
): CheckedRecord[] {
  if (/^(PK\u0003\u0004|\u001f)/.test(text)) throw new ImportError('The file is compressed: unpack it first.');
  const found =
    format === 'text' ? paragraphs(text) : format === 'mem0' ? mem0(parsed(text), note) : letta(parsed(text));
  return found
    .filter(({ content }) => content.trim() !== '')
    .map((memory, place) => {
      try {
        return recordOf(memory, format, place, now);
      } catch (error) {
        throw new ImportError(`Memory ${place + 1}: ${error instanceof Error ? error.message : 'cannot be read'}.`);
      }
    });
}

function recordOf(
  { content, type, at, changed, speaker, metadata }: Found,
  format: string,
  place: number,
  now: number,
): CheckedRecord {
  const created = timeOf(at) ?? now;
  const created_at = new Date(created).toISOString();
  const data = {
    type,
    content,
    speaker: speaker ?? null,
    metadata: { ...metadata, imported_from: format },
    created_at,
    occurred_at: created_at,
    updated_at: new Date(Math.max(created, timeOf(changed) ?? created)).toISOString(),
  };
  return checkRecord('memory', idOf(format, place, content, timeOf(at) ?? 0), data, 'agent');
}

function idOf(format: string, place: number, content: string, at: number): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const digest = createHash('sha256').update(`${format}/${place}/${content}`).digest();
  const rest = Array.from({ length: 14 }, (_, i) => alphabet.charAt((digest[i] ?? 0) & 31)).join('');
  const order = alphabet.charAt((place >> 5) & 31) + alphabet.charAt(place & 31);
  return `mem_${encodeTime(at)}${order}${rest}`;
}

function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return ms >= 0 && ms < 253_402_300_800_000 ? ms : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    throw new ImportError('The file is not JSON.');
  }
}

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const string = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The few fields that say whose memory it was, besides its own metadata. */
const kept = (item: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (item[name] == null ? [] : [[name, item[name]]])));

function mem0(value: unknown, note: (sentence: string) => void): Found[] {
  const relations = list(fields(value)['relations']).length;
  if (relations > 0)
    note(`Left out: ${relations.toLocaleString('en-US')} relations of the graph, which are no memories.`);
  const items = Array.isArray(value) ? list(value) : list(fields(value)['results'] ?? fields(value)['memories']);
  if (items.length === 0) throw new ImportError('There is no list of memories in the file: an array, or `results`.');
  return items.map((item) => ({
    content: string(item['memory']),
    type: 'semantic',
    at: item['created_at'],
    changed: item['updated_at'],
    metadata: { ...fields(item['metadata']), ...kept(item, ['id', 'user_id', 'agent_id', 'run_id', 'categories']) },
  }));
}

function letta(value: unknown): Found[] {
  const file = fields(value);
  const agents = Array.isArray(file['agents']) ? list(file['agents']) : [file];
  const blocks = [...list(file['blocks']), ...agents.flatMap((agent) => list(agent['core_memory']))];
  const passages = Array.isArray(value) ? list(value) : list(file['passages']);
  const found: Found[] = [
    ...blocks.map((block): Found => ({
      content: string(block['value']) === '' ? '' : `${string(block['label'])}: ${string(block['value'])}`,
      type: 'semantic',
      at: block['created_at'],
      metadata: kept(block, ['label', 'description']),
    })),
    ...passages.map((passage): Found => ({
      content: string(passage['text']),
      type: 'semantic',
      at: passage['created_at'],
      metadata: { ...fields(passage['metadata']), ...kept(passage, ['id', 'tags']) },
    })),
    ...agents.flatMap((agent) => list(agent['messages']).flatMap(said)),
  ];
  if (found.length === 0) throw new ImportError('There are no blocks, passages or messages in the file.');
  return found;
}

/** What a user or the agent said; other calls of tools and the system's messages are no memories. */
function said(message: Fields): Found[] {
  const role = string(message['role']);
  if (role !== 'user' && role !== 'assistant') return [];
  const { content } = message;
  const plain =
    typeof content === 'string'
      ? content
      : list(content)
          .map((part) => string(part['text']))
          .join('\n');
  const texts = role === 'user' ? [unwrapped(plain)] : (sentBy(message) ?? [plain]);
  const speaker = string(message['name']) || role;
  return texts.map((text): Found => ({ content: text, type: 'episodic', at: message['created_at'], speaker }));
}

/**
 * The text within `{"type": "user_message", "message": ...}`; nothing where an event of the system is told like that.
 */
function unwrapped(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const { type, message } = fields(JSON.parse(text));
    if (typeof type !== 'string') return text;
    return type === 'user_message' ? string(message) : '';
  } catch {
    return text;
  }
}

/** What a message sends by calls of send_message, beside which its content is what the agent thought; null if none. */
function sentBy(message: Fields): string[] | null {
  const calls = list(message['tool_calls']).map((call) => fields(call['function']));
  const sent = calls.filter((call) => call['name'] === 'send_message');
  if (sent.length === 0) return null;
  return sent.map((call) => {
    try {
      return string(fields(JSON.parse(string(call['arguments'])))['message']);
    } catch {
      return '';
    }
  });
}

/** A paragraph that is too long for a memory becomes several. */
function paragraphs(text: string): Found[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n[ \t]*\r?\n/)
    .flatMap((paragraph) => pieces(paragraph.trim()))
    .map((content) => ({ content, type: 'semantic' }));
}

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== '';) {
    const piece = firstBytes(rest, limits.memoryContent);
    found.push(piece);
    rest = rest.slice(piece.length);
  }
  return found;
}
