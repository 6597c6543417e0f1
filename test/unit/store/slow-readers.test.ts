/** Whoever reads an export slowly holds a snapshot of the store, and keeps nobody from anything else. */
import { expect } from 'chai';
import { maxReaders } from '../../../src/store/lmdb/environment.js';
import { mostSlow } from '../../../src/store/lmdb/snapshots.js';
import type { EntityPart } from '../../../src/store/port.js';
import { commit, committed, entity, memory } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

describe('slow readers of the embedded store', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);

  it('lists and counts are read however many there are, and each has its turn', async () => {
    const store = await bench.open();
    const a = entity('agent_1');
    await committed(store, commit(a, 1, { counts: { memories: 1 }, puts: [memory('mem_1')] }));
    const readers = Array.from({ length: maxReaders }, () => store.contents(a)[Symbol.asyncIterator]());
    const first = readers.map((reader) => reader.next());
    await Promise.all(first.slice(0, mostSlow));
    const page = await store.list({ workspace: 'ws_a', collection: 'memory', list: 'created', order: 'asc', limit: 9 });
    expect(page.items).to.have.length(1);
    expect(await store.sum('ws_a', 'memories')).to.equal(1);
    const read = await Promise.all(
      readers.map(async (reader, i) => {
        const parts: EntityPart['type'][] = [];
        for (let part = await first[i]!; !part.done; part = await reader.next()) parts.push(part.value.type);
        return parts.join(' ');
      }),
    );
    expect([...new Set(read)]).to.deep.equal(['head documents end']);
  });
});
