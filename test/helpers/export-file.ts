/** Makes the file of an export of any size, line by line, as a service would have written it. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { encodeTime } from '../../src/domain/shared/ids.js';
import { ExportWriter } from '../../src/transfer/export-writer.js';
import type { EntityRecord, RecordCounts } from '../../src/transfer/records.js';

export interface ExportShape {
  memories: number;
  runs?: number;
  /** The first has half of the memories and of the runs, the others share the rest. */
  agents?: number;
  /** Characters of a memory's content, about. */
  length?: number;
}

const firstMs = Date.UTC(2026, 0, 1);
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** The n-th id: the counter stands where an id has randomness. */
function idOf(prefix: string, n: number): string {
  let counter = '';
  for (let i = 0, rest = n; i < 16; i++, rest = Math.floor(rest / 32)) counter = alphabet.charAt(rest % 32) + counter;
  return `${prefix}_${encodeTime(firstMs + n)}${counter}`;
}
export const agentIdOf = (n: number): string => idOf('agent', n);
const timeOf = (n: number): string => new Date(firstMs + n).toISOString();

/** Resolves to the counts of its records. */
export async function writeExportFile(file: string, shape: ExportShape): Promise<RecordCounts> {
  const out = createWriteStream(file);
  for (const line of exportLinesOf(shape)) if (!out.write(line)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
  return countsOf(shape);
}

const countsOf = ({ memories, runs = 0, agents = 1 }: ExportShape): RecordCounts => ({
  workspace: 1,
  agent: agents,
  ...(memories > 0 && { memory: memories }),
  ...(runs > 0 && { journal: runs, run: runs }),
});

/** Its lines. */
export function* exportLinesOf({ memories, runs = 0, agents = 1, length = 80 }: ExportShape): Generator<string> {
  const writer = new ExportWriter();
  const workspace = { id: 'default', name: 'default', tier: 'enterprise' };
  yield writer.header({ created_at: timeOf(0), agent: null, workspace, credentials: false });
  function* entity(records: Iterable<EntityRecord>): Generator<string> {
    for (const record of records) yield writer.record(record);
    yield writer.close();
  }
  yield* entity([{ record: 'workspace', id: 'default', data: { name: 'default', created_at: timeOf(0) } }]);
  const shareOf = (whole: number, n: number): [number, number] => {
    if (agents === 1) return [0, whole];
    const half = Math.ceil(whole / 2);
    const end = (k: number): number => half + Math.floor(((whole - half) * k) / (agents - 1));
    return n === 0 ? [0, half] : [end(n - 1), end(n)];
  };
  for (let n = 0; n < agents; n++) yield* entity(agentRecords(n, shareOf(memories, n), shareOf(runs, n), length));
  yield writer.end();
}

type Range = readonly [number, number];

function* agentRecords(n: number, memories: Range, runs: Range, length: number): Generator<EntityRecord> {
  const at = timeOf(n);
  const fixed = { description: '', status: 'active', config: {}, hives: [], metadata: {}, wake_on_message: false };
  const bounds = { memory_quota: null, maxRuntimeSeconds: null };
  const times = { created_at: at, updated_at: at, last_active_at: at };
  yield { record: 'agent', id: agentIdOf(n), data: { name: `Agent ${n}`, ...fixed, ...bounds, ...times } };
  for (let i = runs[0]; i < runs[1]; i++) yield* runRecords(agentIdOf(n), i);
  for (let i = memories[0]; i < memories[1]; i++)
    yield {
      record: 'memory',
      id: idOf('mem', i),
      data: {
        type: 'semantic',
        content: `Lot ${i} is kept in hall ${i % 13} until somebody asks for it. `.padEnd(length, `note ${i} `),
        sessionId: `s-${i % 50}`,
        importance: 0.5,
        metadata: { n: i },
        created_at: timeOf(i),
        updated_at: timeOf(i),
      },
    };
}

/** A run of one step that has ended, and its journal. */
function* runRecords(agent: string, n: number): Generator<EntityRecord> {
  const [id, entry, at, answer] = [idOf('run', n), idOf('ckpt', n), timeOf(n), `Lot ${n} is in hall ${n % 13}.`];
  const sessionId = `s-${n % 50}`;
  const of = { runId: id, sessionId };
  const status = { type: 'status', at, message: null };
  const thought = { id: idOf('tht', n), thoughtType: 'recall', content: answer, ...of, agent_id: agent, step: 1 };
  yield {
    record: 'journal',
    id: entry,
    data: {
      ...of,
      step: 1,
      firstSeq: 1,
      events: [
        { seq: 1, ...status, status: 'running', stopReason: null },
        { seq: 2, at, type: 'thought', thought: { ...thought, created_at: at } },
        { seq: 3, at, type: 'answer', content: answer },
        { seq: 4, ...status, status: 'completed', stopReason: 'answer' },
      ],
      human: null,
      created_at: at,
      checkpoint: {
        id: entry,
        ...of,
        agent_id: agent,
        step: 1,
        calls: [],
        output: answer,
        runtimeMs: 4,
        created_at: at,
      },
    },
  };
  const nothing = { error: null, waitingFor: null, forkedFrom: null, partial: null, messageId: null };
  const zeroes = { budgetFromStep: 0, budgetFromMs: 0, hops: 0 };
  const lists = { held: [], done: [], consulted: [] };
  const times = { created_at: at, updated_at: at, started_at: at, ended_at: at, statusAt: at };
  yield {
    record: 'run',
    id,
    data: {
      status: 'completed',
      stopReason: 'answer',
      triggeredBy: 'api',
      sessionId,
      input: `Where is lot ${n}?`,
      output: answer,
      ...nothing,
      ...zeroes,
      ...lists,
      ...times,
      maxSteps: 10,
      maxRuntimeSeconds: 300,
      steps: 1,
      nextSeq: 5,
      statusSeq: 4,
      runtimeMs: 4,
      approved: false,
      entryId: entry,
    },
  };
}
