import { expect } from 'chai';
import type { ActorContext, Child, Asked } from '../../../../actors/runtime/port.js';
import type { SupervisionTree } from '../../../../actors/runtime/supervision-tree.js';
import { agent, Gate, stage, watch, type Stage } from './kit.js';

const idleMs = 60_000;
const pass = async (s: Stage): Promise<void> => {
  s.clock.advance(idleMs * 1.5);
  await s.settle();
};
const supervisors = (s: Stage): string[] => (s.system as unknown as { tree: SupervisionTree }).tree.supervisors();

describe('actor runtime: activation, passivation, restart', () => {
  it('an idle actor passivates after idleMs, not before, and nothing is kept', async () => {
    const s = stage({}, { idleMs });
    void s.system.ask(agent('a'), 1);
    await s.settle();
    s.clock.advance(idleMs - 1);
    await s.settle();
    expect(s.system.stats().active).to.equal(1);
    s.clock.advance(idleMs * 0.35);
    await s.settle();
    expect(s.journal.take()).to.deep.equal(['activate 1', 'receive 1', 'passivate 1']);
    expect(s.system.stats().active).to.equal(0);
    expect(supervisors(s)).to.deep.equal([]);
    s.clock.advance(idleMs);
    expect(s.clock.waiting).to.equal(0, 'no timer runs for nobody');
  });

  it('a message renews the idle time', async () => {
    const s = stage({}, { idleMs });
    for (let i = 0; i < 5; i++) {
      void s.system.ask(agent('a'), i);
      await s.settle();
      s.clock.advance(idleMs * 0.7);
      await s.settle();
    }
    expect(s.journal.take()).not.to.include('passivate 1');
  });

  it('no passivation while an answer is owed, a child lives or the behaviour is busy', async () => {
    let kept: Asked<unknown> | undefined;
    let busy = false;
    let child: Child | undefined;
    const s = stage(
      {
        idle: () => !busy,
        receive: (m, reply, context) => {
          if (m === 'keep') kept = reply;
          else if (m === 'child') {
            child = context.spawn({ ...agent('r'), kind: 'run' }, { begin: () => new Gate().opened, stop: () => {} });
            reply.resolve(m);
          } else reply.resolve(m);
        },
      },
      { idleMs },
    );
    const answer = watch(s.system.ask(agent('a'), 'keep'));
    await s.settle();
    await pass(s);
    await pass(s);
    expect(s.system.stats().active).to.equal(1);
    kept!.resolve('kept');
    void s.system.ask(agent('a'), 'child');
    await s.settle();
    expect(answer.state).to.equal('ok kept');
    await pass(s);
    await pass(s);
    expect(s.system.stats().active).to.equal(2);
    child!.stop('enough');
    busy = true;
    await pass(s);
    await pass(s);
    expect(s.system.stats().active).to.equal(1);
    busy = false;
    await pass(s);
    expect(s.system.stats().active).to.equal(0);
  });

  it('a message between the sweep and the turn of passivation keeps the actor', async () => {
    const s = stage({}, { idleMs });
    void s.system.ask(agent('a'), 1);
    await s.settle();
    s.clock.advance(idleMs * 1.5);
    const answer = watch(s.system.ask(agent('a'), 2));
    await s.settle();
    expect(answer.state).to.equal('ok 2');
    expect(s.journal.take()).to.deep.equal(['activate 1', 'receive 1', 'receive 2']);
  });

  it('the sweep finds every one of many, in strides', async () => {
    const s = stage({}, { idleMs });
    for (let i = 0; i < 500; i++) void s.system.ask(agent(`agent_${i}`), i);
    await s.settle();
    s.clock.advance(idleMs * 1.35);
    await s.settle();
    expect(s.system.stats().active).to.equal(0);
  });

  it('supervisors: workspace, then hive, as long as something is under them', async () => {
    const s = stage(({ id }) => (id === 'a' ? { hives: ['hive_1'] } : {}), { idleMs });
    void s.system.ask(agent('a'), 1);
    void s.system.ask(agent('b', 'ws/2'), 1);
    await s.settle();
    expect(supervisors(s)).to.have.members(['workspaces.ws_1', 'workspaces.ws_1/hives.hive_1', 'workspaces.ws$002f2']);
    await pass(s);
    expect(supervisors(s)).to.deep.equal([]);
  });

  it('System.A1: an ask that a restart leaves out, and nobody answered, is answered UNAVAILABLE', async () => {
    let context!: ActorContext<unknown>;
    const s = stage({
      activate: (c) => {
        context = c;
      },
      receive: () => {},
    });
    const answer = watch(s.system.ask(agent('a'), 1));
    await s.settle();
    context.restart(new Error('stale'), []);
    await s.settle();
    expect(answer.state).to.match(/^UNAVAILABLE .*not known/);
  });

  it('`dropped` may still answer what it kept', async () => {
    const kept: Asked<unknown>[] = [];
    const s = stage({
      receive: (m, reply, context) => {
        kept.push(reply);
        if (m === 2) context.restart(new Error('stale'), []);
      },
      dropped: () => {
        for (const r of kept) r.resolve('late');
      },
    });
    const asks = [1, 2].map((m) => watch(s.system.ask(agent('a'), m)));
    await s.settle();
    expect(asks.map((a) => a.state)).to.deep.equal(['ok late', 'ok late']);
  });

  it('a restart before a crash in the same handler still puts back what it named', async () => {
    const kept: Asked<unknown>[] = [];
    const s = stage({
      receive: (message, reply, context, life) => {
        if (life > 1) {
          reply.resolve(`${String(message)} by ${life}`);
          return;
        }
        kept.push(reply);
        if (message === 2) {
          context.restart(new Error('stale'), kept);
          throw new Error('boom');
        }
      },
    });
    const asks = [1, 2, 3].map((m) => watch(s.system.ask(agent('a'), m)));
    await s.settle();
    s.clock.advance(50);
    await s.settle();
    expect(asks.map((a) => a.state)).to.deep.equal(['ok 1 by 2', 'error boom', 'ok 3 by 2']);
    expect(s.journal.take().filter((e) => e.startsWith('receive'))).to.deep.equal(
      [1, 2, 1, 3].map((n) => `receive ${n}`),
    );
  });

  it('System.A1: what has been answered is not handled again, whether before or after it was put back', async () => {
    const kept: Asked<unknown>[] = [];
    let context!: ActorContext<unknown>;
    const s = stage({
      activate: (c) => {
        context = c;
      },
      receive: (_message, reply) => {
        kept.push(reply);
      },
    });
    const asks = [1, 2].map((m) => watch(s.system.ask(agent('a'), m)));
    s.system.tell(agent('a'), 'told');
    await s.settle();
    kept[2]!.resolve('done with');
    kept[0]!.resolve('before');
    context.restart(new Error('stale'), kept);
    kept[1]!.resolve('after');
    await s.settle();
    expect(asks.map((a) => a.state)).to.deep.equal(['ok before', 'ok after']);
    expect(s.journal.take().filter((e) => e.startsWith('receive'))).to.deep.equal([
      'receive 1',
      'receive 2',
      'receive told',
    ]);
    expect(s.system.stats().queued).to.equal(0);
  });

  it('a restart in the middle of a passivation still puts back a tell', async () => {
    const gate = new Gate();
    const kept: Asked<unknown>[] = [];
    let context!: ActorContext<unknown>;
    const s = stage(
      {
        activate: (c, life) => {
          if (life === 1) context = c;
        },
        receive: (_message, reply) => {
          kept.push(reply);
        },
        passivate: (life) => (life === 1 ? gate.opened : undefined),
      },
      { idleMs },
    );
    s.system.tell(agent('a'), 'told');
    await s.settle();
    await pass(s);
    context.restart(new Error('stale'), kept);
    gate.resolve();
    await s.settle();
    expect(s.journal.take()).to.deep.equal(['activate 1', 'receive told', 'passivate 1', 'activate 2', 'receive told']);
  });

  it('after a passivation, and after a crash that is forgotten, the address begins anew', async () => {
    const s = stage(
      {
        receive: (m, reply) => {
          if (m === 'bad') throw new Error('boom');
          reply.resolve(m);
        },
      },
      { idleMs },
    );
    void s.system.ask(agent('a'), 1);
    await s.settle();
    await pass(s);
    await pass(s);
    const bad = watch(s.system.ask(agent('a'), 'bad'));
    await s.settle();
    for (let i = 0; i < 3; i++) await pass(s);
    expect(s.clock.waiting, 'nothing is swept any more').to.equal(0);
    const again = watch(s.system.ask(agent('a'), 2));
    await s.settle();
    expect([bad.state, again.state]).to.deep.equal(['error boom', 'ok 2']);
    expect(s.system.stats().restarts).to.equal(0, 'the crash was forgotten');
  });

  it('the context of an incarnation that is over has no effect', async () => {
    const contexts: ActorContext<unknown>[] = [];
    const s = stage({
      activate: (c) => {
        contexts.push(c);
      },
    });
    void s.system.ask(agent('a'), 1);
    await s.settle();
    contexts[0]!.restart(new Error('stale'), []);
    void s.system.ask(agent('a'), 2);
    await s.settle();
    s.journal.take();
    contexts[0]!.self('ghost');
    contexts[0]!.restart(new Error('ghost'), []);
    contexts[0]!.spawn(agent('ghost'), { begin: () => Promise.reject(new Error('never')), stop: () => {} });
    await s.settle();
    expect(s.journal.take()).to.deep.equal([]);
    expect(s.faults).to.deep.equal([]);
  });

  it('restart refuses a reply that the actor was not given', async () => {
    let caught: unknown;
    const s = stage({
      receive: (message, reply, context) => {
        try {
          context.restart(new Error('x'), [{ message, resolve: () => {}, reject: () => {} }]);
        } catch (error) {
          caught = error;
        }
        reply.resolve('ok');
      },
    });
    await Promise.all([s.system.ask(agent('a'), 1), s.settle()]);
    expect(caught).to.be.instanceOf(TypeError);
    expect(s.system.stats().restarts).to.equal(0);
  });
});
