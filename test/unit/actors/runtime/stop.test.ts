import { expect } from 'chai';
import type { Reply } from '../../../../actors/runtime/port.js';
import { agent, Gate, outcome, stage, watch } from './kit.js';

describe('actor runtime: stop', () => {
  it('System.A9: refuses new messages, drains every inbox, passivates every actor, idle or not', async () => {
    const gate = new Gate();
    const s = stage({
      idle: () => false,
      receive: async (m, reply) => {
        if (m === 0) await gate.opened;
        reply.resolve(m);
      },
    });
    const asks = Array.from({ length: 20 }, (_, i) => watch(s.system.ask(agent(`agent_${i % 3}`), i)));
    const stopped = s.system.stop({ graceMs: 5_000 });
    expect(await outcome(s.system.ask(agent('agent_0'), 'late'))).to.equal('UNAVAILABLE this process is shutting down');
    expect(() => {
      s.system.tell(agent('agent_0'), 'late');
    }).to.throw('shutting down');
    await s.settle();
    expect(asks[0]!.state).to.equal('waiting');
    gate.resolve();
    await s.settle();
    expect(await stopped).to.equal(true);
    expect(asks.map((a) => a.state)).to.deep.equal(Array.from({ length: 20 }, (_, i) => `ok ${i}`));
    expect(s.journal.take().filter((e) => e.startsWith('passivate'))).to.have.length(3);
    expect(s.system.stats()).to.include({ active: 0, queued: 0 });
    expect(s.clock.waiting).to.equal(0);
  });

  it('System.A9: waits for answers that are owed, and for backoffs', async () => {
    let kept: Reply | undefined;
    const s = stage({
      receive: (m, reply) => {
        if (m === 'keep') kept = reply;
        else if (m === 'bad') throw new Error('boom');
        else reply.resolve(m);
      },
    });
    const asks = [
      watch(s.system.ask(agent('a'), 'keep')),
      watch(s.system.ask(agent('b'), 'bad')),
      watch(s.system.ask(agent('b'), 'after')),
    ];
    await s.settle();
    const stopped = s.system.stop({ graceMs: 5_000 });
    await s.settle();
    expect(asks.map((a) => a.state)).to.deep.equal(['waiting', 'error boom', 'waiting']);
    kept!.resolve('kept');
    s.clock.advance(50);
    await s.settle();
    expect(await stopped).to.equal(true);
    expect(asks.map((a) => a.state)).to.deep.equal(['ok kept', 'error boom', 'ok after']);
  });

  it('System.A9: children end before their parent leaves, and what they report is handled', async () => {
    const order: string[] = [];
    const gate = new Gate();
    const s = stage({
      receive: (m, reply, context) => {
        order.push(`parent ${String(m)}`);
        if (m === 'go')
          context.spawn(
            { ...agent('run_1'), kind: 'run' },
            {
              begin: () =>
                gate.opened.then(() => {
                  context.self('reported');
                }),
              stop: () => undefined,
            },
          );
        reply.resolve(m);
      },
      passivate: () => {
        order.push('parent passivates');
      },
    });
    void s.system.ask(agent('a'), 'go');
    await s.settle();
    const stopped = s.system.stop({ graceMs: 5_000 });
    await s.settle();
    gate.resolve();
    await s.settle();
    expect(await stopped).to.equal(true);
    expect(order).to.deep.equal(['parent go', 'parent reported', 'parent passivates']);
  });

  for (const graceMs of [5_000, 0])
    it(`System.A9: past ${graceMs} ms of grace whoever waits is answered, and what runs is told to end`, async () => {
      const never = new Gate();
      const told: unknown[] = [];
      const s = stage(
        {
          receive: (m, reply) => {
            if (m === 'slow') return never.opened;
            if (m !== 'keep') reply.resolve(m);
          },
        },
        { log: { warn: ({ event }) => told.push(event) } },
      );
      const asks = [
        ['a', 'slow'],
        ['a', 'queued'],
        ['b', 'keep'],
      ].map(([id, m]) => watch(s.system.ask(agent(id!), m)));
      const stopped = s.system.stop({ graceMs });
      await s.settle();
      s.clock.advance(graceMs);
      await s.settle();
      expect(await stopped).to.equal(false);
      expect(told).to.have.length(graceMs > 0 ? 1 : 0);
      expect(asks.map((a) => a.state.slice(0, 11))).to.deep.equal(Array(3).fill('UNAVAILABLE'));
      expect(s.journal.take().filter((e) => e.startsWith('dropped'))).to.have.length(2);
      never.reject(new Error('aborted at last'));
      await s.settle();
      expect(s.faults).to.deep.equal([]);
      expect(s.system.stats()).to.include({ active: 0, queued: 0 });
    });

  it('System.A9: an open breaker, even with a tell behind it, does not hold it up', async () => {
    const s = stage({
      activate: () => {
        throw new Error('boom');
      },
    });
    s.system.tell(agent('a'), 1);
    for (let i = 0; i < 20; i++) {
      await s.settle();
      s.clock.advance(100);
    }
    expect(s.faults.at(-1)!.broken).to.equal(true);
    const stopped = s.system.stop({ graceMs: 5_000 });
    await s.settle();
    expect(await stopped).to.equal(true);
  });

  it('System.A9: with nothing to drain it ends at once, and twice is once', async () => {
    const s = stage({});
    const stopped = s.system.stop({ graceMs: 5_000 });
    expect(s.system.stop({ graceMs: 1 })).to.equal(stopped);
    expect(await stopped).to.equal(true);
  });
});
