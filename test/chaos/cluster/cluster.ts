/**
 * A cluster as processes: gateways and workers over MongoDB and Redis, each process with a network of its own to each
 * server, and the faults that a schedule asks for.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { rootKey } from '../../helpers/server.js';
import { ManagedProcess, shutdownSeconds } from './processes.js';
import { startProxy, type Proxy } from './proxy.js';
import type { Fault, Server } from './schedule.js';
import { serverNames, type Servers } from './servers.js';

/** Short, so that a pause can be longer; longer where the machine has much else to do. */
export const leaseSeconds = Number(process.env['CHAOS_LEASE_SECONDS'] ?? 2);

export interface Shape {
  gateways: number;
  workers: number;
}

/** What a round needs of whatever it makes suffer. */
export interface Sufferer {
  readonly gateways: readonly ManagedProcess[];
  /** Resolves when what the fault took away is back. */
  suffer(fault: Fault): Promise<void>;
  /** Everything runs and every network is whole when it resolves. */
  heal(): Promise<void>;
}

export class Cluster implements Sufferer {
  private readonly begun = Date.now();
  private readonly away = new Set<Server>();

  private constructor(
    readonly processes: readonly ManagedProcess[],
    private readonly servers: Servers,
    private readonly networks: ReadonlyMap<string, Proxy>,
    private readonly diary: string[],
  ) {}

  /**
   * All processes at once on an empty database, as a deploy starts them. Logs go to `folder`; `diary` is told what is
   * done when.
   */
  static async start(
    servers: Servers,
    { gateways, workers }: Shape,
    env: Record<string, string>,
    folder: string,
    diary: string[],
  ): Promise<Cluster> {
    mkdirSync(folder, { recursive: true });
    const processes: ManagedProcess[] = [];
    const networks = new Map<string, Proxy>();
    for (const [role, count] of [
      ['gateway', gateways],
      ['worker', workers],
    ] as const) {
      for (let i = 1; i <= count; i++) {
        const name = `${role}-${i}`;
        const urls: Record<string, string> = {};
        for (const server of serverNames) {
          const { url } = servers[server];
          const network = await startProxy(() => addressOf(url));
          networks.set(networkOf(name, server), network);
          urls[server] = through(url, network.port);
        }
        processes.push(
          new ManagedProcess(
            name,
            role,
            {
              HIVEKEEP_HOST: '127.0.0.1',
              HIVEKEEP_PORT: '0',
              HIVEKEEP_LOG_FORMAT: 'json',
              HIVEKEEP_ROOT_KEY: rootKey,
              HIVEKEEP_ROLE: role,
              HIVEKEEP_LEASE_SECONDS: String(leaseSeconds),
              HIVEKEEP_SHUTDOWN_SECONDS: String(shutdownSeconds),
              HIVEKEEP_MONGODB_URL: urls['mongodb'] ?? '',
              HIVEKEEP_REDIS_URL: urls['redis'] ?? '',
              ...env,
            },
            folder,
          ),
        );
      }
    }
    const cluster = new Cluster(processes, servers, networks, diary);
    try {
      await Promise.all(processes.map((p) => p.start()));
    } catch (thrown) {
      await cluster.stop();
      throw thrown;
    }
    return cluster;
  }

  get gateways(): readonly ManagedProcess[] {
    return this.processes.filter((p) => p.role === 'gateway');
  }

  async suffer(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'network': {
        const network = this.networks.get(networkOf(fault.process, fault.server));
        this.note(`network of ${fault.process} to ${fault.server}: ${fault.manner}`);
        network?.breakAs(fault.manner);
        await pause(fault.ms);
        network?.heal();
        this.note(`network of ${fault.process} to ${fault.server}: healed`);
        return;
      }
      case 'restart':
        return this.restart(fault.server, fault.ms);
      default:
        return this.strike(fault.kind, fault.process, fault.ms);
    }
  }

  async heal(): Promise<void> {
    for (const network of this.networks.values()) network.heal();
    await Promise.all(
      this.processes.map(async (p) => {
        p.thaw();
        await p.start();
      }),
    );
  }

  /** What went wrong with processes, beyond what was done to them. */
  troubles(): string[] {
    return this.processes.flatMap((p) => p.troubles);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.processes.map((p) => {
        p.thaw();
        return p.kill();
      }),
    );
    for (const network of this.networks.values()) await network.close();
  }

  private async restart(server: Server, ms: number): Promise<void> {
    if (this.away.has(server)) {
      this.note(`${server} is not back yet: no restart`);
      return;
    }
    this.away.add(server);
    this.note(`${server} is killed`);
    try {
      await this.servers[server].restart?.(ms);
    } finally {
      this.away.delete(server);
    }
    this.note(`${server} is back`);
  }

  private async strike(kind: 'kill' | 'term' | 'pause', name: string, ms: number): Promise<void> {
    const victim = this.processes.find((p) => p.name === name);
    if (!victim?.serving) {
      this.note(`${name} does not serve yet: no ${kind}`);
      return;
    }
    this.note(`${kind} ${name}`);
    if (kind === 'pause') {
      victim.freeze();
      await pause(ms);
      victim.thaw();
    } else {
      await (kind === 'kill' ? victim.kill() : victim.stop());
      await pause(ms);
      await victim.start();
    }
    this.note(`${name} is back`);
  }

  private note(what: string): void {
    this.diary.push(`${((Date.now() - this.begun) / 1000).toFixed(2)} s  ${what}`);
  }
}

const networkOf = (process: string, server: Server): string => `${process} - ${server}`;

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** The same URL by way of a proxy: a driver must not ask the server for its own addresses and go round it. */
function through(url: string, port: number): string {
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${port}`;
  if (proxied.protocol === 'mongodb:') proxied.searchParams.set('directConnection', 'true');
  return proxied.href;
}
