/** What a run that waits for a human asks, as an elicitation, and what its answer means (McpRuns.M2 to M4). */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequest,
  type InputResponseView,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readable } from '../../src/base/json-size.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { resumeInput } from '../../src/domain/shared/inputs.js';
import type { Run } from '../../src/domain/model/model.js';
import type { Caller } from '../../src/service.js';
import { idempotencyKeyNamed } from '../http/idempotency.js';
import type { McpSession, SessionRequest } from './tool.js';
import { getRun } from '../../src/commands/runs.js';

/** Of the work that a run was given, not of asking for the run. */
export const hasFailed = (run: object): boolean => ['failed', 'timeout'].includes((run as Run).status);

export const tasksExtension = 'io.modelcontextprotocol/tasks';

interface Capabilities {
  elicitation?: object;
  extensions?: Record<string, unknown>;
}

const envelopeOf = ({ request }: SessionRequest): Record<string, unknown> | undefined => request.mcpReq.envelope;

/** What the client says in this request that it can do, or said in `initialize` (McpElicitation.Q1). */
const capabilitiesOf = (call: SessionRequest): Capabilities => {
  const envelope = envelopeOf(call);
  if (envelope === undefined) return call.canBeAsked ? { elicitation: {} } : {};
  return envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
};

/** Whether questions go to the client as requests of the server, as they did before 2026-07-28. */
export const asksByRequest = (call: SessionRequest): boolean => envelopeOf(call) === undefined;

export const knowsTasks = (call: SessionRequest): boolean =>
  capabilitiesOf(call).extensions?.[tasksExtension] !== undefined;

const approval = z.object({ decision: z.enum(['approve', 'reject']), comment: z.string().optional() });
const reply = z.object({ answer: z.string().min(1) });

/** Who answers a question that the client puts to its user. */
const userOf = ({ caller: { byModel: _, ...caller } }: McpSession): Caller => caller;

/** The question of a paused run, as its user sees it, or null where this client cannot be asked. */
export async function shownQuestion(
  call: SessionRequest,
  { status, waitingFor, ...run }: Run,
): Promise<InputRequest | null> {
  if (status !== 'paused' || waitingFor === null || capabilitiesOf(call).elicitation === undefined) return null;
  if (!mayAnswer(call, { waitingFor })) return null;
  const shown =
    waitingFor.kind === 'human'
      ? null
      : await call.service.execute(userOf(call), getRun, { id: run.agent_id, runId: run.id });
  return inputRequired.elicit({
    message: `Agent ${run.agent_id} asks: ${readable((shown?.waitingFor ?? waitingFor).question)}`,
    requestedSchema: waitingFor.kind === 'approval' ? approval : reply,
  });
}

/** McpRuns.M3. What a tool came to, a program tells, by `resume_run`. */
export const mayAnswer = ({ caller }: McpSession, { waitingFor }: Pick<Run, 'waitingFor'>): boolean =>
  waitingFor?.kind === 'approval' ? caller.scopes.includes('agent:manage') : waitingFor?.kind !== 'tools';

type Answer = z.infer<typeof resumeInput>;

/** The answer of the human to what the run waits for. One that does not fit it counts as missing. */
export function answerTo(
  given: InputResponseView,
  { waitingFor }: Pick<Run, 'waitingFor'>,
): 'missing' | 'declined' | Answer {
  if (given.kind !== 'elicit') return 'missing';
  if (given.action !== 'accept') return 'declined';
  if (waitingFor?.kind !== 'approval') {
    const { data: told } = reply.safeParse(given.content);
    return told ? fitting({ input: told.answer }) : 'missing';
  }
  const { data: decided } = approval.safeParse(given.content);
  if (!decided) return 'missing';
  const { decision, comment = '' } = decided;
  return fitting({ decision, ...(comment !== '' && { input: comment }) });
}

/** An answer over MCP has the bounds of one over REST. */
const fitting = (answer: Answer): 'missing' | Answer => (resumeInput.safeParse(answer).success ? answer : 'missing');

/**
 * Resumes the run as it was read, with the answer to what it asked then. A repeat takes effect once. If the run has
 * gone on since it was read, the answer is not given to it, and the run as it is now is returned (McpRuns.M4).
 */
export async function resumeWith(session: McpSession, run: Run, answer: Answer): Promise<Run> {
  const { service, caller } = session;
  const idempotencyKey = idempotencyKeyNamed(run.waitingFor?.id ?? '', caller, `mcp answers of ${run.id}`, answer);
  const named = { ...answer, ...(run.waitingFor && { answers: run.waitingFor.id }) };
  try {
    await service.resumeRun({ ...userOf(session), idempotencyKey }, run.agent_id, run.id, named);
  } catch (error) {
    if (!(error instanceof HivekeepError && error.code === 'CONFLICT')) throw error;
  }
  return service.execute(caller, getRun, { id: run.agent_id, runId: run.id });
}
