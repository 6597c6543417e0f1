/**
 * The sender's and the receiver's side of commands and searches between processes, over a transport that the test is
 * (actors/cluster/router.ts).
 */
import { expect } from 'chai';
import { type ClusterConnection, createConnection } from '../../../../actors/cluster/connection.js';
import { createRemoteSearch, type LocalSearch, type RemoteSearch } from '../../../../actors/cluster/remote-search.js';
import type { LocalShards } from '../../../../actors/cluster/request-server.js';
import { Router, type RouterTuning } from '../../../../actors/cluster/router.js';
import { fewestShards } from '../../../../src/store/shards.js';
import type { LocalActors } from '../../../../actors/entities/local-actors.js';
import type { ShardOwner, Placement } from '../../../../src/cluster/placement.js';
import type { MonotonicClock } from '../../../../src/domain/shared/clock.js';
import { HivekeepError, unavailable } from '../../../../src/domain/shared/errors.js';
import type { RecallHit, RecallQuery } from '../../../../src/memory/port.js';
import { ReplayedAnswer } from '../../../../src/commands/idempotency.js';
import { errorWire, readWire } from '../../../../actors/cluster/wire-format.js';
import { StoreError } from '../../../../src/store/port.js';
import { turn } from '../../../helpers/turn.js';

const agent = { workspace: 'w', kind: 'agent' as const, id: 'agent_1' };

interface Stage {
  router: Router;
  remoteSearch: RemoteSearch;
  connection: ClusterConnection;
  sent: { to: string; wire: unknown[] }[];
  owner: ShardOwner | null;
  changed(): void;
  pass(ms: number): void;
}

function stage(options: { local?: LocalShards; search?: LocalSearch; tuning?: Partial<RouterTuning> } = {}): Stage {
  let now = 1_000_000;
  let timers: { at: number; fn: () => void }[] = [];
  let commands = 0;
  const listeners = new Set<() => void>();
  const sent: Stage['sent'] = [];
  const placement = {
    ownerOf: () => s.owner,
    holds: () => false,
    held: () => [],
    refresh: () => undefined,
    members: () => [],
    problem: () => null,
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  } satisfies Placement;
  const { local = null, search = null, tuning = {} } = options;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const clock: MonotonicClock = {
    now: () => now,
    elapsed: () => now,
    after: (ms, fn) => {
      const timer = { at: now + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((t) => t !== timer);
      };
    },
  };
  const transport = {
    self: 'here',
    send: (to: string, message: unknown) => {
      sent.push({ to, wire: JSON.parse(JSON.stringify(message)) as unknown[] });
    },
  };
  const connection = createConnection(transport, clock, log);
  const remoteSearch = createRemoteSearch({ connection, local: search, clock, log });
  const router = new Router({
    placement,
    connection,
    local,
    shards: fewestShards,
    newIdempotencyKey: () => `command ${++commands}`,
    log,
    clock,
    tuning,
  });
  const s: Stage = {
    router,
    remoteSearch,
    connection,
    sent,
    owner: { instance: 'a', epoch: 1 },
    changed() {
      for (const listener of listeners) listener();
    },
    pass(ms) {
      for (const end = now + ms; now < end;) {
        now = Math.min(end, now + 50);
        const due = timers.filter((t) => t.at <= now);
        timers = timers.filter((t) => t.at > now);
        for (const { fn } of due) fn();
      }
    },
  };
  return s;
}

const outcome = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((e: unknown) => (e as HivekeepError).code);

/** Actors that answer at once, and note what they were asked. */
const answering = (asked: unknown[]): LocalActors =>
  ({
    accepting: true,
    ask: (_: unknown, message: unknown) => {
      asked.push(message);
      return Promise.resolve('done');
    },
  }) as unknown as LocalActors;

describe('commands between processes', () => {
  it('is sent again when its owner changes, is gone, or does not answer, under one id, and answered once', async () => {
    const s = stage();
    const asked = s.router.ask(agent, { type: 'remember', input: { content: 'x' } });
    s.owner = { instance: 'b', epoch: 2 };
    s.changed();
    s.connection.gone('b');
    s.owner = { instance: 'c', epoch: 3 };
    s.changed();
    s.connection.received('c', ['n', 1]);
    s.pass(200);
    s.pass(2_500);
    expect(s.sent.map(({ to, wire }) => [to, wire[1]])).to.deep.equal([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['c', 1],
      ['c', 1],
    ]);
    s.connection.received('c', ['a', 1, 'first']);
    s.connection.received('b', ['a', 1, 'second']);
    expect(await asked).to.equal('first');
    expect(s.router.stats().unanswered).to.equal(0);
  });

  it('without an answer in time it is UNAVAILABLE, and its outcome unknown', async () => {
    const s = stage();
    const asked = outcome(s.router.ask(agent, { type: 'wake' }));
    s.owner = null;
    s.pass(61_000);
    expect(await asked).to.equal('UNAVAILABLE');
  });

  it('Router.R3: what changes something names itself, with the same name each time; a repeat of it is its answer', async () => {
    const s = stage();
    const asked = s.router.ask(agent, { type: 'remember', input: { content: 'x' } });
    const named = s.router.ask(agent, {
      type: 'forget',
      id: 'm',
      idempotencyKey: { id: 'mine', bodyHash: 'h', join: false },
    });
    void s.router.ask(agent, { type: 'wake' }).catch(() => undefined);
    s.pass(2_500);
    const names = s.sent.map(({ wire }) => (wire[5] as { idempotencyKey?: { id: string } }).idempotencyKey?.id);
    expect(names).to.deep.equal(['command 1', 'mine', undefined, 'command 1', 'mine', undefined]);
    const kept = s.sent.map(({ wire }) => (wire[5] as { idempotencyKey?: { keptMs?: number } }).idempotencyKey?.keptMs);
    expect(kept.slice(0, 3), 'only the client repeats for hours').to.deep.equal([900_000, undefined, undefined]);
    s.connection.received('a', ['r', 1, 'as at first']);
    s.connection.received('a', ['r', 2, 'as at first']);
    expect(await asked).to.equal('as at first');
    expect(await named, "a name of the client's: it is told that this is a repeat")
      .to.be.instanceOf(ReplayedAnswer)
      .with.property('result', 'as at first');
    s.router.close();
  });

  it('beyond its bound a request is refused at once, wherever the others wait; what was admitted is not dropped', async () => {
    const s = stage({ tuning: { maxUnanswered: 3 } });
    s.owner = null;
    const waiting = [1, 2, 3].map(() => outcome(s.router.ask(agent, { type: 'wake' })));
    expect(await outcome(s.router.ask(agent, { type: 'wake' }))).to.equal('UNAVAILABLE');
    s.owner = { instance: 'a', epoch: 1 };
    s.changed();
    for (const { wire } of s.sent) s.connection.received('a', ['a', wire[1], 'done']);
    expect(await Promise.all(waiting)).to.deep.equal(['done', 'done', 'done']);
    const big = stage({ tuning: { maxBytes: 10_000 } });
    const first = outcome(big.router.ask(agent, { type: 'remember', input: { content: 'x'.repeat(8_000) } }));
    expect(await outcome(big.router.ask(agent, { type: 'remember', input: { content: 'x'.repeat(8_000) } }))).to.equal(
      'UNAVAILABLE',
    );
    big.router.close();
    expect(await first).to.equal('UNAVAILABLE');
  });

  it('Router.R5: a receiver handles a request once at a time, none that its sender has given up, and none of a shard that is not here', async () => {
    let answer: (value: unknown) => void = () => undefined;
    const asked: unknown[] = [];
    const actors = {
      accepting: true,
      ask: (_: unknown, message: unknown) => {
        asked.push(message);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    } as unknown as LocalActors;
    let here: LocalActors | null = actors;
    const s = stage({ local: { actorsOf: () => here } });
    const request = ['q', 7, 'w', 'agent', 'agent_1', { type: 'wake' }, 1_000_000, 60_000];
    s.connection.received('other', request);
    s.connection.received('other', request);
    answer('done');
    await turn();
    s.connection.received('other', [
      'q',
      8,
      'w',
      'agent',
      'agent_1',
      { type: 'wake' },
      900_000,
      100_000,
      null,
      900_000,
    ]);
    here = null;
    s.connection.received('other', ['q', 9, 'w', 'agent', 'agent_1', { type: 'wake' }, 1_000_000, 60_000]);
    expect(asked).to.have.length(1);
    expect(s.sent.map(({ wire }) => wire.slice(0, 3))).to.deep.equal([
      ['a', 7, 'done'],
      ['l', 8, 1_000_000],
      ['n', 9],
    ]);
    expect(s.router.stats()).to.include({ repeatsDropped: 1, late: 1 });
  });

  it('Router.R6: a request tells what the receiver showed last, but only when it is sent for the first time', async () => {
    const s = stage();
    const ask = (message: object): void => {
      s.router.ask(agent, message).catch(() => undefined);
    };
    ask({ type: 'remember', input: {} });
    s.connection.received('a', ['a', 1, null, 500]);
    ask({ type: 'remember', input: {} });
    ask({ type: 'remember', input: {}, idempotencyKey: { id: 'mine', bodyHash: 'h' } });
    s.owner = { instance: 'b', epoch: 2 };
    s.changed();
    ask({ type: 'remember', input: {} });
    s.owner = { instance: 'a', epoch: 3 };
    s.changed();
    ask({ type: 'remember', input: {} });
    expect(s.sent.map(({ to, wire }) => [to, wire[1], wire[8]])).to.deep.equal([
      ['a', 1, null],
      ['a', 2, 500],
      ['a', 3, null], // a client may have sent it before
      ['b', 2, null],
      ['b', 3, null],
      ['b', 4, null],
      ['a', 2, null],
      ['a', 3, null],
      ['a', 4, null],
      ['a', 5, 500],
    ]);
    s.router.close();
  });

  it('Router.R6: neither a repeat nor what was overtaken passes for a first delivery', async () => {
    const taken: unknown[] = [];
    const actors = {
      accepting: true,
      ask: (_: unknown, { idempotencyKey }: { idempotencyKey: { sentAfter?: number } }) => {
        taken.push(idempotencyKey.sentAfter);
        return Promise.resolve('done');
      },
    } as unknown as LocalActors;
    const s = stage({ local: { actorsOf: () => actors } });
    const message = { type: 'remember', idempotencyKey: { id: 'c', bodyHash: '' } };
    const comes = async (from: string, id: number): Promise<void> => {
      s.connection.received(from, ['q', id, 'w', 'agent', 'agent_1', message, 1_000_000, 60_000, 700]);
      await turn();
    };
    for (const id of [1, 2, 2, 4, 3, 5]) await comes('other', id);
    await comes('another', 3);
    s.connection.gone('other');
    await comes('other', 5);
    expect(taken).to.deep.equal([700, 700, undefined, 700, undefined, 700, 700, undefined]);
    expect(s.sent[0]?.wire, 'the answer says what the clock shows here').to.deep.equal(['a', 1, 'done', 1_000_000]);
  });

  it('Router.R5: a request whose sender has another time is served: clocks differ, and nobody waits for an hour', () => {
    const asked: unknown[] = [];
    const s = stage({ local: { actorsOf: () => answering(asked) } });
    const hour = 3_600_000;
    for (const sentAt of [1_000_000 - hour, 1_000_000 + hour])
      s.connection.received('other', ['q', sentAt, 'w', 'agent', 'agent_1', { type: 'wake' }, sentAt, 60_000]);
    expect(asked).to.have.length(2);
  });

  it('Router.R5: a request that its sender may have given up is judged by what this clock showed before it was sent', async () => {
    const asked: unknown[] = [];
    const s = stage({ local: { actorsOf: () => answering(asked) } });
    const message = { type: 'remember', input: { id: 'memory_1' } };
    const comes = async (id: number, wallClock: number, reading: number | null): Promise<void> => {
      s.connection.received('other', ['q', id, 'w', 'hive', 'hive_1', message, wallClock, 2_500, null, reading]);
      await turn();
    };
    const now = 1_000_000;
    await comes(1, now, null);
    await comes(2, now, now - 2_500);
    await comes(3, now + 3_600_000, now - 2_499);
    await comes(4, now - 3_600_000, now - 2_499);
    expect(asked).to.have.length(3);
    expect(s.sent.map(({ wire }) => wire.slice(0, 2))).to.deep.equal([['a', 1], ['l', 2], ['a', 3], ['a', 4]]); // prettier-ignore
    expect(s.sent[1]?.wire, 'it is told the time').to.deep.equal(['l', 2, now]);
  });

  it('Router.R5: who is told that a request may be too old sends it again with what the clock shows there, as long as there is time', async () => {
    const s = stage();
    const asked = outcome(s.router.ask(agent, { type: 'remember', input: { id: 'memory_1' } }));
    const tail = (i: number): unknown[] => s.sent[i]?.wire.slice(7) ?? [];
    expect(tail(0)).to.deep.equal([60_000, null, null]);
    s.pass(500);
    s.connection.received('a', ['l', s.sent[0]?.wire[1], 77]);
    expect(tail(1)).to.deep.equal([59_500, null, 77]);
    s.pass(59_500);
    s.connection.received('a', ['l', s.sent[0]?.wire[1], 99]);
    expect(await asked).to.equal('UNAVAILABLE');
    s.router.close();
  });

  it('Router.R3: what was asked of actors that were ended before they answered is asked of the next owner, where it takes effect once', async () => {
    let accepting = true;
    let refuse: (error: Error) => void = () => undefined;
    let held = true;
    const local: LocalShards = {
      actorsOf: () =>
        held
          ? {
              get accepting() {
                return accepting;
              },
              ask: () =>
                new Promise((_resolve, reject) => {
                  refuse = reject;
                }),
              stats: () => expect.fail(),
              stop: () => expect.fail(),
            }
          : null,
    };
    const s = stage({ local });
    const lost = (): void => {
      accepting = held = false;
      refuse(unavailable('it started anew before it answered'));
    };
    const wire = [
      'q',
      7,
      'w',
      'agent',
      'agent_1',
      { type: 'remember', input: {}, idempotencyKey: { id: 'c', bodyHash: '', join: true } },
      1_000_000,
      1_060_000,
    ];
    s.connection.received('a', wire);
    lost();
    await turn();
    expect(s.sent.splice(0), 'of another process: it is told to ask elsewhere').to.deep.equal([
      { to: 'a', wire: ['n', 7] },
    ]);
    accepting = held = true;
    const named = s.router.ask(agent, {
      type: 'forget',
      id: 'm',
      idempotencyKey: { id: 'mine', bodyHash: 'h', join: false },
    });
    lost();
    await turn();
    expect(
      s.sent.map(({ to, wire: [, id] }) => [to, id]),
      'of this one: it is sent',
    ).to.deep.equal([['a', 1]]);
    s.connection.received('a', ['a', 1, 'done']);
    expect(await named).to.equal('done');
    accepting = held = true;
    const unnamed = outcome(s.router.ask(agent, { type: 'remember', input: { content: 'x' } }));
    lost();
    expect(await unnamed, 'what has no name might be done twice').to.equal('UNAVAILABLE');
    accepting = held = true;
    s.connection.received('a', [...wire.slice(0, 1), 8, ...wire.slice(2)]);
    refuse(new HivekeepError('NOT_FOUND', 'there is no such agent'));
    await turn();
    expect(s.sent.at(-1)?.wire.slice(0, 3), 'what was decided is an answer').to.deep.equal(['e', 8, 'NOT_FOUND']);
  });

  it('an outage of the store at the owner is UNAVAILABLE for who asked, with a time to come back', () => {
    const read = readWire(errorWire(7, new StoreError('io', 'the disk does not answer')));
    expect(read).to.deep.include({ kind: 'error', id: 7 });
    expect((read as { error: HivekeepError }).error).to.include({ code: 'UNAVAILABLE', retryAfter: 5 });
  });

  it('what is not of this form is counted and dropped', () => {
    const s = stage();
    for (const junk of [
      null,
      1,
      'x',
      [],
      ['q'],
      ['q', 1],
      ['q', 1, 'w', 'run', 'x', {}, 0, 0],
      ['q', 1, 'w', 'agent', 'x', null, 0, 0],
      ['e', 1, 'NOT_A_CODE', 'x', {}],
      ['s', 1, 'x', {}, 0],
      ['z', 1],
      { a: 1 },
    ])
      s.connection.received('other', junk);
    expect(s.connection.stats().malformed).to.equal(12);
    expect(s.sent).to.deep.equal([]);
  });
});

describe('searches between processes', () => {
  const query = { spaces: [], text: 'office', limit: 5 } as unknown as RecallQuery;
  const hit = { id: 'm1', score: 1 } as unknown as RecallHit;

  it('a search is answered by its process, null where that does not hold the shards, is gone or is late', async () => {
    const s = stage();
    const partial = s.remoteSearch.searchAt('a', [3], query, 3_000);
    s.connection.received('a', ['a', 1, { partial: [hit] }]);
    expect(await partial).to.deep.equal(Object.assign([hit], { partial: true }));
    const searches = [2, 3, 4, 5].map(() => s.remoteSearch.searchAt('a', [3], query, 3_000));
    expect(s.sent.map(({ to, wire }) => [to, wire[0], wire[1]])).to.deep.equal(
      [1, 2, 3, 4, 5].map((id) => ['a', 's', id]),
    );
    s.connection.received('a', ['a', 2, [hit]]);
    s.connection.received('a', ['n', 3]);
    s.connection.received('a', ['e', 4, 'INTERNAL_ERROR', 'the command failed', {}, null]);
    expect(s.remoteSearch.unanswered()).to.equal(1);
    s.pass(3_100);
    const gone = s.remoteSearch.searchAt('a', [3], query, 1_000_000);
    s.connection.gone('b');
    expect(s.remoteSearch.unanswered()).to.equal(1);
    s.connection.gone('a');
    expect(await Promise.all([...searches, gone])).to.deep.equal([[hit], null, null, null, null]);
  });

  it('a request and a search that wait at once each get their own answer', async () => {
    const s = stage();
    const asked = s.router.ask(agent, { type: 'wake' });
    const searched = s.remoteSearch.searchAt('a', [3], query, 3_000);
    s.connection.received('a', ['a', 2, [hit]]);
    s.connection.received('a', ['a', 1, 'done']);
    expect(await asked).to.equal('done');
    expect(await searched).to.deep.equal([hit]);
  });

  it('a receiver answers from its own index, and says where it does not hold the shards', async () => {
    const held = (shards: readonly number[]): boolean => shards.every((shard) => shard < 10);
    const s = stage({ search: { search: async (shards) => (held(shards) ? [hit] : null) } });
    s.connection.received('other', ['s', 7, [1, 2], query]);
    s.connection.received('other', ['s', 8, [1, 20], query]);
    await turn();
    expect(s.sent.map(({ wire }) => wire)).to.deep.equal([
      ['a', 7, [hit]],
      ['n', 8],
    ]);
    expect(s.connection.stats().received).to.equal(2);
    expect(await s.remoteSearch.searchAt('here', [1], query, 3_000), 'its own index').to.deep.equal([hit]);
  });

  it('what waits when the process ends is answered, and nothing new is taken', async () => {
    const s = stage();
    const waiting = s.remoteSearch.searchAt('a', [3], query, 3_000);
    s.remoteSearch.close();
    expect(await waiting).to.equal(null);
    expect(await outcome(s.remoteSearch.searchAt('a', [3], query, 3_000))).to.equal('UNAVAILABLE');
  });
});
