/**
 * Conversations that a run hands over to another agent (the tool `hand_off`, docs/agents-together.md). A hand-over is a
 * question (questions.ts) whose answer becomes the answer of the run that asks, and one field of that run, by which the
 * session knows with whom the conversation is.
 *
 *  HandOff.H1 From the commit that hands it over, what is said in the session goes to the other agent, as the question of
 *     a run of its own, until that agent hands it back, or a hand-over has no answer: then it is with this agent again,
 *     whose model goes on with that run.
 *  HandOff.H2 The answer of the other agent is said by the call `answer` of the run that handed over, so that the gates of
 *     its agent hold (Gate.A2). What the other agent asks the user is asked by the run itself, unless that gate holds it.
 *  HandOff.H3 An agent hands nothing over, and passes nothing on, where its own settings do not name the tool: what a run
 *     overrides does not count.
 */
import type { AgentConfig } from '../agent/agent-config.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { configOf, type HandedOver, type ResolvedCall, type RunRecord, type SaidTurn } from '../agent/agent-state.js';
import { firstBytes } from '../shared/bounded.js';
import { isConversation, ownSaidTurns, saidBy, withoutSession } from './conversation.js';
import { problemOfSending } from '../mailbox/questions.js';
import type { RetoldTurn } from './records.js';

export type HandOff = Extract<ResolvedCall, { tool: 'hand_off' }>;

/** How much of what was said before goes along. */
const mostEarlier = 40;
const mostEarlierBytes = 32 * 1024;

/** HandOff.H3. */
export const mayHandOver = ({ builtin_tools: named, instructions = '' }: AgentConfig): boolean =>
  named ? named.includes('hand_off') : instructions.includes('hand_off');

/** Whether the call gives the conversation back to an agent that has handed it over. */
export const handsBack = ({ owes }: RunRecord, { to }: HandOff): boolean =>
  to !== null && owes?.handed?.includes(to.id) === true;

/** Why nothing is handed over, as the outcome of the call; null if it is. */
export function problemOfHandOff(d: AgentDraft, run: RunRecord, call: HandOff): string | null {
  if (call.refused !== undefined) return call.refused;
  if (!mayHandOver(d.agent.config)) return 'the settings of this agent do not allow hand_off';
  if (!call.to) return call.problem ?? 'no such agent';
  if (!isConversation(run)) return 'this is no conversation';
  if (handsBack(run, call)) return null;
  if (configOf(d.agent.config, run).output_schema)
    return 'the answer of this run has to fit a schema, which that of another agent need not';
  return problemOfSending(d, run, call.to);
}

/** Notes with whom the conversation is from now on; null is this agent itself. */
export function noteHanded(d: AgentDraft, record: RunRecord, to: HandedOver | null): void {
  record.handedAt = d.time;
  notePassedOn(d, record, to);
}

/**
 * Notes with whom the conversation was when this was said, which is where it is passed on to. That changes nothing: the
 * conversation may have come back before it is passed on.
 */
export function notePassedOn(d: AgentDraft, record: RunRecord, to: HandedOver | null): void {
  record.handed = to;
  d.sessions = withoutSession(d.sessions, record.sessionId);
}

/** With whom the conversation of these runs is, by the one that has changed it last; undefined or null is this agent. */
export const lastHanded = (runs: readonly RunRecord[]): HandedOver | null | undefined =>
  runs.filter(({ handed }) => handed !== undefined).sort(byLastChange)[0]?.handed;

/** A run that was passed on is as old as what was said; of the same time, what has changed it counts. */
function byLastChange(a: RunRecord, b: RunRecord): number {
  const [atA, atB] = [a.handedAt ?? a.created_at, b.handedAt ?? b.created_at];
  if (atA !== atB) return atA < atB ? 1 : -1;
  return Number(b.handedAt !== undefined) - Number(a.handedAt !== undefined);
}

/** Whether the run waits for the agent that it has handed its conversation over to. */
export const isHandedOver = ({ status, asked, held }: RunRecord): boolean =>
  status === 'paused' && asked !== undefined && held[0]?.tool === 'hand_off';

type Said = Pick<HandOff, 'asks' | 'said' | 'earlier'>;

/** What the other agent is told: what was said last, why it is handed over, and what was said before. */
export function toldOf(
  { name }: { name: string },
  run: RunRecord,
  { turns, reason }: { turns: readonly SaidTurn[]; reason: string },
): Said {
  const all = [...turns, ...ownSaidTurns(run)];
  const at = all.findLastIndex(({ role }) => role === 'user');
  const last = all[at]?.content ?? run.input;
  const note = `(${name} hands this conversation over to you${reason.trim() === '' ? '' : `: ${reason}`})`;
  const said = last === run.input ? saidBy(run) : last;
  return { asks: `${last}\n\n${note}`, said, earlier: earlierOf(all.slice(0, Math.max(0, at))) };
}

function earlierOf(turns: readonly SaidTurn[]): RetoldTurn[] {
  const kept: RetoldTurn[] = [];
  let left = mostEarlierBytes;
  for (const { role, content } of turns.slice(-mostEarlier).reverse()) {
    const beginning = firstBytes(content, left);
    if (beginning === '') break;
    kept.push({ role, content: beginning });
    left -= Buffer.byteLength(beginning);
  }
  return kept.reverse();
}

/** What is said in a session that was handed over, as the call that passes it on (HandOff.H1). */
export const passedOn = ({ input, said }: RunRecord, { agent_id, name, session }: HandedOver): HandOff => ({
  tool: 'hand_off',
  arguments: { agent: agent_id },
  to: { id: agent_id, name },
  problem: null,
  asks: input,
  ...(said !== undefined && { said }),
  session,
  forwards: true,
});
