/**
 * The service on a replica set of three whose primary goes again and again, right after something was acknowledged, at
 * the moment at which a successor may show the least. What is checked are documents and idempotency records, not heads alone,
 * in the service under load and, for reads, in a second process beside it:
 *
 *  Failover.F1 A change that was acknowledged stays: none is undone by a later change of another field of the same
 *     document, which is decided on what is stored.
 *  Failover.F2 A message that is sent again under its Idempotency-Key is taken in once.
 *  Failover.F3 Whatever was acknowledged is read by another process from then on (unless the old primary still talks to it:
 *     docs/cluster.md).
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { sendMessage } from '../../../src/commands/mailbox.js';
import { setTimeout as pause } from 'node:timers/promises';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import type { Caller, Service } from '../../../src/service.js';
import { openMongoStore, type MongoStore } from '../../../src/store/mongo/open.js';
import { caller, testEngine } from '../../helpers/engine.js';
import { inTime } from '../../helpers/in-time.js';
import { mongoSet, type Member, type MongoSet } from '../../helpers/mongo-set.js';

/**
 * How a primary goes: killed, told to step down, stopped for a while, or cut off from the other members; in a rollback it
 * takes writes meanwhile that no other has (w: 1, of the test's own), and undoes them when it is back.
 */
export const faults = ['kill', 'stepdown', 'pause', 'cut', 'rollback'] as const;
export type Fault = (typeof faults)[number];

export interface FailoverOptions {
  failovers: number;
  /** One way between two members, ms. */
  delayMs: number;
  fault: Fault;
  agents?: number;
  told?: (line: string) => void;
}

export interface FailoverReport {
  acknowledged: number;
  /** Acknowledged changes that are gone. */
  lost: string[];
  /** Messages that are there more than once. */
  doubled: string[];
  /** Reads of another process that lacked what was acknowledged before they began. */
  stale: string[];
  /** Requests that were answered with an error, each sent again until it was acknowledged. */
  failed: number;
  /** Writes that a primary took while it was cut off, and that are gone. */
  rolledBack: number;
  /** For each failover, the longest time without an acknowledgement, ms. */
  stillMs: number[];
}

const electionTimeoutMs = 1000;
/** How long a primary stays stopped: longer than the others wait before they elect. */
const awayMs = 4000;
/** No step of a failover takes so long, and no failover as a whole. */
const patienceMs = 60_000;

/** Null where there is no mongod. Rejects, and says which step stood still, a minute for each failover later at most. */
export async function failovers(options: FailoverOptions): Promise<FailoverReport | null> {
  const until = Date.now() + options.failovers * patienceMs;
  let load: Load | null = null;
  const step = <T>(what: string, work: Promise<T>): Promise<T> =>
    inTime(Math.min(patienceMs, until - Date.now()), work, () => (load ? `${what}; ${load.seen}` : what));
  const set = await mongoSet({ delayMs: options.delayMs, electionTimeoutMs });
  if (set === null) return null;
  const bench = await step('the start of the service', start(set)).catch(async (error: unknown) => {
    await set.stop();
    throw error;
  });
  load = bench.load;
  try {
    const report = await run(bench, options, step);
    await step('the end of the service', bench.stop());
    return report;
  } catch (error) {
    load.abandoned = true;
    void bench.stop().catch(() => undefined); // may stand still for the same reason
    throw error;
  } finally {
    await set.stop();
  }
}

interface Bench {
  set: MongoSet;
  load: Load;
  stop(): Promise<void>;
}

async function start(set: MongoSet): Promise<Bench> {
  const url = set.freshUrl();
  const store = await openMongoStore({ url });
  const beside = await openMongoStore({ url });
  const reasoner = createBuiltIn();
  const { engine } = await testEngine(store, (context, signal) => reasoner.next(context, signal), { idleMs: 500 });
  return {
    set,
    load: new Load(engine.service, beside),
    async stop() {
      await engine.stop(1000);
      await Promise.all([store.close(), beside.close()]);
    },
  };
}

async function run(
  { set, load }: Bench,
  { failovers: times, delayMs, fault, agents = 12, told }: FailoverOptions,
  step: <T>(what: string, work: Promise<T>) => Promise<T>,
): Promise<FailoverReport> {
  let rolledBack = 0;
  await step('the first requests', load.begin(agents));
  for (let n = 1; n <= times; n++) {
    const name = `${fault} ${n} at ${delayMs} ms`;
    await step(`before ${name}`, load.underWay());
    const primary = await step(`the primary for ${name}`, set.primary());
    load.stillMs = 0;
    const since = load.count;
    await step(`the last acknowledgement before ${name}`, load.nextAcknowledgement());
    const alone = await step(name, goes(set, primary, fault));
    await step(`after ${name}`, load.underWay());
    load.stills.push(Math.round(load.stillMs));
    told?.(
      `${name}: ${load.count - since} acknowledged, still for ${Math.round(load.stillMs)} ms; so far ${load.lost.length} lost, ${load.doubled.length} doubled, ${load.stale.length} stale reads, ${load.failed} failed`,
    );
    await step(`the members after ${name}`, set.whole());
    if (fault === 'rollback') rolledBack += alone - (await step(`the look at the members after ${name}`, left(set)));
  }
  await step('the end of the load', load.end());
  return { ...(await step('the look at what is stored', load.problems())), rolledBack, stillMs: load.stills };
}

/** Resolves to the number of writes that this primary alone has taken. */
async function goes(set: MongoSet, primary: Member, fault: Fault): Promise<number> {
  switch (fault) {
    case 'kill':
      await primary.crash();
      await pause(200);
      await anotherThan(set, primary);
      await primary.start();
      return 0;
    case 'stepdown':
      await primary.stepDown();
      return 0;
    case 'pause':
      primary.pause();
      await pause(awayMs);
      primary.resume();
      return 0;
    case 'cut':
      primary.cut();
      await anotherThan(set, primary);
      primary.mend();
      return 0;
    case 'rollback': {
      let taken = 0;
      primary.cut();
      for (let isPrimary = true; isPrimary;)
        await primary.ask({ insert: alone, documents: [{}], writeConcern: { w: 1 } }).then(
          () => taken++,
          () => (isPrimary = false), // it has noticed
        );
      await anotherThan(set, primary);
      primary.mend();
      return taken;
    }
  }
}

/** The collection of writes that one member alone has taken. */
const alone = 'alone';

/** How many of these are left when all members have the same. Each failover begins without. */
async function left(set: MongoSet): Promise<number> {
  // a member that rolls back answers nothing, and before it does, it still has what it took alone
  for (;;) {
    const counts = await Promise.all(set.members.map((member) => member.ask({ count: alone }).catch(() => null)));
    const numbers = new Set(counts.map((count) => count?.['n']));
    const [same] = numbers;
    if (numbers.size === 1 && typeof same === 'number') {
      await (await set.primary()).ask({ delete: alone, deletes: [{ q: {}, limit: 0 }] });
      return same;
    }
    await pause(100);
  }
}

async function anotherThan(set: MongoSet, gone: Member): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; await pause(50))
    for (const member of set.members) if (member !== gone && (await member.isPrimary())) return;
  throw new Error('no successor was elected');
}

interface Memory {
  id: string;
  /** What was acknowledged last of each of two fields, which are changed in turns. */
  content: string;
  importance: number;
}

class Load {
  stopped = false;
  /** Nothing is sent any more, acknowledged or not. */
  abandoned = false;
  count = 0;
  failed = 0;
  refusal: unknown;
  stillMs = 0;
  readonly stills: number[] = [];
  readonly lost: string[] = [];
  readonly doubled: string[] = [];
  readonly stale: string[] = [];
  private last = performance.now();
  private readonly sent = new Map<string, string[]>();
  private readonly memories: Memory[] = [];
  private loops: Promise<unknown>[] = [];
  private waiting: (() => void)[] = [];
  private key = 0;

  constructor(
    private readonly service: Service,
    private readonly beside: MongoStore,
  ) {}

  async begin(agents: number): Promise<void> {
    for (let i = 0; i < agents; i++) {
      const { id: agent } = await this.service.execute(
        caller,
        spawnAgent,
        {},
        { name: `Agent ${i}`, wake_on_message: false },
      );
      const { id } = await this.service.createMemory(caller, {
        agent_id: agent,
        type: 'fact',
        content: 'version 0',
        importance: 0,
      });
      const memory: Memory = { id, content: 'version 0', importance: 0 };
      this.memories.push(memory);
      this.sent.set(agent, []);
      this.loops.push(this.works(agent, memory), this.reads(memory));
      for (const loop of this.loops.slice(-2)) loop.catch(() => undefined); // `end` tells
    }
  }

  async end(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops);
  }

  /** Until every loop has been acknowledged something once more, on average. */
  async underWay(): Promise<void> {
    for (const until = this.count + 3 * this.memories.length; this.count < until;) await this.nextAcknowledgement();
  }

  nextAcknowledgement(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  get seen(): string {
    return `${this.count} acknowledged, ${this.failed} refused, the last with: ${String(this.refusal)}`;
  }

  /**
   * One request after the other, with pauses: an agent that has nothing on its way when the primary goes decides the next
   * on the head that it has in memory, and on documents that it reads.
   */
  private async works(agent: string, memory: Memory): Promise<void> {
    for (let n = 1; !this.stopped; n++) {
      await this.change(memory, n);
      await pause(100 * Math.random());
      await this.send(agent);
      await pause(100 * Math.random());
    }
  }

  /** Failover.F1: each change is decided on the document as it is stored. */
  private async change(memory: Memory, n: number): Promise<void> {
    const change = n % 2 === 0 ? { content: `version ${n}` } : { importance: n / 1_000_000 };
    const { content, importance } = await this.acknowledged(() => this.service.patchMemory(caller, memory.id, change));
    const should = { ...memory, ...change };
    if (content !== should.content || importance !== should.importance)
      this.lost.push(`${memory.id}: ${content} ${importance}, not ${should.content} ${should.importance}`);
    Object.assign(memory, { content, importance });
  }

  /** Failover.F2: as a client that has not seen the first answer. */
  private async send(agent: string): Promise<void> {
    const id = `key_${++this.key}`;
    const sender: Caller = { ...caller, idempotencyKey: { id, bodyHash: id, replayed: false } };
    const send = () => this.service.execute(sender, sendMessage, { id: agent }, { content: id });
    const first = await this.acknowledged(send);
    await pause(100 * Math.random());
    const again = await this.acknowledged(send);
    this.sent.get(agent)?.push(id);
    if (first.id !== again.id) this.doubled.push(`${id}: ${first.id} and ${again.id}`);
  }

  /** Failover.F3. */
  private async reads(memory: Memory): Promise<void> {
    for (let before = { ...memory }; !this.stopped && !this.abandoned; before = { ...memory }) {
      const found = await Promise.resolve(this.beside.find('default', 'memory', memory.id)).catch(() => undefined);
      // reads that fail at once must not starve the links between the members, which are in this process
      await pause(found === undefined ? 20 : 2);
      if (found === undefined) continue;
      const [content, importance] = [String(found?.body['content']), Number(found?.body['importance'])];
      const version = (text: string): number => Number(text.split(' ')[1]);
      if (!(version(content) >= version(before.content) && importance >= before.importance))
        this.stale.push(`${memory.id}: ${content} ${importance} after ${before.content} ${before.importance}`);
    }
  }

  /** Sent again until it is acknowledged. */
  private async acknowledged<T>(work: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        const result = await work();
        const now = performance.now();
        this.stillMs = Math.max(this.stillMs, now - this.last);
        this.last = now;
        this.count++;
        for (const tell of this.waiting.splice(0)) tell();
        return result;
      } catch (error) {
        this.failed++;
        this.refusal = error;
        if (this.abandoned) throw error;
        await pause(20);
      }
  }

  /** What is stored in the end. */
  async problems(): Promise<Omit<FailoverReport, 'stillMs' | 'rolledBack'>> {
    for (const { id, content, importance } of this.memories) {
      const stored = await this.service.getMemory(caller, id);
      if (stored.content !== content || stored.importance !== importance)
        this.lost.push(`${id} is ${stored.content} ${stored.importance}, not ${content} ${importance}`);
    }
    for (const [agent, contents] of this.sent) {
      const there = new Map<string, number>();
      for (let cursor: string | undefined, more = true; more;) {
        const page = await this.beside.list({
          workspace: 'default',
          entity: { workspace: 'default', kind: 'agent', id: agent },
          collection: 'message',
          list: 'created',
          order: 'asc',
          limit: 500,
          ...(cursor !== undefined && { after: [cursor] }),
        });
        for (const { body } of page.items) {
          const content = String(body['content']);
          there.set(content, (there.get(content) ?? 0) + 1);
        }
        cursor = page.items.at(-1)?.id;
        more = page.next !== null;
      }
      for (const content of contents) {
        const n = there.get(content) ?? 0;
        if (n === 0) this.lost.push(`the message ${content} of ${agent}`);
        if (n > 1) this.doubled.push(`the message ${content} of ${agent}: ${n} times`);
      }
    }
    const { count: acknowledged, lost, doubled, stale, failed } = this;
    return { acknowledged, lost: [...new Set(lost)], doubled: [...new Set(doubled)], stale, failed };
  }
}
