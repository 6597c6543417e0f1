/** Deleted entities, what is left of them, and what keeps a deleted document deleted (src/store/mongo/purge.ts). */
import { expect } from 'chai';
import { put, commit } from '../../contract/store/fixtures.js';
import { withClient } from '../../helpers/mongo-service.js';
import { a, ending, gate, HandClock, MongoBench } from './mongo-helpers.js';

describe('store on MongoDB: deletes', function () {
  this.timeout(60_000);
  const bench = new MongoBench();
  bench.hooks();

  it('MongoPurge.1: neither a slow apply nor a load brings back what was purged, and audit records stay', async () => {
    const clock = new HandClock();
    const { store: slow, proxy } = await bench.openBehindProxy(clock);
    const other = await bench.open(clock);
    const late = gate();
    const held = proxy.trap('insert', 'memory', { hold: late.opened });
    const outcome = ending(slow.commit(commit(a, 1, { puts: [put('memory', 'mem_1', { updated_at: 'x' })] })));
    await held;
    await other.load(a);
    await other.commit(commit(a, 2, { active: true, puts: [put('run', 'run_1', { updated_at: 'x' })] }));
    expect(await other.purge(a, 100)).to.equal(true);
    const third = await bench.open(clock);
    expect((await third.load(a))?.seq, 'finishes commit 2 again').to.equal(2);
    expect(await other.get(a, 'run', 'run_1')).to.equal(null);
    await other.commit(commit(a, 3, { deleted: true, snapshot: {}, puts: [put('audit', 'aud_1')] }));
    late.open();
    expect(await outcome).to.equal('committed');
    expect(await other.get(a, 'memory', 'mem_1'), 'it does not come back').to.equal(null);
    expect(
      (await other.list({ workspace: a.workspace, collection: 'memory', list: 'created', order: 'asc', limit: 9 }))
        .items,
    ).to.deep.equal([]);
    expect((await other.load(a))?.deleted).to.equal(true);
    expect((await other.get(a, 'audit', 'aud_1'))?.id, 'audit records stay').to.equal('aud_1');
    await withClient(bench.url, async (client) => {
      const left = await client.db().collection('memory').find().toArray();
      expect(
        left.map((d) => Object.keys(d).sort()),
        'a tombstone without content',
      ).to.deep.equal([['_id', 'dead', 'e', 's', 'w']]);
    });
  });

  it('a deleted document leaves a tombstone without content, which an index takes away after a day; heads of deleted entities after 30 days, idempotency records when they expire', async () => {
    const store = await bench.open();
    await store.commit(commit(a, 1, { puts: [put('memory', 'mem_1', { content: 'a secret', updated_at: 'x' })] }));
    await store.commit(commit(a, 2, { deletes: [{ kind: 'memory', id: 'mem_1' }] }));
    await store.load(a);
    store.release(a, 2);
    await store.released();
    await withClient(bench.url, async (client) => {
      const db = client.db();
      const left = await db.collection('memory').find().toArray();
      expect(left.map((d) => Object.keys(d).sort())).to.deep.equal([['_id', 'dead', 'e', 's', 'w']]);
      expect(JSON.stringify(await db.collection('heads').find().toArray()), 'nor does the head keep it').not.to.include(
        'secret',
      );
      const ttl = async (name: string): Promise<unknown[]> =>
        (await db.collection(name).indexes())
          .filter((i) => i.expireAfterSeconds !== undefined)
          .map((i) => [i.key, i.expireAfterSeconds]);
      expect(await ttl('memory')).to.deep.equal([[{ dead: 1 }, 86_400]]);
      expect(await ttl('heads')).to.deep.equal([[{ gone: 1 }, 30 * 86_400]]);
      expect(await ttl('commands')).to.deep.equal([[{ expires: 1 }, 3600]]);
    });
  });
});
