import { expect } from 'chai';
import type { ActorContext, Address, ChildRef } from '../../../../actors/runtime/port.js';
import { agent, flush, Gate, Journal, Probe, stage, watch, type Script, type Stage } from './kit.js';

const run = (id: string): Address => ({ workspace: 'ws_1', kind: 'run', id });

interface Family extends Stage {
  child: Journal;
  context: () => ActorContext<unknown>;
  spawn: (id: string, script: Script) => ChildRef<unknown>;
}

async function family(parent: Script = {}): Promise<Family> {
  const child = new Journal();
  let context!: ActorContext<unknown>;
  const s = stage({
    ...parent,
    activate: (c) => {
      context = c;
    },
  });
  void s.system.ask(agent('parent'), 'hello');
  await s.settle();
  s.journal.take();
  return {
    ...s,
    child,
    context: () => context,
    spawn: (id, script) => context.spawn(run(id), new Probe(script, 1, child)),
  };
}

describe('actor runtime: children', () => {
  it('has an inbox of its own, starts at once, and may keep its parent waiting without stopping it', async () => {
    const gate = new Gate();
    const f = await family();
    const child = f.spawn('run_1', { receive: () => gate.opened });
    child.tell('work');
    child.tell('more');
    const ask = watch(f.system.ask(agent('parent'), 1));
    await f.settle();
    expect(ask.state).to.equal('ok 1');
    expect(f.child.take()).to.deep.equal(['activate 1', 'receive work']);
    gate.resolve();
    await f.settle();
    expect(f.child.take()).to.deep.equal(['receive more']);
  });

  it('one address, one child: a living one is an error, a stopped one is waited for', async () => {
    const gate = new Gate();
    const order: string[] = [];
    const f = await family();
    const first = f.spawn('run_1', {
      receive: () =>
        gate.opened.then(() => {
          order.push('first ended');
        }),
    });
    expect(() => f.spawn('run_1', {})).to.throw('is running already');
    first.tell('work');
    await f.settle();
    first.stop();
    const second = f.spawn('run_1', {
      activate: () => {
        order.push('second');
      },
    });
    second.stop();
    const third = f.spawn('run_1', {
      activate: () => {
        order.push('third');
      },
    });
    third.tell('hello');
    await f.settle();
    expect(order).to.deep.equal([]);
    gate.resolve();
    await f.settle();
    expect(order).to.deep.equal(['first ended', 'third']);
    expect(f.child.overlaps).to.equal(0);
  });

  it('stop: the handler in flight ends, the queue is dropped, then `dropped` is called, once', async () => {
    const gate = new Gate();
    const f = await family();
    const child = f.spawn('run_1', { receive: () => gate.opened });
    child.tell('work');
    child.tell('never');
    await f.settle();
    child.stop();
    child.stop();
    child.tell('ignored');
    await f.settle();
    expect(f.child.take()).to.deep.equal(['activate 1', 'receive work']);
    gate.resolve();
    await f.settle();
    expect(f.child.take())
      .to.have.length(1)
      .and.to.satisfy(([e]: string[]) => e!.startsWith('dropped 1'));
    expect(f.system.stats()).to.include({ active: 1, queued: 0 });
  });

  it('a child may be stopped by its own handler', async () => {
    const f = await family();
    const child: ChildRef<unknown> = f.spawn('run_1', {
      receive: () => {
        child.stop();
      },
    });
    child.tell(1);
    child.tell(2);
    await f.settle();
    expect(f.child.take().map((e) => e.slice(0, 9))).to.deep.equal(['activate ', 'receive 1', 'dropped 1']);
    expect(f.faults).to.deep.equal([]);
  });

  it('children stop with their parent: crash and restart alike', async () => {
    const f = await family({
      receive: (m, reply) => {
        if (m === 'bad') throw new Error('boom');
        reply.resolve(m);
      },
    });
    f.spawn('run_1', {});
    await f.settle();
    f.context().restart(new Error('stale'), []);
    await f.settle();
    expect(f.child.take()).to.deep.equal(['activate 1', 'dropped 1 stale']);
    void f.system.ask(agent('parent'), 1);
    await f.settle();
    f.spawn('run_1', {});
    await f.settle();
    const ask = watch(f.system.ask(agent('parent'), 'bad'));
    await f.settle();
    expect(ask.state).to.equal('error boom');
    expect(f.child.take()).to.deep.equal(['activate 1', 'dropped 1 boom']);
    expect(f.system.stats().active).to.equal(0);
  });

  it('a crash of a child is told to its parent, in turn; it starts again after the backoff, the fifth stops it', async () => {
    const f = await family();
    const child = f.spawn('run_1', {
      receive: (m) => {
        throw new Error(`boom ${String(m)}`);
      },
    });
    for (let i = 1; i <= 6; i++) child.tell(i);
    await f.settle();
    expect(f.journal.take()).to.deep.equal(['childFailed run_1 boom 1']);
    for (let i = 0; i < 10; i++) {
      f.clock.advance(100);
      await f.settle();
    }
    expect(f.journal.take()).to.deep.equal(
      [2, 3, 4].map((n) => `childFailed run_1 boom ${n}`).concat('childFailed run_1 boom 5 stopped'),
    );
    expect(f.child.take().filter((e) => e.startsWith('receive'))).to.deep.equal(
      [1, 2, 3, 4, 5].map((n) => `receive ${n}`),
    );
    expect(f.faults.map((x) => [x.address.id, x.broken])).to.deep.equal([
      ...Array<[string, boolean]>(4).fill(['run_1', false]),
      ['run_1', true],
    ]);
    const ask = watch(f.system.ask(agent('parent'), 1));
    await f.settle();
    expect(ask.state).to.equal('ok 1', 'the parent stays reachable');
    f.spawn('run_1', {});
    await f.settle();
    expect(f.child.take()).to.include('activate 1');
  });

  it('a failure told to an incarnation that is over is not told to the next', async () => {
    const gate = new Gate();
    const f = await family({
      receive: (m, reply) => {
        reply.resolve(m);
        return m === 'slow' ? gate.opened : undefined;
      },
    });
    void f.system.ask(agent('parent'), 'slow');
    f.spawn('run_1', {
      activate: () => {
        throw new Error('boom');
      },
    });
    await f.settle();
    f.context().restart(new Error('stale'), []);
    gate.resolve();
    await f.settle();
    await flush();
    void f.system.ask(agent('parent'), 1);
    await f.settle();
    expect(f.journal.take()).to.deep.equal(['receive slow', 'dropped 1 stale', 'activate 2', 'receive 1']);
    expect(f.system.stats().queued).to.equal(0);
  });
});
