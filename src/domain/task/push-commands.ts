/**
 * Pushes as decisions (docs/api.md 6.2): every change of a task's status produces an outbox document for each of the
 * task's push configs, written by the same commit that makes the change.
 *
 *  - A push is in the outbox, delivered, or a dead letter; `pushes` counts those in the outbox.
 *  - A config that is registered at a task that has ended, or waits for somebody, is told its present status, once.
 *  - The documents of one config are in the order of the changes, because ids sort by time of creation.
 */
import { bounds, type LiveRun, type RunRecord } from '../agent/agent-state.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { conflict, notFound } from '../shared/errors.js';
import { isSettled } from '../model/model.js';
import type { PushOutboxItem, StoredDeadLetter } from './push.js';
import { outside } from './run-as-task.js';
import { sizeOf } from '../workspace/usage.js';
import type { PushConfig, PushConfigInput } from './task.js';
import { taskOf } from './run-as-task.js';

/** Called when the run's status has just changed. */
export function enqueueStatusPush(d: AgentDraft, record: RunRecord): void {
  for (const config of record.push ?? []) enqueueStatus(d, record, config);
}

function enqueueStatus(d: AgentDraft, record: RunRecord, config: PushConfig): void {
  const item: PushOutboxItem = {
    id: d.env.ids('outbox', d.at),
    kind: 'push',
    config,
    task: taskOf(record, null, outside),
    created_at: d.time,
  };
  if (d.agent.pushes >= bounds.pushes) giveUp(d, item, `${bounds.pushes} pushes are already waiting for delivery`, 0);
  else enqueue(d, item, true);
}

function enqueue(d: AgentDraft, item: PushOutboxItem, isNew: boolean): void {
  d.put('outbox', item.id, item, isNew);
  d.agent.pushes++;
  d.effects.push({ type: 'send', id: item.id });
}

function giveUp(d: AgentDraft, item: PushOutboxItem, reason: string, tries: number): void {
  if ((d.counts['deadLetters'] ?? 0) >= bounds.deadLetters) return;
  const { id, kind, config, task, created_at } = item;
  const letter: StoredDeadLetter = { id, kind, config, task, created_at, reason, tries, updated_at: d.time };
  d.put('deadLetter', id, letter, true);
  d.count({ deadLetters: 1 });
}

/** The push was delivered, or is no longer wanted. */
export function pushDelivered(d: AgentDraft, { outboxId, bytes = 0 }: { outboxId: string; bytes?: number }): void {
  d.remove('outbox', outboxId, bytes);
  d.agent.pushes--;
}

/** All attempts to deliver the push have failed. */
export function deadLetterPush(
  d: AgentDraft,
  { item, reason, tries }: { item: PushOutboxItem; reason: string; tries: number },
): void {
  pushDelivered(d, { outboxId: item.id, bytes: sizeOf(item) });
  giveUp(d, item, reason, tries);
}

/**
 * Moves a dead letter back to the outbox, where it gets all its attempts again. Throws CONFLICT if the outbox is full.
 */
export function replayPush(d: AgentDraft, { letter }: { letter: StoredDeadLetter }): StoredDeadLetter {
  if (d.agent.pushes >= bounds.pushes) throw conflict(`${bounds.pushes} pushes are already waiting for delivery`);
  const { id, kind, config, task, created_at } = letter;
  d.remove('deadLetter', id, sizeOf(letter));
  d.count({ deadLetters: -1 });
  enqueue(d, { id, kind, config, task, created_at }, true);
  return letter;
}

/** A config without an id gets the id of its task, so that registering again replaces it. */
export function pushConfigOf(task: string, input: PushConfigInput): PushConfig {
  const { id = task, url, version, token, authentication } = input;
  const config: PushConfig = { id, url, version };
  if (token !== undefined) config.token = token;
  if (authentication !== undefined) config.authentication = authentication;
  return config;
}

/** The configs with this one added, or replacing the one with the same id. */
export function withPushConfig(configs: readonly PushConfig[], config: PushConfig): readonly PushConfig[] {
  const others = configs.filter((c) => c.id !== config.id);
  if (others.length >= bounds.pushConfigs)
    throw conflict(`a task has at most ${bounds.pushConfigs} push configs; delete one`);
  return others.length === configs.length
    ? [...configs, config]
    : configs.map((c) => (c.id === config.id ? config : c));
}

/**
 * Registers a push config. A task that has ended or waits for somebody may have come to that while its client was about
 * to register, so its present status is pushed at once; a config that is registered again has been told already.
 */
export function putPush(d: AgentDraft, { run, config: input }: { run: LiveRun; config: PushConfigInput }): PushConfig {
  const config = pushConfigOf(run.record.id, input);
  const known = run.record.push?.some(({ id, url }) => id === config.id && url === config.url) === true;
  writeConfigs(d, run, (configs) => withPushConfig(configs, config));
  if (!known && isSettled(run.record)) enqueueStatus(d, run.record, config);
  return config;
}

export function removePush(d: AgentDraft, { run, id }: { run: LiveRun; id: string }): void {
  writeConfigs(d, run, (configs) => {
    const left = configs.filter((c) => c.id !== id);
    if (left.length === configs.length) throw notFound(`push config of task ${run.record.id}`, id);
    return left;
  });
}

/** A run in memory continues with the change; of any other, the document is rewritten. */
function writeConfigs(
  d: AgentDraft,
  run: LiveRun,
  change: (configs: readonly PushConfig[]) => readonly PushConfig[],
): void {
  if (d.hasRun(run.record.id)) {
    const { record } = d.editRun(run.record.id);
    record.push = change(record.push ?? []);
  } else d.putRun({ ...run.record, push: change(run.record.push ?? []) }, run.record);
}
