/**
 * Questions to clients of the revisions before 2026-07-28: such a client is asked by a request of the server's on the
 * stream of its call (`elicitation/create`), and sends its answer as a request of its own, which may come in anywhere.
 *
 * Invariants
 *  McpElicitation.Q1 A client is asked only if it said in `initialize` that it can ask its user. The client keeps that
 *     itself, as the id of its session, which is signed and good for this endpoint. Nothing is kept here, no request
 *     needs a session, and an id that is not ours is one of a client that cannot be asked.
 *  - The id of a question is signed, and names the run and its question, so that any process takes the answer in, and
 *    after a restart. The answer resumes the run, whether or not the call that asked still waits.
 *  - An answer needs the scopes that resuming the run needs, whatever those of the call were.
 *  - Where the human declines, closes the question, answers what does not fit or takes too long, the run stays paused,
 *    and the call returns it and says so. The call is told by the bus; if that loses the notice, the call ends with
 *    its time.
 */
import { inputResponse, type InputRequest } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Dismissal } from '../../src/bus/port.js';
import type { Run } from '../../src/domain/model/model.js';
import { requireGranted } from '../auth/bearer.js';
import type { Cursors } from '../http/paging.js';
import type { Followed } from './resumption.js';
import { answerTo, mayAnswer, resumeWith } from './run-questions.js';
import type { McpSession, McpToolCall } from './tool.js';
import { getRun } from '../../src/commands/runs.js';

export const sessionHeader = 'mcp-session-id';

type At = Pick<McpSession, 'caller' | 'agent'>;
const bindingOf = (what: string, { caller, agent }: At): string => JSON.stringify([what, caller.workspace, agent]);
const ofSession = 'mcp session';
const ofQuestion = 'mcp question';

const initialize = z.object({
  method: z.literal('initialize'),
  // `{}` is what a client says that knows forms only
  params: z.object({
    capabilities: z.object({
      elicitation: z
        .looseObject({ form: z.unknown(), url: z.unknown() })
        .partial()
        .refine(({ form, url }) => form !== undefined || url === undefined),
    }),
  }),
});

/** The id of the session that this message begins, if it begins one whose client can be asked (McpElicitation.Q1). */
export const elicitationSession = (body: object, cursors: Cursors, at: At): string | null =>
  initialize.safeParse(body).success
    ? cursors.sign(['elicitation', randomBytes(16).toString('hex')], bindingOf(ofSession, at))
    : null;

/** Whether the client of this session can be asked. */
export const canBeAsked = (id: string | string[] | undefined, cursors: Cursors, at: At): boolean =>
  typeof id === 'string' && readSigned(id, cursors, bindingOf(ofSession, at)) !== null;

function readSigned(signed: string, cursors: Cursors, binding: string): readonly unknown[] | null {
  try {
    return cursors.read(signed, binding);
  } catch {
    return null;
  }
}

type Question = readonly [agent: string, run: string, question: string];

const responses = z.union([
  z.object({ id: z.string(), method: z.undefined().optional(), result: z.looseObject({}) }),
  z.object({ id: z.string(), method: z.undefined().optional(), error: z.looseObject({}) }),
]);

/** Takes the answer to a question in; false if the message is none. */
export async function takeAnswer(session: McpSession, body: object): Promise<boolean> {
  const { data: response } = responses.safeParse(body);
  const asked = response && readSigned(response.id, session.cursors, bindingOf(ofQuestion, session));
  if (response === undefined || asked === null || asked === undefined) return false;
  const [agent, id, question] = asked as Question;
  const { service } = session;
  const caller = requireGranted(session.caller, 'agent:spawn');
  const run = await service.execute(caller, getRun, { id: agent, runId: id });
  if (run.waitingFor?.id !== question) return true;
  if (!mayAnswer(session, run)) requireGranted(caller, 'agent:manage');
  const given = 'result' in response ? response.result : { action: 'cancel' };
  const answer = answerTo(inputResponse({ answer: given }, 'answer'), run);
  if (typeof answer !== 'string') await resumeWith(session, run, answer);
  else await service.dismissQuestion(caller, agent, id, { question, action: actionOf(given['action']) });
  return true;
}

/** What a human did who gave no answer that resumes the run. */
const actionOf = (given: unknown): Dismissal['action'] =>
  given === 'decline' ? 'decline' : given === 'accept' ? 'unfit' : 'cancel';

/** As long as a call may wait at most. */
const humanMs = 540_000;

/**
 * Asks the client, unless it was asked that on a stream that was cut, and waits for the run to go on; where it does
 * not, the call's result says so.
 */
export async function goneOn(
  call: McpToolCall,
  run: Run,
  request: InputRequest,
  asked?: Followed,
): Promise<Run | null> {
  const { service, caller, clock, cursors } = call;
  const { id, agent_id: agent, updated_at: since } = run;
  const question = run.waitingFor?.id ?? '';
  const over = new AbortController();
  let dismissed: Dismissal['action'] | 'late' = 'late';
  const leave = await service.dismissals(caller, agent, id, (dismissal) => {
    if (dismissal.question !== question) return;
    dismissed = dismissal.action;
    over.abort();
  });
  const cancel = clock.after(humanMs, () => {
    over.abort();
  });
  try {
    const named: Question = [agent, id, question];
    if (asked?.question !== question) await call.ask(cursors.sign(named, bindingOf(ofQuestion, call)), request);
    await call.follows({ agent, run: id, since, seq: 0, question, until: clock.now() + humanMs });
    const signal = AbortSignal.any([call.request.mcpReq.signal, over.signal]);
    for await (const event of await service.runEvents(caller, agent, id, 0, signal)) {
      if (event.type !== 'status' || event.at < since) continue;
      const now = await service.execute(caller, getRun, { id: agent, runId: id });
      if (now.waitingFor?.id !== question) return now;
    }
  } finally {
    leave();
    cancel();
    over.abort();
  }
  call.notes.push(`${reasons[dismissed]} The run stays paused: resume_run takes an answer.`);
  return null;
}

const reasons = {
  decline: 'The user declined to answer.',
  cancel: 'The user closed the question without an answer.',
  unfit: 'What the user answered does not fit the question.',
  late: 'The user has not answered yet; an answer that they still give resumes the run.',
};
