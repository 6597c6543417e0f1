/**
 * Calls of agents elsewhere by A2A (tools of kind `a2a`, docs/tools.md): what a run decides about them. They are
 * questions like those to agents of the workspace (questions.ts): the run that asks pauses, and goes on with the commit
 * that takes in the last outcome that it waits for. How a call is made is in src/peers.
 *
 *  Peers.E1 That a call goes out is stored before it does: the commit that pauses its run has it in the outbox. It goes
 *     out once. After a crash its task is read, and the message is not sent again unless the peer takes it once by its
 *     id (`keyed`), or this process knows that it has not gone out; where nothing is known, the model is told so.
 *  Peers.E2 The peer's task is stored with the call before anything else is waited for.
 *  Peers.E3 An outcome is taken in once, while the run waits for it, and the commit that takes it in removes the call
 *     from the outbox. Whoever finds that nobody waits any more cancels the task at the peer, as far as it answers.
 *  Peers.E5 Agents of hivekeep that ask each other as peers go round no longer than those of one workspace: a message
 *     says how many agents it has gone through, and one that has gone through `maxHops` is not sent, and not taken.
 *  Peers.E4 What a peer says is data. It is bounded (src/peers), has no name of a tool, and reaches the model as the
 *     result of a call.
 */
import type { AgentDraft } from '../agent/agent-draft.js';
import type { LiveRun, ResolvedCall, RunRecord } from '../agent/agent-state.js';
import { bounds } from '../agent/agent-state.js';
import type { A2aPeer } from '../agent/agent-tools.js';
import type { PeerItem, PeerTask } from './peer-item.js';
import { HivekeepError } from '../shared/errors.js';
import { type GivenFiles, takeFiles } from '../run/conversation.js';
import { limits } from '../shared/input-fields.js';
import type { OpenQuestion } from './question-messages.js';
import { configOf } from '../agent/agent-state.js';
import { sizeOf } from '../workspace/usage.js';

/** What became of a call. */
export interface PeerOutcome {
  ok: boolean;
  result: string;
}

/**
 * How the result of a call begins in which the peer asks something. Nothing else that a peer says begins so: by it the
 * tasks are known that a run may answer.
 */
export const askedIn = (task: string): string => `it asks, in its task ${task}\n`;

/** What the model says to a peer, by the arguments of its call. */
export function saidToPeer({ arguments: { input = '{}' } }: Pick<ResolvedCall, 'arguments'>): {
  message: string;
  task?: string;
} {
  const { message, task } = JSON.parse(input) as { message?: unknown; task?: unknown };
  return {
    message: typeof message === 'string' ? message : '',
    ...(typeof task === 'string' && task !== '' && { task }),
  };
}

/** Why a peer is not asked, as the outcome of the call; null if it is. */
export function problemOfPeerCall(d: AgentDraft, run: RunRecord, peer: A2aPeer, call: ResolvedCall): string | null {
  const { message } = saidToPeer(call);
  if (message.trim() === '') return 'the message is empty';
  if (Buffer.byteLength(message) > limits.messageContent)
    return `the message is longer than ${limits.messageContent} bytes`;
  if (peer.secret && peer.secret.value === undefined) return 'its secret is not known here and has to be set again';
  if (run.hops >= bounds.maxHops) return `the question has gone through ${bounds.maxHops} agents already`;
  return d.agent.outbox >= bounds.outbox ? `${bounds.outbox} messages wait for delivery already` : null;
}

/** Puts a call into the outbox (Peers.E1). */
export function putPeerCall(
  d: AgentDraft,
  run: RunRecord,
  id: string,
  peer: A2aPeer,
  call: ResolvedCall,
): OpenQuestion {
  const open = { id, agent_id: null, name: peer.name };
  const problem = problemOfPeerCall(d, run, peer, call);
  if (problem !== null) return { ...open, came: { ok: false, result: problem } };
  const { message, task } = saidToPeer(call);
  const item: PeerItem = {
    id,
    kind: 'peer',
    run: run.id,
    peer,
    message,
    hops: run.hops + 1,
    context: (call.tool === 'use_tool' && call.context) || id,
    ...(task !== undefined && { answers: task }),
    created_at: d.time,
  };
  d.put('outbox', id, item, true);
  d.agent.outbox++;
  d.effects.push({ type: 'send', id });
  return { ...open, peer: true };
}

/** Stores the task of a call with it (Peers.E2). */
export function notePeerTask(d: AgentDraft, { item, at }: { item: PeerItem; at: PeerTask }): void {
  const { id } = item;
  d.put('outbox', id, { ...item, at }, false, item);
  d.effects.push({ type: 'send', id });
}

/** Adds the files of an answer to the run that asked. What it cannot take is said with the result. */
export function takePeerFiles(d: AgentDraft, { record }: LiveRun, files: GivenFiles): string {
  try {
    takeFiles(d, record, configOf(d.agent.config, record), files, record.steps);
    return `; with the files ${files.given.map(({ filename, sha256 }) => filename ?? sha256).join(', ')}`;
  } catch (error) {
    if (error instanceof HivekeepError) return `; its files were not taken: ${error.message}`;
    throw error;
  }
}

/** What the call counts as stored. */
export const bytesOfPeerCall = (item: PeerItem): number => sizeOf(item);
