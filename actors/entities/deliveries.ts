/**
 * All deliveries of an entity: messages and shares to other entities (agent/outbox.ts), and pushes to external
 * receivers (push-outbox.ts), of tasks and of events. Most entities have none, so each side is created when the first
 * delivery of its kind is sent.
 */
import type { Documents, QuestionItem } from '../../src/domain/shared/documents.js';
import type { PeerItem, PeerTask } from '../../src/domain/mailbox/peer-item.js';
import type { AgentCommand } from '../../src/domain/agent/agent-commands.js';
import type { Decision } from '../../src/domain/shared/draft.js';
import type { PeerAnswer } from '../../src/peers/port.js';
import { type PushOutboxItem, type WebhookOutboxItem, sameReceiver } from '../../src/domain/task/push.js';
import { sizeOf } from '../../src/domain/workspace/usage.js';
import { unpackRun } from '../../src/domain/run/stored-run.js';
import { itemsOf } from '../../src/store/list-query.js';
import type { EntityRef } from '../../src/store/port.js';
import { OutboxSender } from './agent/outbox.js';
import { PeerCalls } from './agent/peer-calls.js';
import type { EntityDeps } from './deps.js';
import { PushOutbox, type PushOwner } from './push-outbox.js';
import { webhookPushes } from './webhook-pushes.js';
import type { SpawnedAgent } from '../../src/domain/mailbox/question-messages.js';

/** The outcome of a delivery, as a message that the entity's actor sends to itself. */
export type DeliveryEnd =
  | WithAsked<AgentCommand<'delivered' | 'undelivered'>, { asked?: never }>
  | QuestionEnd
  | PeerReport
  | AgentCommand<'pushed' | 'deadLettered' | 'eventEnded'>;
/** The same of a question. The run that asks is read when the actor handles it. */
export type QuestionEnd = WithAsked<AgentCommand<'delivered' | 'undelivered'>, { asked: AskedBy }>;
type WithAsked<C, A> = C extends unknown ? Omit<C, 'asked'> & A : never;

/** What is known of the call of a peer: its task, or what came of it. The run that asks is read when it is handled. */
export type PeerReport =
  | { type: 'peerBegan'; item: PeerItem; at: PeerTask }
  | { type: 'peerEnded'; item: PeerItem; answer: PeerAnswer | null };

/** The run and the call that have asked a question; without a call for what else is sent because of one. */
export interface AskedBy {
  run: string | null;
  call: string | null;
  by: string | null;
  spawned: SpawnedAgent | null;
}

function askedBy({ to, sends }: QuestionItem, by: string | null): AskedBy {
  if (sends.type !== 'ask' && sends.type !== 'spawn') return { run: null, call: null, by: null, spawned: null };
  const { run, call } = sends;
  return { run, call, by, spawned: sends.type === 'spawn' ? { id: to, name: sends.settings.name } : null };
}

type Item = Documents['outbox'];

/** How much waits in the outbox, as the head of the entity says. */
export interface Unsent {
  messages: number;
  /** Of tasks and of events. */
  pushes: number;
}

/** Pushes of one config are sent one after the other, as long as the task has a config for the same receiver. */
export const taskPushes = (
  { store }: Pick<EntityDeps, 'store'>,
  agent: EntityRef,
): Pick<PushOwner<PushOutboxItem>, 'lineOf' | 'current'> => ({
  lineOf: ({ task, config }) => `${task.id}/${config.id}`,
  async current(item) {
    const run = await store.get(agent, 'run', item.task.id);
    return (run && unpackRun(run))?.push?.some((now) => sameReceiver(now, item.config)) ? item : null;
  },
});

export class Deliveries {
  private sender: OutboxSender | null = null;
  private peers: PeerCalls | null = null;
  private pushes: PushOutbox<PushOutboxItem> | null = null;
  private events: PushOutbox<WebhookOutboxItem> | null = null;
  /** What of this entity is in the metrics, from its load to the end of its activation. */
  private counted: Unsent = { messages: 0, pushes: 0 };
  private over = false;

  constructor(
    private readonly deps: EntityDeps,
    private readonly entity: EntityRef,
    private readonly tell: (end: DeliveryEnd) => void,
  ) {}

  /** Call this when the entity is loaded. Pushes that are decided on wait behind the stored ones until `resume`. */
  loaded(waiting: Unsent): void {
    this.count(waiting);
    if (waiting.pushes === 0) return;
    this.pushes = this.newPushes(true);
    this.events = this.newEvents(true);
  }

  /** Sends what is stored. Documents whose deletion is still being committed must not be read. */
  async resume(): Promise<void> {
    const { entity } = this;
    const { workspace } = entity;
    const stored = { workspace, entity, collection: 'outbox', list: 'created', order: 'asc', limit: 100 } as const;
    if (this.counted.messages + this.counted.pushes > 0)
      for await (const { body } of itemsOf(this.deps.store, stored))
        this.send(body, !this.deps.unsentCalls.take(body.id));
    this.pushes?.begun();
    this.events?.begun();
  }

  committed({ puts, deletes, effects }: Pick<Decision<unknown>, 'puts' | 'deletes' | 'effects'>, now: Unsent): void {
    if (this.over) return;
    this.count(now);
    for (const { kind, id } of deletes) if (kind === 'outbox') this.forget(id);
    for (const effect of effects) {
      if (effect.type === 'withdraw') this.peers?.withdraw(effect.id);
      if (effect.type !== 'send') continue;
      const put = puts.find(({ kind, id }) => kind === 'outbox' && id === effect.id);
      if (put?.kind === 'outbox') this.send(put.body, false);
    }
  }

  /** Takes a reported outcome: true for the first call, false after that. */
  take(end: DeliveryEnd): boolean {
    const of = { delivered: this.sender, undelivered: this.sender, pushed: this.pushes, eventEnded: this.events };
    if (end.type === 'peerBegan') return true;
    if (end.type === 'peerEnded') return this.peers?.take(end.item.id) ?? false;
    return end.type === 'deadLettered'
      ? (this.pushes?.take(end.item.id) ?? false)
      : (of[end.type]?.take(end.outboxId) ?? false);
  }

  /** Nobody waits any more for the call of a peer. */
  withdraw(call: string): void {
    this.peers?.withdraw(call);
  }

  /** The peer of this call has pushed. */
  pushed(call: string): void {
    this.peers?.pushed(call);
  }

  /** Nothing is sent after this. */
  stop(): void {
    this.sender?.stop();
    this.peers?.stop();
    this.pushes?.stop();
    this.events?.stop();
  }

  /** Call this when the activation ends. */
  ended(): void {
    this.over = true;
    this.count({ messages: 0, pushes: 0 });
    this.stop();
  }

  /** `mayBeSent`: whether it may have been sent before. */
  private send(item: Item, mayBeSent: boolean): void {
    if (item.kind === 'push') (this.pushes ??= this.newPushes(false)).send(item);
    else if (item.kind === 'event') (this.events ??= this.newEvents(false)).send(item);
    else if (item.kind === 'peer') (this.peers ??= this.newPeers()).send(item, mayBeSent);
    else (this.sender ??= this.newSender()).send(item);
  }

  private forget(id: string): void {
    this.sender?.forget(id);
    this.peers?.forget(id);
    this.pushes?.forget(id);
    this.events?.forget(id);
  }

  private count(now: Unsent): void {
    for (const what of ['messages', 'pushes'] as const)
      if (now[what] !== this.counted[what]) this.deps.metrics.outbox(what, now[what] - this.counted[what]);
    this.counted = now;
  }

  private newSender(): OutboxSender {
    return new OutboxSender(this.deps, this.entity, {
      delivered: (item, begun) => {
        const bytes = sizeOf(item);
        if (item.kind === 'question')
          this.tell({ type: 'delivered', outboxId: item.id, bytes, asked: askedBy(item, begun) });
        else this.tell({ type: 'delivered', outboxId: item.id, bytes });
      },
      undelivered: (item, reason) => {
        if (item.kind === 'question') {
          const { id: outboxId, to } = item;
          this.tell({
            type: 'undelivered',
            outboxId,
            bytes: sizeOf(item),
            to,
            content: '',
            reason,
            asked: askedBy(item, null),
          });
          return;
        }
        this.tell({
          type: 'undelivered',
          subject: item.subject,
          outboxId: item.id,
          bytes: sizeOf(item),
          to: item.to,
          content: item.content,
          reason,
        });
      },
    });
  }

  private newPeers(): PeerCalls {
    return new PeerCalls(this.deps, this.entity, {
      began: (item, at) => {
        this.tell({ type: 'peerBegan', item, at });
      },
      ended: (item, answer) => {
        this.tell({ type: 'peerEnded', item, answer });
      },
    });
  }

  private newEvents(stored: boolean): PushOutbox<WebhookOutboxItem> {
    return webhookPushes(this.deps, this.entity, stored, this.tell);
  }

  private newPushes(stored: boolean): PushOutbox<PushOutboxItem> {
    return new PushOutbox(this.deps, this.entity, stored, {
      ...taskPushes(this.deps, this.entity),
      pushed: (item) => {
        this.tell({ type: 'pushed', outboxId: item.id, bytes: sizeOf(item) });
      },
      deadLettered: (item, reason, tries) => {
        this.tell({ type: 'deadLettered', item, reason, tries });
      },
    });
  }
}
