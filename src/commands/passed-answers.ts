/**
 * Answers that are given at a run that asks, to what the run of its question waits for (docs/agents-together.md): a
 * human's, a decision, the results of tools. They are brought to the run that waits, directly or through others, before
 * anything is acknowledged.
 *
 *  PassedAnswer.K1 What is answered at the run that asks is as if it had been answered at the run that waits: it fits
 *     that run, or is refused, has the powers and the scopes of who answers, and takes effect once.
 *  PassedAnswer.K2 Whoever works for one agent alone decides about no action of another, though it may answer what
 *     another asks: with what that may do, it may no more than before (Powers.P2).
 *  PassedAnswer.K3 A request that is sent again under its key goes where it has gone first, whatever the run that asks
 *     waits for by then.
 */
import type { RunRecord } from '../domain/agent/agent-state.js';
import { HivekeepError } from '../domain/shared/errors.js';
import type { Caller } from '../domain/shared/caller.js';
import { awaitedAt, passAnswer, type PassedTo } from '../domain/mailbox/passed-answers.js';
import { unpackRun } from '../domain/run/stored-run.js';
import { partialChange, type Services, takes } from './command.js';
import { agentRef } from './entities.js';
import type { IdempotencyKey } from './idempotency.js';

const keyOf = ({ idempotencyKey }: Pick<Caller, 'idempotencyKey'>): IdempotencyKey | undefined =>
  idempotencyKey && { id: `${idempotencyKey.id}.passed`, bodyHash: '' };

/** Notes where an answer goes, so that a repeat goes there as well. */
export const notePassedAnswer = partialChange({
  name: 'notePassedAnswer',
  of: 'agent',
  target: ['id'],
  takes: takes<{ run: string; answers: string | undefined }>(),
  key: ({ caller }) => keyOf(caller),
  read: (reading, { input: { run } }) => reading.settled(() => reading.runIfKept(run)),
  decide: (d, { input: { answers } }, run): PassedTo | null => passAnswer(d, run, answers),
});

/** Where an answer goes that is given at this run; null if it is for the run itself. */
export async function answeredElsewhere(
  { store, clock, execute }: Services,
  caller: Caller,
  { agent, run, answers }: { agent: string; run: string; answers: string | undefined },
): Promise<PassedTo | null> {
  const entity = agentRef(caller, agent);
  const key = keyOf(caller);
  const before = key && (await store.record(entity, key.id, clock.now()));
  const to = before ? (before.result as PassedTo | null) : await decidedOn();
  if (to?.kind === 'approval' && caller.agent !== undefined && caller.agent !== to.agent_id)
    throw new HivekeepError(
      'INSUFFICIENT_SCOPE',
      `who works for agent ${caller.agent} alone cannot decide what agent ${to.agent_id} is about to do`,
      { details: { required_scope: 'agent:manage' } },
    );
  return to;

  async function decidedOn(): Promise<PassedTo | null> {
    const doc = await store.get(entity, 'run', run);
    const record: RunRecord | null = doc && unpackRun(doc);
    if (!record || awaitedAt(record, answers) === null) return null;
    return key ? execute(caller, notePassedAnswer, { id: agent }, { run, answers }) : awaitedAt(record, answers);
  }
}
