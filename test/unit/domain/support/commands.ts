/** Commands in few words, for the tests of agents and runs. Numbers of runs count from 0, in order of creation. */
import { decided } from '../../../../src/commands/command.js';
import { deliverMessage } from '../../../../src/commands/mailbox.js';
import { cancelRun, forkRun } from '../../../../src/commands/runs.js';
import type { Checkpoint } from '../../../../src/domain/model/model.js';
import type { StoredDeadLetter } from '../../../../src/domain/task/push.js';
import { putPush, removePush, replayPush } from '../../../../src/domain/task/push-commands.js';
import type { AgentCommand } from '../../../../src/domain/agent/agent-commands.js';
import type { Decided } from '../../../../src/domain/shared/draft.js';
import { changeSettings, join, leave, patched, replaced } from '../../../../src/domain/agent/agent-settings.js';
import type { AgentDraft } from '../../../../src/domain/agent/agent-draft.js';
import { receive as receiveNow, type Received } from '../../../../src/domain/mailbox/mailbox.js';
import {
  type LiveRun,
  showMessage,
  type ResolvedCall,
  type StepReport,
} from '../../../../src/domain/agent/agent-state.js';
import type {
  MemoryInput,
  PatchAgentInput,
  ReplaceAgentInput,
  ResumeInput,
} from '../../../../src/domain/shared/inputs.js';
import type { ThoughtType } from '../../../../src/domain/shared/vocabulary.js';
import type { PushConfigInput, TaskMessage } from '../../../../src/domain/task/task.js';
import type { AgentWorld } from './agent-world.js';

type Of<T extends AgentCommand['type']> = Extract<AgentCommand, { type: T }>;
type Later = (world: AgentWorld) => AgentCommand;

/** An agent whose second run waits. */
export const oneAtATime = { config: { max_parallel: 1 } };

export const start = (input = 'do it', more: Partial<Of<'run'>> = {}): Of<'run'> => ({
  type: 'run',
  input,
  triggeredBy: 'api',
  direct: false,
  ...more,
});

export const answer = (content = 'done'): ResolvedCall => ({ tool: 'answer', arguments: { content } });
export const ask = (question: string): ResolvedCall => ({ tool: 'ask_human', arguments: { question } });
export const recall = (query: string, result = 'nothing relevant is known'): ResolvedCall => ({
  tool: 'recall',
  arguments: { query },
  result,
});
export const note = (content: string, type?: string): ResolvedCall => ({
  tool: 'remember',
  arguments: { content, ...(type !== undefined && { type }) },
});
export const send = (
  content: string,
  to: { id: string; name: string } | null = { id: 'agent_2', name: 'Bob' },
  problem: string | null = null,
): ResolvedCall => ({ tool: 'send_message', arguments: { to: to?.name ?? 'nobody', content }, to, problem });
export const share = (
  content: string,
  hive: string | null = 'hive_1',
  problem: string | null = null,
): ResolvedCall => ({ tool: 'share_with_hive', arguments: { content, type: 'semantic' }, hive, problem });

/** An A2A message of one text. */
export const said = (text: string, messageId = 'm1'): TaskMessage => ({
  messageId,
  role: 'user',
  parts: [{ kind: 'text', text }],
});

export interface StepOptions {
  thoughts?: [ThoughtType, string][];
  usedMs?: number;
  consulted?: Extract<StepReport, { ok: true }>['consulted'];
}

/** The step in progress comes back with these calls, having read what it was given. */
export const step =
  (calls: readonly ResolvedCall[], { thoughts = [], usedMs = 5, consulted = [] }: StepOptions = {}): Later =>
  (w) => ({
    type: 'step',
    runId: w.running.record.id,
    attempt: w.running.attempt,
    usedMs,
    report: {
      ok: true,
      thoughts: thoughts.map(([thoughtType, content]) => ({ thoughtType, content })),
      calls,
      consulted,
    },
  });
export const work = (options: StepOptions = {}): Later => step([recall('more')], options);
export const stepFails =
  (code = 'unreachable', message = `it is ${code}`): Later =>
  (w) => ({
    type: 'step',
    runId: w.running.record.id,
    attempt: w.running.attempt,
    usedMs: 5,
    report: { ok: false, error: { code, message } },
  });
export const timeUp =
  (usedMs: number): Later =>
  (w) => ({ type: 'deadline', runId: w.running.record.id, attempt: w.running.attempt, usedMs });

export const resume =
  (input: ResumeInput = {}, n = 0): Later =>
  (w) => ({ type: 'resume', run: w.live(n), input, mayDecide: true });
export const cancel =
  (n = 0): Later =>
  (w) =>
    cancels(w.live(n));
export const fork =
  (atStep: number, n = 0): Later =>
  (w) => {
    const run = w.docs.live(w.run(n).id);
    const checkpoint = w.docs.journal(run.record.id).find((e) => e.checkpoint?.step === atStep)?.checkpoint;
    if (!checkpoint) throw new Error(`run ${n} has no checkpoint ${atStep}`);
    return forks(run, checkpoint);
  };

/** A command with this decision. */
export const decides = <D>(decide: (draft: D) => unknown, name = 'decides'): Decided<D> => ({
  type: 'decide',
  name,
  decide,
});

const agentCall = { caller: null, target: { id: 'agent_1' }, input: undefined };

/** A run is cancelled, or forked from a checkpoint. */
export const cancels = (run: LiveRun): Decided<AgentDraft> => decided(cancelRun, agentCall, run);
export const forks = (run: LiveRun, checkpoint: Checkpoint): Decided<AgentDraft> =>
  decided(forkRun, agentCall, { run, checkpoint });

/** Where its changes are pushed: set, deleted, and sent again after it was given up. */
export const setsPush = (run: LiveRun, config: PushConfigInput): Decided<AgentDraft> =>
  decides((d) => putPush(d, { run, config }), 'setPush');
export const deletesPush = (run: LiveRun, id: string): Decided<AgentDraft> =>
  decides((d) => {
    removePush(d, { run, id });
  }, 'deletePush');
export const replays = (letter: StoredDeadLetter): Decided<AgentDraft> =>
  decides((d) => replayPush(d, { letter }), 'replayDeadLetter');

/** The settings are changed in part, or given anew. */
export const patches = (input: PatchAgentInput, on: Parameters<typeof changeSettings>[2] = {}): Decided<AgentDraft> =>
  decides((d) => changeSettings(d, patched(d, input), on));
export const replaces = (
  input: ReplaceAgentInput,
  on: Parameters<typeof changeSettings>[2] = {},
): Decided<AgentDraft> => decides((d) => changeSettings(d, replaced(d, input), on));

/** A hive is joined, or left. */
export const joins = (hive: string): Decided<AgentDraft> => decides((d) => join(d, hive));
export const leaves = (hive: string): Decided<AgentDraft> => decides((d) => leave(d, hive));

type ReceiveOptions = Partial<Omit<Received, 'id' | 'content'>> & { id?: string };

/** A message from agent_9: of a client that may say so, or of its outbox where it has an id. */
export const receive =
  (content = 'hello', { id, ...more }: ReceiveOptions = {}): Later =>
  (w) => {
    const message = { content, from: 'agent_9', hops: 0, verified: true, senderHives: [], ...more };
    if (id === undefined)
      return { type: 'decide', name: 'sendMessage', decide: (d: AgentDraft) => showMessage(receiveNow(d, message)) };
    const found = { isKnown: w.docs.has('message', id), hives: [] };
    return decided(deliverMessage, { caller: null, target: { id: 'agent_1' }, input: { ...message, id } }, found);
  };

export const store =
  (input: Partial<MemoryInput> = {}): Later =>
  (w) => ({
    type: 'remember',
    input: { type: 'semantic', content: 'a fact', ...input },
    ...(input.sessionId !== undefined &&
      !w.state.positions.has(input.sessionId) && {
        position:
          Math.max(
            -1,
            ...w.docs
              .all('memory')
              .filter((m) => m.sessionId === input.sessionId)
              .map((m) => m.position ?? -1),
          ) + 1,
      }),
  });
