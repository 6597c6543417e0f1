/**
 * Runs as tasks of the official extension io.modelcontextprotocol/tasks (SEP-2663): a client that knows tasks gets a
 * handle of a run that takes longer, and asks for it, answers it and cancels it by that handle.
 *
 * Invariants
 *  McpTasks.T1 A call becomes a task only for a client that says in that very request that it knows tasks, and only
 *     when its run is stored: any process finds the task from then on, and after a restart.
 *  - A task's id is signed, and good for its workspace; at an agent's endpoint, for that agent. What it names is read
 *    and changed with the scopes of the caller, as the tools do.
 *  - A task asks what its call would have asked, each question under a key of its own. An answer to any other key
 *    changes nothing.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  MissingRequiredClientCapabilityError,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isSettled, isTerminal, type Run } from '../../src/domain/model/model.js';
import { toHivekeepError } from '../http/error-envelope.js';
import { answerTo, hasFailed, knowsTasks, shownQuestion, resumeWith, tasksExtension } from './run-questions.js';
import { runView } from './views.js';
import { changingTool, inProtocol, reads, resultOf, type McpSession, type SessionRequest, type Tool } from './tool.js';
import { cancelRun, getRun } from '../../src/commands/runs.js';

/** The scopes of the extension's methods, and whether they only read. */
export const taskMethods: ReadonlyMap<string, Pick<Tool, 'scopes' | 'annotations'>> = new Map([
  ['tasks/get', { scopes: ['agent:spawn'], annotations: reads }],
  ['tasks/update', { scopes: ['agent:spawn'], annotations: changingTool }],
  ['tasks/cancel', { scopes: ['agent:manage'], annotations: changingTool }],
]);

/** The time of the call that made the task tells it from later ones of the same run. */
type Handle = readonly [agent: string, run: string, begun: string];

interface Task {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'cancelled';
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** Runs do not expire. */
  ttlMs: null;
  pollIntervalMs: number;
}
export type CreatedTask = Task & { resultType: 'task' };

const bindingOf = ({ caller }: McpSession): string => JSON.stringify(['mcp task', caller.workspace]);

/** The task of a run that goes on after its call. */
export function createdTask(session: McpSession, begun: Run, now: Run): CreatedTask {
  const handle: Handle = [now.agent_id, now.id, begun.updated_at];
  return { resultType: 'task', ...taskOf(session.cursors.sign(handle, bindingOf(session)), now) };
}

export const isCreatedTask = (value: object): value is CreatedTask =>
  (value as { resultType?: unknown }).resultType === 'task';

const taskOf = (taskId: string, run: Run): Task => ({
  taskId,
  status: 'working',
  statusMessage: `Run ${run.id} of agent ${run.agent_id} is ${run.status}, after ${run.steps} of at most ${run.maxSteps} steps.`,
  createdAt: run.created_at,
  lastUpdatedAt: run.updated_at,
  ttlMs: null,
  pollIntervalMs: 1000,
});

const named = z.looseObject({ taskId: z.string() });

export function addTasks({ server }: McpServer, session: McpSession): void {
  if (!session.caller.scopes.includes('agent:spawn')) return;
  server.registerCapabilities({ extensions: { [tasksExtension]: {} } });
  const serve = (method: string, act: (call: SessionRequest, run: Run, taskId: string) => Promise<object>): void => {
    server.setRequestHandler(method, { params: named }, async ({ taskId }, request): Promise<Result> => {
      const call = { ...session, request };
      if (!knowsTasks(call)) throw new MissingRequiredClientCapabilityError(needsTasks);
      return inProtocol(session, method, async () => ({ ...(await act(call, await runOf(call, taskId), taskId)) }));
    });
  };
  serve('tasks/get', detailed);
  serve('tasks/update', async (call, run) => {
    const given = inputResponse(call.request.mcpReq.inputResponses, run.waitingFor?.id ?? '');
    const dismissed = given.kind === 'elicit' && given.action === 'cancel';
    const answer = answerTo(given, run);
    if ((await shownQuestion(call, run)) !== null && answer !== 'missing' && !dismissed)
      await resumeWith(call, run, answer === 'declined' ? withoutAnswer(run) : answer);
    return {};
  });
  serve('tasks/cancel', async ({ service, caller }, run) => {
    if (!isTerminal(run.status)) await service.execute(caller, cancelRun, { id: run.agent_id, runId: run.id });
    return {};
  });
}

const listening = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({
    notifications: z.object({ taskIds: z.unknown().refine((ids) => ids !== undefined) }),
    _meta: z
      .object({
        [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.record(z.string(), z.unknown()).optional() }),
      })
      .optional(),
  }),
});

/**
 * Whether a client that does not know tasks asks to be notified of them, which the extension wants refused. Others are
 * told, by what is acknowledged, that nothing will be sent. The library answers this method before there is a server.
 */
export function wantsUnknownTasks(body: object): boolean {
  const { data } = listening.safeParse(body);
  const known = data?.params._meta?.[CLIENT_CAPABILITIES_META_KEY].extensions?.[tasksExtension];
  return data !== undefined && known === undefined;
}

export const needsTasks = { requiredCapabilities: { extensions: { [tasksExtension]: {} } } };

/** What a human who declines has said: nobody else is there whom the task could ask. */
const withoutAnswer = ({ waitingFor }: Run): { decision: 'reject' } | { input: string } =>
  waitingFor?.kind === 'approval' ? { decision: 'reject' } : { input: '(declines to answer)' };

async function runOf(session: McpSession, taskId: string): Promise<Run> {
  try {
    const [agent, run] = session.cursors.read(taskId, bindingOf(session)) as unknown as Handle;
    if (session.agent !== null && session.agent !== agent) throw unknown();
    return await session.service.execute(session.caller, getRun, { id: agent, runId: run });
  } catch (thrown) {
    const { code } = toHivekeepError(thrown);
    throw code === 'NOT_FOUND' || code === 'VALIDATION_ERROR' ? unknown() : thrown;
  }
}

const unknown = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'there is no such task, or not for this caller');

/** A task is over when its call would have been answered: when its run is, or asks what this client cannot be asked. */
async function detailed(call: SessionRequest, run: Run, taskId: string): Promise<object> {
  const task = taskOf(taskId, run);
  if (!isSettled(run)) return task;
  const question = await shownQuestion(call, run);
  if (question !== null && run.waitingFor !== null)
    return { ...task, status: 'input_required', inputRequests: { [run.waitingFor.id]: question } };
  if (run.status === 'cancelled') return { ...task, status: 'cancelled' };
  return {
    ...task,
    status: 'completed',
    result: { resultType: 'complete', ...resultOf(runView.show(run), hasFailed(run)) },
  };
}
