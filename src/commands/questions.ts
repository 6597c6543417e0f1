/**
 * What agents ask of each other for the questions of their runs (domain/mailbox/questions.ts). Each is delivered by an outbox,
 * and may arrive more than once.
 */
import {
  noteQuestionWaits,
  sessionOfQuestion,
  takeOutcome,
  takeQuestion,
  takeSaid,
  endQuestionRun as withdraw,
} from '../domain/mailbox/question-commands.js';
import type {
  AnsweredQuestion,
  AskedQuestion,
  QuestionMessage,
  SaidToAsked,
  SpawnedChild,
  ToldQuestion,
  WithdrawnQuestion,
} from '../domain/mailbox/question-messages.js';
import type { LiveRun } from '../domain/agent/agent-state.js';
import type { EntityRef } from '../store/port.js';
import { deleteAgent } from './agents.js';
import { isHandedOver } from '../domain/run/hand-off.js';
import { type CommandMessage, internalChange, commandMessage, type Reading, takes } from './command.js';
import { deliveryRecordMs, type IdempotencyKey } from './idempotency.js';
import { acceptsByHive, hivesOf } from './mailbox.js';
import { newAgent } from '../domain/agent/agent.js';
import { withSecrets } from '../domain/agent/agent-tools.js';
import { checkNotOver, noteChildGone } from '../domain/agent/spawning.js';
import type { Caller } from '../domain/shared/caller.js';

/** By this a question is known that was asked, or withdrawn, before (Questions.Q1). */
const askedKey = (call: string): IdempotencyKey => ({ id: `ask_${call}`, bodyHash: '', keptMs: deliveryRecordMs });
const withdrawnKey = (call: string): IdempotencyKey => ({
  id: `withdraw_${call}`,
  bodyHash: '',
  keptMs: deliveryRecordMs,
});

const saidKey = (id: string): IdempotencyKey => ({ id: `say_${id}`, bodyHash: '', keptMs: deliveryRecordMs });

/** Begins the run that answers a question. */
export const askQuestion = internalChange({
  name: 'askQuestion',
  of: 'agent',
  target: ['id'],
  takes: takes<AskedQuestion>(),
  adds: true,
  repeatable: true,
  read: (reading, { input }) =>
    reading.settled(async () => {
      const { deps, entity, state } = reading;
      const withdrawn = await deps.store.record(entity, withdrawnKey(input.call).id, deps.clock.now());
      return {
        isWithdrawn: withdrawn !== null,
        senderHives: acceptsByHive(state.agent) ? await hivesOf(reading, input.from) : [],
        session: await reading.session(sessionOfQuestion(input)),
      };
    }),
  decide: (d, { input }, found) => takeQuestion(d, input, found),
});

/** The run that was begun for this question; null if there is none. */
async function begunRun(reading: Reading<'agent'>, call: string): Promise<LiveRun | null> {
  const { deps, entity } = reading;
  const asked = await deps.store.record(entity, askedKey(call).id, deps.clock.now());
  const run = begunFor(asked?.result);
  return run === null ? null : reading.runIfKept(run);
}

/** Ends the run of a question that nobody waits for any more. */
export const withdrawQuestion = internalChange({
  name: 'withdrawQuestion',
  of: 'agent',
  target: ['id'],
  takes: takes<WithdrawnQuestion>(),
  repeatable: true,
  read: (reading, { input }) => reading.settled(() => begunRun(reading, input.call)),
  decide(d, _call, run): void {
    withdraw(d, run);
  },
});

/** Brings what the user has answered to the run that was asked. */
export const sayToQuestion = internalChange({
  name: 'sayToQuestion',
  of: 'agent',
  target: ['id'],
  takes: takes<SaidToAsked>(),
  repeatable: true,
  read: (reading, { input }) => reading.settled(() => begunRun(reading, input.call)),
  decide(d, { input }, run): void {
    takeSaid(d, run, input);
  },
});

/** Says at the run that asks what the run of its question waits for. */
export const tellQuestion = internalChange({
  name: 'tellQuestion',
  of: 'agent',
  target: ['id'],
  takes: takes<ToldQuestion>(),
  repeatable: true,
  read: (reading, { input }) => reading.settled(() => reading.runIfKept(input.run)),
  decide(d, { input }, run): void {
    noteQuestionWaits(d, run, input);
  },
});

/** Brings the outcome of a question to the run that asks. */
export const answerQuestion = internalChange({
  name: 'answerQuestion',
  of: 'agent',
  target: ['id'],
  takes: takes<AnsweredQuestion>(),
  repeatable: true,
  read: (reading, { input }) =>
    reading.settled(async () => {
      const run = await reading.runIfKept(input.run);
      const session = run && isHandedOver(run.record) ? await reading.session(run.record.sessionId) : null;
      return { run, isBack: session !== null && session.handed === undefined };
    }),
  decide(d, { input }, { run, isBack }): void {
    takeOutcome(d, run, input, true, isBack);
  },
});

/** Makes an agent that another has spawned. */
export const createChild = internalChange({
  name: 'createChild',
  of: 'agent',
  target: ['id'],
  takes: takes<SpawnedChild>(),
  adds: true,
  repeatable: true,
  create(id, { input: { settings, spawned } }, env) {
    checkNotOver(spawned, env.now);
    return newAgent(id, settings, env, spawned);
  },
});

/** Tells an agent that what it has spawned is gone. */
export const forgetChild = internalChange({
  name: 'forgetChild',
  of: 'agent',
  target: ['id'],
  takes: takes<{ child: string }>(),
  repeatable: true,
  decide(d, { input: { child } }): void {
    noteChildGone(d, child);
  },
});

/** An agent that was spawned is deleted in the name of the one that has spawned it. */
const endedBy = ({ workspace }: EntityRef, by: string): Caller => ({
  workspace,
  credentialId: by,
  tier: 'free',
  scopes: ['agent:manage'],
});

/** What is spawned has its secrets sealed for itself. */
export function resealed(
  { reseal }: { readonly reseal: (secret: string, from: string, to: string) => string | undefined },
  to: string,
  sends: QuestionMessage,
): QuestionMessage {
  if (sends.type !== 'spawn' || !sends.settings.config) return sends;
  const config = withSecrets(sends.settings.config, (value) => reseal(value, sends.spawned.by, to));
  return { ...sends, settings: { ...sends.settings, config } };
}

/** The request by which a message of a question is delivered to this agent. */
export function deliveryOf(to: EntityRef<'agent'>, sends: QuestionMessage): CommandMessage<unknown> {
  const target = { id: to.id };
  switch (sends.type) {
    case 'ask':
      return commandMessage(askQuestion, null, target, sends, askedKey(sends.call));
    case 'withdraw':
      return commandMessage(withdrawQuestion, null, target, sends, withdrawnKey(sends.call));
    case 'tell':
      return commandMessage(tellQuestion, null, target, sends);
    case 'answer':
      return commandMessage(answerQuestion, null, target, sends);
    case 'spawn':
      return commandMessage(createChild, null, target, sends, {
        id: `spawn_${sends.call}`,
        bodyHash: '',
        keptMs: deliveryRecordMs,
      });
    case 'end':
      return commandMessage(deleteAgent, endedBy(to, sends.by), target, undefined);
    case 'say':
      return commandMessage(sayToQuestion, null, target, sends, saidKey(sends.id));
  }
}

/** The run that an agent has begun for a question, as it says when that is delivered; null if none. */
export function begunFor(delivered: unknown): string | null {
  const { run = null } = (delivered as { run?: string | null } | null) ?? {};
  return run;
}
