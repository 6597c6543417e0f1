/**
 * Memories of other programs, from what they document as their export:
 *   mem0   the answer of its list of memories: an array, or an object with `results`; `memory` is the text. The
 *          `relations` of its graph are left out. The platform answers in pages, and `next` tells of more.
 *   letta  an agent file (.af), of one agent as earlier versions write it or with `agents`: its blocks, and what users
 *          and agents said in its messages; or a list of passages. Files and skills of an agent are left out.
 *          What a user said may be wrapped in JSON. What an agent said is the argument of a call of send_message, and
 *          its text what it thought while it called a tool; only an agent of the type letta_v1_agent says its text.
 *   text   a plain text: each paragraph is a memory
 *
 * Ids follow from the text and its place, so that the same file imported again takes in nothing twice.
 */
import { createHash } from 'node:crypto';
import { encodeTime } from '../domain/shared/ids.js';
import { checkRecord, type CheckedRecordOf } from '../domain/import/import-records.js';
import { limits } from '../domain/shared/input-fields.js';
import { firstBytes } from '../domain/shared/bounded.js';
import { ImportError } from './check.js';

export const foreignFormats = ['mem0', 'letta', 'text'] as const;
export type ForeignFormat = (typeof foreignFormats)[number];

/** Such a file is read as a whole. */
export const longestForeignFile = 256 * 1024 * 1024;

type Fields = Record<string, unknown>;

type ForeignMemory = CheckedRecordOf<'memory'>;

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
): ForeignMemory[] {
  if (/^(PK\u0003\u0004|\u001f)/.test(text)) throw new ImportError('The file is compressed: unpack it first.');
  const found =
    format === 'text' ? paragraphs(text) : format === 'mem0' ? mem0(parsed(text), note) : letta(parsed(text), note);
  return found
    .flatMap((memory) => pieces(memory.content).map((content) => ({ ...memory, content })))
    .filter(({ content }) => content.trim() !== '')
    .map((memory, place) => recordOf(memory, format, place, now));
}

function recordOf(
  { content, type, at, changed, speaker, metadata }: Found,
  format: string,
  place: number,
  now: number,
): ForeignMemory {
  const created = timeOf(at) ?? now;
  const created_at = new Date(created).toISOString();
  const data = {
    ...{ type, content, speaker: speaker ?? null, metadata: { ...metadata, imported_from: format } },
    ...{
      shared_by: null,
      sessionId: null,
      position: null,
      importance: null,
      source: null,
      run_id: null,
      expires_at: null,
    },
    ...{ supersedes: null, superseded_by: null, valid_until: null, times_seen: 1, last_seen_at: created_at },
    created_at,
    occurred_at: created_at,
    updated_at: new Date(Math.max(created, timeOf(changed) ?? created)).toISOString(),
  };
  const checked = checkRecord('memory', idOf(format, place, content, timeOf(at) ?? 0), data);
  if (typeof checked === 'string') throw new ImportError(`Memory ${place + 1}: ${checked}.`);
  return checked as ForeignMemory;
}

function idOf(format: string, place: number, content: string, at: number): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const digest = createHash('sha256').update(`${format}/${place}/${content}`).digest();
  const rest = Array.from({ length: 14 }, (_, i) => alphabet.charAt((digest[i] ?? 0) & 31)).join('');
  const order = alphabet.charAt((place >> 5) & 31) + alphabet.charAt(place & 31);
  return `mem_${encodeTime(at)}${order}${rest}`;
}

/** A time without a zone is one of a server, whose clock is in UTC. */
function timeOf(value: unknown): number | null {
  const isLocal = typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(value);
  const ms = typeof value === 'string' ? Date.parse(isLocal ? `${value}Z` : value) : NaN;
  return ms >= 0 && ms < 253_402_300_800_000 ? ms : null;
}

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
    // who saves the text of an answer as JSON gets a text in which the JSON is
    return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
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
  if (string(fields(value)['next']) !== '')
    note('The file is one page of a list that goes on: import the others, too.');
  const items = Array.isArray(value) ? list(value) : list(fields(value)['results'] ?? fields(value)['memories']);
  if (items.length === 0) throw new ImportError('There is no list of memories in the file: an array, or `results`.');
  return items.map((item) => ({
    content: string(item['memory']),
    type: 'semantic',
    at: item['created_at'],
    changed: item['updated_at'],
    metadata: { ...fields(item['metadata']), ...kept(item, told) },
  }));
}

/** What mem0 tells of a memory beside its metadata, except a hash of its text. */
const told = [
  'id',
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'actor_id',
  'role',
  'attributed_to',
  'categories',
  'expiration_date',
] as const;

function letta(value: unknown, note: (sentence: string) => void): Found[] {
  const file = fields(value);
  const agents = Array.isArray(file['agents']) ? list(file['agents']) : [file];
  const blocks = [
    ...list(file['blocks']),
    ...agents.flatMap((agent) => [...list(agent['core_memory']), ...list(agent['memory_blocks'])]),
  ];
  const passages = (Array.isArray(value) ? list(value) : list(file['passages'])).filter(
    (passage) => passage['is_deleted'] !== true,
  );
  for (const left of ['files', 'skills']) {
    const count = list(file[left]).length;
    if (count > 0) note(`Left out: the agent's ${left} (${count.toLocaleString('en-US')}), which are no memories.`);
  }
  const found: Found[] = [
    ...blocks.map((block): Found => ({
      content: string(block['value']) === '' ? '' : `${string(block['label'])}: ${string(block['value'])}`,
      type: 'semantic',
      at: block['created_at'],
      changed: block['updated_at'],
      metadata: kept(block, ['label', 'description']),
    })),
    ...passages.map((passage): Found => ({
      content: string(passage['text']),
      type: 'semantic',
      at: passage['created_at'],
      changed: passage['updated_at'],
      metadata: { ...fields(passage['metadata'] ?? passage['metadata_']), ...kept(passage, ['id', 'tags']) },
    })),
    ...agents.flatMap((agent) => list(agent['messages']).flatMap((message) => said(message, agent['agent_type']))),
  ];
  if (found.length === 0) throw new ImportError('There are no blocks, passages or messages in the file.');
  return found;
}

/** What a user or the agent said; other calls of tools and the system's messages are no memories. */
function said(message: Fields, agentType: unknown): Found[] {
  const role = string(message['role']);
  if (role !== 'user' && role !== 'assistant') return [];
  const { content } = message;
  const plain =
    typeof content === 'string'
      ? content
      : list(content)
          .flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []))
          .join('\n');
  const calls = callsOf(message);
  const says = calls.length === 0 || agentType === 'letta_v1_agent';
  const texts = role === 'user' ? [unwrapped(plain)] : [...(says ? [plain] : []), ...sentBy(calls)];
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

/** The calls of tools of a message: a field of its own, and in some files parts of its content as well. */
function callsOf({ tool_calls, content }: Fields): Fields[] {
  const calls = list(tool_calls).map((call) => fields(call['function']));
  if (calls.length > 0) return calls;
  const parts = list(content).filter((part) => part['type'] === 'tool_call');
  return parts.map(({ name, input }) => ({ name, arguments: input }));
}

/** What is sent to the user by calls of send_message. */
const sentBy = (calls: readonly Fields[]): string[] =>
  calls
    .filter(({ name }) => name === 'send_message')
    .map(({ arguments: given }) => {
      if (typeof given !== 'string') return string(fields(given)['message']);
      try {
        return string(fields(JSON.parse(given))['message']);
      } catch {
        return '';
      }
    });

function paragraphs(text: string): Found[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => ({ content: paragraph.trim(), type: 'semantic' }));
}

/** A text that is too long for a memory becomes several. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== '';) {
    const piece = firstBytes(rest, limits.memoryContent);
    found.push(piece);
    rest = rest.slice(piece.length);
  }
  return found;
}
