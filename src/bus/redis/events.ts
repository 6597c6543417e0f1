/**
 * The event bus of a cluster: sharded pub/sub of Redis, with a channel for each run or workspace and each of what the
 * bus carries (port.ts): `<prefix>r:<run>`, `<prefix>t:<run>`, `<prefix>d:<run>` and `<prefix>w:<workspace>`.
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
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { RedisClient } from '../../redis/connect.js';
import type { Bus, BusEvents, Channel, Listener, RunTopic, TextPiece, Topic } from '../port.js';
import { idOf, Topics } from '../topics.js';
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

/** An empty list of events means that some may have been lost. */
interface Message {
  readonly channel: Channel;
  readonly topic: Topic;
  readonly events: readonly unknown[];
}

class PubSubBus implements RedisBus {
  readonly confirms = true;
  private readonly o: RedisBusOptions;
  private readonly topics: Topics;
  private readonly subscriptions: Subscriptions;
  private readonly undecoded: UnreadableMessages;
  private readonly onWay = new Set<Promise<unknown>>();
  /** By topic and channel. */
  private outgoing = new Map<string, Message & { events: unknown[] }>();
  private flushing = false;
  private waiting = 0;
  /** Loss notices that could not be sent yet, by the name of the channel. */
  private readonly owed = new Map<string, Message>();
  private owing: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: RedisBusOptions) {
    const { log, url } = options;
    const { lingerMs } = { ...usualTuning, ...options.tuning };
    this.o = options;
    this.topics = new Topics(log);
    this.undecoded = new UnreadableMessages(log);
    this.subscriptions = new Subscriptions({
      url,
      name: 'hivekeep-events',
      log,
      lingerMs,
      message: (name, text) => {
        this.received(name, text);
      },
      certain: (name) => {
        const { channel, id } = this.channelOf(name);
        if (channel) this.topics.tellLoss(channel, id);
      },
    });
    options.client.on('refused', () => {
      if (!this.closed) this.subscriptions.reconnect();
    }); // RedisConnect.C5
  }

  unreadable(): number {
    return this.undecoded.count;
  }

  publish<C extends Channel>(channel: C, topic: Topic<C>, events: readonly BusEvents[C][]): void {
    if (events.length === 0 || this.closed) return;
    const key = [channel, ...aboutOf(topic)].join(' ');
    const outgoing = this.outgoing.get(key);
    if (outgoing) outgoing.events.push(...events);
    else this.outgoing.set(key, { channel, topic, events: [...events] });
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(() => {
      this.flush();
    });
  }

  publishText(topic: RunTopic, piece: TextPiece): boolean | Promise<boolean> {
    const message: Message = { channel: 'text', topic, events: [piece] };
    const text = encode(message);
    if (this.closed || this.waiting + text.length > maxWaiting) return false;
    return this.send(message, text).then(
      (listening) => Number(listening) > 0,
      () => false,
    );
  }

  subscribe<C extends Channel>(channel: C, topic: Topic<C>, listener: Listener<C>): () => void {
    const name = this.nameOf(channel, topic);
    let left = false;
    const leave = this.topics.subscribe(channel, topic, listener);
    this.subscriptions.add(name);
    // A listener that joins a channel already subscribed gets its `[]` separately, in a later turn as all deliveries
    // are.
    if (this.subscriptions.isCertain(name))
      setImmediate(() => {
        if (!left && !this.closed) this.topics.tell({ tell: listener }, []);
      });
    return () => {
      if (left) return;
      left = true;
      leave();
      this.subscriptions.remove(name);
    };
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.flush();
    this.closed = true;
    clearTimeout(this.owing);
    this.subscriptions.close();
    await Promise.race([Promise.all(this.onWay), pause(goodbyeMs, undefined, { ref: false })]);
  }

  private flush(): void {
    this.flushing = false;
    const outgoing = this.outgoing;
    this.outgoing = new Map();
    for (const message of outgoing.values()) this.tell(message);
  }

  /** Sends a message, or owes its listeners a loss notice. */
  private tell(message: Message): void {
    const text = encode(message);
    const owe = (): void => {
      this.owe(message);
    };
    if (this.waiting + text.length > maxWaiting) owe();
    else this.send(message, text).catch(owe);
  }

  /** Resolves with the number of subscribers. */
  private send({ channel, topic }: Message, text: string): Promise<unknown> {
    this.waiting += text.length;
    const sent = this.o.client.spublish(this.nameOf(channel, topic), text);
    const over = sent
      .catch(() => undefined)
      .then(() => {
        this.waiting -= text.length;
        this.onWay.delete(over);
      });
    this.onWay.add(over);
    return sent;
  }

  private owe({ channel, topic }: Message): void {
    if (this.closed || this.owed.size >= maxOwed) return;
    this.owed.set(this.nameOf(channel, topic), { channel, topic, events: [] });
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
    const owed = [...this.owed.values()];
    this.owed.clear();
    for (const message of owed) this.tell(message);
  }

  private received(name: string, text: string): void {
    if (this.closed) return;
    const message = this.decoded(name, text);
    if (message) this.topics.publish(message.channel, message.topic, message.events as never);
    else this.undecoded.add(name, text);
  }

  private nameOf(channel: Channel, topic: Topic): string {
    return `${this.o.prefix}${letters[channel]}:${idOf(topic)}`;
  }

  private channelOf(name: string): { channel: Channel | undefined; id: string } {
    const rest = name.slice(this.o.prefix.length);
    return { channel: channels.find((each) => rest.startsWith(`${letters[each]}:`)), id: rest.slice(2) };
  }

  /** Null for a message that is not ours or names another topic. Events are returned complete, as they arrived. */
  private decoded(name: string, text: string): Message | null {
    const { channel, id } = this.channelOf(name);
    const json = parsed(text);
    if (!channel || !messages[channel].safeParse(json).success) return null;
    const [, ...rest] = json as unknown[];
    const events = rest.pop() as unknown[];
    const [workspace, agent, run] = rest as string[];
    const topic = (channel === 'workspace' ? { workspace } : { workspace, agent, run }) as Topic;
    return idOf(topic) === id ? { channel, topic, events } : null;
  }
}

const letters = { run: 'r', text: 't', dismissal: 'd', workspace: 'w' } as const satisfies Record<Channel, string>;
const channels = Object.keys(letters) as Channel[];

const aboutOf = (topic: Topic): string[] =>
  'run' in topic ? [topic.workspace, topic.agent, topic.run] : [topic.workspace];

const encode = ({ topic, events }: Message): string => JSON.stringify([version, ...aboutOf(topic), events]);

// Fields that are not checked here are trusted: only our processes write to these channels, except by mistake.
const ofRun = <T extends z.ZodType>(event: T) =>
  z.tuple([z.literal(version), z.string(), z.string(), z.string(), z.array(event)]);
const count = z.int().nonnegative();
const messages = {
  run: ofRun(z.looseObject({ seq: z.int().positive(), at: z.string(), type: z.enum(['status', 'thought', 'answer']) })),
  text: ofRun(z.object({ step: count, attempt: z.number(), round: count, from: count, text: z.string() })),
  dismissal: ofRun(z.object({ question: z.string(), action: z.enum(['decline', 'cancel', 'unfit']) })),
  workspace: z.tuple([
    z.literal(version),
    z.string(),
    z.array(z.looseObject({ type: z.string(), at: z.string(), data: z.record(z.string(), z.unknown()) })),
  ]),
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
