/**
 * A cluster over one address of Redis whose primary is killed again and again, and replaced by its replica, under load.
 *
 *  - What was acknowledged is there in the end, once. Each request is sent twice under its Idempotency-Key, as by a
 *    client that has not seen the first answer.
 *  - A message is answered by one run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster, type Cluster } from '../../helpers/cluster-processes.js';
import { RedisPair } from '../../helpers/redis-pair.js';
import { client, everyItem, type Api } from '../../e2e/api/support/client.js';

export interface PromotionOptions {
  promotions: number;
  /** For how long before its promotion the replica has heard nothing, ms. */
  behindMs: number;
  told?: (line: string) => void;
}

export interface PromotionReport {
  acknowledged: number;
  lost: string[];
  doubled: string[];
  /** Answers that were not a success, by status; the request was sent again. */
  failed: Record<string, number>;
  /** For each promotion, the longest time without an acknowledgement, ms. */
  stillMs: number[];
}

const agents = 6;
/** How long the address leads to nobody. */
const nobodyMs = 300;

/** Null where there is no Redis or no MongoDB. */
export async function promotions({
  promotions: times,
  behindMs,
  told,
}: PromotionOptions): Promise<PromotionReport | null> {
  const pair = await RedisPair.start();
  if (pair === null) return null;
  let cluster: Cluster | null = null;
  try {
    cluster = await startCluster({ gateways: 1, workers: 2 }, { redis: pair.url });
    if (cluster === null) return null;
    const { url, key } = cluster;
    const load = new Load(client(() => url, key));
    await load.begin();
    const stillMs: number[] = [];
    for (let n = 0; n < times; n++) {
      const [primary, replica] = n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      await load.underWay();
      load.stillMs = 0;
      if (behindMs > 0) {
        await pair.promote(replica);
        await pause(behindMs);
      }
      await pair.own(primary).kill();
      await pause(nobodyMs);
      await pair.promote(replica);
      pair.leadTo(replica);
      await load.underWay();
      stillMs.push(Math.round(load.stillMs));
      told?.(`promotion ${n + 1}: nothing moved for ${stillMs.at(-1)} ms; ${load.acknowledged} acknowledged so far`);
      await pair.own(primary).start();
      await pair.follow(primary);
    }
    await load.end();
    return { acknowledged: load.acknowledged, ...(await load.problems()), failed: load.failed, stillMs };
  } finally {
    await cluster?.stop();
    await pair.stop();
  }
}

class Load {
  acknowledged = 0;
  stillMs = 0;
  readonly failed: Record<string, number> = {};
  private readonly doubled: string[] = [];
  private readonly sent = new Map<string, { memories: Map<string, string>; runs: Map<string, string> }>();
  private loops: Promise<void>[] = [];
  private last = performance.now();
  private stopped = false;

  constructor(private readonly api: Api) {}

  async begin(): Promise<void> {
    for (let i = 0; i < agents; i++) {
      const agent = String((await this.api.one('POST', '/v1/agents/spawn', { name: `Agent ${i}` }, 201))['id']);
      this.sent.set(agent, { memories: new Map(), runs: new Map() });
      this.loops.push(this.works(agent));
    }
  }

  async end(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops);
  }

  /** Until every agent has been acknowledged something a few times, on average. */
  async underWay(): Promise<void> {
    for (const until = this.acknowledged + 4 * agents; this.acknowledged < until;) {
      const failed = Promise.all(this.loops);
      await Promise.race([pause(20), failed]);
    }
  }

  private async works(agent: string): Promise<void> {
    const sent = this.sent.get(agent);
    for (let n = 1; sent && !this.stopped; n++) {
      const memory = `note ${n} of ${agent}`;
      sent.memories.set(
        memory,
        await this.twice('/v1/memories', { type: 'fact', content: memory, agent_id: agent }, 'id'),
      );
      const said = `Hello, this is greeting ${n}.`;
      sent.runs.set(said, await this.twice(`/v1/agents/${agent}/message`, { content: said }, 'run_id'));
      await pause(50 * Math.random());
    }
  }

  private async twice(path: string, body: object, idField: string): Promise<string> {
    const key = `${path} ${JSON.stringify(body)}`.replace(/[^\w]/g, '-').slice(-100);
    const first = await this.asked(path, body, key, idField);
    const again = await this.asked(path, body, key, idField);
    if (first !== again) this.doubled.push(`${key}: ${first} and ${again}`);
    return first;
  }

  /** Sent again until it is acknowledged. */
  private async asked(path: string, body: object, key: string, idField: string): Promise<string> {
    for (;;) {
      const response = await fetch(this.api.url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${this.api.key}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
      });
      const { status } = response;
      const text = await response.text();
      if (status < 300) {
        const now = performance.now();
        this.stillMs = Math.max(this.stillMs, now - this.last);
        this.last = now;
        this.acknowledged++;
        return String((JSON.parse(text) as { data: Record<string, unknown> }).data[idField]);
      }
      this.failed[status] = (this.failed[status] ?? 0) + 1;
      if (status !== 503 && status !== 409) throw new Error(`${path}: ${status} ${text}`);
      await pause(20);
    }
  }

  async problems(): Promise<Pick<PromotionReport, 'lost' | 'doubled'>> {
    const lost: string[] = [];
    for (const [agent, { memories, runs }] of this.sent) {
      const there = await everyItem(this.api, `/v1/memories?agent_id=${agent}&type=fact`, 100);
      for (const [content, id] of memories) {
        const same = there.filter((one) => one['content'] === content);
        if (!same.some((one) => one['id'] === id)) lost.push(content);
        if (same.length > 1) this.doubled.push(content);
      }
      const done = await everyItem(this.api, `/v1/runs?agent_id=${agent}`, 100);
      for (const [said, id] of runs) {
        const same = done.filter((one) => one['input'] === said);
        if (!same.some((one) => one['id'] === id && one['status'] === 'completed')) lost.push(`${agent}: ${said}`);
        if (same.length > 1) this.doubled.push(`${agent}: ${said}`);
      }
    }
    return { lost, doubled: this.doubled };
  }
}
