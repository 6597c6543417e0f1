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
const usualFields = Object.entries(usual);

/** A consulted memory as stored: its id, its relevance, and its type unless the id is that of a turn. */
type StoredHit = [id: string, relevance: number, type?: string];
const isTurn = (id: string): boolean => id.includes('.');
const turnHit = 'conversation';

export function packRun(run: RunRecord): Body {
  const { id: _id, agent_id: _agent, held, done, consulted, started_at, ended_at, statusAt, ...rest } = run;
  const body: Body = rest;
  for (const [name, value] of usualFields) if (body[name] === value) delete body[name];
  if (held.length > 0) body['held'] = held;
  if (done.length > 0) body['done'] = done;
  if (consulted.length > 0)
    body['consulted'] = consulted.map(({ id, type, relevance }): StoredHit =>
      type === turnHit && isTurn(id) ? [id, relevance] : [id, relevance, type],
    );
  if (started_at !== run.created_at) body['started_at'] = started_at;
  if (ended_at !== usualEnd(run)) body['ended_at'] = ended_at;
  if (statusAt !== run.updated_at) body['statusAt'] = statusAt;
  return body;
}

/** The approximate size of a run as stored. */
export const runSize = (run: RunRecord): number => sizeOf(packRun(run));

/** The run in a document; `entity` is its agent. */
export function unpackRun({ id, entity, body }: { id: string; entity: { id: string }; body: Body }): RunRecord {
  const stored = body as Partial<RunRecord> & Pick<RunRecord, 'status' | 'created_at' | 'updated_at'>;
  const { consulted = [] } = body as { consulted?: readonly (StoredHit | RunRecord['consulted'][number])[] };
  const whole: Partial<RunRecord> = {
    ...usual,
    started_at: stored.created_at,
    ended_at: usualEnd(stored),
    statusAt: stored.updated_at,
    held: [],
    done: [],
    ...stored,
    consulted: consulted.map((hit) => {
      if (!Array.isArray(hit)) return hit;
      const [id, relevance, type = turnHit] = hit;
      return { id, type, relevance };
    }),
    id,
    agent_id: entity.id,
  };
  return whole as RunRecord;
}

/** When a run that last changed by ending has ended. */
const usualEnd = ({ status, updated_at }: Pick<RunRecord, 'status' | 'updated_at'>): string | null =>
  isTerminal(status) ? updated_at : null;
