import { expect } from 'chai';
import type { HivekeepError } from '../../../../src/domain/shared/errors.js';
import { type Reply, addressKey } from '../../../../actors/runtime/port.js';
import { agent, outcome, stage, watch } from './kit.js';

describe('actor runtime: messages', () => {
  it('System.A1: the first answer counts', async () => {
    const s = stage({
      receive: (_m, reply) => {
        reply.resolve('first');
        reply.resolve('second');
        reply.reject(new Error('third'));
      },
    });
    const answer = s.system.ask(agent('a'), 1);
    await s.settle();
    expect(await answer).to.equal('first');
  });

  it('System.A1: addresses with strange ids never meet', async () => {
    const s = stage((address) => ({
      receive: (_m, reply) => {
        reply.resolve(addressKey(address));
      },
    }));
    const addresses = [
      { workspace: 'a', kind: 'agent', id: 'b' },
      { workspace: 'a/agent', kind: 'agent', id: 'b' },
      { workspace: 'a', kind: 'agent', id: 'agent/agent/b' },
      { workspace: 'a%2Fagent', kind: 'agent', id: 'b' },
      { workspace: 'a', kind: 'run', id: 'b' },
      { workspace: '__proto__', kind: 'agent', id: 'constructor' },
      { workspace: 'a', kind: 'agent', id: '' },
      { workspace: 'a', kind: 'agent', id: 'B' },
      { workspace: 'a', kind: 'agent', id: '\ud800 \u0000 ~%$' },
      { workspace: 'a', kind: 'hive', id: 'b' },
    ] as const;
    const answers = addresses.map((a) => s.system.ask(a, 0));
    await s.settle();
    const got = await Promise.all(answers);
    expect(got).to.deep.equal(addresses.map(addressKey));
    expect(new Set(got).size).to.equal(addresses.length);
  });

  it('a full mailbox answers at once, and has room again when one is answered', async () => {
    const kept: Reply[] = [];
    const s = stage(
      {
        receive: (_m, reply) => {
          kept.push(reply);
        },
      },
      { queueLimit: 3 },
    );
    const asks = [1, 2, 3].map((m) => watch(s.system.ask(agent('a'), m)));
    const refused = (await s.system.ask(agent('a'), 4).catch((e: unknown) => e as HivekeepError)) as HivekeepError;
    expect([refused.code, refused.retryAfter, refused.details]).to.deep.equal([
      'UNAVAILABLE',
      1,
      { reason: 'MailboxFull' },
    ]);
    expect(() => {
      s.system.tell(agent('a'), 5);
    }).to.throw('full');
    expect(await outcome(s.settle().then(() => s.system.ask(agent('a'), 6)))).to.contain(
      'full',
      'handled, and still unanswered',
    );
    kept[0]!.resolve('done');
    const next = watch(s.system.ask(agent('a'), 7));
    await s.settle();
    for (const reply of kept) reply.resolve('done');
    await s.settle();
    expect([...asks, next].map((a) => a.state)).to.deep.equal(Array(4).fill('ok done'));
    expect(s.system.stats().queued).to.equal(0);
  });

  it('what an actor owes itself is never refused', async () => {
    const s = stage(
      {
        receive: (m, reply, context) => {
          if (m === 'go') for (let i = 0; i < 10; i++) context.self(i);
          reply.resolve(m);
        },
      },
      { queueLimit: 2 },
    );
    s.system.tell(agent('a'), 'go');
    await s.settle();
    expect(s.journal.take()).to.have.length(12);
  });

  it('one busy actor leaves the turn when its time is up', async () => {
    const s = stage(
      {
        receive: (m, reply) => {
          s.loop.time += 1;
          reply.resolve(m);
        },
      },
      { budgetMs: 3, burst: 64 },
    );
    const asks = Array.from({ length: 9 }, (_, i) => s.system.ask(agent('a'), i));
    s.loop.runMicrotasks();
    expect(s.system.stats().processed).to.equal(3);
    s.loop.turn();
    expect(s.system.stats().processed).to.equal(6);
    await s.settle();
    expect(await Promise.all(asks)).to.have.length(9);
  });

  it('counts what it does', async () => {
    const s = stage({
      receive: (m, reply) => {
        if (m === 'bad') throw new Error('bad');
        reply.resolve(m);
      },
    });
    const asks = [
      watch(s.system.ask(agent('a'), 1)),
      watch(s.system.ask(agent('b'), 'bad')),
      watch(s.system.ask(agent('b'), 2)),
    ];
    expect(s.system.stats()).to.deep.equal({ active: 0, children: 0, queued: 3, processed: 0, restarts: 0, faults: 0 });
    await s.settle();
    s.clock.advance(1_000);
    await s.settle();
    expect(asks.map((a) => a.state)).to.deep.equal(['ok 1', 'error bad', 'ok 2']);
    expect(s.system.stats()).to.deep.equal({ active: 2, children: 0, queued: 0, processed: 3, restarts: 1, faults: 1 });
  });
});
