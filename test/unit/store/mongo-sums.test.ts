/** Sums of counts on MongoDB, against a server that adds up when the test says. */
import { expect } from 'chai';
import type { Commit } from '../../../src/store/port.js';
import type { MongoConnection } from '../../../src/store/mongo/connection.js';
import { encoded } from '../../../src/store/mongo/keys.js';
import { Sums } from '../../../src/store/mongo/sums.js';
import { turn } from '../../helpers/turn.js';

/** A server whose workspace has so many heads, each of which counts one agent. */
function bench(few = 10) {
  let now = 1_000_000;
  const server = { heads: 0, additions: 0, tookMs: 0 };
  const connection = {
    clocks: { now: () => now, monotonic: () => now },
    db: {
      collection: () => ({
        async *aggregate() {
          server.additions++;
          const { heads } = server;
          now += server.tookMs;
          await Promise.resolve();
          yield { _id: encoded('agents'), v: heads, heads };
        },
      }),
    },
  } as unknown as MongoConnection;
  const sums = new Sums(connection, few);
  return {
    server,
    sums,
    later: (ms: number) => {
      now += ms;
    },
    agents: async () => (await sums.recent('ws'))['agents'],
    exactly: async () => (await sums.exact('ws'))['agents'],
    commit: (by: number) => {
      server.heads += by;
      sums.add({
        entity: { workspace: 'ws', kind: 'agent', id: 'a' },
        counts: { agents: Math.max(0, by) },
        previousCounts: { agents: Math.max(0, -by) },
      } as unknown as Commit);
    },
  };
}

describe('MongoDB: sums of counts', () => {
  it('a small workspace is added up at each call', async () => {
    const { server, agents } = bench();
    for (const heads of [3, 5, 10]) {
      server.heads = heads;
      expect(await agents()).to.equal(heads);
    }
    expect(server.additions).to.equal(3);
  });

  it('a large one is not, and what this process commits counts at once', async () => {
    const { server, agents, commit } = bench();
    server.heads = 500;
    expect(await agents()).to.equal(500);
    for (let i = 0; i < 100; i++) {
      commit(i % 4 === 0 ? -1 : 1);
      expect(await agents()).to.equal(server.heads);
    }
    expect(server.additions).to.equal(1);
  });

  it('what other processes commit counts with the next addition, and after a pause at the call', async () => {
    const { server, agents, later } = bench();
    server.heads = 500;
    await agents();
    server.heads = 600;
    later(1_001);
    expect(await agents(), 'the addition that this call begins is not waited for').to.equal(500);
    await turn();
    expect(await agents()).to.equal(600);
    server.heads = 700;
    later(2_001);
    expect(await agents(), 'long unused').to.equal(700);
    expect(server.additions).to.equal(3);
  });

  it('the heads are read for at most a twentieth of the time', async () => {
    const { server, agents, later } = bench();
    server.heads = 500;
    server.tookMs = 400;
    for (let ms = 0; ms < 100_000; ms += 100) {
      await agents();
      await turn();
      later(100);
    }
    expect(server.additions).to.be.within(5, 14);
  });

  it('an exact sum is added up at each call, and callers share an addition that has yet to begin', async () => {
    const { server, exactly } = bench();
    server.heads = 500;
    expect(await exactly()).to.equal(500);
    server.heads = 600;
    expect(await exactly()).to.equal(600);
    expect(await Promise.all([exactly(), exactly(), exactly()])).to.deep.equal([600, 600, 600]);
    expect(server.additions).to.equal(4);
  });
});
