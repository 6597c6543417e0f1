/**
 * The transport over Redis streams: each process has one inbox, `<prefix>in:{<instance>}`, which only it reads
 * (bus/transport.ts).
 *
 * Invariants
 *  - Everything sent to one process in one turn is one XADD (split at about 1 MiB), so a thousand messages cost one
 *    round trip and one turn of the receiver.
 *  - The inbox exists from `start` to `close`, or until it was not renewed for `inboxMs`. Only its reader creates it,
 *    so a sender learns that a process is gone when Redis refuses the message.
 *  - It is always read from its beginning, and entries are deleted after they were read (never trimmed, which would
 *    remove unread ones). No id is remembered, because a server that takes over may give out smaller ones. Nothing is
 *    given out while what was read before cannot be deleted.
 *  - At most `maxWaiting` characters wait for Redis; messages beyond that are dropped.
 *
 * On failure: a connection that breaks or hangs is replaced (redis/connect.ts), and what was not deleted is read again.
 * Messages in transit may or may not have arrived. A server that starts empty, or was flushed, has no inboxes:
 * until their readers have created them again, at most `renewMs` after the server answers, senders are told `gone`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectRedis, type RedisClient } from '../../redis/connect.js';
import { loadScript } from '../../redis/script.js';
import { decodeEntry, encodeEntries } from '../entry.js';
import type { Transport, TransportEvents } from '../transport.js';
import { UnreadableMessages } from '../unreadable.js';
import type { Logger } from '../../telemetry/logger-port.js';

const keepInbox = loadScript(new URL('./inbox.lua', import.meta.url));

const version = '1';
const blockMs = 1000;
const entriesARead = 64;
const pauseMs = 50;
const goodbyeMs = 2000;

export interface RedisTransportOptions {
  url: string;
  /** The unique name of this process instance, without braces. */
  self: string;
  /** The prefix of every key: `hk:<cluster id>:`. */
  prefix: string;
  log: Pick<Logger, 'info' | 'warn'>;
  tuning?: Partial<RedisTransportTuning>;
}

/** Values that only tests change. */
export interface RedisTransportTuning {
  /** ms that the inbox exists without being renewed. */
  inboxMs: number;
  /** ms between renewals. */
  renewMs: number;
  /** Characters that may wait for Redis. */
  maxWaiting: number;
}
const usualTuning: RedisTransportTuning = { inboxMs: 30_000, renewMs: 1000, maxWaiting: 64 * 1024 * 1024 };

export interface RedisTransport extends Transport {
  /**
   * Totals of messages sent, received and `dropped` here (too much waiting, or Redis did not accept their entry), and
   * of entries that could not be decoded.
   */
  stats(): { sent: number; received: number; dropped: number; unreadable: number };
}

export function createRedisTransport(options: RedisTransportOptions): RedisTransport {
  return new StreamTransport(options);
}

interface Outgoing {
  texts: string[];
  size: number;
}
type Entry = [id: string, fields: string[] | null];

class StreamTransport implements RedisTransport {
  readonly self: string;
  private readonly prefix: string;
  private readonly tuning: RedisTransportTuning;
  private readonly writer: RedisClient;
  private readonly reader: RedisClient;
  private readonly unreadable: UnreadableMessages;
  private readonly onWay = new Set<Promise<void>>();
  private outgoing = new Map<string, Outgoing>();
  private flushing = false;
  private waiting = 0;
  private sent = 0;
  private received = 0;
  private dropped = 0;
  private events: TransportEvents | null = null;
  private renewal: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: RedisTransportOptions) {
    this.self = options.self;
    this.prefix = options.prefix;
    this.tuning = { ...usualTuning, ...options.tuning };
    this.writer = connectRedis(options.url, `hivekeep-send-${options.self}`, options.log, { autoPipelining: false });
    this.reader = connectRedis(options.url, `hivekeep-receive-${options.self}`, options.log, {
      autoPipelining: false,
    });
    this.writer.on('refused', () => {
      this.reader.disconnect(true);
    }); // RedisConnect.C5
    this.unreadable = new UnreadableMessages(options.log);
  }

  stats(): ReturnType<RedisTransport['stats']> {
    return { sent: this.sent, received: this.received, dropped: this.dropped, unreadable: this.unreadable.count };
  }

  async start(events: TransportEvents): Promise<void> {
    await this.keep();
    this.events = events;
    this.renewal = setInterval(() => {
      this.renew();
    }, this.tuning.renewMs).unref();
    this.writer.on('ready', () => {
      this.renew();
    }); // it may be another server, or one without data
    void this.read(events);
  }

  send(to: string, message: unknown): void {
    const text = JSON.stringify(message);
    if (this.closed || this.waiting + text.length > this.tuning.maxWaiting) {
      this.dropped++;
      return;
    }
    this.waiting += text.length;
    const outgoing = this.outgoing.get(to);
    if (outgoing) {
      outgoing.texts.push(text);
      outgoing.size += text.length;
    } else {
      this.outgoing.set(to, { texts: [text], size: text.length });
    }
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(() => {
      this.flush();
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.flush();
    this.closed = true;
    clearInterval(this.renewal);
    this.reader.disconnect();
    const finish = Promise.all(this.onWay)
      .then(() => this.writer.del(this.key(this.self)))
      .catch(() => undefined);
    await Promise.race([finish, pause(goodbyeMs, undefined, { ref: false })]);
    this.writer.disconnect();
  }

  private key(instance: string): string {
    return `${this.prefix}in:{${instance}}`;
  }

  private flush(): void {
    this.flushing = false;
    const outgoing = this.outgoing;
    this.outgoing = new Map();
    for (const [to, { texts, size }] of outgoing) {
      this.sent += texts.length;
      const posted = this.post(to, texts);
      this.onWay.add(posted);
      void posted.then(() => {
        this.onWay.delete(posted);
        this.waiting -= size;
      });
    }
  }

  /** Resolves when the outcome of the entries is known, or cannot be known. */
  private async post(to: string, texts: readonly string[]): Promise<void> {
    const entries = encodeEntries(texts).map((entry) =>
      this.writer.xadd(this.key(to), 'NOMKSTREAM', '*', 'v', version, 'f', this.self, 'm', entry),
    );
    const outcomes = await Promise.allSettled(entries);
    if (outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value === null)) this.events?.gone(to);
    if (outcomes.some((outcome) => outcome.status === 'rejected')) this.dropped += texts.length;
  }

  /** Creates or renews the inbox. */
  private async keep(): Promise<void> {
    await keepInbox(this.writer, [this.key(this.self)], [this.tuning.inboxMs]);
  }

  private renew(): void {
    if (!this.closed) this.keep().catch(() => undefined);
  } // the connection logs the outage, and the next renewal retries

  /** An answer comes after that to the command before it on the same connection. */
  private async read(events: TransportEvents): Promise<void> {
    const key = this.key(this.self);
    for (let deleted: Promise<unknown> | null = null; !this.closed;) {
      try {
        const reply = await this.reader.xread('COUNT', entriesARead, 'BLOCK', blockMs, 'STREAMS', key, '0-0');
        await deleted;
        const entries = reply?.flatMap(([, read]) => read) ?? [];
        if (this.closed || entries.length === 0) continue;
        deleted = this.reader.xdel(key, ...entries.map(([id]) => id));
        deleted.catch(() => undefined); // it is awaited above
        this.take(key, entries, events);
      } catch {
        deleted = null;
        await pause(pauseMs, undefined, { ref: false });
      }
    }
  }

  private take(key: string, entries: readonly Entry[], events: TransportEvents): void {
    for (const [id, fields] of entries) {
      const [from, messages] = opened(fields ?? []);
      if (messages === null) {
        this.unreadable.add(key, `${id} ${String(fields)}`);
        continue;
      }
      this.received += messages.length;
      for (const message of messages) if (!this.closed) events.received(from, message);
    }
  }
}

/** The sender of an entry and its messages, which are null if they cannot be decoded. */
function opened(fields: readonly string[]): [from: string, messages: unknown[] | null] {
  const [v, itsVersion, f, from, m, text] = fields;
  const ours = fields.length === 6 && v === 'v' && itsVersion === version && f === 'f' && m === 'm';
  return [from ?? '', ours ? decodeEntry(text ?? '') : null];
}
