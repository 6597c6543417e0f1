/**
 * What an agent's model learns from conversations, without being asked to: passages of what a client said become
 * memories that name the run and the session in which they were said (`source`, `sessionId`).
 *
 *  Learnt.N1 Only what a client says itself is learnt: not what another agent says, over A2A or the mailbox, and not
 *     what a memory or a reasoner says.
 *  Learnt.N2 Nothing is learnt where `config.memory.learn` is `off` or the agent has no model, nor where conversations
 *     are turned off, where the run's token may not write memories, or once the agent's quota of memories is used up.
 *     What is learnt counts towards that quota and no month. Where the agent's budget of the month is used up (Budgets.C2),
 *     nothing is learnt either.
 *  Learnt.N3 A run that said nothing beside what was learnt is an aside of its conversation (Conversation.V2), so that
 *     what becomes of the memory holds for recall as well.
 *  Learnt.N4 The model learns from each run once, after it has ended: a run is put in line by the commit that ends it,
 *     and leaves the line by the commit that keeps what was learnt from it, so neither a crash nor an outage loses or
 *     repeats it. The line in the agent's head is bounded: a run for which it has no room says that it waits, and is put
 *     in line, the oldest first, by a commit of its own. Nothing waits for any of it.
 *  Learnt.N5 What was learnt replaces a memory only if that is a present one of the agent itself, which names no
 *     speaker and was not said later, and says something else. It stays as history, as any that is superseded. What was
 *     said before a client changed that memory is not learnt at all: the client has corrected it (Memories.M1).
 */
import type { AgentSnapshot } from '../shared/snapshots.js';
import {
  bounds,
  namesBlock,
  namesMemory,
  type ResolvedCall,
  type RunRecord,
  type SubjectCount,
} from './agent-state.js';
import { countUse } from './budgets.js';
import type { AgentDraft } from './agent-draft.js';
import { isRecalled, recalledTurns, saidBy } from '../run/conversation.js';
import { wordingOf } from '../memory/identities.js';
import { type AgentConfig, asksModel } from './agent-config.js';
import { inDraft, isUnexpired, remember, type Surroundings } from '../memory/memories.js';
import type { ModelUsage } from '../model/model.js';
import { allows } from '../shared/caller.js';
import { isSameSubject, withSubject } from '../shared/caller.js';
import type { StoredMemory } from '../memory/stored-memory.js';
import { isPresent } from '../memory/memories.js';

/** A passage, with what was looked up for it. */
export interface Learnt {
  type: string;
  content: string;
  /** The id of the memory that it is said to replace. */
  replaces?: string;
  /** When it stops to be so. */
  until?: string;
  /** When it was said. */
  said: string;
  around: Surroundings;
  /** The turn says nothing beside what was learnt. */
  whole: boolean;
}
/** What was learnt from a run that has ended. */
export interface LearntFrom {
  run: RunRecord;
  learnt: readonly Learnt[];
}

/** The built-in reasoner has no model to learn by. */
const learns = (config: AgentConfig): boolean => config.memory?.learn !== 'off' && asksModel(config);

/** Learnt.N1, Learnt.N2. */
export const learnsFrom = ({ config }: Pick<AgentSnapshot, 'config'>, run: RunRecord): boolean =>
  learns(config) &&
  run.triggeredBy === 'api' &&
  run.passing !== true &&
  run.forkedFrom === null &&
  config.memory?.conversation !== 'off' &&
  allows(run.powers, 'memory:write');

/** Whether the agent may still learn: what has changed since a run was put in line counts, too. */
export const stillLearns = ({ config, status, memory_quota }: AgentSnapshot, lasting = 0): boolean =>
  learns(config) && status === 'active' && (memory_quota === null || lasting < memory_quota);

/** Learnt.N4. A run whose reasoner took care of memory itself is not learnt from. */
export function noteToLearn(d: AgentDraft, run: RunRecord): void {
  const { config, toLearn = [] } = d.agent;
  if (run.studied || run.noted || !learnsFrom(d.agent, run)) return;
  if (!isRecalled(saidBy(run), config, d.env.remarkOf)) return;
  run.studied = true;
  if (toLearn.length < bounds.toLearn && d.agent.learnLater === undefined) d.agent.toLearn = [...toLearn, run.id];
  else {
    run.later = true;
    d.agent.learnLater = (d.agent.learnLater ?? 0) + 1;
  }
}

/** The oldest of the runs that wait to be put in line, as they were read when so many waited. */
export interface LaterRuns {
  runs: readonly RunRecord[];
  more: boolean;
  waited: number;
}

/** Puts runs in line that had to wait for that (Learnt.N4). What has begun to wait since they were read is not lost. */
export function queueLearning(d: AgentDraft, { runs, more, waited }: LaterRuns): true {
  const room = bounds.toLearn - (d.agent.toLearn?.length ?? 0);
  const taken = runs.slice(0, Math.max(0, room));
  for (const run of taken) {
    if (d.hasRun(run.id)) delete d.editRun(run.id).record.later;
    else {
      const { later: _, ...rest } = run;
      d.putRun(rest, run);
    }
  }
  if (taken.length > 0) d.agent.toLearn = [...(d.agent.toLearn ?? []), ...taken.map(({ id }) => id)];
  const now = d.agent.learnLater ?? 0;
  const left = more || taken.length < runs.length ? Math.max(1, now - taken.length) : now - waited;
  if (left > 0) d.agent.learnLater = left;
  else delete d.agent.learnLater;
  return true;
}

/** What was learnt from these runs by the agent's model, which are then done with (Learnt.N4). */
export function learnFrom(
  d: AgentDraft,
  {
    runs,
    learnt,
    usage,
    countFor,
  }: { runs: readonly string[]; learnt: readonly LearntFrom[]; usage?: ModelUsage; countFor?: SubjectCount },
): true {
  const waiting = d.agent.toLearn ?? [];
  const left = waiting.filter((id) => !runs.includes(id));
  if (left.length > 0) d.agent.toLearn = left;
  else delete d.agent.toLearn;
  if (usage) countUse(d, usage, countFor);
  for (const { run, learnt: found } of learnt) {
    if (!waiting.includes(run.id) || !keep(d, run, found)) continue;
    if (d.hasRun(run.id)) d.editRun(run.id).record.noted = true;
    else becomeAside(d, run);
  }
  return true;
}

function becomeAside(d: AgentDraft, run: RunRecord): void {
  const { turns: _, ...rest } = run;
  const noted: RunRecord = { ...rest, noted: true };
  const turns = recalledTurns(noted, d.agent.config, d.env.remarkOf);
  if (turns) noted.turns = turns;
  d.putRun(noted, run);
  d.index('run', noted);
}

/** Returns whether what was kept stands for the turn that it was learnt from (Learnt.N3). */
function keep(d: AgentDraft, run: RunRecord, learnt: readonly Learnt[]): boolean {
  const { memory_quota } = d.agent;
  let whole = false;
  for (const one of learnt) {
    if (memory_quota !== null && (d.counts['lasting'] ?? 0) >= memory_quota) return false;
    const { type, content, until } = one;
    const around = inDraft(d, one.around);
    const replaced = around.candidates?.find((m) => m.id === one.replaces);
    if (replaced?.patched_at !== undefined && replaced.patched_at > one.said) continue;
    const input = {
      ...{ type, content, sessionId: run.sessionId, source: run.id, run_id: run.id, ...withSubject(run) },
      ...(until !== undefined && Date.parse(until) > d.env.now && { valid_until: until }),
      ...(replaced && replaces(run, one, replaced, d.env.now) && { supersedes: replaced.id, occurred_at: one.said }),
    };
    remember(d, input, { agent: memory_quota }, around);
    whole ||= one.whole;
  }
  return whole;
}

/** Learnt.N5, as far as what was learnt does not matter. */
export const mayBeReplaced = (m: StoredMemory, now: number): boolean =>
  isPresent(m, now) && isUnexpired(m, now) && (m.speaker ?? null) === null && (m.shared_by ?? null) === null;

/** Learnt.N5. What was learnt earlier is written later than it was said, so runs tell which was said first. */
const replaces = (run: RunRecord, { content, said }: Learnt, before: StoredMemory, now: number): boolean =>
  mayBeReplaced(before, now) &&
  isSameSubject(run, before) &&
  wordingOf(before.content) !== wordingOf(content) &&
  (before.source ? before.source <= run.id : (before.occurred_at ?? before.created_at) <= said);

/** A call that waits for approval is looked up again when it is carried out. */
export function withoutSurroundings(call: ResolvedCall): ResolvedCall {
  if (namesMemory(call)) {
    const { named: _, said: __, also, ...rest } = call;
    return also ? { ...rest, also: also.map(({ id, seen }) => (seen === undefined ? { id } : { id, seen })) } : rest;
  }
  if (namesBlock(call)) {
    const { block: _, ...rest } = call;
    return rest;
  }
  if (call.tool !== 'remember' || call.around === undefined) return call;
  const { around: _, ...rest } = call;
  return rest;
}
