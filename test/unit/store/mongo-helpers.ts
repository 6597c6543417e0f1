/** Stores on one empty database of a real server, some of them behind a proxy, and clocks that a test moves. */
import type { Context } from 'mocha';
import type { Commit, EntityRef } from '../../../src/store/port.js';
import { openMongoStore, type MongoStore, type MongoStoreOptions } from '../../../src/store/mongo/open.js';
import { commit, entity, put } from '../../contract/store/fixtures.js';
import { emptyDatabase, mongoService, type MongoService, type OwnMongo } from '../../helpers/mongo-service.js';
import { MongoProxy } from './mongo-proxy.js';

export class HandClock {
  wall = Date.parse('2026-06-01T00:00:00.000Z');
  steady = 0;
  readonly now = (): number => this.wall;
  readonly monotonic = (): number => this.steady;
  pass(ms: number): void {
    this.wall += ms;
    this.steady += ms;
  }
  /** From now on it goes by itself, a second every 20 ms. */
  run(): void {
    setInterval(() => {
      this.pass(1000);
    }, 20).unref();
  }
}

export class MongoBench {
  service!: MongoService;
  url = '';
  private readonly emptied: string[] = [];
  private readonly stores: MongoStore[] = [];
  private readonly proxies: MongoProxy[] = [];

  /** `fresh`: each test has a database that was never used, because tests change indexes. */
  constructor(private readonly fresh = false) {}

  /** Called in a `describe`. */
  hooks(): void {
    const { setUpAll } = this;
    before(function () {
      return setUpAll(this);
    });
    after(this.tearDownAll);
    beforeEach(this.setUp);
    afterEach(this.tearDown);
  }

  /** Skips where there is no server of our own: what is done here is not done to one that was given. */
  private readonly setUpAll = async (context: Context): Promise<void> => {
    const service = await mongoService();
    if (!service?.own) {
      context.skip();
      return;
    } // no mongod on PATH, or MONGODB_URL is set
    this.service = service;
  };
  private readonly tearDownAll = async (): Promise<void> => {
    await (this.service as MongoService | undefined)?.stop();
  };
  private readonly setUp = (): void => {
    this.url = this.emptied.pop() ?? this.service.freshUrl();
  };
  private readonly tearDown = async (): Promise<void> => {
    for (const proxy of this.proxies.splice(0)) proxy.close();
    await Promise.all(this.stores.splice(0).map((s) => s.close()));
    if (this.fresh) return;
    await emptyDatabase(this.url);
    this.emptied.push(this.url);
  };

  get own(): OwnMongo {
    return this.service.own!;
  }

  async open(options: Partial<MongoStoreOptions> = {}): Promise<MongoStore> {
    const store = await openMongoStore({ url: this.url, ...options });
    this.stores.push(store);
    return store;
  }

  async openBehindProxy(options: Partial<MongoStoreOptions> = {}): Promise<{ store: MongoStore; proxy: MongoProxy }> {
    const proxy = new MongoProxy(this.own.port);
    this.proxies.push(proxy);
    return { proxy, store: await this.open({ ...options, url: await proxy.url(this.url) }) };
  }
}

export const a = entity('agent_1');

/** A commit that writes its seq, and who wrote it, into a document. */
export const noted = (ref: EntityRef, seq: number, who: string, more: Partial<Commit> = {}): Commit =>
  commit(ref, seq, {
    snapshot: { who },
    puts: [put('memory', `mem_${String(seq).padStart(5, '0')}`, { who, updated_at: 'x' })],
    ...more,
  });

/** How a promise ended. */
export async function ending(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
}

export function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
