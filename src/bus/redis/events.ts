/**
 * The event bus of many processes: sharded pub/sub of Redis, one channel a run (`<prefix>r:<run>`) and one a workspace
 * (`<prefix>w:<workspace>`).
 *
 * Invariants (InProcessBus.B2-B4 are those of in-process.ts)
 *  RedisBus.B5 What is published in one turn for one run or workspace is one message, in order, and is sent once.
 *  RedisBus.B6 Every listener is told `[]` once Redis has confirmed that its channel is subscribed, and after each
 *     connection that was lost and made again: from the first `[]` on it is told everything, until another `[]` says
 *     that some may be missing.
 *  RedisBus.B7 Where a message cannot be sent, that is told instead as soon as one can: a `[]` to the same listeners.
 *     What a process had published when it was killed is lost without that, and so is what 10,000 channels beyond are
 *     owed.
 *  RedisBus.B8 A message that cannot be read is counted, logged and dropped.
 * When it fails: publishing never waits and never throws. A listener in the publishing process is told by way of Redis
 * like any other, so that all see one order.
 */
import { z } from 'zod';
import type { RunEvent, WorkspaceEvent } from '../../domain/model.js';
import type { RedisClient } from '../../redis/connect.js';
import type { Bus, RunTopic } from '../port.js';
import { Topics } from '../topics.js';
import { UnreadableMessages } from '../unreadable.js';
import { Subscriptions } from './subscriptions.js';
import type { Logger } from '../../telemetry/logger.js';

const version = 1;
const maxWaiting = 32 * 1024 * 1024;
const maxOwed = 10_000;
const owedMs = 500;
const goodbyeMs = 2000;

export interface RedisBusOptions {
  url: string;
  /** Publishes; it may be shared with others. Subscriptions have connections of their own. */
  client: RedisClient;
  /** Begins every channel: `hk:<cluster id>:`. */
  prefix: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** ms that a channel stays subscribed after its last listener left. Default 5 s. */
  lingerMs?: number;
}

export interface RedisBus extends Bus {
  /** Messages that could not be read, since the start. */
  unreadable(): number;
  /** What was published before is on its way when it resolves, where Redis answers; nobody is told anything any more. */
  close(): Promise<void>;
}

export function createRedisBus(options: RedisBusOptions): RedisBus {
  return new PubSubBus(options);
}

/** What a message is about; no events: some may have been lost. */
type Message = { readonly topic: RunTopic | null; readonly id: string; readonly events: readonly unknown[] };

class PubSubBus implements RedisBus {
  readonly confirms = true;
  readonly #o: RedisBusOptions;
  readonly #runs: Topics<RunEvent>;
  readonly #workspaces: Topics<WorkspaceEvent>;
  readonly #subscriptions: Subscriptions;
  readonly #unreadable: UnreadableMessages;
  readonly #onWay = new Set<Promise<unknown>>();
  #outgoing = new Map<string, { channel: string; message: Message & { events: unknown[] } }>();
  #flushing = false;
  #waiting = 0;
  /** What could not be sent, by channel: its listeners are to be told. */
  readonly #owed = new Map<string, Message>();
  #owing: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: RedisBusOptions) {
    const { log, url, lingerMs = 5000 } = options;
    this.#o = options;
    this.#runs = new Topics(log);
    this.#workspaces = new Topics(log);
    this.#unreadable = new UnreadableMessages(log);
    this.#subscriptions = new Subscriptions({
      url,
      name: 'hivekeep-events',
      log,
      lingerMs,
      message: (channel, text) => this.#received(channel, text),
      certain: (channel) => this.#tellLoss(channel),
    });
  }

  unreadable(): number {
    return this.#unreadable.count;
  }

  publishRun(topic: RunTopic, events: readonly RunEvent[]): void {
    this.#publish(`r:${topic.run}`, topic, topic.run, events);
  }
  publishWorkspace(workspace: string, events: readonly WorkspaceEvent[]): void {
    this.#publish(`w:${workspace}`, null, workspace, events);
  }

  subscribeRun(topic: RunTopic, listener: (events: readonly RunEvent[]) => void): () => void {
    return this.#subscribe(`r:${topic.run}`, (tell) => this.#runs.subscribe(topic.run, topic, tell), listener);
  }

  subscribeWorkspace(workspace: string, listener: (events: readonly WorkspaceEvent[]) => void): () => void {
    return this.#subscribe(`w:${workspace}`, (tell) => this.#workspaces.subscribe(workspace, null, tell), listener);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    clearTimeout(this.#owing);
    this.#subscriptions.close();
    await Promise.race([
      Promise.all(this.#onWay),
      new Promise((resolve) => {
        setTimeout(resolve, goodbyeMs).unref();
      }),
    ]);
  }

  #publish(channel: string, topic: RunTopic | null, id: string, events: readonly unknown[]): void {
    if (events.length === 0 || this.#closed) return;
    const about = topic === null ? channel : `${channel} ${topic.agent} ${topic.workspace}`;
    const outgoing = this.#outgoing.get(about);
    if (outgoing) outgoing.message.events.push(...events);
    else this.#outgoing.set(about, { channel, message: { topic, id, events: [...events] } });
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flush();
    });
  }

  #flush(): void {
    this.#flushing = false;
    const outgoing = this.#outgoing;
    this.#outgoing = new Map();
    for (const { channel, message } of outgoing.values()) {
      const text = encode(message);
      if (this.#waiting + text.length > maxWaiting) this.#owe(channel, message);
      else
        this.#send(channel, text, () => {
          this.#owe(channel, message);
        });
    }
  }

  #send(channel: string, text: string, failed: () => void): void {
    this.#waiting += text.length;
    const sent = this.#o.client
      .spublish(this.#o.prefix + channel, text)
      .then(() => undefined, failed)
      .then(() => {
        this.#waiting -= text.length;
        this.#onWay.delete(sent);
      });
    this.#onWay.add(sent);
  }

  #owe(channel: string, message: Message): void {
    if (this.#closed || this.#owed.size >= maxOwed) return;
    this.#owed.set(channel, { ...message, events: [] });
    this.#owing ??= setTimeout(() => {
      void this.#settle();
    }, owedMs).unref();
  }

  /** Tells what is owed, or tries again later where Redis still does not answer. */
  async #settle(): Promise<void> {
    const answers = await this.#o.client.ping().then(
      () => true,
      () => false,
    );
    this.#owing = undefined;
    if (this.#closed) return;
    if (!answers) {
      this.#owing = setTimeout(() => {
        void this.#settle();
      }, owedMs).unref();
      return;
    }
    const owed = [...this.#owed];
    this.#owed.clear();
    for (const [channel, message] of owed)
      this.#send(channel, encode(message), () => {
        this.#owe(channel, message);
      });
  }

  #subscribe<E>(
    channel: string,
    subscribe: (tell: (events: readonly E[]) => void) => () => void,
    listener: (events: readonly E[]) => void,
  ): () => void {
    const name = this.#o.prefix + channel;
    let left = false;
    const leave = subscribe(listener);
    this.#subscriptions.add(name);
    // Whoever comes to a channel that is subscribed already is told by itself, in a later turn as all are.
    if (this.#subscriptions.isCertain(name))
      setImmediate(() => {
        if (!left && !this.#closed) tell(listener, this.#o.log);
      });
    return () => {
      if (left) return;
      left = true;
      leave();
      this.#subscriptions.remove(name);
    };
  }

  #received(name: string, text: string): void {
    if (this.#closed) return;
    const channel = name.slice(this.#o.prefix.length);
    const message = decode(channel, text);
    if (message === null) this.#unreadable.add(name, text);
    else if (message.topic === null) this.#workspaces.publish(message.id, null, message.events as WorkspaceEvent[]);
    else this.#runs.publish(message.id, message.topic, message.events as RunEvent[]);
  }

  #tellLoss(name: string): void {
    const channel = name.slice(this.#o.prefix.length);
    (channel.startsWith('r:') ? this.#runs : this.#workspaces).tellLoss(channel.slice(2));
  }
}

function tell(listener: (events: readonly never[]) => void, log: Pick<Logger, 'error'>): void {
  try {
    listener([]);
  } catch (err) {
    log.error({ err }, 'a listener of the event bus threw');
  }
}

// What is not looked at here comes from a process of ours: a channel is written by nobody else, except by mistake.
const runEvents = z.array(
  z.looseObject({ seq: z.int().positive(), at: z.string(), type: z.enum(['status', 'thought', 'answer']) }),
);
const workspaceEvents = z.array(
  z.looseObject({ type: z.string(), at: z.string(), data: z.record(z.string(), z.unknown()) }),
);
const runMessage = z.tuple([z.literal(version), z.string(), z.string(), z.string(), runEvents]);
const workspaceMessage = z.tuple([z.literal(version), z.string(), workspaceEvents]);

const encode = ({ topic, id, events }: Message): string =>
  JSON.stringify(topic === null ? [version, id, events] : [version, topic.workspace, topic.agent, topic.run, events]);

/** Null for what is not ours, or says that it is of another channel. Events are given out as they came, with all that is in them. */
function decode(channel: string, text: string): Message | null {
  const json = parsed(text);
  if (workspaceMessage.safeParse(json).success) {
    const [, id, events] = json as z.infer<typeof workspaceMessage>;
    return channel === `w:${id}` ? { topic: null, id, events } : null;
  }
  if (!runMessage.safeParse(json).success) return null;
  const [, workspace, agent, run, events] = json as z.infer<typeof runMessage>;
  return channel === `r:${run}` ? { topic: { workspace, agent, run }, id: run, events } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
