/**
 * The results of tools that a client of OpenAI gives to the run that asked for them (docs/api.md 4.5).
 *
 *  - The id of a call names its run, so results find their run and nothing is kept between two requests.
 *  - Results that come again have no further effect: they are named by the ids of their calls. Other results of the
 *    same calls are refused, and so are those of calls that no run waits for.
 */
import { eventOfQuestion } from '../../src/domain/agent/agent-state.js';
import { runOfCall } from '../../src/domain/agent/agent-tools.js';
import { HivekeepError, invalid, type Issue } from '../../src/domain/shared/errors.js';
import { resumeInput } from '../../src/domain/shared/inputs.js';
import type { Run } from '../../src/domain/model/model.js';
import type { Caller, Service } from '../../src/service.js';
import { idempotencyKeyNamed } from '../http/idempotency.js';
import { type OpenAiMessage, textOfMessage } from './messages.js';
import type { ChatRequest, NamedSession } from './request.js';
import { getRun } from '../../src/commands/runs.js';

interface Result {
  at: number;
  message: OpenAiMessage;
}

/** What came back from tools since the assistant has spoken last, each with its place among the messages. */
export interface Results {
  given: readonly [Result, ...Result[]];
  /** Where the user has said something after them. */
  said: number | null;
}

export function resultsIn(messages: readonly OpenAiMessage[]): Results | null {
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant');
  const [first, ...others] = messages.flatMap((message, at) =>
    at > spoken && message.role === 'tool' ? [{ at, message }] : [],
  );
  if (!first) return null;
  const said = messages.findLastIndex(({ role }) => role === 'user');
  return { given: [first, ...others], said: said > first.at ? said : null };
}

/** Throws if the run still waits for the results: what is said is said to another run, and they would be lost. */
export async function refuseUnread(
  service: Service,
  caller: Caller,
  agent: string,
  { given: [{ message }], said }: Results,
): Promise<void> {
  const id = runOf(message);
  const run = id === null ? null : await known(service, caller, agent, id);
  if (run?.waitingFor?.calls?.some((call) => call.id === message.tool_call_id))
    throw invalid({
      path: `messages.${said}.role`,
      message: `must not follow results that run ${run.id} waits for: give it these alone, and say more when it has answered`,
    });
}

/** A run that has begun or gone on for a request. */
export interface Begun {
  run: Run;
  /** The event of the run after which it has. */
  after: number;
  /** What it had used before; null for nothing. */
  used: Run['usage'] | null;
  /** The id of the completion. */
  completion: string;
  replayed: boolean;
}

/** Has the run go on that asked for these calls, unless it is of another session than the one that is named. */
export async function goOn(
  service: Service,
  caller: Caller,
  agent: string,
  { given }: Results,
  { tool_choice: choice }: ChatRequest,
  session: NamedSession | null,
  subject: string | undefined,
): Promise<Begun> {
  const [first] = given;
  const runId = runOf(first.message);
  const run = runId === null ? null : await known(service, caller, agent, runId);
  if (!run) throw wrongId(first.at, 'must be the id of a call that a run of this agent waits for');
  const other = given.find(({ message }) => runOf(message) !== runId);
  if (other) throw wrongId(other.at, `must be the id of a call of run ${runId}, like the others`);
  if (choice === 'none')
    throw invalid({ path: 'tool_choice', message: `must be "auto": run ${runId} goes on with the tools that it has` });
  if (session && session.id !== run.sessionId)
    throw invalid({ path: session.path, message: `must name the session of run ${runId}, or none` });
  if (subject !== undefined && subject !== run.subject)
    throw invalid({ path: 'X-Hivekeep-Subject', message: `must name the subject of run ${runId}, or none` });
  const results = given.map(({ message }) => ({ id: message.tool_call_id ?? '', content: textOfMessage(message) }));
  const issue = resumeInput.shape.results.safeParse(results).error?.issues[0];
  if (issue) throw inMessages(invalid({ path: ['results', ...issue.path].join('.'), message: issue.message }), given);
  const sorted = results.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const ids = sorted.map(({ id }) => id);
  const idempotencyKey = idempotencyKeyNamed(ids.join(), caller, 'results', sorted);
  const resumed = await service
    .resumeRun({ ...caller, idempotencyKey }, agent, run.id, { results })
    .catch((error: unknown) => {
      throw inMessages(error, given);
    });
  const after = idempotencyKey.replayed || !run.waitingFor ? 0 : eventOfQuestion(run.waitingFor.id);
  return {
    run: resumed,
    after,
    used: resumed.usage,
    completion: `${ids[0]}.answer`,
    replayed: idempotencyKey.replayed,
  };
}

const runOf = ({ tool_call_id: id }: OpenAiMessage): string | null => runOfCall(id ?? '');

const wrongId = (at: number, message: string): HivekeepError =>
  invalid({ path: `messages.${at}.tool_call_id`, message });

/** The run; null if the agent has none of this id. */
async function known(service: Service, caller: Caller, agent: string, id: string): Promise<Run | null> {
  try {
    return await service.execute(caller, getRun, { id: agent, runId: id });
  } catch (error) {
    if (error instanceof HivekeepError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** The error with the fields of a resume under the names that they have in the request. */
function inMessages(error: unknown, given: Results['given']): unknown {
  if (!(error instanceof HivekeepError)) return error;
  const [first] = given;
  if (error.code === 'IDEMPOTENCY_MISMATCH')
    return invalid({
      path: `messages.${first.at}.content`,
      message: 'must be what it was: the run has gone on with it',
    });
  const [issue] = (error.details['issues'] ?? []) as Issue[];
  if (error.code !== 'VALIDATION_ERROR' || !issue) return error;
  const [, i = '', field] = issue.path.split('.');
  if (field === undefined) return wrongId(first.at, issue.message);
  return invalid({
    path: `messages.${given[Number(i)]?.at}.${field === 'id' ? 'tool_call_id' : field}`,
    message: issue.message,
  });
}
