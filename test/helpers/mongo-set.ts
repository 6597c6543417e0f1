/**
 * A replica set of three for tests of failover. The members talk to one another through links that delay, and that a
 * test cuts; clients are not delayed. What is in flight on a link is lost with it, as when a machine loses its power.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { inTime } from './in-time.js';
import { freshName, mongod, ping } from './mongo-service.js';
import { OwnServer } from './own-server.js';
import { freePort } from './redis-service.js';

export interface MongoSetOptions {
  /** Without links the members talk to one another directly, whatever the test's process is busy with. */
  linked?: boolean;
  /** How long a message between two members takes, one way, ms. */
  delayMs?: number;
  /** How long a primary may be silent before the others elect another. */
  electionTimeoutMs?: number;
}

const name = 'three';
const patienceMs = 120_000;

export interface MongoSet {
  readonly members: readonly Member[];
  /** The URL of a database that nobody has used. */
  freshUrl(): string;
  /** The member that takes writes; waits until there is one. */
  primary(): Promise<Member>;
  /** Resolves when the set has a primary and two members that follow it. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

/** Null where there is no mongod. */
export async function mongoSet({
  linked = true,
  delayMs = 0,
  electionTimeoutMs = 10_000,
}: MongoSetOptions = {}): Promise<MongoSet | null> {
  const members: Member[] = [];
  const set = new Set3(members);
  try {
    for (let i = 0; i < 3; i++) members.push(await Member.create(members, linked ? delayMs : null));
    await inTime(patienceMs, set.begin(electionTimeoutMs), () => 'the start of a replica set');
    return set;
  } catch (error) {
    await set.stop();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

class Set3 implements MongoSet {
  constructor(readonly members: readonly Member[]) {}

  async begin(electionTimeoutMs: number): Promise<void> {
    await Promise.all(this.members.map((member) => member.start()));
    // a new set elects its first primary after an election timeout
    const config = (version: number, electionTimeoutMillis: number) => ({
      _id: name,
      version,
      settings: {
        electionTimeoutMillis,
        heartbeatIntervalMillis: Math.min(2000, Math.floor(electionTimeoutMillis / 4)),
      },
      members: this.members.map(({ host }, _id) => ({ _id, host })),
    });
    await this.members[0]?.ask({ replSetInitiate: config(1, Math.min(2000, electionTimeoutMs)) }, patienceMs);
    await this.whole();
    await (await this.primary()).ask({ replSetReconfig: config(2, electionTimeoutMs) }, patienceMs);
    await this.whole();
  }

  freshUrl(): string {
    return `mongodb://${this.members.map(({ host }) => host).join(',')}/${freshName()}?replicaSet=${name}`;
  }

  async primary(): Promise<Member> {
    for (const until = Date.now() + patienceMs; Date.now() < until; await pause(20))
      for (const member of this.members) if (await member.isPrimary()) return member;
    throw new Error('the replica set has no primary');
  }

  async whole(): Promise<void> {
    for (const until = Date.now() + patienceMs; Date.now() < until; await pause(50)) {
      const states = await Promise.all(this.members.map((member) => member.state()));
      if (states.sort().join(' ') === 'PRIMARY SECONDARY SECONDARY' && (await (await this.primary()).isPrimary()))
        return;
    }
    throw new Error('the replica set is not whole');
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
  }
}

interface Link {
  /** The member that has opened it; null for a client. */
  readonly from: Member | null;
  end(): void;
}

export class Member {
  private readonly links = new Set<Link>();
  private isCut = false;

  private constructor(
    private readonly members: readonly Member[],
    private readonly port: number,
    private readonly server: OwnServer,
    private readonly proxy: Server,
    /** Null: without links. */
    private readonly delayMs: number | null,
  ) {
    proxy.on('connection', (client: Socket) => {
      client
        .once('data', (hello) => {
          this.link(client, hello);
        })
        .on('error', () => undefined); // it is closed then
    });
  }

  static async create(members: readonly Member[], delayMs: number | null): Promise<Member> {
    const port = await freePort();
    const proxy = createServer({ noDelay: true });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    return new Member(members, port, new OwnServer(port, mongod(['--replSet', name], ping)), proxy, delayMs);
  }

  /** As the other members and clients know it. */
  get host(): string {
    const linked = (this.proxy.address() as AddressInfo).port;
    return `127.0.0.1:${this.delayMs === null ? this.port : linked}`;
  }

  start(): Promise<void> {
    return inTime(patienceMs, this.server.start(), () => `the start of ${this.host}`);
  }
  /** kill -9; what is in flight is lost, too. */
  async crash(): Promise<void> {
    for (const { links } of this.members)
      for (const link of [...links]) if (links === this.links || link.from === this) link.end();
    await this.server.kill();
  }
  /** SIGSTOP. */
  pause(): void {
    this.server.pause();
  }
  resume(): void {
    this.server.resume();
  }
  /** Who has stepped down a moment ago cannot be elected, so the third in a row waits for the first. */
  async stepDown(): Promise<void> {
    for (const until = Date.now() + patienceMs; ; await pause(500))
      try {
        await this.ask({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 }, patienceMs);
        return;
      } catch (error) {
        if (Date.now() > until || !/No electable secondaries/.test(String(error))) throw error;
      }
  }

  /** The member and the others do not reach each other, though clients reach all of them; until `mend`. */
  cut(): void {
    this.isCut = true;
    for (const member of this.members) for (const link of [...member.links]) if (member.refuses(link.from)) link.end();
  }
  mend(): void {
    this.isCut = false;
  }

  /** Runs a command on this member, past its links. */
  ask(command: Record<string, unknown>, timeoutMs = 5000): Promise<Record<string, unknown>> {
    // neither the command nor the client's end is certain to end by itself
    const answer = this.answer(command, timeoutMs);
    return inTime(timeoutMs + 5000, answer, () => `${Object.keys(command)[0]} on ${this.host}`);
  }
  private async answer(command: Record<string, unknown>, timeoutMs: number): Promise<Record<string, unknown>> {
    const client = new MongoClient(`mongodb://127.0.0.1:${this.port}/?directConnection=true`, {
      // what may take its time is tried again where a loaded server closes a connection that is only just open
      serverSelectionTimeoutMS: Math.max(2000, timeoutMs - 3000),
      socketTimeoutMS: timeoutMs,
    });
    try {
      return await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  }
  async isPrimary(): Promise<boolean> {
    return (await this.ask({ hello: 1 }).catch(() => null))?.['isWritablePrimary'] === true;
  }
  async state(): Promise<string> {
    const status = await this.ask({ replSetGetStatus: 1 }).catch(() => null);
    const members = (status?.['members'] ?? []) as { self?: boolean; stateStr: string }[];
    return members.find(({ self }) => self)?.stateStr ?? 'AWAY';
  }

  async stop(): Promise<void> {
    for (const { end } of [...this.links]) end();
    this.proxy.close();
    await this.server.stop();
  }

  private refuses(from: Member | null): boolean {
    return from !== null && (this.isCut || from.isCut);
  }

  private link(client: Socket, hello: Buffer): void {
    const from = this.members.find(({ port }) => port === openerOf(hello)) ?? null;
    if (this.refuses(from)) {
      client.destroy();
      return;
    }
    const server = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    let dead = false;
    const link: Link = {
      from,
      end: () => {
        dead = true;
        this.links.delete(link);
        client.destroy();
        server.destroy();
      },
    };
    this.links.add(link);
    const after = (work: () => void): void => {
      if (from !== null && this.delayMs) setTimeout(work, this.delayMs);
      else work();
    };
    const pass = (a: Socket, b: Socket): void => {
      const send = (chunk: Buffer): void => {
        after(() => {
          if (!dead) b.write(chunk);
        });
      };
      if (a === client) send(hello);
      a.on('data', send)
        .on('error', link.end)
        .on('close', () => {
          after(link.end);
        });
    };
    pass(client, server);
    pass(server, client);
  }
}

/** The port of the member that sends this first message of a connection; a client names none. */
const openerOf = (hello: Buffer): number => Number(/hostInfo\0.{4}[^\0]*:(\d+)\0/s.exec(hello.toString('latin1'))?.[1]);
