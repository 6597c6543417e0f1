/**
 * Tools that let an agent work: runs, which may take long, and its mailbox.
 *
 * Invariants
 *  - A call that waits follows its run by its events, and reports each of them as progress. What happens to the call
 *    or its connection does not change the run. A repeat with the same idempotency key follows the same run from its
 *    beginning, so that it comes to the same end, and one whose stream was cut goes on (resumption.ts).
 *  McpRuns.M2 A run that waits for a human is answered as `input_required` to clients that can ask one; those of the
 *     revisions before 2026-07-28 are asked while the call waits (elicitation.ts). The state that goes through the
 *     client names the run and the question, is signed, and is good for the same endpoint only; everything else is in
 *     the run. A repeated answer takes effect once.
 *  McpRuns.M3 Only a user who may decide (agent:manage) is asked for approval. No tool decides, because a model calls
 *     them (Sight.S3).
 *  McpRuns.M4 An answer is for the question that was asked: where the run has gone on since, it is not given to it.
 *  McpRuns.M5 No proxy gives up a call that waits: its stream has heartbeats, and its JSON is kept alive by white space.
 *     A call is a stream from when it waits, where it may tell its client anything on the way, and JSON otherwise.
 */
import { listMessages, sendMessage } from '../../src/commands/mailbox.js';
import { inputRequired, inputResponse, type InputRequiredResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { limits } from '../../src/domain/shared/input-fields.js';
import {
  base64,
  type FileInput,
  mailboxInput,
  resumeInput,
  runInput,
  runOverrides,
} from '../../src/domain/shared/inputs.js';
import { type Run, type RunEvent, isSettled, results } from '../../src/domain/model/model.js';
import type { Position } from '../../src/store/port.js';
import { goneOn } from './elicitation.js';
import { answerTo, asksByRequest, hasFailed, knowsTasks, shownQuestion, resumeWith } from './run-questions.js';
import type { Followed } from './resumption.js';
import { createdTask, type CreatedTask } from './tasks.js';
import {
  acts,
  adds,
  changingTool,
  pageInput,
  pageSchema,
  reads,
  type McpSession,
  tool,
  type Tool,
  type McpToolCall,
} from './tool.js';
import { messageView, runPage, runView } from './views.js';
import { paged } from './workspace-tools.js';
import { getRun, listRuns, cancelRun } from '../../src/commands/runs.js';

const waitSeconds = z.int().min(0).max(540).optional().describe('How long to wait for it to end.');
const sessionId = runInput.shape.sessionId.describe('The conversation that it goes on with, or a new one.');
const onBusy = runInput.shape.on_busy.describe('While its session is busy.');
const runId = z.string().min(1).max(limits.reference);

/** Images as MCP has them in its content. */
const images = z
  .array(z.strictObject({ type: z.literal('image').optional(), data: base64, mimeType: z.string().min(1).max(100) }))
  .max(limits.files)
  .optional()
  .describe('Images, as in MCP content.');
const fileOf = ({ data, mimeType }: { data: string; mimeType: string }): FileInput => ({
  mediaType: mimeType,
  bytes: data,
});

/** Shorter than the 60 s after which clients give a request up. A client that knows tasks need not wait for long. */
const usualWait = (call: McpToolCall): number => (knowsTasks(call) ? 2 : 50);

export const runTools: readonly Tool[] = [
  tool({
    name: 'ask_agent',
    title: 'Ask the agent',
    description:
      'Asks the agent something, or answers what it has asked in this session, and waits for its answer, which is in `output`. It answers from its memory. If it is still `running` then, come back with get_run.',
    scopes: ['agent:spawn'],
    forAgent: 'required',
    annotations: acts,
    repeatable: true,
    input: z.strictObject({
      message: runInput.shape.input.describe('What the agent is asked or told.'),
      images,
      session_id: sessionId,
      subject: runInput.shape.subject.describe('Whom it is for.'),
      on_busy: onBusy,
      wait_seconds: waitSeconds,
    }),
    ...runView,
    hasFailed,
    call: (call, { message, images: given, session_id, subject, on_busy, wait_seconds }, agent) =>
      worked(call, agent, wait_seconds ?? usualWait(call), async (caller) => {
        const said = { input: message, files: given?.map(fileOf), sessionId: session_id, subject, on_busy };
        return (await call.service.converse(caller, agent, said)).run;
      }),
  }),
  tool({
    name: 'start_run',
    title: 'Start a run',
    description: 'Gives the agent a piece of work, and returns at once unless it is told to wait.',
    scopes: ['agent:spawn'],
    forAgent: 'required',
    annotations: acts,
    repeatable: true,
    input: z.strictObject({
      input: runInput.shape.input.describe('What the agent is to do.'),
      session_id: sessionId,
      max_steps: runInput.shape.maxSteps.describe("The agent's own by default."),
      max_runtime_seconds: runInput.shape.maxRuntimeSeconds.describe("The agent's own by default."),
      on_busy: onBusy,
      output_schema: runOverrides.shape.output_schema.describe(
        'A JSON Schema of `output_data`, for agents with a model.',
      ),
      metadata: runInput.shape.metadata.describe(''),
      wait_seconds: waitSeconds,
    }),
    ...runView,
    hasFailed,
    call: (call, { wait_seconds, session_id, max_steps, max_runtime_seconds, output_schema, ...given }, agent) =>
      worked(call, agent, wait_seconds ?? 0, (caller) =>
        call.service.startRun(caller, agent, {
          ...given,
          sessionId: session_id,
          maxSteps: max_steps,
          maxRuntimeSeconds: max_runtime_seconds,
          ...(output_schema && { overrides: { output_schema } }),
        }),
      ),
  }),
  tool({
    name: 'get_run',
    title: 'Get a run',
    description: 'How a run is doing, and its output once it has ended.',
    scopes: ['agent:read'],
    forAgent: 'required',
    annotations: reads,
    input: z.strictObject({ run_id: runId, wait_seconds: waitSeconds }),
    ...runView,
    call: async (call, { run_id, wait_seconds }, agent) =>
      followed(
        call,
        agent,
        await call.service.execute(call.caller, getRun, { id: agent, runId: run_id }),
        wait_seconds ?? 0,
      ),
  }),
  tool({
    name: 'list_runs',
    title: 'List runs',
    description: "The agent's runs, the newest first.",
    scopes: ['agent:read'],
    forAgent: 'required',
    annotations: reads,
    input: z.strictObject(pageInput),
    ...runPage,
    call: (call, input, agent) =>
      paged(call, input, `runs of ${agent}`, (page) =>
        call.service.execute(call.caller, listRuns, { id: agent }, { page }),
      ),
  }),
  tool({
    name: 'resume_run',
    title: 'Resume a run',
    description:
      'Goes on with a run that is `paused`, with the answer to its question, or with one that ran out of steps or time. Approval is for people: where a run waits for it, they are asked.',
    scopes: ['agent:spawn'],
    forAgent: 'required',
    annotations: acts,
    repeatable: true,
    input: z.strictObject({
      run_id: runId,
      input: resumeInput.shape.input.describe('The answer to its question.'),
      results: resumeInput.shape.results.describe('The results of the calls, where `waiting_for` has `calls`.'),
      answers: resumeInput.shape.answers.describe('The `id` of the question, from `waiting_for`.'),
      wait_seconds: waitSeconds,
    }),
    ...runView,
    hasFailed,
    call: (call, { run_id, wait_seconds, ...input }, agent) =>
      worked(call, agent, wait_seconds ?? 0, async (caller) => {
        const run = await call.service.execute(caller, getRun, { id: agent, runId: run_id });
        return awaitsApproval(run) ? run : call.service.resumeRun(caller, agent, run_id, input);
      }),
  }),
  tool({
    name: 'cancel_run',
    title: 'Cancel a run',
    description: 'Ends a run that has not ended.',
    scopes: ['agent:manage'],
    forAgent: 'required',
    annotations: changingTool,
    repeatable: true,
    input: z.strictObject({ run_id: runId }),
    ...runView,
    call: ({ service, caller }, { run_id }, agent) => service.execute(caller, cancelRun, { id: agent, runId: run_id }),
  }),
  tool({
    name: 'send_message',
    title: 'Send a message',
    description:
      "Puts a message into another agent's mailbox. It is durable and not waited for; the next step of that agent reads it. At an agent's endpoint it is from this agent.",
    scopes: ['agent:spawn'],
    forAgent: 'optional',
    annotations: adds,
    repeatable: true,
    input: z.strictObject({
      to: z.string().min(1).max(limits.reference).describe('The id of the agent that gets it.'),
      content: mailboxInput.shape.content.describe('What it says.'),
      reply_to: mailboxInput.shape.reply_to.describe('The id of the message that it answers.'),
      metadata: mailboxInput.shape.metadata.describe(''),
    }),
    ...messageView,
    call: ({ service, caller }, { to, ...message }, agent) =>
      service.execute(caller, sendMessage, { id: to }, { ...message, from: agent }),
  }),
  tool({
    name: 'read_mailbox',
    title: 'Read the mailbox',
    description: "The agent's mailbox messages: unread ones first. Looking at them does not mark them as read.",
    scopes: ['agent:read'],
    forAgent: 'required',
    annotations: reads,
    input: z.strictObject(pageInput),
    output: pageSchema(results.MailboxMessage),
    call: (call, input, agent) =>
      paged(call, input, `mailbox of ${agent}`, (page) =>
        call.service.execute(call.caller, listMessages, { id: agent }, { page: page }),
      ),
  }),
];

const awaitsApproval = ({ waitingFor }: Run): boolean => waitingFor?.kind === 'approval';
const whoDecides =
  'The run waits for somebody to approve it: in the console, over REST or over A2A. No tool does that.';

type Answered = Run | InputRequiredResult | CreatedTask;

/** What the state that goes through the client says: the run, and the question that was asked. */
type Asked = readonly [run: string, question: string];

/** Starts or resumes a run, or takes the human's answer to what it asked in an earlier round, and follows it. */
async function worked(
  call: McpToolCall,
  agent: string,
  seconds: number,
  begin: (caller: McpToolCall['caller']) => Promise<Run>,
): Promise<Answered> {
  const asked = call.request.mcpReq.requestState<Position>() as Asked | undefined;
  if (asked === undefined) {
    const begun = await begin(call.caller);
    return outcome(call, begun, await worksWithHuman(call, agent, begun, seconds));
  }
  const [id, question] = asked;
  const run = await call.service.execute(call.caller, getRun, { id: agent, runId: id });
  if (run.waitingFor?.id !== question) return outcome(call, run, await followed(call, agent, run, seconds));
  const answer = answerTo(inputResponse(call.request.mcpReq.inputResponses, 'answer'), run);
  if (answer === 'missing') return outcome(call, run, run); // asked again
  if (answer === 'declined') return run;
  const resumed = await resumeWith(call, run, answer);
  return outcome(call, resumed, await followed(call, agent, resumed, seconds));
}

/** Goes on with a call whose stream was cut (McpResumption.E2); one that only reads asks nobody. */
export async function resumeCall(call: McpToolCall, cut: Followed, onlyReads: boolean): Promise<Run> {
  const { service, caller, clock } = call;
  const run = await service.execute(caller, getRun, { id: cut.agent, runId: cut.run });
  const seconds = Math.max(0, (cut.until - clock.now()) / 1000);
  if (onlyReads) return followed(call, cut.agent, run, seconds, cut);
  const now = await worksWithHuman(call, cut.agent, run, seconds, cut);
  if (awaitsApproval(now) && call.notes.length === 0) call.notes.push(whoDecides);
  return now;
}

/** Follows a run through all that it asks its client. Later clients are asked by the result of the call instead. */
async function worksWithHuman(
  call: McpToolCall,
  agent: string,
  begun: Run,
  seconds: number,
  cut?: Followed,
): Promise<Run> {
  for (let run = begun; ; cut = undefined) {
    run = await followed(call, agent, run, seconds, cut);
    const question = asksByRequest(call) ? await shownQuestion(call, run) : null;
    const resumed = question && (await goneOn(call, run, question, cut));
    if (resumed === null) return run;
    run = resumed;
  }
}

/** Waits until the run has ended or asks something, at most so long, and tells the client what happens. */
async function followed(call: McpToolCall, agent: string, run: Run, seconds: number, cut?: Followed): Promise<Run> {
  if (seconds === 0 || isSettled(run)) return run;
  const { service, caller, clock, request } = call;
  const until = clock.now() + seconds * 1000;
  const { since, seq } = cut ?? { since: run.updated_at, seq: 0 };
  if (asksByRequest(call) || progressTokenOf(call) !== undefined)
    await call.follows({ agent, run: run.id, since, seq, question: null, until });
  else call.keepAlive();
  const enough = new AbortController();
  const cancel = clock.after(seconds * 1000, () => {
    enough.abort();
  });
  try {
    const signal = AbortSignal.any([request.mcpReq.signal, enough.signal]);
    for await (const event of await service.runEvents(caller, agent, run.id, seq, signal)) {
      if (event.at >= since) await report(call, event);
      if (event.type !== 'status' || !isSettled(event)) continue;
      // an earlier question may have been answered since
      const now = await service.execute(caller, getRun, { id: agent, runId: run.id });
      if (isSettled(now)) return now;
    }
  } finally {
    cancel();
    enough.abort();
  }
  return service.execute(caller, getRun, { id: agent, runId: run.id });
}

const progressTokenOf = ({ request }: McpToolCall) => request.mcpReq._meta?.progressToken;

async function report(call: McpToolCall, event: RunEvent): Promise<void> {
  const progressToken = progressTokenOf(call);
  if (progressToken === undefined) return;
  const told =
    event.type === 'status'
      ? event.status
      : event.type === 'thought'
        ? `${event.thought.thoughtType}: ${event.thought.content.slice(0, 200)}`
        : event.type;
  await call.request.mcpReq.notify({
    method: 'notifications/progress',
    params: { progressToken, progress: event.seq, message: told },
  });
}

/** What the call comes to: McpRuns.M2, and for a run that goes on McpTasks.T1. */
async function outcome(call: McpToolCall, begun: Run, run: Run): Promise<Answered> {
  if (!isSettled(run)) return knowsTasks(call) ? createdTask(call, begun, run) : run;
  const request = asksByRequest(call) ? null : await shownQuestion(call, run);
  if (request === null || run.waitingFor === null) {
    if (awaitsApproval(run) && call.notes.length === 0) call.notes.push(whoDecides);
    return run;
  }
  const asked: Asked = [run.id, run.waitingFor.id];
  return inputRequired({
    inputRequests: { answer: request },
    requestState: call.cursors.sign(asked, stateBinding(call)),
  });
}

/** What a state that goes through the client is good for. */
export const stateBinding = ({ caller, agent }: McpSession): string =>
  JSON.stringify(['mcp state', caller.workspace, agent]);
