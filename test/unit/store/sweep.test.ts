/** Command records go some time after they have expired, and only those (sweep.ts). */
import { expect } from 'chai';
import { sweepEveryMs } from '../../../src/store/lmdb/sweep.js';
import { commit, committed, entity } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

describe('the sweep of command records', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);
  const a = entity('agent_1');
  const record = (id: string, expiresAt: number) => ({ id, bodyHash: 'h', result: 1, expiresAt });

  it('removes what has expired, keeps the rest, and what was written again with a later expiry', async () => {
    let now = 1000;
    const store = await bench.open({ now: () => now });
    await committed(
      store,
      commit(a, 1, { commands: [record('old', 1500), record('young', 9e9), record('again', 1600)] }),
      commit(a, 2, { commands: [record('again', 9e9)] }),
    );
    now += sweepEveryMs - 1;
    await committed(store, commit(a, 3));
    await store.close();
    const second = await bench.open({ now: () => now });
    expect(await second.command(a, 'old', 0), 'not before its time').not.to.equal(null);
    now += sweepEveryMs;
    await committed(second, commit(a, 4));
    await second.close();
    const third = await bench.open();
    expect(await third.command(a, 'old', 0)).to.equal(null);
    expect(await third.command(a, 'young', 0)).not.to.equal(null);
    expect((await third.command(a, 'again', 0))?.expiresAt).to.equal(9e9);
  });
});
