/** What comes in one commit with its run. */
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultMapSize, openEnvironment, openTrees } from '../../../src/store/lmdb/environment.js';
import type { EntityRef } from '../../../src/store/port.js';
import { commit, committed, put } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

const ada: EntityRef = { workspace: 'default', kind: 'agent', id: 'agent_1' };

describe('the first journal entry of a run', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);

  it('a run that came with its only entry and has ended is one document', async () => {
    const store = await bench.open();
    const said = { sessionId: 's', created_at: '' };
    const entry = put('journal', 'ckpt_1', { runId: 'run_1', ...said, firstSeq: 1, events: [{ answer: 'hello' }] });
    const run = put('run', 'run_1', { status: 'completed', updated_at: '', ...said });
    await committed(store, commit(ada, 1, { puts: [run, entry] }));
    expect((await store.get(ada, 'journal', 'ckpt_1'))?.body).to.deep.equal(entry.body);
    await store.close();
    const root = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    const keys = [...openTrees(root).docs.getKeys({ start: '\x01' })];
    await root.close();
    expect(keys.filter((key) => key.includes('\0run\0'))).to.have.length(1);
    expect(keys.filter((key) => key.includes('\0journal'))).to.deep.equal([]);
  });
});

describe('a commit that puts the journal entry of a run twice', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);

  it('keeps the last', async () => {
    const store = await bench.open();
    const said = { sessionId: 's', created_at: '' };
    const entry = (step: number, isNew: boolean) =>
      put('journal', 'ckpt_1', { runId: 'run_1', ...said, firstSeq: 1, step }, isNew);
    const run = put('run', 'run_1', { status: 'completed', updated_at: '', ...said });
    await committed(store, commit(ada, 1, { puts: [entry(1, true), run, entry(2, false)] }));
    expect((await store.get(ada, 'journal', 'ckpt_1'))?.body).to.include({ step: 2 });
  });
});
