/** Writes are refused before the disk is full. */
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { reserveOn } from '../../../src/store/lmdb/disk-room.js';
import type { StoreError } from '../../../src/store/port.js';
import { commit, committed, entity, memory } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

describe('the room on the disk of the embedded store', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);
  const a = entity('agent_1');
  const reserve = reserveOn(tmpdir());

  const refusal = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('it was to be refused'),
      (error: unknown) => (error as StoreError).reason,
    );

  it('without it every write is refused, reads go on, and writes do again when there is room', async () => {
    const before = await bench.open();
    await committed(before, commit(a, 1, { puts: [memory('mem_1')] }));
    await before.close();
    let free = reserve;
    const store = await bench.open({ freeBytes: () => free });
    const next = commit(a, 2, { puts: [memory('mem_2', { content: 'x'.repeat(1_000_000) })] });
    for (const left of [reserve + 1_000_000, reserve, 0]) {
      free = left;
      expect(await refusal(store.commit(next)), `${left} bytes`).to.equal('full');
    }
    expect(await refusal(store.trialWrite())).to.equal('full');
    expect(await refusal(store.purge(a, 100))).to.equal('full');
    expect((await store.head(a))?.seq).to.equal(1);
    expect(await store.get(a, 'memory', 'mem_1')).not.to.equal(null);
    expect(await store.get(a, 'memory', 'mem_2')).to.equal(null);
    free = reserve + 10_000_000;
    await store.trialWrite();
    await committed(store, next);
  });

  it('what is under way counts, though the disk does not know of it yet', async () => {
    const store = await bench.open({ freeBytes: () => reserve + 2_000_000 });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        store
          .commit(commit(entity(`agent_${n}`), 1, { puts: [memory('mem_1', { content: 'x'.repeat(300_000) })] }))
          .catch((error: unknown) => (error as StoreError).reason),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'committed')).to.have.length(3);
    expect(outcomes.filter((outcome) => outcome === 'full')).to.have.length(5);
  });
});
