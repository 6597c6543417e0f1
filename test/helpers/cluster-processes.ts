/**
 * A cluster as its users run it: gateways and workers as processes of the build over a MongoDB and a Redis of the test,
 * on a database that nobody has used. The servers are started with the first cluster and end a moment after the last
 * one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { startHopper } from './gateway-hopper.js';
import { mongoService, type MongoService } from './mongo-service.js';
import { redisService, type RedisService } from './redis-service.js';
import { buildWhenNeeded, end, type Exit, launch, mainFile, rootKey, type Running } from './server-process.js';

export type Role = 'all' | 'gateway' | 'worker';

export interface ClusterShape {
  gateways?: number;
  workers?: number;
  /** Processes that are both. */
  all?: number;
  /** More settings, for all of them. */
  env?: Record<string, string>;
  /** The program that they run, where it is not this build. */
  main?: string;
}

/** Another Redis or MongoDB than the one of all tests. */
export interface ServerUrls {
  mongodb?: string;
  redis?: string;
}

export interface Cluster {
  readonly gateways: readonly ClusterProcess[];
  readonly workers: readonly ClusterProcess[];
  readonly processes: readonly ClusterProcess[];
  /** A URL whose every connection goes to the next gateway that takes it. */
  readonly url: string;
  readonly key: string;
  /** The settings with which a command works on the same cluster. */
  readonly settings: Readonly<Record<string, string>>;
  /** One more process, which `stop` ends too. */
  add(role: Role, env?: Record<string, string>, main?: string): Promise<ClusterProcess>;
  /** SIGTERM to whatever runs; removes the database. Rejects where a process ended before by itself. */
  stop(): Promise<Exit[]>;
}

/** Short, so that a takeover is soon seen, and yet more than a busy machine keeps a process waiting. */
export const leaseSeconds = 3;
const startPatienceMs = 90_000;

export class ClusterProcess {
  readonly #errors: string[] = [];
  readonly #output: string[] = [];
  readonly #troubles: string[] = [];
  #running: Running | null = null;
  #ending = false;
  #url = '';
  #pid = -1;

  constructor(
    readonly name: string,
    readonly role: Role,
    private readonly env: Record<string, string>,
    private readonly main: string,
  ) {}

  /** Where it listens, or listened last. */
  get url(): string {
    return this.#url;
  }
  /** Of the last incarnation. */
  get pid(): number {
    return this.#pid;
  }
  get running(): boolean {
    return this.#running !== null;
  }
  /** Everything that it has written, of all its incarnations. */
  stderr(): string {
    return this.#errors.join('');
  }
  stdout(): string {
    return this.#output.join('');
  }
  /** Ends that nobody asked for. */
  get troubles(): readonly string[] {
    return this.#troubles;
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    const running = await launch(this.main, this.env, this.#errors, this.#output, startPatienceMs);
    this.#running = running;
    this.#url = running.url;
    this.#pid = running.child.pid ?? -1;
    void running.exited.then(({ code, signal }) => {
      if (this.#running !== running) return;
      this.#running = null;
      if (this.#ending) this.#ending = false;
      else this.#troubles.push(`${this.name} ended by itself with ${code ?? signal}:\n${this.stderr()}`);
    });
  }

  /** Sends the signal and waits for the end. Null where it did not run. */
  async end(signal: NodeJS.Signals): Promise<Exit | null> {
    if (this.#running === null) return null;
    this.#ending = true;
    return end(this.#running, signal);
  }

  freeze(): void {
    this.#running?.child.kill('SIGSTOP');
  }
  thaw(): void {
    this.#running?.child.kill('SIGCONT');
  }
}

/** Resolves when all of them serve and every shard has a worker. Null where there is no MongoDB or no Redis. */
export async function startCluster(
  { gateways = 0, workers = 0, all = 0, env = {}, main = mainFile }: ClusterShape,
  urls: ServerUrls = {},
): Promise<Cluster | null> {
  const services = await shared.use();
  if (services === null) return null;
  buildWhenNeeded();
  const mongodbUrl = urls.mongodb ?? services.mongo.freshUrl();
  const settings = { HIVEKEEP_MONGODB_URL: mongodbUrl, HIVEKEEP_REDIS_URL: urls.redis ?? services.redis.url };
  const key = env['HIVEKEEP_ROOT_KEY'] ?? rootKey;
  const processes: ClusterProcess[] = [];
  const make = (role: Role, more: Record<string, string> = {}, of = main): ClusterProcess => {
    const name = `${role}-${processes.filter((p) => p.role === role).length + 1}`;
    const all = {
      HIVEKEEP_HOST: '127.0.0.1',
      HIVEKEEP_PORT: '0',
      HIVEKEEP_LOG_FORMAT: 'json',
      HIVEKEEP_ROOT_KEY: key,
      HIVEKEEP_ROLE: role,
      HIVEKEEP_LEASE_SECONDS: String(leaseSeconds),
      ...settings,
      ...env,
      ...more,
    };
    const process = new ClusterProcess(name, role, all, of);
    processes.push(process);
    return process;
  };
  for (const [role, count] of [
    ['gateway', gateways],
    ['worker', workers],
    ['all', all],
  ] as const)
    for (let i = 0; i < count; i++) make(role);
  const serving = (): ClusterProcess[] => processes.filter((p) => p.role !== 'worker');
  const hopper = await startHopper(() =>
    serving()
      .filter((p) => p.running)
      .map((p) => p.url),
  );
  const stop = async (): Promise<Exit[]> => {
    const exits = await Promise.all(
      processes.map((p) => {
        p.thaw();
        return p.end('SIGTERM');
      }),
    );
    await hopper.close();
    if (urls.mongodb === undefined) await services.mongo.drop(mongodbUrl).catch(() => undefined); // the server may be gone by the test's will
    shared.leave();
    const troubles = processes.flatMap((p) => p.troubles);
    if (troubles.length > 0) throw new Error(troubles.join('\n'));
    return exits.filter((e) => e !== null);
  };
  try {
    await Promise.all(processes.map((p) => p.start()));
    await Promise.all(processes.map((p) => ready(p)));
  } catch (error) {
    await stop().catch(() => undefined); // it would say less
    throw error;
  }
  return {
    processes,
    key,
    settings,
    get gateways() {
      return serving();
    },
    get workers() {
      return processes.filter((p) => p.role !== 'gateway');
    },
    get url() {
      return `${new URL(serving()[0]?.url ?? 'http://x').protocol}//127.0.0.1:${hopper.port}`;
    },
    async add(role, more, of) {
      const process = make(role, more, of);
      await process.start();
      return process;
    },
    stop,
  };
}

/** Waits until /readyz is 200: the probes of every role answer. */
export async function ready(process: ClusterProcess): Promise<void> {
  for (const until = Date.now() + startPatienceMs; ; await pause(50)) {
    const status = await fetch(`${process.url}/readyz`).then(
      (r) => r.status,
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > until) throw new Error(`${process.name} is not ready (${status}):\n${process.stderr()}`);
  }
}

interface Services {
  mongo: MongoService;
  redis: RedisService;
}

/**
 * The servers of all clusters of this run of tests. Their processes would keep it from ending, so they end when nobody
 * has used them for a moment.
 */
class SharedServices {
  #services: Promise<Services | null> | null = null;
  #users = 0;
  #ending: NodeJS.Timeout | undefined;

  async use(): Promise<Services | null> {
    clearTimeout(this.#ending);
    this.#users++;
    const services = await (this.#services ??= SharedServices.start());
    if (services === null) this.#users--;
    return services;
  }

  leave(): void {
    if (--this.#users === 0)
      this.#ending = setTimeout(() => {
        void this.end();
      }, 1000);
  }

  private async end(): Promise<void> {
    const services = this.#services;
    this.#services = null;
    const started = await services;
    await Promise.all([started?.mongo.stop(), started?.redis.stop()]);
  }

  private static async start(): Promise<Services | null> {
    const mongo = await mongoService();
    if (mongo === null) return null;
    const redis = await redisService();
    if (redis === null) {
      await mongo.stop();
      return null;
    }
    return { mongo, redis };
  }
}

const shared = new SharedServices();
