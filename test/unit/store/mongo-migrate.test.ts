/** Migration from a folder to MongoDB and back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import { openMongoStore } from '../../../src/store/mongo/open.js';
import { migrate } from '../../../src/transfer/migrate.js';
import { commit, committed, entity, memory } from '../../contract/store/fixtures.js';
import { dying, everything, fill } from './migrate-kit.js';
import { ending, MongoBench } from './mongo-helpers.js';

describe('store on MongoDB: migration', function () {
  this.timeout(120_000);
  const bench = new MongoBench();
  let dir: string;
  bench.hooks();
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-migrate-'));
  });
  after(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const now = Date.now();
  const told = async (work: Promise<unknown>): Promise<string> => String(((await ending(work)) as Error).message);

  it('there and back, nothing is different; meanwhile nobody else opens the database', async () => {
    const folder = await openLmdbStore({ dir: join(dir, 'a') });
    await fill(folder);
    const before = await everything(folder);
    const url = bench.service.freshUrl();
    const to = await openMongoStore({ url, migration: 'target' });
    const there = await migrate(folder, to, { now });
    expect(await everything(to)).to.deep.equal(before);
    await to.endMigration(false);
    await to.close();
    expect(await told(openMongoStore({ url }))).to.match(/migration into .* is not complete/);
    const again = await openMongoStore({ url, migration: 'target' });
    expect(await migrate(folder, again, { now })).to.deep.equal({ ...there, skipped: there.entities });
    await again.endMigration(true);
    await again.close();
    await folder.close();

    const from = await openMongoStore({ url, migration: 'source' });
    expect(await told(openMongoStore({ url }))).to.match(/is being migrated/);
    const back = await openLmdbStore({ dir: join(dir, 'b'), migration: 'target' });
    const done = await migrate(from, back, { now });
    expect(done.digest).to.equal(there.digest);
    expect(await everything(back)).to.deep.equal(before);
    await back.close();
    await from.endMigration(true);
    await from.close();
    const served = await openMongoStore({ url });
    await served.processes.noteProcess({ instance: 'i', redis: 'r', host: 'box', leaseMs: 60_000, protocol: 1 });
    expect(await told(openMongoStore({ url, migration: 'source' }))).to.match(/process on box works on/);
    expect(await told(openMongoStore({ url, migration: 'target' }))).to.match(/holds data already/);
    await served.close();
  });

  it('Migrate.G1: interrupted, and the source served again meanwhile, the next one leaves nothing old behind', async () => {
    const folder = await openLmdbStore({ dir: join(dir, 'c') });
    await fill(folder);
    const url = bench.service.freshUrl();
    const to = await openMongoStore({ url, migration: 'target' });
    for (const commits of [1, 2]) expect(await told(migrate(folder, dying(to, commits), { now }))).to.equal('killed');
    const a = entity('agent_a');
    const { seq, snapshot, counts } = (await folder.head(a))!;
    await committed(
      folder,
      commit(a, seq + 1, {
        snapshot,
        counts,
        previousCounts: counts,
        puts: [{ ...memory('mem_00001', { content: 'changed meanwhile' }), isNew: false }],
        deletes: [{ kind: 'memory', id: 'mem_00002' }],
      }),
    );
    const done = await migrate(folder, to, { now });
    expect(done.skipped).to.equal(0);
    expect(await everything(to)).to.deep.equal(await everything(folder));
    await to.endMigration(true);
    await Promise.all([to.close(), folder.close()]);
  });
});
