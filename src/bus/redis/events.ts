/**
 * The event bus of a cluster: sharded pub/sub of Redis, with one channel for each run (`<prefix>r:<run>`), one for the
 * text that its model is writing (`<prefix>t:<run>`), one for the questions of it that nobody will answer
 * (`<prefix>d:<run>`), and one for each workspace (`<prefix>w:<workspace>`).
 *
 * Invariants (InProcessBus.B2-B4 are those of in-process.ts)
 *  - Events published in one turn for one run or workspace are one message, in order, sent once.
 *  - Every listener receives `[]` once Redis has confirmed the subscription of its channel, and after each
 *    reconnection. From the first `[]` on it receives everything, until another `[]` says that some may be missing.
 *  RedisBus.B7 If a message cannot be sent, its listeners receive `[]` as soon as sending works again. Without any
 *     notice, events are lost that a process had published when it was killed, and those owed to more than 10,000
 *     channels.
 *  - A piece of text is sent at once, and the number of subscribers with which Redis answers tells whether
 *     anybody listens. One that cannot be sent is forgotten.
 *  - A message that cannot be decoded is counted, logged and dropped.
 * Publishing never waits and never throws. A listener in the publishing process receives events through Redis like any
 * other, so that all see the same order.
 */
import { z } from 'zod';
import type { RunEvent, WorkspaceEvent } from '../../domain/model.js';
import type { RedisClient } from '../../redis/connect.js';
import type { Bus, Dismissal, RunTopic, TextPiece } from '../port.js';
import { Topics } from '../topics.js';
import { UnreadableMessages } from '../unreadable.js';
import { Subscriptions } from './subscriptions.js';
import type { Logger } from '../../telemetry/logger-port.js';

const version = 1;
const maxWaiting = 32 * 1024 * 1024;
const maxOwed = 10_000;
const owedMs = 500;
const goodbyeMs = 2000;

export interface RedisBusOptions {
  url: string;
  /** Used for publishing, and may be shared. Subscriptions have connections of their own. */
  client: RedisClient;
  /** The prefix of every channel: `hk:<cluster id>:`. */
  prefix: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  tuning?: Partial<RedisBusTuning>;
}

/** Values that only tests change. */
export interface RedisBusTuning {
  /** ms that a channel stays subscribed after its last listener left. */
  lingerMs: number;
}
const usualTuning: RedisBusTuning = { lingerMs: 5000 };

export interface RedisBus extends Bus {
  /** The number of messages that could not be decoded since the start. */
  unreadable(): number;
  /** Resolves when earlier publications have been sent, if Redis answers; listeners are not called any more. */
  close(): Promise<void>;
}

export function createRedisBus(options: RedisBusOptions): RedisBus {
  return new PubSubBus(options);
}

/** The subject and contents of a message; an empty list of events means that some may have been lost. */
type Message = { readonly topic: RunTopic | null; readonly id: string; readonly events: readonly unknown[] };

class PubSubBus implements RedisBus {
  readonly confirms = true;
  private readonly o: RedisBusOptions;
  private readonly runs: Topics<RunEvent>;
  private readonly workspaces: Topics<WorkspaceEvent>;
  private readonly texts: Topics<TextPiece>;
  private readonly dismissals: Topics<Dismissal>;
  private readonly subscriptions: Subscriptions;
  private readonly undecoded: UnreadableMessages;
  private readonly onWay = new Set<Promise<unknown>>();
  private outgoing = new Map<string, { channel: string; message: Message & { events: unknown[] } }>();
  private flushing = false;
  private waiting = 0;
  /** Loss notices that could not be sent yet, by channel. */
  private readonly owed = new Map<string, Message>();
  private owing: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: RedisBusOptions) {
    const { log, url } = options;
    const { lingerMs } = { ...usualTuning, ...options.tuning };
    this.o = options;
    this.runs = new Topics(log);
    this.workspaces = new Topics(log);
    this.texts = new Topics(log);
    this.dismissals = new Topics(log);
    this.undecoded = new UnreadableMessages(log);
    this.subscriptions = new Subscriptions({
      url,
      name: 'hivekeep-events',
      log,
      lingerMs,
      message: (channel, text) => this.received(channel, text),
      certain: (channel) => this.tellLoss(channel),
    });
    options.client.on('refused', () => {
      if (!this.closed) this.subscriptions.reconnect();
    }); // RedisConnect.C5
  }

  unreadable(): number {
    return this.undecoded.count;
  }

  publishRun(topic: RunTopic, events: readonly RunEvent[]): void {
    this.publish(`r:${topic.run}`, topic, topic.run, events);
  }
  publishWorkspace(workspace: string, events: readonly WorkspaceEvent[]): void {
    this.publish(`w:${workspace}`, null, workspace, events);
  }

  publishDismissal(topic: RunTopic, dismissal: Dismissal): void {
    this.publish(`d:${topic.run}`, topic, topic.run, [dismissal]);
  }

  publishText({ workspace, agent, run }: RunTopic, piece: TextPiece): boolean | Promise<boolean> {
    const text = JSON.stringify([version, workspace, agent, run, piece]);
    if (this.closed || this.waiting + text.length > maxWaiting) return false;
    this.waiting += text.length;
    return this.o.client.spublish(`${this.o.prefix}t:${run}`, text).then(
      (listening) => {
        this.waiting -= text.length;
        return Number(listening) > 0;
      },
      () => {
        this.waiting -= text.length;
        return false;
      },
    );
  }

  subscribeText(topic: RunTopic, listener: (pieces: readonly TextPiece[]) => void): () => void {
    const name = `${this.o.prefix}t:${topic.run}`;
    const leave = this.texts.subscribe(topic.run, topic, listener);
    this.subscriptions.add(name);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
      this.subscriptions.remove(name);
    };
  }

  subscribeRun(topic: RunTopic, listener: (events: readonly RunEvent[]) => void): () => void {
    return this.subscribe(`r:${topic.run}`, (tell) => this.runs.subscribe(topic.run, topic, tell), listener);
  }

  subscribeWorkspace(workspace: string, listener: (events: readonly WorkspaceEvent[]) => void): () => void {
    return this.subscribe(`w:${workspace}`, (tell) => this.workspaces.subscribe(workspace, null, tell), listener);
  }

  subscribeDismissals(topic: RunTopic, listener: (dismissals: readonly Dismissal[]) => void): () => void {
    return this.subscribe(`d:${topic.run}`, (tell) => this.dismissals.subscribe(topic.run, topic, tell), listener);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.flush();
    this.closed = true;
    clearTimeout(this.owing);
    this.subscriptions.close();
    await Promise.race([
      Promise.all(this.onWay),
      new Promise((resolve) => {
        setTimeout(resolve, goodbyeMs).unref();
      }),
    ]);
  }

  private publish(channel: string, topic: RunTopic | null, id: string, events: readonly unknown[]): void {
    if (events.length === 0 || this.closed) return;
    const about = topic === null ? channel : `${channel} ${topic.agent} ${topic.workspace}`;
    const outgoing = this.outgoing.get(about);
    if (outgoing) outgoing.message.events.push(...events);
    else this.outgoing.set(about, { channel, message: { topic, id, events: [...events] } });
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(() => {
      this.flush();
    });
  }

  private flush(): void {
    this.flushing = false;
    const outgoing = this.outgoing;
    this.outgoing = new Map();
    for (const { channel, message } of outgoing.values()) {
      const text = encode(message);
      if (this.waiting + text.length > maxWaiting) this.owe(channel, message);
      else
        this.send(channel, text, () => {
          this.owe(channel, message);
        });
    }
  }

  private send(channel: string, text: string, failed: () => void): void {
    this.waiting += text.length;
    const sent = this.o.client
      .spublish(this.o.prefix + channel, text)
      .then(() => undefined, failed)
      .then(() => {
        this.waiting -= text.length;
        this.onWay.delete(sent);
      });
    this.onWay.add(sent);
  }

  private owe(channel: string, message: Message): void {
    if (this.closed || this.owed.size >= maxOwed) return;
    this.owed.set(channel, { ...message, events: [] });
    this.owing ??= setTimeout(() => {
      void this.settle();
    }, owedMs).unref();
  }

  /** Sends the pending loss notices, and retries later if Redis still does not answer. */
  private async settle(): Promise<void> {
    const answers = await this.o.client.ping().then(
      () => true,
      () => false,
    );
    this.owing = undefined;
    if (this.closed) return;
    if (!answers) {
      this.owing = setTimeout(() => {
        void this.settle();
      }, owedMs).unref();
      return;
    }
    const owed = [...this.owed];
    this.owed.clear();
    for (const [channel, message] of owed)
      this.send(channel, encode(message), () => {
        this.owe(channel, message);
      });
  }

  private subscribe<E>(
    channel: string,
    subscribe: (tell: (events: readonly E[]) => void) => () => void,
    listener: (events: readonly E[]) => void,
  ): () => void {
    const name = this.o.prefix + channel;
    let left = false;
    const leave = subscribe(listener);
    this.subscriptions.add(name);
    // A listener that joins a channel already subscribed gets its `[]` separately, in a later turn as all deliveries
    // are.
    if (this.subscriptions.isCertain(name))
      setImmediate(() => {
        if (!left && !this.closed) tell(listener, this.o.log);
      });
    return () => {
      if (left) return;
      left = true;
      leave();
      this.subscriptions.remove(name);
    };
  }

  private received(name: string, text: string): void {
    if (this.closed) return;
    const channel = name.slice(this.o.prefix.length);
    const written = channel.startsWith('t:') ? decodeText(channel, text) : null;
    if (written) {
      this.texts.publish(written.topic.run, written.topic, [written.piece]);
      return;
    }
    const message = decode(channel, text);
    if (message === null) this.undecoded.add(name, text);
    else if (message.topic === null) this.workspaces.publish(message.id, null, message.events as WorkspaceEvent[]);
    else if (channel.startsWith('d:'))
      this.dismissals.publish(message.id, message.topic, message.events as Dismissal[]);
    else this.runs.publish(message.id, message.topic, message.events as RunEvent[]);
  }

  private tellLoss(name: string): void {
    const channel = name.slice(this.o.prefix.length);
    if (channel.startsWith('t:')) return;
    const told = { r: this.runs, d: this.dismissals, w: this.workspaces }[channel.charAt(0)];
    told?.tellLoss(channel.slice(2));
  }
}

function tell(listener: (events: readonly never[]) => void, log: Pick<Logger, 'error'>): void {
  try {
    listener([]);
  } catch (err) {
    log.error({ event: 'bus.listener_failed', err }, 'a listener of the event bus threw');
  }
}

// Fields that are not checked here are trusted: only our processes write to these channels, except by mistake.
const runEvents = z.array(
  z.looseObject({ seq: z.int().positive(), at: z.string(), type: z.enum(['status', 'thought', 'answer']) }),
);
const workspaceEvents = z.array(
  z.looseObject({ type: z.string(), at: z.string(), data: z.record(z.string(), z.unknown()) }),
);
const dismissals = z.array(z.object({ question: z.string(), action: z.enum(['decline', 'cancel', 'unfit']) }));
const about = [z.literal(version), z.string(), z.string(), z.string()] as const;
const runMessages = { r: z.tuple([...about, runEvents]), d: z.tuple([...about, dismissals]) };
const workspaceMessage = z.tuple([z.literal(version), z.string(), workspaceEvents]);

const count = z.int().nonnegative();
const textMessage = z.tuple([
  z.literal(version),
  z.string(),
  z.string(),
  z.string(),
  z.object({ step: count, attempt: z.number(), round: count, from: count, text: z.string() }),
]);

function decodeText(channel: string, text: string): { topic: RunTopic; piece: TextPiece } | null {
  const { data } = textMessage.safeParse(parsed(text));
  if (!data) return null;
  const [, workspace, agent, run, piece] = data;
  return channel === `t:${run}` ? { topic: { workspace, agent, run }, piece } : null;
}

const encode = ({ topic, id, events }: Message): string =>
  JSON.stringify(topic === null ? [version, id, events] : [version, topic.workspace, topic.agent, topic.run, events]);

/**
 * Returns null for a message that is not ours or names another channel. Events are returned complete, as they arrived.
 */
function decode(channel: string, text: string): Message | null {
  const json = parsed(text);
  if (workspaceMessage.safeParse(json).success) {
    const [, id, events] = json as z.infer<typeof workspaceMessage>;
    return channel === `w:${id}` ? { topic: null, id, events } : null;
  }
  const kind = channel.startsWith('d:') ? 'd' : 'r';
  if (!runMessages[kind].safeParse(json).success) return null;
  const [, workspace, agent, run, events] = json as z.infer<typeof runMessages.r>;
  return channel === `${kind}:${run}` ? { topic: { workspace, agent, run }, id: run, events } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
