/**
 * Two servers of Redis behind one address, as managed ones are: a primary and its replica. The address leads new
 * connections to one of them; who is connected stays connected to where it is.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisService, type OwnRedis, type RedisService } from './redis-service.js';

type Which = 0 | 1;

export class RedisPair {
  private readonly links = new Set<Socket>();
  private readonly address: Server;
  private target: Which = 0;

  private constructor(
    private readonly services: readonly RedisService[],
    /** Connections to each, past the address. */
    readonly hands: readonly [Redis, Redis],
  ) {
    this.address = createServer((from) => {
      const to = connect(this.own(this.target).port, '127.0.0.1');
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
        one.pipe(other);
      }
      this.links.add(from);
      from.on('close', () => this.links.delete(from));
    });
  }

  /** The first is the primary, and the second has what it has. Null where there is no redis-server. */
  static async start(): Promise<RedisPair | null> {
    const args = ['--repl-diskless-sync-delay', '0'];
    const services = [await redisService(args), await redisService(args)].filter((one) => one !== null);
    const [first, second] = services;
    if (!first?.own || !second?.own) return null;
    const hand = (port: number): Redis => new Redis(port, { retryStrategy: () => 50 }).on('error', () => undefined);
    const pair = new RedisPair(services, [hand(first.own.port), hand(second.own.port)]);
    await new Promise<void>((resolve) => {
      pair.address.listen(0, '127.0.0.1', resolve);
    });
    await pair.follow(1);
    return pair;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.address.address() as AddressInfo).port}`;
  }
  own(which: Which): OwnRedis {
    return this.services[which]?.own as OwnRedis;
  }
  leadTo(which: Which): void {
    this.target = which;
  }
  /** This one takes writes, with what it has. */
  async promote(which: Which): Promise<void> {
    await this.hands[which].replicaof('NO', 'ONE');
  }
  /** This one becomes the replica of the other; resolves when it has everything. */
  async follow(which: Which): Promise<void> {
    await this.hands[which].replicaof('127.0.0.1', String(this.own(which === 0 ? 1 : 0).port));
    for (const end = Date.now() + 20_000; !(await this.hands[which].info('replication')).includes('link_status:up');) {
      if (Date.now() > end) throw new Error('a replica of Redis does not follow within 20 s');
      await pause(20);
    }
  }
  async stop(): Promise<void> {
    for (const hand of this.hands) hand.disconnect();
    for (const link of this.links) link.destroy();
    this.address.close();
    await Promise.all(this.services.map((service) => service.stop()));
  }
}
