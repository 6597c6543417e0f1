/** Processes that die, run beside each other, or have no room. */
import { expect } from 'chai';
import { StoreError } from '../../../src/store/port.js';
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import { commit, committed, entity, memory } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';
import { turn } from '../../helpers/turn.js';

describe('the embedded store and its processes', function () {
  this.timeout(60_000);
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);

  it('Store.P3: kill -9 during acknowledged commits loses none of them, and the sums are those of the heads', async () => {
    const newest = new Map<string, number>();
    for (let round = 0; round < 3; round++) {
      const { process: child, lines, ended } = bench.child('endless');
      let seen = 0;
      for await (const line of lines) {
        const [outcome, id, seq] = line.split(' ');
        if (outcome !== 'committed' || !id) {
          expect(line).to.equal('open');
          continue;
        }
        newest.set(id, Math.max(newest.get(id) ?? 0, Number(seq)));
        if (++seen === 400 + round * 150) child.kill('SIGKILL');
      }
      await ended;
      const store = await openLmdbStore({ dir: `${bench.dir}/data` });
      let sum = 0;
      let documents = 0;
      for (const [id, seq] of newest) {
        const head = store.head(entity(id));
        expect((await head)?.seq, id).to.be.at.least(seq);
        for (let n = 1; n <= seq; n++) if (await store.get(entity(id), 'memory', `mem_${id}_${n}`)) documents++;
        sum += (await head)?.counts['memories'] ?? 0;
      }
      expect(documents).to.equal([...newest.values()].reduce((x, y) => x + y, 0));
      expect(await store.sum('ws_a', 'memories'), 'U2').to.equal(sum);
      expect(
        (await store.count({ workspace: 'ws_a', collection: 'memory', list: 'created' }, 1_000_000)).count,
        'P2: documents and heads agree',
      ).to.equal(sum);
      await store.close();
    }
  });

  it('LmdbSums.U2: what processes beside the server commit is seen, and counted once, also after the server opens again', async () => {
    const server = await bench.open();
    await committed(server, commit(entity('agent_s'), 1, { counts: { memories: 7 } }));
    expect(await server.sum('ws_a', 'memories')).to.equal(7);
    const children = [bench.child('shared'), bench.child('shared')];
    let seq = 1;
    const own = (async () => {
      for (; seq < 60; seq++) {
        await committed(server, commit(entity('agent_s'), seq + 1, { counts: { memories: 7 } }));
        expect(await server.sum('ws_a', 'memories'), 'while they write').to.be.at.least(7);
      }
    })();
    for (const { lines } of children) for await (const line of lines) expect(line).to.match(/^(open|committed .*)$/);
    await Promise.all([own, ...children.map((c) => c.ended)]);
    await turn();
    expect(await server.sum('ws_a', 'memories')).to.equal(7 + 2 * 4 * 50);
    expect(
      (await server.list({ workspace: 'ws_a', collection: 'agent', list: 'created', order: 'asc', limit: 100 })).items,
    ).to.have.length(9);
    await server.close();
    const again = await bench.open();
    expect(await again.sum('ws_a', 'memories')).to.equal(407);
    const beside = await bench.open({ shared: true });
    expect(await beside.sum('ws_a', 'memories')).to.equal(407);
    await committed(beside, commit(entity('agent_s'), seq + 1, { counts: { memories: 8 } }));
    await new Promise((done) => {
      setTimeout(done, 5);
    });
    expect(await again.sum('ws_a', 'memories')).to.equal(408);
    expect(await again.commit(commit(entity('agent_s'), seq + 1)), 'a stale owner conflicts').to.equal('conflict');
  });

  it('a shared commit that cannot be written whole is not written at all', async () => {
    const beside = await bench.open({ shared: true });
    let thrown: unknown;
    await beside
      .commit(commit(entity('agent_1'), 1, { puts: [memory('mem_1'), memory('m'.repeat(9000))] }))
      .catch((e: unknown) => {
        thrown = e;
      });
    expect(thrown).to.be.instanceOf(StoreError).with.property('reason', 'refused');
    expect(await beside.head(entity('agent_1'))).to.equal(null);
    expect(await beside.commit(commit(entity('agent_1'), 2))).to.equal('conflict');
    await committed(beside, commit(entity('agent_1'), 1));
  });

  it('where no more can be written, a commit is refused in words, nothing of it is acknowledged, reads go on, nothing is unhandled', async () => {
    // a limit on the size of files acts as a full disk does and needs no rights
    const { lines, ended } = bench.child('full', 'ulimit -f 3000;');
    const told: string[] = [];
    const acknowledged: [string, number][] = [];
    for await (const line of lines) {
      const [outcome, id, seq] = line.split(' ');
      if (outcome === 'committed' && id) acknowledged.push([id, Number(seq)]);
      else told.push(line);
    }
    expect(await ended).to.equal(0);
    expect(told[0]).to.equal('open');
    expect(told[1]).to.match(/^refused (full|io) The d.*/);
    expect(told[2]).to.equal('reads well');
    expect(told).to.have.length(3);
    expect(acknowledged.length).to.be.greaterThan(10);
    const store = await bench.open();
    for (const [id, seq] of acknowledged) expect((await store.head(entity(id)))?.seq).to.be.at.least(seq);
  });
});
