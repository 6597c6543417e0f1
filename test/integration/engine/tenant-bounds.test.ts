/** What a workspace may hold and do by its tier, over the whole engine. */
import { expect } from 'chai';
import type { HivekeepError } from '../../../src/domain/errors.js';
import { keyLimit } from '../../../src/domain/usage.js';
import { newWorkspace } from '../../../src/domain/workspace.js';
import type { Tier } from '../../../src/domain/vocabulary.js';
import { caller, testEngine, type TestEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { newestFirst } from './kit.js';

async function engineOfTier(tier: Tier): Promise<TestEngine> {
  const store = new MemoryStore();
  await store.commit({
    entity: { workspace: 'default', kind: 'workspace', id: 'default' },
    seq: 1,
    snapshot: { ...newWorkspace('default', 'default', tier, Date.now()) },
    counts: {},
    previousCounts: {},
    active: false,
    due: null,
    deleted: false,
    puts: [],
    deletes: [],
    commands: [],
  });
  return testEngine(store);
}

describe('The API keys of a workspace', () => {
  it('are bounded by its tier, however many are asked for at once; revoking one makes room', async () => {
    const { engine } = await engineOfTier('free');
    const { service } = engine;
    const free = { ...caller, tier: 'free' as const };
    const asked = Array.from({ length: keyLimit('free') + 5 }, (_, i) =>
      service.mintKey(free, { name: `k${i}`, mode: 'live' }).then(
        ({ key }) => key.id,
        (error: unknown) => (error as HivekeepError).code,
      ),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter((a) => a === 'QUOTA_EXCEEDED')).to.have.length(5);
    expect((await service.listKeys(free, newestFirst)).total).to.equal(keyLimit('free'));
    await service.revokeKey(free, answers.find((a) => a.startsWith('key_')) ?? '');
    await service.mintKey(free, { name: 'again', mode: 'live' });
    await engine.stop(1000);
  });
});
