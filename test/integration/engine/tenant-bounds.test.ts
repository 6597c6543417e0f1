/** What a workspace may hold and do by its tier, over the whole engine. */
import { deleteAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { getUsage } from '../../../src/commands/workspace.js';
import { createHive } from '../../../src/commands/hives.js';
import type { HiveSnapshot } from '../../../src/domain/shared/snapshots.js';
import { madeKey } from '../../helpers/minted.js';
import { revokeKey, listKeys } from '../../../src/commands/keys.js';
import { listMessages, sendMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import type { MonotonicClock } from '../../../src/domain/shared/clock.js';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import { keyLimit, storageLimit } from '../../../src/domain/workspace/usage.js';
import { mailboxPolicy } from '../../../src/limits/tiers.js';
import type { Tier } from '../../../src/domain/shared/vocabulary.js';
import { call, caller, eventually, skippingClock, testEngine, type TestEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { workspaceCommit } from '../../helpers/stored.js';
import { newestFirst } from './kit.js';
import { listCheckpoints } from '../../../src/commands/journals.js';

const free = { ...caller, tier: 'free' as const };

async function engineOfTier(tier: Tier, clock?: MonotonicClock): Promise<TestEngine> {
  const store = new MemoryStore();
  await store.commit(workspaceCommit('default', tier));
  return testEngine(store, undefined, clock ? { clock } : {});
}

describe('The API keys of a workspace', () => {
  it('are bounded by its tier, however many are asked for at once; revoking one makes room', async () => {
    const { engine } = await engineOfTier('free');
    const { service } = engine;
    const asked = Array.from({ length: keyLimit('free') + 5 }, (_, i) =>
      madeKey(service, free, { name: `k${i}`, mode: 'live' }).then(
        ({ key }) => key.id,
        (error: unknown) => (error as HivekeepError).code,
      ),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter((a) => a === 'QUOTA_EXCEEDED')).to.have.length(5);
    expect((await service.execute(free, listKeys, {}, { page: newestFirst })).total).to.equal(keyLimit('free'));
    await service.execute(free, revokeKey, { id: answers.find((a) => a.startsWith('key_')) ?? '' }, {});
    await madeKey(service, free, { name: 'again', mode: 'live' });
    await engine.stop(1000);
  });
});

/** The workspace's heads say that so many bytes are stored. */
async function filled(store: MemoryStore, bytes: number): Promise<void> {
  const entity = { workspace: 'default', kind: 'hive' as const, id: 'hive_filler' };
  const before = store.head(entity);
  await store.commit({
    entity,
    seq: (before?.seq ?? 0) + 1,
    snapshot:
      before?.snapshot ??
      ({ id: entity.id, name: 'filler', deleting: false, lastMs: 1, nextExpiry: null } as HiveSnapshot),
    counts: { bytes },
    previousCounts: before?.counts ?? {},
    active: false,
    due: null,
    deleted: false,
    puts: [],
    deletes: [],
    records: [],
  });
}

describe('The storage of a workspace', () => {
  it('is counted as it grows and shrinks, and told in usage', async () => {
    const { engine } = await engineOfTier('free');
    const { service } = engine;
    const used = async (): Promise<number> => (await service.execute(free, getUsage, {}, {})).storage.used;
    expect((await service.execute(free, getUsage, {}, {})).storage.limit).to.equal(storageLimit('free'));
    const { id } = await service.execute(free, spawnAgent, {}, { name: 'a', metadata: { large: 'x'.repeat(10_000) } });
    const spawned = await used();
    expect(spawned).to.be.within(10_000, 12_000);
    const memory = await service.createMemory(free, { type: 'fact', content: 'y'.repeat(50_000), agent_id: id });
    expect((await used()) - spawned).to.be.within(50_000, 51_000);
    await service.patchMemory(free, memory.id, { content: 'short' });
    expect((await used()) - spawned).to.be.within(0, 1_000);
    await service.messageAgent(free, id, { content: 'z'.repeat(20_000) });
    expect((await used()) - spawned).to.be.within(60_000, 90_000); // what was asked, its echo, and the journal of it
    await service.execute(free, deleteAgent, { id });
    expect(await used()).to.be.below(1_000); // what was audited
    await engine.stop(1000);
  });

  it('at its limit nothing is added, repeats are answered, and a delete makes room', async () => {
    const clock = skippingClock();
    const { engine, store } = await engineOfTier('free', clock);
    const { service } = engine;
    const { id } = await service.execute(free, spawnAgent, {}, { name: 'a' });
    const kept = await service.createMemory(free, { type: 'fact', content: 'known', agent_id: id });
    const idempotencyKey = { id: 'first', bodyHash: 'body', replayed: false };
    const made = await service.createMemory({ ...free, idempotencyKey }, { type: 'fact', content: 'once' });
    await filled(store as MemoryStore, storageLimit('free') ?? 0);
    clock.skip(1_001);
    for (const work of [
      () => service.execute(free, spawnAgent, {}, { name: 'b' }),
      () => service.execute(free, createHive, {}, { name: 'h' }),
      () => service.createMemory(free, { type: 'fact', content: 'more' }),
      () => service.createMemory(free, { type: 'fact', content: 'more', agent_id: id }),
      () => service.patchMemory(free, kept.id, { content: 'x'.repeat(2_000) }),
      () => service.execute(free, patchAgent, { id }, { metadata: { more: 'x'.repeat(2_000) } }),
      () => service.messageAgent(free, id, { content: 'hello' }),
      () => service.startRun(free, id, { input: 'go' }),
      () => service.execute(free, sendMessage, { id }, { content: 'hello' }),
    ]) {
      const error = await work().then(
        () => expect.fail(`not refused: ${String(work)}`),
        (e: unknown) => e as HivekeepError,
      );
      expect([error.code, error.details['scope']], String(work)).to.deep.equal(['QUOTA_EXCEEDED', 'storage']);
    }
    const again = { ...idempotencyKey, replayed: false };
    expect(
      await service.createMemory({ ...free, idempotencyKey: again }, { type: 'fact', content: 'once' }),
    ).to.deep.equal(made);
    expect((await service.execute(free, patchAgent, { id }, { status: 'inactive' })).status).to.equal('inactive');
    await service.execute(free, patchAgent, { id }, { status: 'active' });
    await filled(store as MemoryStore, 0);
    clock.skip(1_001);
    await service.createMemory(free, { type: 'fact', content: 'more', agent_id: id });
    await engine.stop(1000);
  });

  it("a run's actions fail with the reason, and its next step is not begun", async () => {
    const clock = skippingClock();
    const { engine, store, script } = await engineOfTier('free', clock);
    const { service } = engine;
    const { id } = await service.execute(free, spawnAgent, {}, { name: 'a', config: { multi_step: true } });
    let steps = 0;
    script(async () => {
      steps++;
      await filled(store as MemoryStore, storageLimit('free') ?? 0);
      clock.skip(1_001);
      return {
        thoughts: [],
        calls: [call('remember', { content: 'x' }), call('send_message', { to: id, content: 'x' })],
      };
    });
    const { run_id, status, error } = await service.messageAgent(free, id, { content: 'go' });
    const reason = "the workspace's storage of 100 MiB is used up; delete something";
    expect({ steps, status, error }).to.deep.equal({
      steps: 1,
      status: 'failed',
      error: { code: 'storage_exceeded', message: reason },
    });
    const { items } = await service.execute(free, listCheckpoints, { id }, { sessionId: undefined, page: newestFirst });
    expect(items.find((c) => c.runId === run_id)?.calls.map((c) => [c.ok, c.result])).to.deep.equal([
      [false, reason],
      [false, reason],
    ]);
    await engine.stop(1000);
  });
});

describe('The rate of messages between agents', () => {
  it('is bounded by tier; what is above it comes later, and none is lost', async () => {
    const clock = skippingClock();
    const { engine, script } = await engineOfTier('free', clock);
    const { service } = engine;
    const [from, to] = [
      await service.execute(free, spawnAgent, {}, { name: 'from' }),
      await service.execute(free, spawnAgent, {}, { name: 'to' }),
    ];
    const burst = mailboxPolicy('free')?.burst ?? 0;
    const sent = burst + 50;
    script(() => ({
      thoughts: [],
      calls: [
        ...Array.from({ length: sent }, (_, i) => call('send_message', { to: to.id, content: `${i}` })),
        call('answer', { content: 'sent' }),
      ],
    }));
    await service.messageAgent(free, from.id, { content: 'go' });
    const arrived = async (): Promise<number> =>
      (await service.execute(free, listMessages, { id: to.id }, { page: { ...newestFirst, ordered: true } })).total;
    await eventually(async () => (await arrived()) >= burst, 'the burst');
    expect(await arrived()).to.be.within(burst, burst + 5);
    await eventually(async () => {
      clock.skip(10_000);
      return (await arrived()) === sent;
    }, 'all of them');
    await engine.stop(1000);
  });
});
