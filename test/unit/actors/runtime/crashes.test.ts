import { expect } from 'chai';
import type { HivekeepError } from '../../../../src/domain/shared/errors.js';
import type { Reply } from '../../../../actors/runtime/port.js';
import { agent, flush, Gate, outcome, stage, watch } from './kit.js';

describe('actor runtime: crashes', () => {
  for (const [how, receive] of [
    [
      'throws',
      (): void => {
        throw new Error('boom');
      },
    ],
    ['rejects', (): Promise<void> => Promise.reject(new Error('boom'))],
  ] as const) {
    it(`a handler that ${how} answers its asker, drops the incarnation and keeps the queue`, async () => {
      const s = stage({ receive: (m, reply) => (m === 'bad' ? receive() : reply.resolve(m)) });
      const asks = ['a', 'bad', 'b', 'c'].map((m) => watch(s.system.ask(agent('x'), m)));
      await s.settle();
      expect(asks.map((a) => a.state)).to.deep.equal(['ok a', 'error boom', 'waiting', 'waiting']);
      expect(s.journal.take()).to.deep.equal(['activate 1', 'receive a', 'receive bad', 'dropped 1 boom']);
      expect(s.faults.map((f) => [f.phase, f.crashes, f.broken])).to.deep.equal([['receive', 1, false]]);
      s.clock.advance(49);
      await s.settle();
      expect(asks[2]!.state).to.equal('waiting');
      s.clock.advance(1);
      await s.settle();
      expect(asks.map((a) => a.state).slice(2)).to.deep.equal(['ok b', 'ok c']);
    });
  }

  it('a crash answers what the incarnation still owed, and only that', async () => {
    const kept: Reply[] = [];
    const s = stage({
      receive: (m, reply) => {
        if (m === 'bad') throw new Error('boom');
        kept.push(reply);
      },
    });
    const owed = watch(s.system.ask(agent('x'), 'keep'));
    const bad = watch(s.system.ask(agent('x'), 'bad'));
    const queued = watch(s.system.ask(agent('x'), 'later'));
    await s.settle();
    expect(owed.state).to.match(/^UNAVAILABLE .*not known/);
    expect([bad.state, queued.state]).to.deep.equal(['error boom', 'waiting']);
    kept[0]!.resolve('too late');
    s.clock.advance(50);
    await s.settle();
    kept[1]!.resolve('served');
    await flush();
    expect([owed.state.slice(0, 11), queued.state]).to.deep.equal(['UNAVAILABLE', 'ok served']);
  });

  it('the backoff doubles; the fifth crash in a minute opens the breaker until that minute has passed', async () => {
    let healthy = false;
    const s = stage({
      receive: (m, reply) => {
        if (!healthy) throw new Error(`boom ${String(m)}`);
        reply.resolve(m);
      },
    });
    const asks = [1, 2, 3, 4, 5, 6, 7].map((m) => watch(s.system.ask(agent('x'), m)));
    const start = s.clock.now();
    const when: number[] = [];
    for (let i = 0; i < 100 && s.faults.length < 5; i++) {
      const before = s.faults.length;
      await s.settle();
      if (s.faults.length > before) when.push(s.clock.now() - start);
      if (s.faults.length < 5) s.clock.advance(10);
    }
    expect(when).to.deep.equal([0, 50, 150, 350, 750]);
    expect(s.faults.map((f) => f.broken)).to.deep.equal([false, false, false, false, true]);
    await s.settle();
    expect(asks.map((a) => a.state.slice(0, 11))).to.deep.equal([
      'error boom ',
      'error boom ',
      'error boom ',
      'error boom ',
      'error boom ',
      'UNAVAILABLE',
      'UNAVAILABLE',
    ]);
    const refused = (await s.system.ask(agent('x'), 8).catch((e: unknown) => e as HivekeepError)) as HivekeepError;
    expect([refused.code, refused.retryAfter, refused.details]).to.deep.equal([
      'UNAVAILABLE',
      60,
      { reason: 'CrashLoop' },
    ]);
    healthy = true;
    s.clock.advance(start + 59_999 - s.clock.now());
    expect(await outcome(s.system.ask(agent('x'), 9))).to.match(/^UNAVAILABLE/);
    s.clock.advance(1);
    const served = watch(s.system.ask(agent('x'), 10));
    await s.settle();
    expect(served.state).to.equal('ok 10');
  });

  it('another actor is not touched by a crash loop', async () => {
    const s = stage((address) => ({
      receive: (m, reply) => {
        if (address.id === 'bad') throw new Error('boom');
        reply.resolve(m);
      },
    }));
    for (let i = 0; i < 5; i++) {
      void outcome(s.system.ask(agent('bad'), i));
      await s.settle();
      s.clock.advance(1_000);
      await s.settle();
    }
    const good = watch(s.system.ask(agent('good'), 1));
    await s.settle();
    expect(good.state).to.equal('ok 1');
  });

  for (const [how, fail] of [
    [
      'throws',
      (): void => {
        throw new Error('no store');
      },
    ],
    ['rejects', (): Promise<void> => Promise.reject(new Error('no store'))],
  ] as const) {
    it(`an activation that ${how} answers all who wait, and is tried again by the next message after the backoff`, async () => {
      let down = true;
      const s = stage({ activate: () => (down ? fail() : undefined) });
      const asks = [1, 2, 3].map((m) => watch(s.system.ask(agent('x'), m)));
      await s.settle();
      expect(asks.map((a) => a.state)).to.deep.equal(Array(3).fill('error no store'));
      down = false;
      const next = watch(s.system.ask(agent('x'), 4));
      await s.settle();
      expect(next.state).to.equal('waiting');
      s.clock.advance(50);
      await s.settle();
      expect(next.state).to.equal('ok 4');
    });
  }

  it('System.A1: a tell survives failed activations and an open breaker', async () => {
    let down = true;
    const s = stage({
      activate: () => {
        if (down) throw new Error('no store');
      },
    });
    s.system.tell(agent('x'), 'told');
    for (let i = 0; i < 20; i++) {
      await s.settle();
      s.clock.advance(100);
    }
    expect(s.faults).to.have.length(5);
    down = false;
    s.clock.advance(60_000);
    await s.settle();
    expect(s.journal.take()).to.include('receive told');
  });

  it('who makes behaviours may throw, and so may who names the supervisors', async () => {
    const s = stage(() => {
      throw new Error('no behaviour');
    });
    const t = stage({
      get hives(): string[] {
        throw new Error('no parent');
      },
    });
    const one = watch(s.system.ask(agent('x'), 1));
    const two = watch(t.system.ask(agent('x'), 1));
    await s.settle();
    await t.settle();
    expect([one.state, two.state]).to.deep.equal(['error no behaviour', 'error no parent']);
    expect([...s.faults, ...t.faults].map((f) => f.phase)).to.deep.equal(['activate', 'activate']);
  });

  it('whatever a behaviour throws, wherever, nothing is left unhandled', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown): void => {
      unhandled.push(reason);
    };
    process.on('unhandledRejection', listener);
    try {
      const odd: unknown[] = ['a string', undefined, null, 42, { code: 'X' }, Symbol('s'), Object.create(null)];
      for (const thrown of odd) {
        const fail = (): never => {
          throw thrown;
        };
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the same
        const reject = (): Promise<void> => Promise.reject(thrown);
        const badThenable = {
          get then(): never {
            throw new Error('then');
          },
        } as unknown as Promise<void>;
        for (const script of [
          { receive: fail },
          { receive: reject },
          { activate: fail },
          { activate: reject },
          { passivate: fail },
          { passivate: reject },
          { idle: fail },
          { receive: (): Promise<void> => badThenable },
          { receive: fail, dropped: fail },
        ]) {
          const s = stage(script, {
            idleMs: 1_000,
            onFault: () => {
              throw new Error('listener');
            },
          });
          const ask = watch(s.system.ask(agent('x'), 1));
          s.system.tell(agent('x'), 2);
          for (let i = 0; i < 3; i++) {
            await s.settle();
            s.clock.advance(2_000);
          }
          await s.settle();
          expect(ask.state).to.not.equal('waiting');
          expect(s.system.stats().faults).to.be.greaterThan(0);
        }
      }
      await flush();
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', listener);
    }
  });

  it('a passivation that fails is a crash, and what came meanwhile is served', async () => {
    const gate = new Gate();
    const s = stage({ passivate: (life) => (life === 1 ? gate.opened : undefined) }, { idleMs: 1_000 });
    void s.system.ask(agent('x'), 1);
    await s.settle();
    s.clock.advance(1_500);
    await s.settle();
    const ask = watch(s.system.ask(agent('x'), 2));
    gate.reject(new Error('boom'));
    await s.settle();
    expect(s.faults.map((f) => f.phase)).to.deep.equal(['passivate']);
    s.clock.advance(50);
    await s.settle();
    expect(ask.state).to.equal('ok 2');
  });
});
