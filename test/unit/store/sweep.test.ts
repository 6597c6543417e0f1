/** Command records go some time after they have expired, and only those (sweep.ts). */
import { statSync } from 'node:fs';
import { join } from 'node:path';
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

  it('Sweep.1: the store stays as large as one retention needs, however fast records came, and commits go on meanwhile', async function () {
    this.timeout(60_000);
    let now = 1000;
    const store = await bench.open({ now: () => now });
    const retention = 25 * 3_600_000;
    const atOnce = 200;
    const perRetention = 4_000;
    let seq = 0;
    const sizes: number[] = [];
    for (let round = 0; round < 6; round++) {
      for (let n = 0; n < perRetention; n += atOnce) {
        const commands = Array.from({ length: atOnce }, (_, i) => record(`cmd_${round}_${n + i}`, now + retention));
        await committed(store, commit(a, ++seq, { commands }));
      }
      now += retention + sweepEveryMs;
      await committed(store, commit(a, ++seq));
      const left = (): boolean =>
        [0, perRetention >> 1, perRetention - 1].some((n) => store.command(a, `cmd_${round}_${n}`, 0) !== null);
      let during = 0;
      for (; left(); during++) await committed(store, commit(a, ++seq));
      expect(during, 'commits beside the sweep').to.be.lessThan(1000);
      sizes.push(statSync(join(bench.dir, 'data', 'data.mdb')).size);
    }
    // what the first two need is used again by the others
    expect(Math.max(...sizes.slice(2))).to.be.at.most(sizes[1]! * 1.1);
  });
});
