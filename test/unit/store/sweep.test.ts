/**
 * Idempotency records go some time after they have expired, and heads of deleted entities when nothing needs them
 * (sweep.ts, tombstones.ts).
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultMapSize, openEnvironment, openTrees } from '../../../src/store/lmdb/environment.js';
import { sweepEveryMs } from '../../../src/store/lmdb/sweep.js';
import { countedMs, goneMs } from '../../../src/store/lmdb/tombstones.js';
import type { Store } from '../../../src/store/port.js';
import { commit, committed, entity, put } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

describe('the sweep of idempotency records', () => {
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
      commit(a, 1, { records: [record('old', 1500), record('young', 9e9), record('again', 1600)] }),
      commit(a, 2, { records: [record('again', 9e9)] }),
    );
    now += sweepEveryMs - 1;
    await committed(store, commit(a, 3));
    await store.close();
    const second = await bench.open({ now: () => now });
    expect(await second.record(a, 'old', 0), 'not before its time').not.to.equal(null);
    now += sweepEveryMs;
    await committed(second, commit(a, 4));
    await second.close();
    const third = await bench.open();
    expect(await third.record(a, 'old', 0)).to.equal(null);
    expect(await third.record(a, 'young', 0)).not.to.equal(null);
    expect((await third.record(a, 'again', 0))?.expiresAt).to.equal(9e9);
  });

  it('goes on when a clock that was ahead is set back', async () => {
    const hour = 3_600_000;
    let now = 1000 * hour;
    const store = await bench.open({ now: () => now });
    now = hour;
    await committed(store, commit(a, 1, { records: [record('old', now + 1)] }));
    now += 2 * sweepEveryMs;
    for (let seq = 2; seq < 12; seq++) await committed(store, commit(a, seq));
    expect(await store.record(a, 'old', 0)).to.equal(null);
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
        const records = Array.from({ length: atOnce }, (_, i) => record(`cmd_${round}_${n + i}`, now + retention));
        await committed(store, commit(a, ++seq, { records }));
      }
      now += retention + sweepEveryMs;
      await committed(store, commit(a, ++seq));
      const left = (): boolean =>
        [0, perRetention >> 1, perRetention - 1].some((n) => store.record(a, `cmd_${round}_${n}`, 0) !== null);
      let during = 0;
      for (; left(); during++) await committed(store, commit(a, ++seq));
      expect(during, 'commits beside the sweep').to.be.lessThan(1000);
      sizes.push(statSync(join(bench.dir, 'data', 'data.mdb')).size);
    }
    // what the first two need is used again by the others
    expect(Math.max(...sizes.slice(2))).to.be.at.most(sizes[1]! * 1.1);
  });
});

describe('a sweep that fails', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);

  it('is logged, keeps no other sweep from its work, and is tried again', async () => {
    let now = 1000;
    const told: object[] = [];
    const log = {
      warn(fields: object) {
        told.push(fields);
      },
    };
    const store = await bench.open({ now: () => now, log });
    const [a, b] = [entity('agent_1'), entity('agent_2')];
    const records = [{ id: 'cmd', bodyHash: 'h', result: 1, expiresAt: 1500 }];
    await committed(store, commit(a, 1, { records }), commit(b, 1), commit(b, 2, { deleted: true, snapshot: {} }));
    const beside = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    const { docs } = openTrees(beside);
    const [key = ''] = docs.getKeys({ start: '', limit: 1 });
    const text = docs.get(key) ?? '';
    expect(text).to.include('"h"');
    docs.putSync(key, 'no JSON');
    let seq = 1;
    const passes = async (ms: number): Promise<void> => {
      now += ms;
      for (let n = 0; n < 10; n++) await committed(store, commit(a, ++seq));
    };
    await passes(goneMs + sweepEveryMs);
    expect(told).to.have.length(1);
    expect(told[0]).to.have.property('event', 'store.sweep_failed');
    expect(await store.head(b), 'the other sweep').to.equal(null);
    docs.putSync(key, text);
    await passes(sweepEveryMs);
    expect(told).to.have.length(1);
    expect(docs.get(key)).to.equal(undefined);
    await beside.close();
  });
});

describe('the sweep of deleted entities', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);
  const a = entity('agent_1');
  const other = entity('agent_2');
  let now = 1000;
  let store: Store;
  let seq = 0;
  beforeEach(async () => {
    now = 1000;
    seq = 0;
    store = await bench.open({ now: () => now });
  });
  const gone = (more: object) => commit(a, 2, { deleted: true, snapshot: {}, ...more });
  /** Lets time pass, and has the store sweep beside some commits, which take longer than the sweep. */
  const passes = async (ms: number): Promise<void> => {
    now += ms + sweepEveryMs;
    for (let n = 0; n < 10; n++) await committed(store, commit(other, ++seq));
  };
  const isKept = async (): Promise<boolean> => (await store.head(a)) !== null;

  it('removes a head that nothing needs, a while after the deletion', async () => {
    await committed(store, commit(a, 1), gone({}));
    await passes(goneMs - 2 * sweepEveryMs);
    expect(await isKept(), 'not before its time').to.equal(true);
    await passes(2 * sweepEveryMs);
    expect(await isKept()).to.equal(false);
  });

  it('keeps it while idempotency records answer, and for good beside audit records', async () => {
    const records = [{ id: 'cmd', bodyHash: 'h', result: 1, expiresAt: 3 * goneMs }];
    await committed(store, commit(a, 1, { records }), gone({}));
    await passes(goneMs);
    await passes(goneMs);
    expect(await isKept()).to.equal(true);
    await passes(goneMs);
    await passes(2 * goneMs);
    expect(await isKept(), 'the record has gone').to.equal(false);

    const puts = [put('audit', 'audit_1')];
    await committed(store, commit(a, 1, { puts }), gone({}));
    await passes(countedMs);
    expect(await isKept(), 'audit records are for good').to.equal(true);
  });

  it('leaves alone what was never deleted, and what is still active', async () => {
    await committed(store, commit(a, 1), gone({ active: true }));
    await passes(countedMs);
    expect(await isKept()).to.equal(true);
    expect(await store.head(other)).not.to.equal(null);
  });

  it('keeps what was used in the month, then takes it off the sums', async () => {
    const counts = { used: 7 };
    await committed(store, commit(a, 1, { counts }), gone({ counts, previousCounts: counts }));
    await passes(goneMs);
    expect(await isKept()).to.equal(true);
    expect(await store.sum(a.workspace, 'used')).to.equal(7);
    await passes(countedMs);
    expect(await isKept()).to.equal(false);
    expect(await store.sum(a.workspace, 'used')).to.equal(0);
    expect(await store.exactSum(a.workspace, 'used')).to.equal(0);
  });
});
