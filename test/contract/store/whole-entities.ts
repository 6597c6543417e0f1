/** Reading all heads, and all that is stored of an entity, while others write. */
import { expect } from 'chai';
import type { Content, EntityRef, Head, HeadScope, Store, StoredDoc } from '../../../src/store/port.js';
import { fewestShards } from '../../../src/store/shards.js';
import { collect, commit, committed, entity, memory, message, put, type Opened, type OpenStore } from './fixtures.js';

interface Whole {
  head: Head | null;
  documents: StoredDoc[];
  records: Content['records'];
  ended: boolean;
}

/** What a reader keeps: a head voids all that came before it. */
async function whole(store: Store, of: EntityRef, during?: () => Promise<unknown>): Promise<Whole> {
  let found: Whole = { head: null, documents: [], records: [], ended: false };
  let meanwhile = during;
  for await (const part of store.contents(of)) {
    if (part.type === 'head') found = { head: part.head, documents: [], records: [], ended: false };
    else if (part.type === 'content') {
      found.documents.push(...part.documents);
      found.records.push(...part.records);
    } else found.ended = true;
    await meanwhile?.();
    meanwhile = undefined;
  }
  return found;
}

export function wholeEntitiesContract(open: OpenStore): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  afterEach(() => opened.destroy());
  const a = entity('agent_1');

  it('allHeads: of everything, of a workspace, of a kind, of shards, deleted ones too', async () => {
    await committed(
      store,
      commit(a, 1),
      commit(entity('agent_2'), 1, { deleted: true }),
      commit(entity('hive_1', 'hive'), 1),
      commit(entity('agent_3', 'agent', 'ws_b'), 1),
      commit(entity('agent_3', 'agent', 'ws_a.b'), 1),
    );
    const ids = async (of?: HeadScope): Promise<string[]> =>
      (await collect(store.allHeads(of))).map((h) => `${h.entity.workspace}/${h.entity.id}${h.deleted ? '!' : ''}`);
    expect(await ids()).to.have.members([
      'ws_a/agent_1',
      'ws_a/agent_2!',
      'ws_a/hive_1',
      'ws_b/agent_3',
      'ws_a.b/agent_3',
    ]);
    expect(await ids({ workspace: 'ws_a' })).to.deep.equal(['ws_a/agent_1', 'ws_a/agent_2!', 'ws_a/hive_1']);
    expect(await ids({ workspace: 'ws_a', kind: 'hive' })).to.deep.equal(['ws_a/hive_1']);
    expect(await ids({ workspace: 'ws_c' })).to.deep.equal([]);
    expect(await ids({ workspace: 'ws_a', shards: [fewestShards.of(a)] })).to.deep.equal(['ws_a/agent_1']);
    expect(await ids({ workspace: 'ws_a', shards: fewestShards.all, after: a })).to.deep.equal([
      'ws_a/agent_2!',
      'ws_a/hive_1',
    ]);
  });

  it('contents: head, documents of all kinds and idempotency records of one entity, and of no other', async () => {
    const later = Date.now() + 3_600_000;
    const record = { id: 'command', bodyHash: 'h', result: { ok: true }, expiresAt: later };
    const memories = Array.from({ length: 600 }, (_, n) => memory(`mem_${String(n).padStart(4, '0')}`));
    await committed(
      store,
      commit(a, 1, { puts: memories, records: [record], counts: { memories: 600 } }),
      commit(a, 2, {
        puts: [message('msg_1', 5), put('run', 'run_1', { updated_at: 'x' })],
        deletes: [{ kind: 'memory', id: 'mem_0003' }],
        counts: { memories: 599 },
        previousCounts: { memories: 600 },
        active: true,
        due: 12_345,
      }),
      commit(entity('agent_10'), 1, { puts: [memory('mem_other')] }),
    );
    const { head, documents, records, ended } = await whole(store, a);
    expect(ended).to.equal(true);
    expect(head).to.deep.equal(await store.head(a));
    expect(records).to.deep.equal([{ entity: a, ...record }]);
    const found = documents.map((d) => `${d.kind}/${d.id}`);
    expect(found).to.have.length(601);
    expect(new Set(found).size, 'each once').to.equal(601);
    expect(found).to.include.members(['memory/mem_0599', 'message/msg_1', 'run/run_1']);
    expect(found).not.to.include('memory/mem_0003');
    expect(documents.find((d) => d.id === 'msg_1')).to.deep.equal(await store.get(a, 'message', 'msg_1'));
    expect(await whole(store, entity('agent_9'))).to.include({ head: null, ended: false });
  });

  it('contents: of one state, also when the entity is written to meanwhile', async () => {
    await committed(store, commit(a, 1, { puts: [memory('mem_1')], counts: { memories: 1 } }));
    const read = await whole(store, a, () =>
      committed(
        store,
        commit(a, 2, { puts: [memory('mem_2')], counts: { memories: 2 }, previousCounts: { memories: 1 } }),
      ),
    );
    expect(read.ended).to.equal(true);
    expect(read.documents).to.have.length(read.head?.counts['memories'] ?? -1);
    expect((await whole(store, a)).documents).to.have.length(2);
  });
}
