/**
 * Subscriptions of one process to sharded channels: the SSUBSCRIBE side of the event bus.
 *
 * Invariants
 *  RedisSubscriptions.U1 A channel is subscribed while somebody wants it: from the first `add` until `lingerMs` after
 *     the last `remove`, so that readers who come and go cost no round trips.
 *  RedisSubscriptions.U2 `certain(channel)` is called once for each time that Redis begins to send it: what is
 *     published from then on arrives, until a connection is lost and `certain` is called again. Before that, anything
 *     may have been missed.
 *  RedisSubscriptions.U3 A connection that says nothing for some seconds is replaced: a server that hangs is found
 *     without a message of ours.
 *
 * In a Redis Cluster a channel belongs to one server: a wrong one names the right one (MOVED), to which a connection is
 * made then. When it fails: what is not confirmed is asked for again until it is.
 */
import type { Redis } from 'ioredis';
import { connectSubscriber, urlsOf } from '../../redis/connect.js';
import { serversOf } from '../../redis/failure.js';
import type { Logger } from '../../telemetry/logger.js';

const pingMs = 3000;
const againMs = 300;

interface Channel {
  readonly name: string;
  wanted: number;
  certain: boolean;
  server: Server;
  leaving: NodeJS.Timeout | undefined;
  retry: NodeJS.Timeout | undefined;
}

interface Server {
  readonly redis: Redis;
  ready: boolean;
}

export interface SubscriptionsOptions {
  url: string;
  /** Of its connections, in CLIENT LIST. */
  name: string;
  log: Pick<Logger, 'info' | 'warn'>;
  lingerMs: number;
  message(channel: string, text: string): void;
  certain(channel: string): void;
}

export class Subscriptions {
  readonly #o: SubscriptionsOptions;
  readonly #servers = new Map<string, Server>();
  readonly #channels = new Map<string, Channel>();
  readonly #pings: NodeJS.Timeout;
  readonly #isCluster: boolean;
  #closed = false;
  #turn = 0;

  constructor(options: SubscriptionsOptions) {
    this.#o = options;
    this.#isCluster = urlsOf(options.url).length > 1;
    this.#pings = setInterval(() => {
      this.#ping();
    }, pingMs).unref();
    this.#seed();
  }

  /** Whether Redis sends it now, as far as is known. */
  isCertain(name: string): boolean {
    return this.#channels.get(name)?.certain ?? false;
  }

  add(name: string): void {
    let channel = this.#channels.get(name);
    if (channel === undefined) {
      this.#channels.set(
        name,
        (channel = { name, wanted: 0, certain: false, server: this.#seed(), leaving: undefined, retry: undefined }),
      );
      this.#ask(channel);
    }
    channel.wanted++;
    clearTimeout(channel.leaving);
  }

  remove(name: string): void {
    const channel = this.#channels.get(name);
    if (channel === undefined || --channel.wanted > 0) return;
    channel.leaving = setTimeout(() => {
      this.#channels.delete(name);
      if (channel.server.ready) channel.server.redis.sunsubscribe(name).catch(() => undefined); // a connection that is lost has no subscriptions
    }, this.#o.lingerMs).unref();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#pings);
    for (const { leaving, retry } of this.#channels.values()) [leaving, retry].forEach(clearTimeout);
    this.#channels.clear();
    for (const { redis } of this.#servers.values()) redis.disconnect();
  }

  /** One of the servers that the URL names, another one each time. */
  #seed(): Server {
    const urls = urlsOf(this.#o.url);
    const url = urls[this.#turn++ % urls.length] ?? this.#o.url;
    return this.#server(serversOf(url));
  }

  #server(address: string): Server {
    const known = this.#servers.get(address);
    if (known) return known;
    const redis = connectSubscriber(this.#o.url, this.#isCluster ? address : null, this.#o.name, this.#o.log);
    const server: Server = { redis, ready: false };
    this.#servers.set(address, server);
    redis.on('smessage', (channel: string, text: string) => {
      this.#o.message(channel, text);
    });
    redis.on('ready', () => {
      server.ready = true;
      this.#askAgain(server);
    });
    redis.on('close', () => {
      server.ready = false;
      for (const channel of this.#channels.values()) if (channel.server === server) this.#lost(channel);
    });
    redis.on('moved', () => {
      setTimeout(() => {
        this.#askAgain(server);
      }, againMs).unref();
    }); // a slot has left this server, and its channels with it
    return server;
  }

  #askAgain(server: Server): void {
    for (const channel of this.#channels.values()) if (channel.server === server) this.#ask(channel);
  }

  #lost(channel: Channel): void {
    channel.certain = false;
    if (this.#isCluster) this.#askLater(channel); // another server may have it by now
  }

  #askLater(channel: Channel): void {
    if (this.#closed || channel.retry !== undefined) return;
    channel.retry = setTimeout(() => {
      channel.retry = undefined;
      if (channel.certain || this.#channels.get(channel.name) !== channel) return;
      if (!channel.server.ready) channel.server = this.#seed();
      this.#ask(channel);
    }, againMs).unref();
  }

  /** Where there is no connection, `ready` asks. Asking for what is subscribed already changes nothing. */
  #ask(channel: Channel): void {
    const { server } = channel;
    if (!server.ready) {
      if (this.#isCluster) this.#askLater(channel);
      return;
    }
    server.redis.ssubscribe(channel.name).then(
      () => {
        if (channel.certain || channel.server !== server || !server.ready) return;
        channel.certain = true;
        this.#o.certain(channel.name);
      },
      (error: Error) => {
        const [what, , address] = error.message.split(' ');
        if (this.#closed || channel.server !== server || this.#channels.get(channel.name) !== channel) return;
        if (what !== 'MOVED' || address === undefined) {
          this.#askLater(channel);
          return;
        }
        channel.certain = false;
        channel.server = this.#server(
          address.startsWith(':') ? `${server.redis.options.host ?? ''}${address}` : address,
        );
        this.#ask(channel);
      },
    );
  }

  #ping(): void {
    for (const [address, { redis, ready }] of this.#servers) {
      if (ready)
        redis.ping().catch(() => undefined); // its silence replaces the connection (redis/connect.ts)
      else if (this.#isCluster) this.#forget(address);
    }
  }

  /** A server that has left the cluster; if it is only away, it is named again. */
  #forget(address: string): void {
    const server = this.#servers.get(address);
    if (server === undefined || [...this.#channels.values()].some((channel) => channel.server === server)) return;
    this.#servers.delete(address);
    server.redis.disconnect();
  }
}
