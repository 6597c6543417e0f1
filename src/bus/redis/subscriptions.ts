/**
 * The subscriptions of one process to sharded channels (SSUBSCRIBE), used by the event bus.
 *
 * Invariants
 *  - A channel is subscribed from the first `add` until `lingerMs` after the last `remove`, so that
 *     readers who come and go cost no round trips.
 *  - `certain(channel)` is called each time that Redis has confirmed a subscription: everything
 *     published from then on arrives, until the connection is lost and `certain` is called again. Before that, anything
 *     may have been missed.
 *  - A connection that is silent for some seconds is replaced, so a server that hangs is detected
 *     even without messages of ours.
 *
 * In a Redis Cluster a channel belongs to one server; another server answers MOVED with the right one, to which a
 * connection is then made. On failure, unconfirmed subscriptions are retried until they succeed.
 */
import type { Redis } from 'ioredis';
import { connectSubscriber, isClusterUrl, urlsOf } from '../../redis/connect.js';
import { serversOf } from '../../redis/failure.js';
import type { Logger } from '../../telemetry/logger-port.js';

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
  /** The name of its connections in CLIENT LIST. */
  name: string;
  log: Pick<Logger, 'info' | 'warn'>;
  lingerMs: number;
  message(channel: string, text: string): void;
  certain(channel: string): void;
}

export class Subscriptions {
  private readonly o: SubscriptionsOptions;
  private readonly servers = new Map<string, Server>();
  private readonly channels = new Map<string, Channel>();
  private readonly pings: NodeJS.Timeout;
  private readonly isCluster: boolean;
  private closed = false;
  private turn = 0;

  constructor(options: SubscriptionsOptions) {
    this.o = options;
    this.isCluster = isClusterUrl(options.url);
    this.pings = setInterval(() => {
      this.ping();
    }, pingMs).unref();
    this.seed();
  }

  /** Whether the subscription is confirmed, as far as is known. */
  isCertain(name: string): boolean {
    return this.channels.get(name)?.certain ?? false;
  }

  add(name: string): void {
    let channel = this.channels.get(name);
    if (channel === undefined) {
      this.channels.set(
        name,
        (channel = { name, wanted: 0, certain: false, server: this.seed(), leaving: undefined, retry: undefined }),
      );
      this.ask(channel);
    }
    channel.wanted++;
    clearTimeout(channel.leaving);
  }

  remove(name: string): void {
    const channel = this.channels.get(name);
    if (channel === undefined || --channel.wanted > 0) return;
    channel.leaving = setTimeout(() => {
      this.channels.delete(name);
      // a lost connection has no subscriptions
      if (channel.server.ready) channel.server.redis.sunsubscribe(name).catch(() => undefined);
    }, this.o.lingerMs).unref();
  }

  /** Makes the connections anew, and with them the subscriptions. */
  reconnect(): void {
    for (const { redis } of this.servers.values()) redis.disconnect(true);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.pings);
    for (const { leaving, retry } of this.channels.values()) [leaving, retry].forEach(clearTimeout);
    this.channels.clear();
    for (const { redis } of this.servers.values()) redis.disconnect();
  }

  /** One of the servers in the URL, a different one each time. */
  private seed(): Server {
    const urls = urlsOf(this.o.url);
    const url = urls[this.turn++ % urls.length] ?? this.o.url;
    return this.server(serversOf(url));
  }

  private server(address: string): Server {
    const known = this.servers.get(address);
    if (known) return known;
    const redis = connectSubscriber(this.o.url, this.isCluster ? address : null, this.o.name, this.o.log);
    const server: Server = { redis, ready: false };
    this.servers.set(address, server);
    redis.on('smessage', (channel: string, text: string) => {
      this.o.message(channel, text);
    });
    redis.on('ready', () => {
      server.ready = true;
      this.askAgain(server);
    });
    redis.on('close', () => {
      server.ready = false;
      for (const channel of this.channels.values()) if (channel.server === server) this.lost(channel);
    });
    redis.on('moved', () => {
      setTimeout(() => {
        this.askAgain(server);
      }, againMs).unref();
    }); // a slot, with its channels, has moved away from this server
    return server;
  }

  private askAgain(server: Server): void {
    for (const channel of this.channels.values()) if (channel.server === server) this.ask(channel);
  }

  private lost(channel: Channel): void {
    channel.certain = false;
    if (this.isCluster) this.askLater(channel); // another server may own the slot by now
  }

  private askLater(channel: Channel): void {
    if (this.closed || channel.retry !== undefined) return;
    channel.retry = setTimeout(() => {
      channel.retry = undefined;
      if (channel.certain || this.channels.get(channel.name) !== channel) return;
      if (!channel.server.ready) channel.server = this.seed();
      this.ask(channel);
    }, againMs).unref();
  }

  /** Without a connection this does nothing, because `ready` subscribes. Repeating a subscription has no effect. */
  private ask(channel: Channel): void {
    const { server } = channel;
    if (!server.ready) {
      if (this.isCluster) this.askLater(channel);
      return;
    }
    server.redis.ssubscribe(channel.name).then(
      () => {
        if (channel.certain || channel.server !== server || !server.ready) return;
        channel.certain = true;
        this.o.certain(channel.name);
      },
      (error: Error) => {
        const [what, , address] = error.message.split(' ');
        if (this.closed || channel.server !== server || this.channels.get(channel.name) !== channel) return;
        if (what !== 'MOVED' || address === undefined) {
          this.askLater(channel);
          return;
        }
        channel.certain = false;
        channel.server = this.server(
          address.startsWith(':') ? `${server.redis.options.host ?? ''}${address}` : address,
        );
        this.ask(channel);
      },
    );
  }

  private ping(): void {
    for (const [address, { redis, ready }] of this.servers) {
      if (ready)
        redis.ping().catch(() => undefined); // if the ping stays unanswered, redis/connect.ts replaces the connection
      else if (this.isCluster) this.forget(address);
    }
  }

  /** Forgets a server that has left the cluster; one that is only unreachable is learned again. */
  private forget(address: string): void {
    const server = this.servers.get(address);
    if (server === undefined || [...this.channels.values()].some((channel) => channel.server === server)) return;
    this.servers.delete(address);
    server.redis.disconnect();
  }
}
