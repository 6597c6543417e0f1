/** Runs with what they think, do and tell, and the conversations that they are part of (docs/api.md 2.3, 2.5). */
import { z } from 'zod';
import { clientCall } from '../agent/agent-tools.js';
import { type AgentConfig, asksModel } from '../agent/agent-config.js';
import { runOverrides } from '../shared/inputs.js';
import { type RunStatus, thoughtTypes, tools, triggers } from '../shared/vocabulary.js';
import {
  changed,
  count,
  created,
  failure,
  fixedList,
  id,
  metadataObject,
  part,
  runStatus,
  stopReason,
  time,
} from './fields.js';
import { consultedMemory } from './memory.js';

const tool = z.enum(tools);
const argumentsOfTool =
  'The arguments by name; they depend on the tool. Those of `use_tool` are the `name` of the tool and its `input` as JSON text.';
/** `parts`: what an answer contains besides its text, for A2A clients that read more than text. */
export const toolCall = z.object({
  tool: tool.describe("The tool the reasoner calls. `use_tool` is one of the agent's own."),
  arguments: z.record(z.string(), z.string()).describe(argumentsOfTool),
  parts: fixedList(part).optional().describe('The parts of an answer beyond its text.'),
});
export type ToolCall = z.infer<typeof toolCall>;
export const toolOutcome = z.object({
  tool: tool.describe("The tool the reasoner called. `use_tool` is one of the agent's own."),
  arguments: z.record(z.string(), z.string()).describe(argumentsOfTool),
  ok: z.boolean().describe('Whether the call succeeded.'),
  result: z.string().describe('The result or the reason of the failure, as told to the reasoner.'),
});
export type ToolOutcome = z.infer<typeof toolOutcome>;

export const toolTry = z.object({
  id: z
    .string()
    .describe('The id of the call, the `Idempotency-Key` that the tool was sent. It is that of the audit record.'),
  ok: z.boolean().describe('Whether the call succeeded.'),
  result: z.string().describe('The result or the reason of the failure, as a model would be told.'),
  ms: count.describe('How long the call took, in milliseconds.'),
});
export type ToolTry = z.infer<typeof toolTry>;

/** A question of a run to another agent, as its readers see it. */
const askedQuestion = z.object({
  id: z.string().describe('The id of the call that asks.'),
  agent_id: z
    .string()
    .nullable()
    .describe('The agent that is asked; null if there is none of that name, or it is an agent elsewhere.'),
  peer: z.string().optional().describe('Only for an agent elsewhere: the tool of kind `a2a` that is used.'),
  run_id: z.string().nullable().describe('The run that answers; null if it is not known yet, or there is none.'),
  answered: z.boolean().describe('Whether its outcome is there.'),
  waitsFor: z
    .object({
      agent_id: z.string().describe('The agent of the run that waits.'),
      run_id: z.string().describe('The run that waits. It may be answered there, or at the run that asks.'),
      id: z.string().describe('The id of its question, which an answer names where there are several.'),
      kind: z.enum(['approval', 'human', 'tools']).describe('What that run waits for.'),
      question: z.string().describe('The question that it waits with.'),
    })
    .nullable()
    .describe('What the answer waits for: the run that answers, or one that it has asked itself. Null if nothing.'),
});

export const question = z.object({
  id: z
    .string()
    .describe(
      'The id of the question, which an answer may name. It is also the `messageId` of the question in the A2A task.',
    ),
  kind: z
    .enum(['approval', 'human', 'tools', 'agent'])
    .describe(
      'What kind of input is needed: `approval` of an action, an answer from a `human`, or the results of `tools`. With `agent` it waits for other agents, and goes on by itself.',
    ),
  question: z.string().describe('The question to show to a human.'),
  action: toolCall.nullable().describe('The action to approve, or null for a plain question.'),
  calls: z
    .array(clientCall)
    .optional()
    .describe('Only for `tools`: the calls whose results the run waits for, as `results` of a resume.'),
  asked: z.array(askedQuestion).optional().describe('Only for `agent`: the questions whose answers the run waits for.'),
});
export type Question = z.infer<typeof question>;
export const waitingFor = question.nullable().describe('What a paused run is waiting for.');

export const modelUsage = z
  .object({
    requests: count.describe('The number of requests that model servers answered.'),
    inputTokens: count.describe('Input tokens as reported by the servers, including tokens read from a prompt cache.'),
    cachedInputTokens: count.describe('The input tokens that the servers read from a prompt cache.'),
    outputTokens: count.describe('As the servers reported them.'),
    cost: z
      .number()
      .min(0)
      .optional()
      .describe(
        'What of it is known to cost, in US dollars, by the prices of HIVEKEEP_PRICES. Left out where no price is known.',
      ),
  })
  .describe('Usage of model servers. All zeros with the built-in reasoner.');
export type ModelUsage = z.infer<typeof modelUsage>;

const outputData = z
  .unknown()
  .describe(
    'The answer as data, where it has to fit an `output_schema`; `output` has it as JSON text. Null otherwise.',
  );

export const runFile = z.object({
  sha256: z.string().describe('The SHA-256 of its bytes, in hex, by which they can be read.'),
  mediaType: z.string().describe('The media type.'),
  filename: z.string().nullable().describe('The name of the file, if it was given one.'),
  size: count.describe('The number of bytes.'),
});
/** The bytes of a file. */
export const file = z.object({
  sha256: runFile.shape.sha256,
  size: runFile.shape.size,
  bytes: z.string().describe('The content, base64-encoded.'),
});
export type File = z.infer<typeof file>;

export const run = z.object({
  id: id('run').describe('The id of the run, which is also the id of its A2A task.'),
  agent_id: id('agent').describe('The agent the run belongs to.'),
  status: runStatus.describe('The current status of the run.'),
  stopReason: stopReason
    .nullable()
    .describe(
      'Why a run stopped: it answered, a length limit ended its answer, it used up a budget of steps, of time, or of tokens or money (`budget`), or it was interrupted by what was said next. Null otherwise.',
    ),
  triggeredBy: z
    .enum(triggers)
    .describe(
      'What started the run: an API request, a mailbox message, an A2A message, a schedule, a fork of another run, or the question of another `agent`.',
    ),
  sessionId: z.string().describe('The conversation it is part of: the one named in the request, or a new one.'),
  subject: z
    .string()
    .nullable()
    .describe(
      'Whom it is for: it sees what belongs to them and to nobody in particular. Null for nobody in particular.',
    ),
  input: z.string().describe('The input given to the agent.'),
  files: z.array(runFile).describe('The images and other files that came with what was said in it.'),
  output: z
    .string()
    .nullable()
    .describe('The answer, or the partial output if a budget was used up. Null if there is none.'),
  output_data: outputData,
  error: failure.nullable().describe('Why the run failed, or null if it did not fail.'),
  waitingFor,
  retryAt: time
    .nullable()
    .describe('When a running run asks its models again, which are all away (ISO 8601). Null if they are not.'),
  overrides: runOverrides
    .nullable()
    .describe("What the run does differently from its agent's configuration; null if nothing, or without agent:read."),
  metadata: metadataObject.describe(
    'Metadata of the run, or of the A2A message that started it. Empty without agent:read.',
  ),
  maxSteps: count.describe('The maximum number of reasoner calls.'),
  maxRuntimeSeconds: count.describe('The maximum reasoning time in seconds. Time spent waiting is not counted.'),
  steps: count.describe('The number of steps completed.'),
  forkedFrom: z
    .object({
      runId: id('run').describe('The id of the original run.'),
      checkpointId: z.string().describe('The checkpoint the fork started from.'),
      step: count.describe('The step of that checkpoint. Steps up to it are not repeated.'),
    })
    .nullable()
    .describe('The checkpoint of the run it was forked from, or null if it is not a fork.'),
  parent: z
    .object({
      agent_id: id('agent').describe('The agent of that run.'),
      runId: id('run').describe('The run that waits for it, or has waited.'),
    })
    .nullable()
    .describe('The run of another agent that has asked for it, or null if none has.'),
  usage: modelUsage,
  created_at: created,
  updated_at: changed,
  started_at: time.nullable().describe('When the first step started, ISO 8601. Null if it has not started.'),
  ended_at: time.nullable().describe('When the run ended, ISO 8601. Null if it has not ended.'),
});
export type Run = z.infer<typeof run>;

export const runTree = z.object({
  runs: z
    .array(run)
    .describe('The run, and then all that were asked for by it or by one before them, each behind its `parent`.'),
  complete: z.boolean().describe('Whether these are all; the first 500 are shown, or fewer that are long.'),
  usage: modelUsage.describe('What all of these runs have used of model servers.'),
});
export type RunTree = z.infer<typeof runTree>;

export const thought = z.object({
  id: z.string().describe('The id of the thought.'),
  thoughtType: z.enum(thoughtTypes).describe('The kind of thought.'),
  content: z.string().describe('The text of the thought.'),
  tool: tool.optional().describe('The tool that is about to be called, for a thought of that.'),
  found: count.optional().describe('How many memories were found, for a thought of what recall has found.'),
  runId: id('run').describe('The run that produced it.'),
  sessionId: z.string().describe('The conversation the run is part of.'),
  agent_id: id('agent').describe('The agent the run belongs to.'),
  step: count.describe('The number of its step, starting at 1.'),
  created_at: created,
});
export type Thought = z.infer<typeof thought>;

export const checkpoint = z.object({
  id: z.string().describe('The id of the checkpoint. Runs can be forked from it.'),
  runId: id('run').describe('The run it belongs to.'),
  agent_id: id('agent').describe('The agent the run belongs to.'),
  sessionId: z.string().describe('The conversation the run is part of.'),
  step: z.int().min(1).describe('The number of the completed step, starting at 1.'),
  calls: z.array(toolOutcome).describe('The tool calls of the step with their outcomes.'),
  output: z.string().nullable().describe('The partial output so far, if any.'),
  runtimeMs: z
    .number()
    .min(0)
    .describe('Reasoning time used so far, in milliseconds. Downtime and pauses are not counted.'),
  created_at: created,
});
export type Checkpoint = z.infer<typeof checkpoint>;

const event = {
  seq: z
    .int()
    .min(1)
    .describe('The sequence number within the run, starting at 1 without gaps. It is also the id of the event.'),
  at: time.describe('When it happened, ISO 8601 in UTC with milliseconds.'),
};
/** What somebody has decided or answered, and so has a paused run go on, or has said to a run that goes on. */
export const runDecision = z.object({
  decision: z
    .enum(['approve', 'reject', 'answer', 'steer'])
    .describe(
      'Whether the action was approved or rejected, the question answered, or more said to the run while it went on.',
    ),
  by: z
    .object({
      id: z.string().describe('The id of the key or token, or of the person whom an access token speaks for.'),
      name: z.string().nullable().describe('The name of the key, the token or the person; null if it has none.'),
    })
    .describe('Who has decided.'),
  words: z.string().nullable().describe('What was said with it, if anything.'),
});
export type RunDecision = z.infer<typeof runDecision>;
/** It is stored with its run; events are numbered 1, 2, 3... without gaps. */
export const runEvent = z.union([
  z.object({
    ...event,
    type: z.literal('status'),
    status: runStatus.describe('The new status of the run.'),
    stopReason: stopReason.nullable().describe('Why the run stopped, as in the run. Null otherwise.'),
    message: z.string().nullable().describe('A human-readable detail, if any.'),
    decision: runDecision
      .optional()
      .describe('The decision by which a paused run goes on, or what was said to a run that goes on, if it is one.'),
    waitsFor: z
      .literal('agent')
      .optional()
      .describe('Of a run that is `paused` for other agents, and goes on by itself.'),
  }),
  z.object({ ...event, type: z.literal('thought'), thought }),
  z.object({
    ...event,
    type: z.literal('answer'),
    content: z.string().describe('The answer, which is the output of the run.'),
    parts: fixedList(part).optional().describe('All parts of the answer, if it is more than text.'),
  }),
]);
export type RunEvent = z.infer<typeof runEvent>;
/**
 * Text that a run's model is writing, as it writes it. It is told to those who follow the run then, and is neither
 * numbered nor stored: what counts is the run's `answer`, which has all of the text.
 */
export const runDelta = z.object({
  type: z.literal('delta'),
  at: event.at,
  step: z.int().min(1).describe('The step that the model is at.'),
  append: z
    .boolean()
    .describe('Whether the text goes on; false where it takes the place of all text of the run before it.'),
  text: z.string().describe('What the model has written, which may turn out to be no answer: `answer` has all of it.'),
});
export type RunDelta = z.infer<typeof runDelta>;
/** What a follower of a run is told. */
export const runUpdate = z.union([...runEvent.options, runDelta]);
export type RunUpdate = z.infer<typeof runUpdate>;

export const session = z.object({
  id: z.string().describe('The id of the session: the `sessionId` of its runs and memories.'),
  agent_id: id('agent').describe('The agent the conversation is with.'),
  opening: z.string().describe('The first message of the conversation, cut to 200 characters.'),
  created_at: created,
  updated_at: time.describe('The time of its last turn.'),
  handed_to: z
    .string()
    .nullable()
    .describe('The agent that the conversation is handed over to (`hand_off`); null if it is with the agent itself.'),
});
export type Session = z.infer<typeof session>;
export const turn = z.object({
  id: z.string().describe('The id of the turn: the id of its run and the number of the turn in it.'),
  agent_id: id('agent').describe('The agent that said it or was told it.'),
  runId: id('run').describe('The run it belongs to.'),
  sessionId: z.string().describe('The conversation it is part of.'),
  role: z.enum(['user', 'agent']).describe('Who said it: `user` stands for anyone writing to the agent.'),
  content: z.string().describe('The text of the turn.'),
  became: z
    .enum(['cancelled', 'interrupted', 'waiting', 'failed'])
    .optional()
    .describe(
      'Of the last turn of a run that has not answered, what became of that: it was `cancelled`, was `interrupted` in what it says here, is `waiting`, or has `failed`.',
    ),
  created_at: created,
});
export type Turn = z.infer<typeof turn>;

export const messageReply = z.object({
  message_id: id('msg').describe('The id of the message sent.'),
  run_id: id('run').describe('The run that answers it.'),
  status: runStatus.describe(
    'The status of the run at the time of this reply. If it is not `completed`, it says why there is no response.',
  ),
  stopReason: run.shape.stopReason,
  response: z.string().nullable().describe('The answer, or null if there is none yet; see `status`.'),
  output_data: outputData,
  error: failure.nullable().describe('Why the run failed, or null if it did not fail.'),
  waitingFor,
  memories_consulted: z.array(consultedMemory).describe('The memories the answer is based on, with their relevance.'),
  sessionId: z.string().describe('The id of the conversation. Send it with the next message to continue.'),
});
export type MessageReply = z.infer<typeof messageReply>;

/**
 * Whether the text of an agent's answers is told while it is written: if a model writes it, it is text, and no human
 * has to let it out first.
 */
export const tellsText = (config: AgentConfig): boolean =>
  asksModel(config) && config.output_schema === undefined && config.validation_gate !== 'answer';

export const isTerminal = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'timeout' || status === 'cancelled';

interface Settling {
  status: RunStatus;
  /** Of a run. */
  waitingFor?: { kind: Question['kind'] } | null;
  /** Of an event. */
  waitsFor?: 'agent' | undefined;
}

/** Whether it waits for other agents, and nobody need do anything. */
export const waitsForAgents = ({ status, waitingFor, waitsFor }: Settling): boolean =>
  status === 'paused' && (waitsFor ?? waitingFor?.kind) === 'agent';

/**
 * Whether the run, or the run of an event, has ended or is waiting for somebody outside, so that waiting longer would
 * not yield an answer.
 */
export const isSettled = (of: Settling): boolean =>
  isTerminal(of.status) || (of.status === 'paused' && !waitsForAgents(of));
