/**
 * The monthly quota where several processes write (docs/api.md 8.4; QuotaGate.Q4): what one after the other asks is
 * exact, whichever process is asked; what is asked at a time may pass the month by what the others have in flight, and
 * nothing is refused wrongly. What an agent may hold is exact.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import type { Tier } from '../../../src/domain/shared/vocabulary.js';
import type { Caller, Service } from '../../../src/service.js';
import { everyShard, testCluster, type TestCluster } from '../../helpers/cluster.js';
import { caller, eventually } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { usedMonthCommit, workspaceCommit } from '../../helpers/stored.js';
import { codeOf } from './kit.js';

const free: Caller = { ...caller, tier: 'free' };
const pro: Caller = { ...caller, tier: 'pro' };
const fact = { type: 'fact', content: 'a fact' } as const;

describe('The monthly quota in a cluster', () => {
  let c: TestCluster;
  afterEach(() => c.stop());

  /** Two gateways and a worker, in a month of which so much is used. */
  async function gateways(used: number, tier: Tier = 'free'): Promise<[Service, Service]> {
    const store = new MemoryStore();
    const now = Date.now();
    await store.commit(workspaceCommit('default', tier, now - 1000));
    await store.commit(usedMonthCommit('default', used, now));
    c = await testCluster(store);
    const both = [await c.add('g1', 'gateway'), await c.add('g2', 'gateway')] as const;
    await c.add('w', 'worker');
    await c.table.give(everyShard, 'w');
    return [both[0].engine.service, both[1].engine.service];
  }
  const count = async (asked: readonly Promise<unknown>[]): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const code of await Promise.all(asked.map(codeOf))) counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  };

  it('is exact for one request after the other at any process, and a delete makes room at once everywhere', async () => {
    const [one, two] = await gateways(997);
    await one.createMemory(free, fact);
    await two.createMemory(free, fact);
    const last = await one.createMemory(free, fact);
    for (const full of [two, one]) expect(await codeOf(full.createMemory(free, fact))).to.equal('QUOTA_EXCEEDED');
    await two.deleteMemory(free, last.id);
    await one.createMemory(free, fact);
    expect(await codeOf(two.createMemory(free, fact))).to.equal('QUOTA_EXCEEDED');
    expect((await two.execute(free, getUsage, {}, {})).used).to.equal(1000);
  });

  it('is passed at most by what the others have in flight, and refuses nothing while there is room', async () => {
    const services = await gateways(990);
    const { none = 0 } = await count(
      Array.from({ length: 40 }, (_, i) => services[i % 2]!.createMemory(free, { ...fact, content: `fact ${i}` })),
    );
    expect(none).to.be.within(10, 20);
    expect((await services[0].execute(free, getUsage, {}, {})).used).to.equal(990 + none);
    for (const service of services) expect(await codeOf(service.createMemory(free, fact))).to.equal('QUOTA_EXCEEDED');
  });

  it("an agent's own quota is exact, and an alert is told once", async () => {
    const services = await gateways(39_990, 'pro');
    const alerts: unknown[] = [];
    const abort = new AbortController();
    const events = services[0].workspaceEvents(pro, abort.signal);
    const following = (async () => {
      for await (const event of events) if (event.type === 'usage.alert') alerts.push(event.data['percent']);
    })();
    const { id } = await services[0].execute(pro, spawnAgent, {}, { name: 'A', memory_quota: 5 });
    const ask = (i: number): Promise<unknown> =>
      services[i % 2]!.createMemory(pro, { ...fact, content: `fact ${i}`, ...(i < 30 && { agent_id: id }) });
    expect(await count(Array.from({ length: 30 }, (_, i) => ask(i)))).to.deep.equal({ none: 5, QUOTA_EXCEEDED: 25 });
    for (let i = 30; i < 60; i++) await ask(i);
    await eventually(() => Promise.resolve(alerts.length > 0));
    for (let i = 60; i < 70; i++) await ask(i);
    expect(alerts).to.deep.equal([80]);
    abort.abort();
    await following;
  });
});
