/** Which of what the runs of questions wait for is meant by an answer at the run that asks (src/commands/passed-answers.ts). */
import type { AgentDraft } from '../agent/agent-draft.js';
import { type LiveRun, questionOf, type RunRecord } from '../agent/agent-state.js';
import { HivekeepError, invalid } from '../shared/errors.js';
import { adoptRun } from '../run/run.js';
import type { Awaited } from './question-messages.js';

/** The run that waits, and its question. */
export type PassedTo = Pick<Awaited, 'agent_id' | 'run_id' | 'kind' | 'id'>;

/**
 * What is answered at a run that waits for other agents: the question that `answers` names, or else the only one. Null
 * if there is none, or the run does not wait for agents.
 */
export function awaitedAt(record: RunRecord, answers: string | undefined): PassedTo | null {
  if (record.status !== 'paused' || record.waitingFor?.kind !== 'agent') return null;
  const all = record.asked?.flatMap(({ came, waitsFor }) => (!came && waitsFor ? [waitsFor] : [])) ?? [];
  const own = questionOf(record)?.id;
  const [only] = all;
  if (!only) return null;
  if (answers !== undefined && answers !== own) {
    const named = all.find(({ id }) => id === answers);
    if (named) return placeOf(named);
    throw new HivekeepError(
      'CONFLICT',
      `run ${record.id} does not wait for an answer to ${answers}: it waits for ${all.map(({ id }) => id).join(', ')}`,
      { details: { status: record.status, question: own ?? null } },
    );
  }
  if (all.length > 1)
    throw invalid({
      path: 'answers',
      message: `must name one of what the run waits for: ${all.map(({ id }) => id).join(', ')}`,
    });
  return placeOf(only);
}

const placeOf = ({ agent_id, run_id, kind, id }: Awaited): PassedTo => ({ agent_id, run_id, kind, id });

/** The run itself stays as it is: it is told what the other one waits for by then. */
export function passAnswer(d: AgentDraft, run: LiveRun | null, answers: string | undefined): PassedTo | null {
  const to = run && awaitedAt(run.record, answers);
  if (!to) return null;
  adoptRun(d, run);
  d.dropRun(run.record.id);
  return to;
}
