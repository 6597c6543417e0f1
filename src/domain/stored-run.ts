/**
 * The stored form of a run, which omits what its key says, and every field that has the value that it has in most runs.
 * A run that was stored with all of its fields reads the same.
 */
import type { RunRecord } from './agent-state.js';
import { isTerminal } from './model.js';
import { sizeOf } from './storage.js';

type Body = Record<string, unknown>;

/** What a field is when it was not stored. */
const usual = {
  stopReason: null,
  output: null,
  error: null,
  waitingFor: null,
  forkedFrom: null,
  runtimeMs: 0,
  budgetFromStep: 0,
  budgetFromMs: 0,
  approved: false,
  partial: null,
  messageId: null,
  hops: 0,
  entryId: null,
} as const satisfies Partial<RunRecord>;
const usualFields: ReadonlyMap<string, unknown> = new Map(Object.entries(usual));

/** A consulted memory as stored: its id, its relevance, and its type unless the id is that of a turn. */
type StoredHit = [id: string, relevance: number, type?: string];
const isTurn = (id: string): boolean => id.includes('.');
const turnHit = 'conversation';

/** Built field by field, because an object that fields were deleted from is slow to write as JSON. */
export function packRun(run: RunRecord): Body {
  const body: Body = {};
  let name: keyof RunRecord;
  for (name in run) if (!isUsual(run, name)) body[name] = name === 'consulted' ? run.consulted.map(packHit) : run[name];
  return body;
}

function isUsual(run: RunRecord, name: keyof RunRecord): boolean {
  switch (name) {
    case 'id':
    case 'agent_id':
      return true;
    case 'held':
    case 'done':
    case 'consulted':
      return run[name].length === 0;
    case 'started_at':
      return run.started_at === run.created_at;
    case 'ended_at':
      return run.ended_at === usualEnd(run);
    case 'statusAt':
      return run.statusAt === run.updated_at;
    default:
      return run[name] === usualFields.get(name);
  }
}

const packHit = ({ id, type, relevance }: RunRecord['consulted'][number]): StoredHit =>
  type === turnHit && isTurn(id) ? [id, relevance] : [id, relevance, type];

/** The approximate size of a run as stored. */
export const runSize = (run: RunRecord): number => sizeOf(packRun(run));

const unpackHit = (hit: StoredHit | RunRecord['consulted'][number]): RunRecord['consulted'][number] => {
  if (!Array.isArray(hit)) return hit;
  const [id, relevance, type = turnHit] = hit;
  return { id, type, relevance };
};

/**
 * The run in a document; `entity` is its agent. Its fields are assigned, because V8 takes 60 us to spread as many into
 * a literal that has some of them already, and 4 us to assign them.
 */
export function unpackRun({ id, entity, body }: { id: string; entity: { id: string }; body: Body }): RunRecord {
  const stored = body as Partial<RunRecord> & Pick<RunRecord, 'status' | 'created_at' | 'updated_at'>;
  const { consulted = [] } = body as { consulted?: readonly (StoredHit | RunRecord['consulted'][number])[] };
  const whole: Partial<RunRecord> = {};
  Object.assign(
    whole,
    usual,
    { started_at: stored.created_at, ended_at: usualEnd(stored), statusAt: stored.updated_at, held: [], done: [] },
    stored,
    { consulted: consulted.map(unpackHit), id, agent_id: entity.id },
  );
  return whole as RunRecord;
}

/** When a run that last changed by ending has ended. */
const usualEnd = ({ status, updated_at }: Pick<RunRecord, 'status' | 'updated_at'>): string | null =>
  isTerminal(status) ? updated_at : null;
