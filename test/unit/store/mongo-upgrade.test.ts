/** What an upgrade adds to agents that an earlier version has stored in MongoDB (src/store/mongo/upgrade.ts). */
import { expect } from 'chai';
import type { Store } from '../../../src/store/port.js';
import { withClient } from '../../helpers/mongo-service.js';
import { commit, committed, entity, put } from '../../contract/store/fixtures.js';
import { MongoBench } from './mongo-helpers.js';

const ids = async (asked: ReturnType<Store['list']>): Promise<string[]> => (await asked).items.map((i) => i.id);
const query = { workspace: 'ws_a', order: 'asc', limit: 100 } as const;
const named = (store: Store, begins: string) =>
  ids(store.list({ ...query, collection: 'agent', list: 'names', from: [begins], until: [`${begins}\uffff`] }));
const agent = (n: number, name: string) =>
  commit(entity(`agent_${n}`), 1, {
    snapshot: { id: `agent_${n}`, name, status: 'active', hives: [] },
    puts: [put('run', `run_${n}`, { status: n === 1 ? 'paused' : 'completed', updated_at: '2026' })],
  });

describe('the upgrade of agents in MongoDB', function () {
  this.timeout(60_000);
  const bench = new MongoBench();
  bench.hooks();

  it('lists by name what an earlier version has stored, when the schema is raised', async () => {
    const store = await bench.open();
    await committed(store, agent(1, 'Ann'), agent(2, 'Bob'));
    await withClient(bench.url, async (client) => {
      await client
        .db()
        .collection('heads')
        .updateMany({}, { $unset: { 'k.names': '' } });
      await client
        .db()
        .collection('meta')
        .updateOne({ schema: 2 }, { $set: { schema: 1 } });
    });
    expect(await named(store, 'a')).to.deep.equal([]);
    const next = await bench.open();
    expect(await named(next, 'a')).to.deep.equal(['agent_1']);
    expect(await ids(next.list({ ...query, collection: 'run', list: 'status', by: 'paused' }))).to.deep.equal([
      'run_1',
    ]);
  });
});
