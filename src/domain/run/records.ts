/**
 * What is stored of an agent's runs, its journals and its mailbox, and is exported and imported: what the API shows of
 * them, and what the next step needs. Optional fields are omitted instead of being null.
 */
import { z } from 'zod';
import { claims } from '../agent/agent-tools.js';
import { runOverrides } from '../shared/inputs.js';
import { count, fixedList, metadataObject, part, scope, taskMessage, time } from '../model/fields.js';
import { mailboxMessage } from '../model/agent.js';
import { checkpoint, modelUsage, question, run, runEvent, runFile, toolCall, toolOutcome } from '../model/run.js';
import { consultedMemory } from '../model/memory.js';
import type { PushConfig } from '../task/task.js';
import { progressLevels } from '../shared/vocabulary.js';

const traceparent = z.string().regex(/^00-[\da-f]{32}-[\da-f]{16}-01$/);

/**
 * How many messages its reader may cause (causal-budget.ts), what it may do because of it (caller.ts), and the trace that
 * it belongs to, as a traceparent, where it is traced.
 */
const causal = { budget: count.optional(), powers: fixedList(scope).optional(), trace: traceparent.optional() };

/** A mailbox message as stored. `verified`: a client with permission to manage agents has named the sender. */
export const storedMessage = mailboxMessage.extend({
  ...causal,
  subject: z.string().optional(),
  verified: z.literal(true).optional(),
});
export type StoredMessage = z.infer<typeof storedMessage>;

/**
 * What was said before the first run of a session, as its client has told it (docs/api.md 4.5). Nobody vouches for it:
 * it is told to reasoners as turns, is not recalled in other sessions, and nothing is learnt from it.
 */
const retoldTurn = z.object({
  role: z.enum(['user', 'agent']),
  content: z.string(),
  results: fixedList(toolOutcome).optional(),
});
export type RetoldTurn = z.infer<typeof retoldTurn>;

const limited = z.literal(true).optional();
const problem = z.string().nullable();
/**
 * `seen`: when a client had changed the memory last, as it was read (Memories.M1); omitted if none had. `says`: the
 * beginning of what it said, for whoever has to approve the call, where that does not name the memory by its words.
 * `also`: what else the agent knows in the same words. `remains`: what of that only others can change.
 */
const memory = {
  id: z.string().nullable(),
  problem,
  seen: time.optional(),
  says: z.string().optional(),
  also: fixedList(z.object({ id: z.string(), seen: time.optional() })).optional(),
  remains: z.string().optional(),
};
/** `refused`: why the service does not carry the call out, regardless of its other fields. */
const heldAs = <T extends z.ZodRawShape>(fields: T) =>
  toolCall.extend({ refused: z.string().optional() }).extend(fields);
/**
 * A tool call together with what was looked up when it was proposed. `problem` says why it cannot be carried out, and
 * `limited` that the memory that it makes needs a place in the workspace's monthly quota.
 */
export const heldCall = z.discriminatedUnion('tool', [
  /** What was found, each as it is told; `result` instead if nothing was. */
  heldAs({
    tool: z.literal('recall'),
    result: z.string().optional(),
    found: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
  }),
  /** `cut`: a length limit has ended the answer. */
  heldAs({ tool: z.enum(['answer', 'ask_human']), cut: z.literal(true).optional() }),
  /** `context`: of a peer, the conversation of the run's session with it. */
  heldAs({ tool: z.literal('use_tool'), claimed: claims.optional(), context: z.string().optional() }),
  heldAs({ tool: z.literal('remember'), limited }),
  heldAs({ tool: z.literal('update_memory'), ...memory, limited }),
  heldAs({ tool: z.literal('forget'), ...memory }),
  heldAs({ tool: z.enum(['block_replace', 'block_append']) }),
  heldAs({ tool: z.literal('send_message'), to: z.object({ id: z.string(), name: z.string() }).nullable(), problem }),
  /** `session`: the conversation between the two, as the asked agent calls it. */
  heldAs({
    tool: z.literal('ask_agent'),
    to: z.object({ id: z.string(), name: z.string() }).nullable(),
    problem,
    session: z.string().optional(),
  }),
  /**
   * `asks`: what it is asked; of that `said`, where data came with it; `earlier`: what was said before. `session`: the
   * conversation, as that agent calls it, of one that was handed over before (`forwards`).
   */
  heldAs({
    tool: z.literal('hand_off'),
    to: z.object({ id: z.string(), name: z.string() }).nullable(),
    problem,
    asks: z.string().optional(),
    said: z.string().optional(),
    earlier: fixedList(retoldTurn).optional(),
    session: z.string().optional(),
    forwards: z.literal(true).optional(),
  }),
  heldAs({ tool: z.literal('spawn_agent') }),
  heldAs({ tool: z.literal('share_with_hive'), hive: z.string().nullable(), problem, limited }),
]);
export type HeldCall = z.infer<typeof heldCall>;

/** The parts of a first message that consists of one plain text are the run's input, and are not stored twice. */
const conversationMessage = taskMessage.extend({ parts: fixedList(part).optional() });
export type ConversationMessage = z.infer<typeof conversationMessage>;

/** What recall finds of a run that has ended (conversation.ts), by turn; a turn that it does not know is left out. */
const recalledTurns = z.object({
  input: z.enum(['conversation', 'conversation (aside)']).optional(),
  output: z.literal('conversation').optional(),
  /** What was said while it was paused. */
  replies: z.enum(['conversation', 'conversation (aside)']).optional(),
});
export type RecalledTurns = z.infer<typeof recalledTurns>;

/** `step`: how many steps were done when it was said; omitted for what came with the input. */
const heldFile = runFile.extend({ filename: z.string().optional(), step: count.optional() });
export type RunFile = z.infer<typeof heldFile>;

/** What a run may use of models with all that it asks, and what was used (budgets.ts). Money is in millionths of a US dollar. */
const treeShare = z.object({ tokens: count.optional(), micros: count.optional() });
const treeUse = z.object({ tokens: count, micros: count });
export type TreeShare = z.infer<typeof treeShare>;
export type TreeUse = z.infer<typeof treeUse>;

/**
 * A question to another agent that a step waits for. `at`: when what the answer waits for was told last, by the clock of
 * the agent that told it. `came`: its outcome.
 */
const openQuestion = z.object({
  id: z.string(),
  agent_id: z.string().nullable(),
  name: z.string(),
  /** It was put to an agent elsewhere (peers.ts). */
  peer: z.literal(true).optional(),
  run_id: z.string().optional(),
  at: count.optional(),
  waitsFor: z
    .object({
      agent_id: z.string(),
      run_id: z.string(),
      id: z.string(),
      kind: z.enum(['approval', 'human', 'tools']),
      question: z.string(),
    })
    .optional(),
  /** What its run may use of the budget of the tree. */
  share: treeShare.optional(),
  came: z.object({ ok: z.boolean(), result: z.string() }).optional(),
});

export const runRecord = run.omit({ output_data: true, files: true, retryAt: true, subject: true }).extend({
  ...causal,
  /** Omitted where it is for nobody in particular. */
  subject: z.string().optional(),
  /** Omitted where the run has none; the metadata of a run that an A2A message started is that of the message. */
  overrides: runOverrides.optional(),
  /**
   * What of the input was said, where data came with it (files, data parts, earlier messages), which is no instruction.
   * Omitted where all of it was said.
   */
  said: z.string().optional(),
  /** Its overrides were given by somebody who manages the agent (Gate.A3). */
  trusted: z.literal(true).optional(),
  metadata: metadataObject.optional(),
  waitingFor: question.omit({ id: true, asked: true }).nullable(),
  /** The run that has asked for it; omitted if none has. */
  parent: run.shape.parent.unwrap().optional(),
  /**
   * The call of that run which its outcome answers, and the agents that wait for it, the first that asked first.
   * Omitted once it has answered. `handed`: the last of these agents that have handed the conversation over.
   */
  owes: z.object({ call: z.string(), via: fixedList(z.string()), handed: fixedList(z.string()).optional() }).optional(),
  /** The questions that its step waits for, in the order of the held calls (questions.ts). */
  asked: fixedList(openQuestion).optional(),
  /**
   * To whom the conversation is handed over from this run on, and what that agent calls it; null if it came back with
   * this run. Omitted where the run has changed nothing of that.
   */
  handed: z.object({ agent_id: z.string(), name: z.string(), session: z.string() }).nullable().optional(),
  /** When this run has changed that; omitted for what was passed on, which changes nothing. */
  handedAt: z.string().optional(),
  /** Omitted while nothing was used. */
  usage: modelUsage.optional(),
  /** What it had used when its present budget began (budgets.ts). Omitted where that was nothing. */
  budgetFromUsage: modelUsage.optional(),
  /**
   * What it may use with all that it asks, what those have used that have answered, and how much of both was used when it
   * began anew. Omitted where there is no bound.
   */
  tree: z.object({ most: treeShare, used: treeUse, from: treeUse.optional() }).optional(),
  /** Its budget is used up: the step in progress is its last. Omitted if not. */
  lastStep: z.literal(true).optional(),
  /** The sequence number of its next event. */
  nextSeq: z.int().min(1),
  /**
   * Reasoning time used, in ms, and the step and the time at which the current budgets began (a resume grants fresh
   * ones).
   */
  runtimeMs: z.number().min(0),
  budgetFromStep: count,
  budgetFromMs: z.number().min(0),
  /**
   * Calls of the step in progress that wait for approval or a quota reservation, the gated one first; the outcomes of
   * the calls before them; and whether the first held call is approved.
   */
  held: z.array(heldCall),
  done: z.array(toolOutcome),
  approved: z.boolean(),
  /** The first held call goes out, or has gone out (AgentTools.T2). Omitted if not. */
  calling: z.literal(true).optional(),
  /** The output so far, which becomes the output of a run that ends without an answer. */
  partial: z.string().nullable(),
  /** Id of the direct or mailbox message that started it. */
  messageId: z.string().nullable(),
  /** The highest hop count of the messages that it has read; what it sends has one more. */
  hops: count,
  /** The memories that recall returned for its first step. */
  consulted: z.array(consultedMemory.omit({ content: true })),
  /** How many processes have restarted the present step, and the last of them. Omitted if none has. */
  restarts: z.object({ count, process: z.string() }).optional(),
  /**
   * Its models are away (model-outage.ts): how often they were asked, how long that and the waits have taken with the
   * present one, in ms, and when they are asked again. Omitted if they are not.
   */
  modelOutage: z.object({ tries: count, spentMs: z.number().min(0), retryAt: time }).optional(),
  /** The journal document that its next events are added to; null if the next event opens a new one. */
  entryId: z.string().nullable(),
  /** When the status last changed, and the sequence number of the event that reported it. */
  statusAt: time,
  statusSeq: count,
  /** The complete answer, if it is more than the text of `output`. */
  parts: fixedList(part).optional(),
  /**
   * The conversation, oldest first: the message that started the run, then questions and replies. Omitted if there is
   * nothing beyond `input`.
   */
  messages: fixedList(conversationMessage).optional(),
  /** The A2A context that the client named, which is also the run's session; omitted if it is the agent's own. */
  contextId: z.string().optional(),
  /** The token that began it, where that reaches only what it began (caller.ts). */
  begunBy: z.string().optional(),
  /** The files that came with what was said in it (conversation.ts). Omitted if there are none. */
  files: fixedList(heldFile).optional(),
  /** What A2A streams tell of what it does (config.a2a.progress); omitted if the agent does not say. */
  progress: z.enum(progressLevels).optional(),
  /** Where changes of its status are pushed (docs/api.md 2.10). */
  push: z.custom<readonly PushConfig[]>().optional(),
  /** It is the first of its session (conversation.ts). */
  opens: z.literal(true).optional(),
  /** What was said before it, of a run that opens a session. Omitted if nothing was. */
  earlier: fixedList(retoldTurn).optional(),
  /**
   * The hash of the history that its client has told, up to what was said to it last (docs/api.md 4.5); by it the next
   * request of the same conversation is known. Omitted where the client tells none.
   */
  chain: z.string().optional(),
  /** It is no part of any conversation: a client has asked for something about one, such as its title. */
  passing: z.literal(true).optional(),
  /** What tools returned in it, for the next turns of its session (Conversation.V4). Omitted if nothing. */
  results: fixedList(toolOutcome).optional(),
  /**
   * It has written or withdrawn a memory, or what was learnt from it stands for its turn (Learnt.N3): recall finds its
   * turns as asides.
   */
  noted: z.literal(true).optional(),
  /** It was put in line to be learnt from, once (Learnt.N4). */
  studied: z.literal(true).optional(),
  /** Turns of which no profile keeps what they say: a client has taken that out. Omitted if there are none. */
  unheeded: fixedList(z.string()).optional(),
  /** It waits to be put in line to be learnt from (Learnt.N4). Omitted if not. */
  later: z.literal(true).optional(),
  /** What recall finds of it (conversation.ts). Omitted if nothing. */
  turns: recalledTurns.optional(),
  /** How many of its forks still rest on its journal (retention.ts). Omitted if it was never forked. */
  forks: count.optional(),
  /** How much of its journal was removed because the run ended long ago (retention.ts). Omitted if nothing was. */
  journalRemoved: z.enum(['partly', 'wholly']).optional(),
});
export type RunRecord = z.infer<typeof runRecord>;

/** `said`: as that of a run. */
const humanInput = z.object({
  step: count,
  decision: z.literal('reject').nullable(),
  input: z.string(),
  said: z.string().optional(),
  /** It was said while the run went on (steering.ts). */
  steers: z.literal(true).optional(),
});
export type HumanInput = z.infer<typeof humanInput>;

/** A document of a run's journal: one step and the status changes around it. */
export const journalEntry = z.object({
  id: z.string(),
  runId: z.string(),
  agent_id: z.string(),
  sessionId: z.string(),
  step: count,
  firstSeq: z.int().min(1),
  events: z.array(runEvent),
  /** Set when the step is done. */
  checkpoint: checkpoint.nullable(),
  human: humanInput.nullable(),
  /** What the step's model handed out for the steps that follow. Shown to nobody. */
  kept: z.string().optional(),
  created_at: time,
});
export type JournalEntry = z.infer<typeof journalEntry>;

/**
 * What a model hands out with a step, for the steps that follow: its thoughts, sealed or signed. Nobody but the reasoner
 * reads it: it is in the journal, so that a run goes on with it after a crash, a takeover and a fork, and in no answer,
 * no event and no export.
 */
type Kept = readonly (string | undefined)[];

/** Of one run; what was handed out first goes first. */
const mostBytes = 4 * 1024 * 1024;

/** With what came with the step after so many others. */
export function withKept(kept: Kept = [], steps: number, text: string): Kept {
  const out = [...kept];
  out[steps] = text;
  let left = mostBytes;
  for (let i = out.length - 1; i >= 0; i--) {
    left -= Buffer.byteLength(out[i] ?? '');
    if (left < 0) out[i] = undefined;
  }
  return out;
}
