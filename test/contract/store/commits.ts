/** What a commit does, and what it does not when it is refused. */
import { fieldsOf } from '../../helpers/fields.js';
import { expect } from 'chai';
import { eventsAfter } from '../../../src/commands/run-reads.js';
import { iso } from '../../../src/domain/shared/clock.js';
import type { Store } from '../../../src/store/port.js';
import {
  collect,
  commit,
  committed,
  entity,
  memory,
  message,
  put,
  start,
  type OpenStore,
  type Opened,
} from './fixtures.js';
import { turn } from '../../helpers/turn.js';

export function commitsContract(open: OpenStore): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  afterEach(() => opened.destroy());
  const a = entity('agent_1');
  const b = entity('agent_2');

  it('answers null for what was never there', async () => {
    expect(await store.head(a)).to.equal(null);
    expect(await store.get(a, 'memory', 'mem_1')).to.equal(null);
    expect(await store.getMany(a, 'memory', ['mem_1', 'mem_2'])).to.deep.equal([null, null]);
    expect(await store.find('ws_a', 'memory', 'mem_1')).to.equal(null);
    expect(await store.lookup('token', 'hash')).to.equal(null);
    expect(await store.record(a, 'cmd_1', 0)).to.equal(null);
  });

  it('a trial write takes effect nowhere that can be read', async () => {
    await committed(store, commit(a, 1));
    const before = await store.head(a);
    await store.trialWrite();
    await store.trialWrite();
    expect(await store.head(a)).to.deep.equal(before);
  });

  it('keeps head and documents as they were given, whatever is in them', async () => {
    const snapshot = {
      id: 'agent_1',
      name: 'ü 😀 \n\t\u0001\u2028',
      nested: { list: [1, null, 'x', { y: -0.5 }] },
      updated_at: '',
    };
    const body = { text: 'é\n"\\ 漢字 \ud83d\ude00', empty: {}, big: 'y'.repeat(100_000), updated_at: 'u' };
    await committed(
      store,
      commit(a, 1, { snapshot, active: true, due: 17, counts: { memories: 3 }, puts: [put('memory', 'mem_1', body)] }),
    );
    expect(await store.head(a)).to.deep.equal({
      entity: a,
      seq: 1,
      snapshot,
      active: true,
      due: 17,
      counts: { memories: 3 },
      deleted: false,
    });
    expect(await store.get(a, 'memory', 'mem_1')).to.deep.equal({
      entity: a,
      kind: 'memory',
      id: 'mem_1',
      body: { id: 'mem_1', ...body },
    });
  });

  it('Store.P1: takes a commit only where the head is the one before it', async () => {
    expect(await store.commit(commit(a, 2))).to.equal('conflict');
    expect(await store.head(a)).to.equal(null);
    await committed(store, commit(a, 1), commit(a, 2), commit(a, 3));
    for (const seq of [1, 2, 3, 5])
      expect(await store.commit(commit(a, seq, { snapshot: { wrong: true } })), `seq ${seq}`).to.equal('conflict');
    expect((await store.head(a))?.seq).to.equal(3);
    expect(fieldsOf((await store.head(a))?.snapshot)['wrong']).to.equal(undefined);
  });

  it('Store.P1: a refused commit leaves nothing behind: no document, no entry, no count, no command, no timer', async () => {
    await committed(store, commit(a, 1, { counts: { memories: 1 }, puts: [memory('mem_1', { sessionId: 's' })] }));
    store.release(a, 1);
    await opened.released?.();
    const refused = commit(a, 1, {
      counts: { memories: 9 },
      active: true,
      due: 1,
      snapshot: { id: 'agent_1', name: 'other', hives: ['hive_1'], updated_at: 'z' },
      puts: [memory('mem_2', { sessionId: 's' }), put('token', 'tok_1', { hash: 'h' })],
      deletes: [{ kind: 'memory', id: 'mem_1' }],
      records: [{ id: 'cmd', bodyHash: 'x', result: 1, expiresAt: 10 }],
    });
    expect(await store.commit(refused)).to.equal('conflict');
    expect(await store.commit({ ...refused, seq: 3 })).to.equal('conflict');
    expect(await store.get(a, 'memory', 'mem_2')).to.equal(null);
    expect(await store.find('ws_a', 'memory', 'mem_2')).to.equal(null);
    expect(await store.get(a, 'memory', 'mem_1')).not.to.equal(null);
    expect(await store.lookup('token', 'h')).to.equal(null);
    expect(await store.record(a, 'cmd', 0)).to.equal(null);
    expect(await store.sum('ws_a', 'memories')).to.equal(1);
    expect(await collect(store.activeHeads())).to.deep.equal([]);
    expect(await store.dueHeads(100, 10)).to.deep.equal([]);
    const sessions = await store.list({
      workspace: 'ws_a',
      collection: 'memory',
      list: 'session',
      by: 's',
      order: 'asc',
      limit: 10,
    });
    expect(sessions.items.map((i) => i.id)).to.deep.equal(['mem_1']);
    expect(
      (
        await store.list({
          workspace: 'ws_a',
          collection: 'agent',
          list: 'hive',
          by: 'hive_1',
          order: 'asc',
          limit: 10,
        })
      ).items,
    ).to.deep.equal([]);
  });

  it('Store.P1: of two writers of one entity exactly one wins, every time', async () => {
    for (let seq = 1; seq <= 20; seq++) {
      const outcomes = await Promise.all(
        ['one', 'two', 'three'].map((who) =>
          store.commit(
            commit(a, seq, {
              snapshot: { who, updated_at: who },
              counts: { memories: seq },
              puts: [memory(`mem_${seq}_${who}`)],
            }),
          ),
        ),
      );
      expect(
        outcomes.filter((o) => o === 'committed'),
        `seq ${seq}`,
      ).to.have.length(1);
      const winner = ['one', 'two', 'three'][outcomes.indexOf('committed')];
      expect(fieldsOf((await store.head(a))?.snapshot)['who']).to.equal(winner);
      const page = await store.list({
        workspace: 'ws_a',
        collection: 'memory',
        list: 'created',
        entity: a,
        order: 'asc',
        limit: 100,
      });
      expect(page.items).to.have.length(seq);
    }
    expect(await store.sum('ws_a', 'memories')).to.equal(20);
  });

  it('Store.P1: of many commits in flight, the conflict is told of the right ones', async () => {
    const refs = Array.from({ length: 60 }, (_, i) => entity(`agent_${i}`));
    await Promise.all(refs.map((r) => store.commit(commit(r, 1))));
    const outcomes = await Promise.all(
      refs.map((r, i) => store.commit(commit(r, i % 3 === 0 ? 1 : 2, { puts: [memory(`mem_${i}`)] }))),
    );
    outcomes.forEach((o, i) => {
      expect(o, `agent ${i}`).to.equal(i % 3 === 0 ? 'conflict' : 'committed');
    });
    for (const [i, r] of refs.entries())
      expect((await store.get(r, 'memory', `mem_${i}`)) === null, `agent ${i}`).to.equal(i % 3 === 0);
  });

  it('Store.P2: a reader never sees a part of a commit; where the adapter shows unacknowledged ones, of an acknowledged one', async () => {
    let stop = false;
    let acknowledged = 0;
    const half: number[] = [];
    const reader = (async () => {
      while (!stop) {
        const least = acknowledged;
        const { items } = await store.list({
          workspace: 'ws_a',
          collection: 'memory',
          list: 'created',
          order: 'asc',
          limit: 1000,
        });
        if (items.length < least || (!opened.showsUnacknowledged && items.length % 5 !== 0)) half.push(items.length);
      }
    })();
    for (let seq = 1; seq <= 25; seq++) {
      await committed(
        store,
        commit(a, seq, {
          puts: Array.from({ length: 5 }, (_, i) => memory(`mem_${String(seq).padStart(3, '0')}_${i}`)),
        }),
      );
      acknowledged = seq * 5;
    }
    stop = true;
    await reader;
    expect(half).to.deep.equal([]);
  });

  it('Store.P3: what was committed is there after opening again', async () => {
    await committed(
      store,
      commit(a, 1, {
        counts: { memories: 1 },
        active: true,
        due: 5,
        puts: [memory('mem_1'), put('token', 'tok_1', { hash: 'h' })],
        records: [{ id: 'cmd', bodyHash: 'x', result: { ok: 1 }, expiresAt: 10 }],
      }),
    );
    store = opened.store = await opened.reopen();
    expect((await store.head(a))?.seq).to.equal(1);
    expect((await store.find('ws_a', 'memory', 'mem_1'))?.entity).to.deep.equal(a);
    expect((await store.lookup('token', 'h'))?.id).to.equal('tok_1');
    expect((await store.record(a, 'cmd', 0))?.result).to.deep.equal({ ok: 1 });
    expect(await store.sum('ws_a', 'memories')).to.equal(1);
    expect((await collect(store.activeHeads())).map((h) => h.entity)).to.deep.equal([a]);
    await committed(store, commit(a, 2, { counts: { memories: 4 } }));
    expect(await store.sum('ws_a', 'memories')).to.equal(4);
  });

  it('Store.P4: a read that begins after a commit sees it', async () => {
    for (let seq = 1; seq <= 30; seq++) {
      await store.commit(commit(a, seq, { puts: [memory(`mem_${seq}`)], counts: { memories: seq } }));
      expect((await store.head(a))?.seq).to.equal(seq);
      expect(await store.get(a, 'memory', `mem_${seq}`)).not.to.equal(null);
      expect(
        (await store.list({ workspace: 'ws_a', collection: 'memory', list: 'created', order: 'desc', limit: 100 }))
          .items,
      ).to.have.length(seq);
      expect(await store.sum('ws_a', 'memories')).to.equal(seq);
    }
  });

  it('workspaces do not see each other', async () => {
    const other = entity('agent_1', 'agent', 'ws_b');
    await committed(
      store,
      commit(a, 1, { counts: { memories: 1 }, puts: [memory('mem_1', { sessionId: 's' })] }),
      commit(other, 1, { counts: { memories: 10 }, puts: [memory('mem_2', { sessionId: 's' })] }),
    );
    // names that a careless key would mix up
    await committed(
      store,
      commit(entity('agent_9', 'agent', 'ws_a\0a'), 1, {
        counts: { memories: 100 },
        puts: [memory('mem_9', { sessionId: 's' })],
      }),
      commit(entity('x', 'agent', 'ws_'), 1, {
        counts: { memories: 1000 },
        puts: [memory('mem_8', { sessionId: 's' })],
      }),
    );
    expect(await store.find('ws_b', 'memory', 'mem_1')).to.equal(null);
    expect(await store.find('ws_a', 'memory', 'mem_2')).to.equal(null);
    expect(await store.get(other, 'memory', 'mem_1')).to.equal(null);
    for (const [workspace, id, memories] of [
      ['ws_a', 'mem_1', 1],
      ['ws_b', 'mem_2', 10],
      ['ws_a\0a', 'mem_9', 100],
      ['ws_', 'mem_8', 1000],
    ] as const) {
      for (const query of [{ list: 'created' }, { list: 'updated' }, { list: 'session', by: 's' }] as const) {
        const { items } = await store.list({ workspace, collection: 'memory', ...query, order: 'asc', limit: 10 });
        expect(
          items.map((i) => i.id),
          `${workspace} ${query.list}`,
        ).to.deep.equal([id]);
      }
      expect(
        (await store.list({ workspace, collection: 'agent', list: 'created', order: 'asc', limit: 10 })).items,
      ).to.have.length(1);
      expect(await store.sum(workspace, 'memories')).to.equal(memories);
    }
  });

  it('changes and deletes documents, and what the lists say of them', async () => {
    await committed(
      store,
      commit(a, 1, { puts: [message('msg_1', 1), message('msg_2', 2), put('token', 'tok_1', { hash: 'old' })] }),
    );
    await committed(
      store,
      commit(a, 2, { puts: [message('msg_1', 1, 5, false), put('token', 'tok_1', { hash: 'new' }, false)] }),
    );
    const inbox = async (): Promise<string[]> =>
      (
        await store.list({
          workspace: 'ws_a',
          collection: 'message',
          list: 'inbox',
          entity: a,
          order: 'asc',
          limit: 10,
        })
      ).items.map((i) => i.id);
    expect(await inbox()).to.deep.equal(['msg_2', 'msg_1']);
    expect(await store.lookup('token', 'old')).to.equal(null);
    expect((await store.lookup('token', 'new'))?.id).to.equal('tok_1');
    await committed(
      store,
      commit(a, 3, {
        deletes: [
          { kind: 'message', id: 'msg_2' },
          { kind: 'token', id: 'tok_1' },
          { kind: 'message', id: 'never was' },
        ],
      }),
    );
    expect(await inbox()).to.deep.equal(['msg_1']);
    expect(await store.lookup('token', 'new')).to.equal(null);
    expect(await store.get(a, 'message', 'msg_2')).to.equal(null);
  });

  it('several changes of one document in one commit take effect in their order, deletes last', async () => {
    await committed(
      store,
      commit(a, 1, {
        puts: [
          message('msg_1', 1),
          message('msg_1', 1, 2, false),
          message('msg_2', 3),
          memory('mem_1', { sessionId: 's' }),
        ],
        deletes: [{ kind: 'message', id: 'msg_2' }],
      }),
    );
    await committed(
      store,
      commit(a, 2, { puts: [memory('mem_1', { sessionId: 't' }, false), memory('mem_1', { sessionId: 'u' }, false)] }),
    );
    const { items } = await store.list({
      workspace: 'ws_a',
      collection: 'message',
      list: 'inbox',
      entity: a,
      order: 'asc',
      limit: 10,
    });
    expect(items.map((i) => i.body['read_at'] !== null)).to.deep.equal([true]);
    for (const [by, size] of [
      ['s', 0],
      ['t', 0],
      ['u', 1],
    ] as const) {
      expect(
        (await store.list({ workspace: 'ws_a', collection: 'memory', list: 'session', by, order: 'asc', limit: 10 }))
          .items,
        by,
      ).to.have.length(size);
    }
  });

  it('a body that is no JSON, or an id that no key can hold, is refused before anything is written', async () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    for (const bad of [put('memory', 'mem_1', { loop }), memory('m'.repeat(10_000))]) {
      let thrown: unknown;
      await Promise.resolve()
        .then(() => store.commit(commit(b, 1, { puts: [memory('mem_2'), bad] })))
        .catch((e: unknown) => {
          thrown = e;
        });
      expect(thrown).to.be.instanceOf(Error);
      expect(await store.head(b)).to.equal(null);
      expect(await store.get(b, 'memory', 'mem_2')).to.equal(null);
    }
    await committed(store, commit(b, 1));
  });

  it('Store.P2: a reader beside commits sees a run come as far as its journal and its memories have, and no further', async () => {
    const refs = Array.from({ length: 8 }, (_, n) => entity(`agent_${n}`));
    await Promise.all(refs.map((ref) => store.commit(commit(ref, 1))));
    let writing = true;
    const seen: number[] = [];
    const reading = (async () => {
      while (writing)
        for (const ref of refs) {
          await turn();
          const run = await store.get(ref, 'run', 'run_1');
          const steps = Number(run?.body['steps'] ?? 0);
          seen.push(steps);
          if (steps === 0) continue;
          const [journal, memories] = await Promise.all(
            (['journal', 'memory'] as const).map((collection) =>
              store.count({ workspace: 'ws_a', entity: ref, collection, list: 'created' }, 100),
            ),
          );
          expect(journal?.count, `journal of step ${steps}`).to.be.at.least(steps);
          expect(memories?.count, `memories of step ${steps}`).to.be.at.least(steps);
        }
    })();
    reading.catch(() => undefined); // told at the end
    await Promise.all(
      refs.map(async (ref) => {
        for (let n = 1; n <= 8; n++)
          await committed(
            store,
            commit(ref, n + 1, {
              puts: [
                put('run', 'run_1', { steps: n, updated_at: iso(start + n) }, n === 1),
                put('journal', `chk_${n}`, { sessionId: 's', runId: 'run_1', firstSeq: n }),
                memory(`mem_${n}`),
              ],
            }),
          );
      }),
    );
    writing = false;
    await reading;
    expect(seen.length).to.be.greaterThan(0);
  });

  it('RunEvents.S4: events beyond what the run itself says, as a slow apply shows them, are not read yet', async () => {
    const entry = (id: string, firstSeq: number, ...statuses: string[]) =>
      put('journal', id, {
        sessionId: 's',
        runId: 'run_1',
        step: firstSeq,
        firstSeq,
        events: statuses.map((status) => ({ status })),
        checkpoint: null,
        human: null,
        created_at: iso(start),
      });
    const run = (nextSeq: number, isNew = false) =>
      put('run', 'run_1', { sessionId: 's', steps: 1, forkedFrom: null, nextSeq, updated_at: iso(start) }, isNew);
    const read = async (after: number) => (await eventsAfter(store, a, 'run_1', after)).events.map(({ seq }) => seq);
    await committed(store, commit(a, 1, { puts: [entry('chk_1', 1, 'pending', 'running'), run(3, true)] }));
    await committed(store, commit(a, 2, { puts: [entry('chk_2', 3, 'running', 'completed')] }));
    expect(await read(0)).to.deep.equal([1, 2]);
    expect(await read(1)).to.deep.equal([2]);
    expect(await read(2)).to.deep.equal([]);
    await committed(store, commit(a, 3, { puts: [run(5)] }));
    expect(await read(0)).to.deep.equal([1, 2, 3, 4]);
    expect(await read(2)).to.deep.equal([3, 4]);
  });

  it('idempotency records answer until they expire, also beside others', async () => {
    await committed(
      store,
      commit(a, 1, {
        records: [
          { id: 'cmd_1', bodyHash: 'h1', result: { id: 'x' }, expiresAt: 1000 },
          { id: 'cmd_2', bodyHash: 'h2', result: null, expiresAt: 2000 },
        ],
      }),
    );
    expect(await store.record(a, 'cmd_1', 999)).to.deep.equal({
      id: 'cmd_1',
      bodyHash: 'h1',
      result: { id: 'x' },
      expiresAt: 1000,
    });
    expect(await store.record(a, 'cmd_1', 1000)).to.equal(null);
    expect(await store.record(a, 'cmd_2', 1000)).to.deep.equal({
      id: 'cmd_2',
      bodyHash: 'h2',
      result: null,
      expiresAt: 2000,
    });
    expect(await store.record(b, 'cmd_2', 0)).to.equal(null);
  });
}
