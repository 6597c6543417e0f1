/** The service's operations on runs. A direct message is a run whose caller waits for it. */
import { auditActorOf } from '../../src/domain/workspace/audit.js';
import type { RunRecord } from '../../src/domain/agent/agent-state.js';
import { questionAnswered, saidUntil } from '../../src/domain/run/conversation.js';
import { HivekeepError, invalid } from '../../src/domain/shared/errors.js';
import type { MessageInput, ResumeInput } from '../../src/domain/shared/inputs.js';
import { type ConsultedMemory, isSettled, type Run } from '../../src/domain/model/model.js';
import { asBegunBy, isSameSubject, reaches, sessionNamed } from '../../src/domain/shared/caller.js';
import type { RetoldTurn } from '../../src/domain/run/records.js';
import { dataOf, questionFor, showRun, sightOf } from '../../src/domain/task/run-as-task.js';
import { unpackRun } from '../../src/domain/run/stored-run.js';
import { allOf } from '../../src/maybe-promise.js';
import type { After, Caller, Said, Service, ToldHistory } from '../../src/service.js';
import { sessionTurns } from '../../src/commands/session-reads.js';
import { consultedHit, documentOf, turnIn } from '../entities/recall-indexes.js';
import { agentRef, headOf } from '../../src/commands/entities.js';
import { pageBytes } from '../../src/commands/lists.js';
import {
  type ServiceContext,
  askActor,
  atOwnerMs,
  awaitOutcome,
  dismissals,
  runEvents,
  eventsSeenBy,
  waitUntil,
  withIdempotencyKey,
  withPowers,
  withTextOf,
} from './context.js';
import { withFiles } from '../../src/commands/given-files.js';
import { checkGivenOverrides, checkGivenSubject, sealedFor } from '../../src/commands/settings.js';
import { answeredElsewhere } from '../../src/commands/passed-answers.js';
import { checkRunReach, runById } from '../../src/commands/run-reads.js';

export function runService(c: ServiceContext) {
  return {
    async messageAgent(caller, id, { content, on_busy: onBusy, ...begin }, begun) {
      const asked = await begunBy(c, caller, id, 'content', content, begin);
      const until = waitUntil(c);
      const answer = await askActor(c, caller, id, { type: 'message', ...asked, onBusy, wait: { ms: atOwnerMs(c) } });
      if (!isSettled(answer.run)) begun?.();
      const run = isSettled(answer.run) ? answer.run : await awaitOutcome(c, caller, id, answer.run, until);
      return {
        message_id: run.messageId ?? '',
        run_id: run.id,
        status: run.status,
        stopReason: run.stopReason,
        response: run.output,
        output_data: dataOf(run),
        error: run.error,
        waitingFor: questionFor(run, sightOf(caller)),
        memories_consulted: sightOf(caller).thoughts
          ? (answer.consulted?.map(shownConsulted) ?? (await consultedNow(c, caller, run)))
          : [],
        sessionId: run.sessionId,
      };
    },
    async startRun(
      caller,
      agent,
      { input, maxSteps, maxRuntimeSeconds, on_busy: onBusy, ...begin },
      triggeredBy = 'api',
    ) {
      const begun = await begunBy(c, caller, agent, 'input', input, begin);
      return showRun(
        await askActor(c, caller, agent, { type: 'run', ...begun, maxSteps, maxRuntimeSeconds, onBusy, triggeredBy }),
        sightOf(caller),
      );
    },
    async converse(caller, agent, { input, maxSteps, maxRuntimeSeconds, on_busy: onBusy, ...said }) {
      const { earlier, chain, passing, after, ...begin } = said;
      const begun = await begunBy(c, caller, agent, 'input', input, begin);
      const budgets = { maxSteps, maxRuntimeSeconds, onBusy };
      const command = {
        type: 'run',
        ...begun,
        ...budgets,
        chain,
        passing,
        triggeredBy: 'api',
        mayAnswer: true,
      } as const;
      const record = after
        ? await goOn(c, caller, agent, after, said, (place) => askActor(c, caller, agent, { ...command, ...place }))
        : await askActor(c, caller, agent, { ...command, earlier });
      return { run: showRun(record, sightOf(caller)), answers: questionAnswered(record) };
    },
    findConversation: (caller, agent, told) => findConversation(c, caller, agent, told),
    resumeRun: (caller, agent, runId, input) => resume(c, caller, { agent, run: runId }, input),
    async runEvents(caller, agent, id, lastSeq, signal) {
      await runById(c.services, caller, agent, id);
      return eventsSeenBy(caller, runEvents(c, caller, agent, id, lastSeq, signal));
    },
    async runUpdates(caller, agent, id, lastSeq) {
      const run = await runById(c.services, caller, agent, id);
      return eventsSeenBy(caller, await withTextOf(c, caller, agent, run, runEvents(c, caller, agent, id, lastSeq)));
    },
    async dismissQuestion(caller, agent, id, dismissal) {
      await runById(c.services, caller, agent, id);
      c.deps.bus.publish('dismissal', { workspace: caller.workspace, agent, run: id }, [dismissal]);
    },
    async dismissals(caller, agent, id, tell) {
      await runById(c.services, caller, agent, id);
      return dismissals(c, { workspace: caller.workspace, agent, run: id }, tell);
    },
  } satisfies Partial<Service>;
}

/** Goes on with a run, or with the one that waits where it waits for that (PassedAnswer.K1). */
async function resume(
  c: ServiceContext,
  caller: Caller,
  { agent, run: runId }: { agent: string; run: string },
  { files, ...input }: ResumeInput,
): Promise<Run> {
  await checkRunReach(c.services, caller, agent, runId);
  const at = await answeredElsewhere(c.services, caller, { agent, run: runId, answers: input.answers });
  if (at) {
    await resume(c, caller, { agent: at.agent_id, run: at.run_id }, { ...input, files, answers: at.id });
    return showRun(await runById(c.services, caller, agent, runId), sightOf(caller));
  }
  const { text, given, said } = await withFiles(input.input ?? '', files, c.filesMaxBytes, 'input');
  return showRun(
    await askActor(c, caller, agent, {
      type: 'resume',
      runId,
      input: files ? { ...input, input: text } : input,
      said,
      files: given,
      mayDecide: sightOf(caller).decides,
      by: auditActorOf(caller),
      ...withPowers(caller),
      ...withIdempotencyKey(caller),
    }),
    sightOf(caller),
  );
}

/** Says something after a run: in its session, or in a branch where that has gone on. */
async function goOn(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  { run: id, answered }: After,
  { earlier, subject }: Pick<Said, 'earlier' | 'subject'>,
  begin: (place: { sessionId?: string; after?: string; earlier?: readonly RetoldTurn[] }) => Promise<RunRecord>,
): Promise<RunRecord> {
  const run = await runById(c.services, caller, agent, id);
  const { sessionId } = run;
  if (answered === undefined || answered === questionAnswered(run))
    try {
      return await begin({ sessionId, after: id });
    } catch (error) {
      const wentOn = error instanceof HivekeepError && error.code === 'CONFLICT' && 'newest' in error.details;
      if (!wentOn) throw error;
    }
  if (!isSameSubject(run, { subject }))
    throw invalid({ path: 'X-Hivekeep-Subject', message: `must name the subject of run ${id}, or none` });
  return begin({ earlier: earlier ?? (await toldUntil(c, caller, agent, run, answered)) });
}

/** What was said in its session up to a run, and in the run until it had answered so. */
async function toldUntil(
  { deps }: ServiceContext,
  caller: Caller,
  agent: string,
  run: RunRecord,
  answered: string | null | undefined,
): Promise<RetoldTurn[]> {
  const entity = agentRef(caller, agent);
  const { config } = (await headOf(deps, entity)).snapshot;
  const before = await sessionTurns(deps.store, entity, run, config);
  return [...(before?.turns ?? []), ...saidUntil(run, answered)].map(({ role, content, results }) => ({
    role,
    content,
    ...(results && { results: [...results] }),
  }));
}

/** Of so many runs with one history the one is looked for that gave the answer: many conversations begin alike. */
const mostAlike = 100;

/**
 * The run that was told this history and has answered so, if nothing was said in its session since: what a client tells
 * otherwise is another conversation.
 */
async function findConversation(
  { deps: { store } }: ServiceContext,
  caller: Caller,
  agent: string,
  { chain, answer, subject }: ToldHistory,
): Promise<After | null> {
  const of = {
    workspace: caller.workspace,
    entity: agentRef(caller, agent),
    collection: 'run',
    order: 'desc',
  } as const;
  const { items } = await store.list({ ...of, list: 'chain', by: chain, limit: mostAlike, maxBytes: pageBytes });
  for (const run of items.map(unpackRun)) {
    if (!reaches(caller, run) || !isSameSubject(run, { subject }) || !hasSaid(run, answer)) continue;
    const newest = await store.list({ ...of, list: 'session', by: run.sessionId, limit: 1 });
    if (newest.items[0]?.id === run.id) return { run: run.id };
  }
  return null;
}

/** Whether this is what a client has been told by the run: a stream may have told more before the answer. */
function hasSaid({ output, waitingFor }: RunRecord, answer: string): boolean {
  const said = (output ?? waitingFor?.question ?? '').trim();
  return said === '' ? answer.trim() === '' : answer.trim().endsWith(said);
}

/** What a run is begun with, whoever waits for it; `said` is at this path of the request. */
async function begunBy(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  path: 'content' | 'input',
  said: string,
  {
    files,
    sessionId,
    subject,
    overrides,
    metadata,
    told,
  }: Omit<MessageInput, 'content'> & { told?: string | undefined },
) {
  if (overrides) await checkGivenOverrides(c.services, caller, overrides);
  checkGivenSubject(caller, subject);
  const {
    text,
    given,
    said: alone = told,
  } = files ? await withFiles(said, files, c.filesMaxBytes, path) : { text: said, given: undefined };
  return {
    input: text,
    said: alone,
    files: given,
    ...(sessionId !== undefined && { sessionId: sessionNamed(caller, sessionId) }),
    ...asBegunBy(caller),
    by: auditActorOf(caller),
    subject,
    overrides: sealedFor(c, agent, overrides),
    trusted: sightOf(caller).decides,
    metadata,
    ...withPowers(caller),
    ...withIdempotencyKey(caller),
  };
}

/** Resolves to the current versions of the memories that the run used, without deleted ones. */
async function consultedNow(
  { deps: { store } }: ServiceContext,
  caller: Caller,
  run: RunRecord,
): Promise<ConsultedMemory[]> {
  const agent = agentRef(caller, run.agent_id);
  const found = await allOf(run.consulted.map((memory) => documentOf(store, consultedHit(agent, memory))));
  return run.consulted.flatMap((m, i) => {
    const doc = found[i];
    const content = doc?.kind === 'run' ? turnIn(doc, m.id)?.content : doc?.body.content;
    return typeof content === 'string' ? [{ ...m, content }] : [];
  });
}

const shownConsulted = ({ id, type, content, relevance }: ConsultedMemory): ConsultedMemory => ({
  id,
  type,
  content,
  relevance,
});
