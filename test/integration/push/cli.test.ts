/** `hivekeep push` on a real store, without a server; beside one it is in test/e2e/a2a/dead-letters.test.ts. */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../gateway/cli/program.js';
import type { StoredDeadLetter } from '../../../src/domain/push.js';
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import type { EntityRef } from '../../../src/store/port.js';
import { task } from '../../unit/push/kit.js';

const agent: EntityRef = { workspace: 'default', kind: 'agent', id: 'agent_1' };
const letter = (id: string): StoredDeadLetter => ({
  id,
  kind: 'push',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:15:00.000Z',
  reason: 'the receiver answered 500',
  tries: 8,
  task,
  config: { id: 'config_1', url: 'https://hooks.example.com/x?secret=1', token: 'secret-token', version: '0.3' },
});

describe('push: command line', () => {
  let dir: string;
  const run = async (args: string): Promise<{ code: number; out: string; note: string }> => {
    const out: string[] = [];
    const note: string[] = [];
    const code = await runCli(
      args.split(' '),
      { HIVEKEEP_DATA_DIR: join(dir, 'data') },
      {
        out: (line) => {
          out.push(line);
        },
        note: (line) => {
          note.push(line);
        },
        terminal: false,
        screen: false,
      },
      () => Promise.reject(new Error('no command of this test serves')),
    );
    return { code, out: out.join('\n'), note: note.join('\n') };
  };

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-push-'));
    const store = await openLmdbStore({ dir: join(dir, 'data'), shared: true });
    await store.commit({
      entity: agent,
      seq: 1,
      snapshot: {
        id: agent.id,
        name: 'a',
        pushes: 0,
        outbox: 0,
        deleting: false,
        lastMs: 1,
        nextExpiry: null,
        hives: [],
        updated_at: '2026-11-20T10:00:00.000Z',
      },
      active: false,
      due: null,
      deleted: false,
      counts: { deadLetters: 2 },
      previousCounts: {},
      deletes: [],
      records: [],
      puts: ['out_1', 'out_2'].map((id) => ({ kind: 'deadLetter', id, body: { ...letter(id) }, isNew: true })),
    });
    await store.close();
    await run('workspace create acme --tier team');
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('lists, as a table and as JSON, without secrets', async () => {
    const table = await run('push list');
    expect(table.code, table.note).to.equal(0);
    expect(table.out).to.match(
      /^ID +WORKSPACE +AGENT +TASK +STATUS +TRIES +GIVEN UP +URL +WHY\nout_2 .*\nout_1 +default +agent_1 +run_1 +completed +8 +2026-11-20T10:15:00\.000Z +https:\/\/hooks\.example\.com\/x +the receiver answered 500$/,
    );
    const json = await run('push list --json --workspace default');
    expect((JSON.parse(json.out) as object[])[1]).to.deep.equal({
      id: 'out_1',
      workspace: 'default',
      agent_id: 'agent_1',
      task_id: 'run_1',
      config_id: 'config_1',
      url: 'https://hooks.example.com/x',
      status: 'completed',
      reason: 'the receiver answered 500',
      tries: 8,
      created_at: '2026-11-20T10:00:00.000Z',
      updated_at: '2026-11-20T10:15:00.000Z',
    });
    expect(table.out + json.out).not.to.include('secret');
    expect(await run('push list --json --workspace acme')).to.deep.equal({ code: 0, out: '[]', note: '' });
  });

  it('replays one, and then the rest', async () => {
    const one = await run('push replay out_1');
    expect(one).to.deep.equal({
      code: 0,
      out: '',
      note: 'Push out_1 (completed, of task run_1) goes to https://hooks.example.com/x again; a running server begins within seconds.',
    });
    const again = await run('push replay out_1');
    expect(again).to.include({ code: 1, out: '' });
    expect(again.note).to.match(/no dead letter out_1\.$/i);
    expect((await run('push replay --all')).note).to.equal(
      '1 push goes out again; a running server begins within seconds.',
    );
    expect((await run('push replay --all --workspace default')).note).to.match(/^0 pushes go out again/);
    const store = await openLmdbStore({ dir: join(dir, 'data'), shared: true });
    try {
      expect(await store.head(agent)).to.deep.include({ seq: 3, active: true, counts: {} });
      expect((await store.getMany(agent, 'outbox', ['out_1', 'out_2'])).map((d) => d?.body['kind'])).to.deep.equal([
        'push',
        'push',
      ]);
      expect((await store.dueHeads(Date.now(), 10)).map((h) => h.entity)).to.deep.equal([agent]);
      expect(await store.sum('default', 'deadLetters')).to.equal(0);
    } finally {
      await store.close();
    }
  });

  it('says what it does not understand or find', async () => {
    for (const args of ['push', 'push replay', 'push replay out_1 --all', 'push replay out_1 out_2', 'push lst'])
      expect((await run(args)).code, args).to.equal(2);
    expect((await run('push replay')).note).to.include('name the id of one push, or say --all');
    for (const args of [
      'push list --workspace nobody',
      'push replay out_1 --workspace nobody',
      'push replay --all --workspace nobody',
    ]) {
      const { code, out, note } = await run(args);
      expect({ code, out }, args).to.deep.equal({ code: 1, out: '' });
      expect(note, args).to.match(/no workspace nobody\.$/i);
    }
    expect((await run('push replay out_1 --workspace acme')).note).to.match(/no dead letter out_1\.$/i);
  });
});
