/** Runs as A2A tasks (docs/api.md 3.1, 4.2): sending, following, cancelling, and push notification settings. */
import { auditActorOf } from '../../src/domain/workspace/audit.js';
import { createHmac, hash } from 'node:crypto';
import { isSettled, isTerminal, type RunEvent } from '../../src/domain/model/model.js';
import { asBegunBy } from '../../src/domain/shared/caller.js';
import { answersKey, eventFor, historyOf, replyOf, sightOf, taskAfter } from '../../src/domain/task/run-as-task.js';
import {
  type PushConfigInput,
  saidIn,
  type Task,
  type TaskInput,
  type TaskMessage,
} from '../../src/domain/task/task.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import { sealConfig } from '../../src/push/credentials.js';
import type { Caller, EndedTask, FollowedTask, Service } from '../../src/service.js';
import type { TaskAnswer, WaitTerms } from '../entities/agent/operations.js';
import { agentRef, headOf } from '../../src/commands/entities.js';
import {
  type ServiceContext,
  askActor,
  atOwnerMs,
  awaitOutcome,
  runEvents,
  eventsSeenBy,
  withPowers,
  withTextOf,
} from './context.js';
import { hasFile, takenOut } from '../../src/commands/given-files.js';
import type { GivenFile } from '../../src/domain/run/conversation.js';
import type { IdempotencyKey } from '../../src/commands/idempotency.js';
import { answeredElsewhere } from '../../src/commands/passed-answers.js';
import { hopsOf, onBusyOf, overridesOf, sealedFor, subjectNamed } from '../../src/commands/settings.js';
import { checkRunReach, runById } from '../../src/commands/run-reads.js';
import { setPush, showTask } from '../../src/commands/tasks.js';

export function taskService(c: ServiceContext) {
  return {
    sendTask: (caller, agent, input, gone, begun) => send(c, caller, agent, input, gone, begun),
    streamTask: (caller, agent, input) => stream(c, caller, agent, input),
    followTask: (caller, agent, id, lastSeq) => follow(c, caller, agent, id, lastSeq),
  } satisfies Partial<Service>;
}

/** A run that has used up its budget is told of a little later. */
const graceMs = 2000;

type Message = Omit<TaskInput, 'wait'>;

/*
 * Identifies a repeated message: by its sender, agent, message id, content and push configuration. The record is kept
 * by the agent's entity.
 */
const commandOf = (
  keyring: Keyring,
  { credentialId }: Caller,
  { taskId, contextId, push }: Message,
  { messageId, parts, metadata }: TaskMessage,
): string => {
  const said: unknown[] = [credentialId, messageId, taskId, parts, metadata, push && pushDigest(keyring, push)];
  if (contextId !== undefined) said.push(contextId);
  return `a2a_${hash('sha256', JSON.stringify(said), 'base64url')}`;
};

/* Keyed, because a short token could be recovered from a plain hash. */
const pushDigest = (keyring: Keyring, { id, url, token, authentication }: PushConfigInput): string =>
  createHmac('sha256', keyring.derive('message ids'))
    .update(JSON.stringify([id, url, token, authentication]))
    .digest('base64url');

const pathOfPart = (index: number): string => `message.parts.${index}`;

/** Delivers the message to the agent; resolves when the run or input that results is durable. */
async function deliver(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  input: Message,
  more: WaitTerms & { streamed?: boolean },
): Promise<TaskAnswer> {
  if (input.taskId !== undefined) await checkRunReach(c.services, caller, agent, input.taskId);
  if (input.push) await c.deps.push.check(input.push);
  const said = input.message;
  const taken = said.parts.some(hasFile) ? await takenOut(said.parts, c.filesMaxBytes, pathOfPart) : null;
  const message = taken && taken.given.length > 0 ? { ...said, parts: taken.parts } : said;
  const key = { id: commandOf(c.keyring, caller, input, message), bodyHash: '' };
  const passed =
    input.taskId !== undefined &&
    (await pass(c, caller, agent, { ...input, taskId: input.taskId, message, files: taken?.given, key }));
  if (passed) return passed;
  const overrides = said.metadata && (await overridesOf(c.services, caller, said, input.taskId));
  return await askActor(c, caller, agent, {
    type: 'task',
    message,
    files: taken?.given,
    runId: input.taskId ?? null,
    push: input.push ? sealConfig(c.keyring, agent, input.push) : null,
    contextId: input.contextId,
    overrides: sealedFor(c, agent, overrides),
    trusted: sightOf(caller).decides,
    mayDecide: sightOf(caller).decides,
    by: auditActorOf(caller),
    wait: more.wait,
    streamed: more.streamed,
    powers: caller.powers,
    begunBy: asBegunBy(caller)?.begunBy,
    subject: subjectNamed(caller, said),
    onBusy: onBusyOf(said, input.taskId),
    hops: hopsOf(said),
    idempotencyKey: key,
  });
}

/** Brings a message that answers what the task waits for elsewhere to where that is (PassedAnswer.K1); false if it does not. */
async function pass(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  {
    taskId,
    message,
    files,
    push,
    key,
  }: Message & { taskId: string; files: readonly GivenFile[] | undefined; key: IdempotencyKey },
): Promise<TaskAnswer | false> {
  const { services } = c;
  const named = message.metadata?.[answersKey];
  const answers = typeof named === 'string' ? named : undefined;
  const as = { ...caller, idempotencyKey: { ...key, replayed: false } };
  const at = await answeredElsewhere(services, as, { agent, run: taskId, answers });
  if (!at) return false;
  const to = agentRef(caller, at.agent_id);
  if (!(await services.store.record(to, key.id, c.deps.clock.now()))) {
    const waiting = await runById(services, caller, at.agent_id, at.run_id);
    await askActor(c, caller, at.agent_id, {
      type: 'resume',
      runId: at.run_id,
      input: { ...replyOf(waiting, message), answers: at.id },
      said: saidIn(message.parts),
      files,
      mayDecide: sightOf(caller).decides,
      by: auditActorOf(caller),
      ...withPowers(caller),
      idempotencyKey: key,
    });
  }
  if (push) await services.execute(caller, setPush, { id: agent, taskId }, push);
  return { run: await runById(services, caller, agent, taskId), first: null, passed: true };
}

async function send(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  input: TaskInput,
  gone?: () => AbortSignal,
  begun?: () => void,
): Promise<Task> {
  const from = c.deps.clock.elapsed();
  const wait = input.wait === 'started' ? undefined : { ms: atOwnerMs(c), unlessMultiStep: input.wait === 'natural' };
  const { run } = await deliver(c, caller, agent, input, { wait });
  if (isSettled(run) || !(await waits(c, caller, agent, input.wait))) return showTask(run, caller);
  begun?.();
  // as long as the run may take, or as any wait where that is longer
  const until = from + Math.max(c.messageWaitMs, run.maxRuntimeSeconds * 1000 + graceMs);
  return showTask(await awaitOutcome(c, caller, agent, run, until, gone?.()), caller);
}

/** The actor's answer contains what was committed with it, so only later events are read from the store. */
async function stream(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  input: Message,
): Promise<FollowedTask | EndedTask> {
  const { run, first, told = [], passed } = await deliver(c, caller, agent, input, { streamed: true });
  if (!first) return follow(c, caller, agent, run.id, passed ? null : 1);
  const next: RunEvent[] = [];
  for (const event of told) if (event.seq === first.seq + next.length + 1) next.push(event);
  const last = next.at(-1) ?? first;
  const task = taskAfter(run, [first], historyOf(run));
  if (last.type === 'status' && isTerminal(last.status))
    return { task, events: next.flatMap((event) => eventFor(event, sightOf(caller)) ?? []) };
  const events = toldThen(next, runEvents(c, caller, agent, run.id, last.seq));
  return { task, events: eventsSeenBy(caller, await withTextOf(c, caller, agent, run, events)) };
}

/** Events that are known to be committed, and then those that follow them. */
function toldThen(told: readonly RunEvent[], later: AsyncIterable<RunEvent>): AsyncIterable<RunEvent> {
  if (told.length === 0) return later;
  return {
    [Symbol.asyncIterator]() {
      const source = later[Symbol.asyncIterator]();
      let at = 0;
      return {
        next() {
          const value = told[at++];
          return value !== undefined ? Promise.resolve({ done: false, value }) : source.next();
        },
        return: () => source.return?.() ?? Promise.resolve({ done: true, value: undefined }),
      };
    },
  };
}

async function waits(c: ServiceContext, caller: Caller, agent: string, wait: TaskInput['wait']): Promise<boolean> {
  if (wait !== 'natural') return wait === 'settled';
  const { snapshot } = await headOf(c.deps, agentRef(caller, agent));
  return snapshot.config.multi_step !== true;
}

/** The task as of an event is rebuilt from its events up to that one; the same reader then continues from there. */
async function follow(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  id: string,
  lastSeq: number | null,
): Promise<FollowedTask> {
  const run = await runById(c.services, caller, agent, id);
  const now = run.nextSeq - 1;
  if (lastSeq === null || lastSeq >= now)
    return {
      task: showTask(run, caller),
      events: eventsSeenBy(caller, await withTextOf(c, caller, agent, run, runEvents(c, caller, agent, id, now))),
    };
  const events = runEvents(c, caller, agent, id, 0);
  try {
    const before: RunEvent[] = [];
    while (before.length < lastSeq) {
      const next = await events.next();
      if (next.done) break;
      before.push(next.value);
    }
    return {
      task: taskAfter(run, before, historyOf(run)),
      events: eventsSeenBy(caller, await withTextOf(c, caller, agent, run, events)),
    };
  } catch (error) {
    await events.return?.();
    throw error;
  }
}
