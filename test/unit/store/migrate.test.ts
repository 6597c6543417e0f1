/** Migration between stores, here between two folders; with MongoDB: mongo-migrate.test.ts. */
import { join } from 'node:path';
import { expect } from 'chai';
import { completeTarget, openLmdbStore } from '../../../src/store/lmdb/open.js';
import { StoreError, type Store } from '../../../src/store/port.js';
import { migrate } from '../../../src/transfer/migrate.js';
import { outlasting } from '../../../src/transfer/outages.js';
import { troubled } from '../../helpers/troubled-store.js';
import { commit, committed, entity, put } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';
import { dying, everything, fill } from './migrate-kit.js';

describe('migration between stores', function () {
  this.timeout(60_000);
  const bench = new Workbench();
  beforeEach(async () => {
    bench.setUp();
    const store = await bench.open();
    await fill(store);
    await store.close();
  });
  afterEach(bench.tearDown);
  const at = (name: string): string => join(bench.dir, name);
  const source = (): Promise<Store> => bench.open({ migration: 'source' });
  const target = (): Promise<Store> => bench.open({ dir: at('target'), migration: 'target' });

  async function refused(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => expect.fail('it was to be refused'),
      (e: unknown) => e,
    );
    expect(error).to.be.instanceOf(StoreError);
    return (error as StoreError).message;
  }

  it('everything is the same there, and the source as it was; done again, nothing is written', async () => {
    const [from, to] = [await source(), await target()];
    const before = await everything(from);
    const done = await migrate(from, to, { now: Date.now() });
    expect(done).to.deep.include({ entities: 34, documents: 1199 + 3 + 2 + 1 + 1 + 30, records: 1, skipped: 0 });
    expect(await everything(to)).to.deep.equal(before);
    expect(await everything(from)).to.deep.equal(before);
    expect(await to.lookup('key', 'hash of key_1')).to.deep.include({ id: 'key_1' });
    expect(await to.sum('ws_a', 'memories')).to.equal(1199);
    expect(await to.record(entity('agent_a'), 'cmd_1', Date.now())).to.deep.include({ bodyHash: 'h' });
    const active = [];
    for await (const heads of to.activeHeads()) active.push(...heads.map((h) => h.entity.id));
    expect(active).to.deep.equal(['agent_a']);
    const again = await migrate(from, to, { now: Date.now() });
    expect(again).to.deep.equal({ ...done, skipped: 34 });
  });

  it('Migrate.G2: a document that is put together from another there has its fields in another order, and is the same', async () => {
    const a = entity('agent_entry');
    const entry = { runId: 'run_2', sessionId: 's', step: 1, firstSeq: 1, events: [], created_at: 'c' };
    const store = await bench.open();
    await committed(
      store,
      commit(a, 1, { puts: [put('journal', 'ckpt_2', entry)] }),
      commit(a, 2, {
        puts: [put('run', 'run_2', { status: 'completed', updated_at: 'u', sessionId: 's', created_at: 'c' })],
      }),
    );
    await store.close();
    const [from, to] = [await source(), await target()];
    expect(await migrate(from, to, { now: Date.now() })).to.include({ entities: 35, skipped: 0 });
    expect((await to.get(a, 'journal', 'ckpt_2'))?.body).to.deep.equal({ ...entry, id: 'ckpt_2' });
  });

  it('Migrate.G1: interrupted anywhere, the next one completes it, and until then nobody opens the target', async () => {
    const from = await source();
    const before = await everything(from);
    for (const commits of [1, 2, 20, 60]) {
      const to = await target();
      await migrate(from, dying(to, commits), { now: Date.now() }).then(
        () => expect.fail('it was to be interrupted'),
        () => undefined,
      );
      const active = [];
      for await (const heads of to.activeHeads()) active.push(...heads);
      await to.close();
      expect(await refused(openLmdbStore({ dir: at('target') }))).to.match(/migration into .* is not complete/);
    }
    const to = await target();
    const done = await migrate(from, to, { now: Date.now() });
    expect(done.skipped).to.be.greaterThan(0);
    expect(await everything(to)).to.deep.equal(before);
    await to.close();
    completeTarget(at('target'));
    await (await openLmdbStore({ dir: at('target') })).close();
  });

  it('it waits out what is away on either side, and nothing is different', async () => {
    const [from, to, other] = [
      await source(),
      await target(),
      await bench.open({ dir: at('other'), migration: 'target' }),
    ];
    const before = await everything(from);
    const now = Date.now();
    const undisturbed = await migrate(from, other, { now });
    const [reads, writes] = [troubled(from), troubled(to)];
    const outlast = outlasting({ clock: { elapsed: () => 0 }, waitMs: 1, pause: () => Promise.resolve() });
    expect(await migrate(reads.store, writes.store, { now, outlast })).to.deep.equal(undisturbed);
    const troubles = [reads.outages(), writes.outages(), writes.lost()];
    expect(Math.min(...troubles), String(troubles)).to.be.greaterThan(0);
    expect(await everything(to)).to.deep.equal(before);
  });

  it('the source is closed to servers and to commands meanwhile, and open afterwards', async () => {
    const from = await source();
    expect(await refused(bench.open())).to.match(/in use/);
    expect(await refused(bench.open({ shared: true }))).to.match(/is being migrated/);
    await from.close();
    await (await bench.open({ shared: true })).close();
  });

  it('a target with data, and one that was changed, are refused', async () => {
    const other = await openLmdbStore({ dir: at('other') });
    await committed(other, commit(entity('agent_x'), 1));
    await other.close();
    expect(await refused(openLmdbStore({ dir: at('other'), migration: 'target' }))).to.match(/holds data already/);
    const [from, to] = [await source(), await target()];
    await migrate(from, to, { now: Date.now() });
    await committed(to, commit(entity('agent_3'), ((await to.head(entity('agent_3')))?.seq ?? 0) + 1));
    expect(await refused(migrate(from, to, { now: Date.now() }))).to.match(/agent_3 .* is not the same/);
    await committed(to, commit(entity('agent_new'), 1));
    const fresh = await bench.open({ dir: at('third'), migration: 'target' });
    await committed(fresh, commit(entity('agent_new'), 1));
    expect(await refused(migrate(from, fresh, { now: Date.now() }))).to.match(/which the source has not/);
  });
});
