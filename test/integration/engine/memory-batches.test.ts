/** Adds many memories with one request (docs/api.md 13.7). */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import { createHive } from '../../../src/commands/hives.js';
import type { BatchResult } from '../../../src/domain/model/model.js';
import type { Caller } from '../../../src/service.js';
import { caller } from '../../helpers/engine.js';
import { usedMonthCommit, workspaceCommit } from '../../helpers/stored.js';
import { agentRef, codeOf, newestFirst, overStores } from './kit.js';

const fact = (content: string, more: object = {}) => ({ type: 'semantic', content, ...more });
const outcomes = ({ results }: BatchResult): string[] =>
  results.map(({ memory, error }) => memory?.content ?? error?.code ?? '');
const free: Caller = { ...caller, tier: 'free' };

overStores('Batches of memories', (bed) => {
  it('adds each to its agent, hive or the workspace, with one commit each, and tells what was refused', async () => {
    const { service } = await bed.start();
    const agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada', memory_quota: 3 })).id;
    const hive = (await service.execute(caller, createHive, {}, { name: 'crew' })).id;
    const before = (await bed.store.head(agentRef(agent)))!.seq;
    const batch = await service.createMemories(caller, {
      memories: [
        fact('one', { agent_id: agent, sessionId: 's' }),
        fact('of the hive', { hive_id: hive }),
        fact('two', { agent_id: agent, sessionId: 's' }),
        fact('of nobody', { agent_id: 'agent_none' }),
        fact('late', { agent_id: agent, expires_at: '2020-01-01T00:00:00Z' }),
        fact('short', { agent_id: agent, expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
        fact('of the workspace'),
        fact('three', { agent_id: agent }),
        fact('four', { agent_id: agent }),
      ],
    });
    expect(outcomes(batch)).to.deep.equal([
      'one',
      'of the hive',
      'two',
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'short',
      'of the workspace',
      'three',
      'QUOTA_EXCEEDED',
    ]);
    expect(batch).to.include({ created: 6, failed: 3 });
    expect(batch.results.slice(0, 3).map(({ memory }) => memory?.position)).to.deep.equal([0, null, 1]);
    expect((await bed.store.head(agentRef(agent)))!.seq, 'one commit').to.equal(before + 1);
    for (const { memory } of batch.results)
      if (memory) expect(await service.getMemory(caller, memory.id)).to.deep.equal(memory);
    const found = await service.searchMemories(caller, { query: 'three', agent_id: agent });
    expect(found[0]).to.include({ content: 'three' });
    expect(await service.createMemory(caller, fact('next', { hive_id: hive, sessionId: 's' }))).to.include({
      position: 0,
    });
  });

  it('takes exactly the places that the month has left, past what is refused for another reason', async () => {
    await bed.store.commit(workspaceCommit('default', 'free', Date.now() - 1000));
    await bed.store.commit(usedMonthCommit('default', 997, Date.now()));
    const { service } = await bed.start();
    const agent = (await service.execute(free, spawnAgent, {}, { name: 'Ada', memory_quota: 1 })).id;
    const batch = await service.createMemories(free, {
      memories: [...[1, 2, 3].map((n) => fact(`a${n}`, { agent_id: agent })), ...[1, 2, 3].map((n) => fact(`w${n}`))],
    });
    expect(outcomes(batch)).to.deep.equal(['a1', 'QUOTA_EXCEEDED', 'QUOTA_EXCEEDED', 'w1', 'w2', 'QUOTA_EXCEEDED']);
    expect(batch.results.map(({ error }) => error?.details['scope'])).to.deep.equal([
      undefined,
      'agent',
      'agent',
      undefined,
      undefined,
      'workspace',
    ]);
    expect((await service.execute(free, getUsage, {}, {})).used).to.equal(1000);
  });

  it('a repeat adds nothing twice, and tries again what could not be added', async () => {
    const e = await bed.start();
    const agent = (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    const memories = [fact('one', { agent_id: agent }), fact('two'), fact('of nobody', { agent_id: 'agent_none' })];
    const named = (bodyHash = 'h'): Caller => ({ ...caller, idempotencyKey: { id: 'c1', bodyHash, replayed: false } });
    const first = await e.service.createMemories(named(), { memories });
    const again = named();
    expect(await e.service.createMemories(again, { memories })).to.deep.equal(first);
    expect(again.idempotencyKey?.replayed).to.equal(true);
    expect((await e.service.listMemories(caller, {}, newestFirst)).total).to.equal(2);
    expect(await codeOf(e.service.createMemories(named('other'), { memories: [fact('x')] }))).to.equal(
      'IDEMPOTENCY_MISMATCH',
    );
    e.kill();
    const next = await bed.start();
    expect(await next.service.createMemories(named(), { memories })).to.deep.equal(first);
  });

  it('a later memory of the batch may supersede or repeat an earlier one', async () => {
    const { service } = await bed.start();
    const earlier = await service.createMemory(caller, fact('the launch is in April', { metadata: { key: 'launch' } }));
    const batch = await service.createMemories(caller, {
      memories: [
        fact('the launch is in May', { metadata: { key: 'launch' } }),
        fact('the launch is in June', { metadata: { key: 'launch' } }),
        fact('tea is green and hot'),
        fact('Tea is green and hot.'),
      ],
    });
    const [may, june, tea, again] = batch.results.map(({ memory }) => memory!);
    expect(june).to.include({ supersedes: may!.id });
    expect(await service.getMemory(caller, earlier.id)).to.include({ superseded_by: may!.id });
    expect(await service.getMemory(caller, may!.id)).to.include({ superseded_by: june!.id });
    expect(again).to.include({ id: tea!.id, times_seen: 2 });
    expect((await service.listMemories(caller, {}, newestFirst)).total).to.equal(4);
  });

  it('takes 500 of as many sessions', async () => {
    const { service } = await bed.start();
    const memories = Array.from({ length: 500 }, (_, i) => fact(`fact ${i}`, { sessionId: `s${i % 300}` }));
    const batch = await service.createMemories(caller, { memories });
    expect(batch).to.include({ created: 500, failed: 0 });
    expect(batch.results.map(({ memory }) => memory?.position)).to.deep.equal(
      memories.map((_, i) => Math.floor(i / 300)),
    );
  });
});
