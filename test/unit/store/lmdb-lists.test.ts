/** Lists whose usual partition has no entries of its own (LmdbLists.G4). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ListQuery } from '../../../src/store/port.js';
import { docEntries, docKey } from '../../../src/store/lmdb/entries.js';
import { defaultMapSize, openEnvironment, openTrees } from '../../../src/store/lmdb/environment.js';
import { entityPrefix } from '../../../src/store/lmdb/keys.js';
import { Lists } from '../../../src/store/lmdb/lists.js';
import { Snapshots } from '../../../src/store/lmdb/snapshots.js';
import { entity } from '../../contract/store/fixtures.js';

const a = entity('agent_1');

describe('lists of the embedded store: the usual partition', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-lists-'));
  const root = openEnvironment(dir, defaultMapSize);
  const trees = openTrees(root);
  const lists = new Lists(trees, new Snapshots(trees), 4);
  after(async () => {
    await root.close();
    rmSync(dir, { recursive: true });
  });

  const completed = { workspace: a.workspace, collection: 'run', list: 'status', by: 'completed' } as const;
  const ids = async (query: Pick<ListQuery, 'order' | 'limit' | 'after'>) => {
    const { items, next } = await lists.list({ ...completed, ...query });
    return { ids: items.map(({ id }) => id), next };
  };

  before(async () => {
    const prefix = entityPrefix(a);
    // oldest first: one completed run, ten that failed, two completed ones
    for (let n = 1; n <= 13; n++) {
      const id = `run_${String(n).padStart(2, '0')}`;
      const body = { status: n === 1 || n > 11 ? 'completed' : 'failed', updated_at: 'x' };
      await trees.docs.put(docKey(prefix, 'run', id), JSON.stringify(body));
      for (const { tree, key, value } of docEntries(a, prefix, 'run', id, body)) await trees[tree].put(key, value);
    }
  });

  it('a page passes so many others and no more, and the next goes on behind them', async () => {
    for (const [order, found] of [
      ['desc', ['run_13', 'run_12', 'run_01']],
      ['asc', ['run_01', 'run_12', 'run_13']],
    ] as const) {
      const first = await ids({ order, limit: 10 });
      expect(first.ids.length).to.be.lessThan(3);
      const all = [...first.ids];
      let pages = 1;
      for (let { next } = first; next !== null; pages++) {
        const page = await ids({ order, limit: 10, after: next });
        all.push(...page.ids);
        next = page.next;
      }
      expect(all).to.deep.equal(found);
      expect(pages).to.equal(3); // ten others, four at a time
    }
  });

  it('a count passes so many others, and is a lower bound then', async () => {
    expect(await lists.count(completed, 100)).to.deep.equal({ count: 1, exact: false });
    expect(await lists.count({ ...completed, by: 'failed' }, 100)).to.deep.equal({ count: 10, exact: true });
  });
});
