/** What was used for subjects goes when its month has been over for another (docs/api.md 8.6). */
import { expect } from 'chai';
import { sandboxOf } from '../../../src/domain/workspace/workspace.js';
import { removeOldSubjectUse } from '../../../src/store/subject-use-retention.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { commit, committed, entity, put } from '../../contract/store/fixtures.js';

describe('Retention of what was used for subjects', () => {
  it('keeps the present month and the one before, of all workspaces and sandboxes', async () => {
    const store = new MemoryStore();
    await committed(store, commit(entity('ws_a', 'workspace', 'ws_a'), 1));
    const use = (month: string, of: string) => put('subjectUse', `${month}-${of}-agent_1`, { month, of });
    const months = ['2025-12', '2026-09', '2026-10', '2026-11'];
    for (const workspace of ['ws_a', sandboxOf('ws_a')])
      await committed(
        store,
        commit(entity('agent_1', 'agent', workspace), 1, { puts: months.map((month) => use(month, 'x')) }),
      );
    await removeOldSubjectUse(store, Date.parse('2026-11-30T23:59:00Z'));
    for (const workspace of ['ws_a', sandboxOf('ws_a')])
      expect(
        (await store.list({ workspace, collection: 'subjectUse', list: 'created', order: 'asc', limit: 10 })).items.map(
          ({ body }) => body.month,
        ),
      ).to.deep.equal(['2026-10', '2026-11']);
    await removeOldSubjectUse(store, Date.parse('2027-01-01T00:00:00Z'));
    expect(
      (await store.list({ workspace: 'ws_a', collection: 'subjectUse', list: 'created', order: 'asc', limit: 10 }))
        .items,
    ).to.deep.equal([]);
  });
});
