import { expect } from 'chai';
import type { ActorContext, Child } from '../../../../actors/runtime/port.js';
import { agent, Gate, stage, watch, type Script, type Stage } from './kit.js';

interface Family extends Stage {
  /** What was done with the work of children. */
  done: string[];
  context: () => ActorContext<unknown>;
  spawn: (id: string, work?: () => Promise<void>) => Child;
}

async function family(parent: Script = {}): Promise<Family> {
  const done: string[] = [];
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
  const spawn: Family['spawn'] = (id, work = () => new Gate().opened) =>
    context.spawn(
      { workspace: 'ws_1', kind: 'run', id },
      {
        begin: () => {
          done.push(`${id} begins`);
          return work();
        },
        stop: (reason) => {
          done.push(`${id} stops: ${reason}`);
        },
      },
    );
  return { ...s, done, context: () => context, spawn };
}

describe('actor runtime: children', () => {
  it('begin in a turn of their own, and keep no message of their parent waiting', async () => {
    const gate = new Gate();
    const f = await family();
    f.spawn('run_1', () => gate.opened);
    expect(f.done).to.deep.equal([]);
    const ask = watch(f.system.ask(agent('parent'), 1));
    await f.settle();
    expect([ask.state, f.done]).to.deep.equal(['ok 1', ['run_1 begins']]);
    expect(f.system.stats()).to.include({ active: 2, children: 1 });
    gate.resolve();
    await f.settle();
    expect(f.system.stats()).to.include({ active: 1, children: 0 });
  });

  it('one address, one child: another is an error until the first is over', async () => {
    const f = await family();
    const first = f.spawn('run_1');
    expect(() => f.spawn('run_1')).to.throw('at work already');
    first.stop('cancelled');
    f.spawn('run_1');
    await f.settle();
    expect(f.done).to.deep.equal(['run_1 stops: cancelled', 'run_1 begins']);
  });

  it('a stop is told once, whether or not the work has begun, and not when it is over', async () => {
    const gate = new Gate();
    const f = await family();
    const [begun, ended] = [f.spawn('run_1'), f.spawn('run_2', () => gate.opened)];
    gate.resolve();
    await f.settle();
    f.done.length = 0;
    for (const child of [begun, begun, ended, f.spawn('run_3')]) child.stop('enough');
    await f.settle();
    expect(f.done).to.deep.equal(['run_1 stops: enough', 'run_3 stops: enough']);
    expect(f.system.stats()).to.include({ active: 1, queued: 0 });
  });

  it('children stop with their parent: crash and restart alike', async () => {
    const f = await family({
      receive: (m, reply) => {
        if (m === 'bad') throw new Error('boom');
        reply.resolve(m);
      },
    });
    f.spawn('run_1');
    await f.settle();
    f.context().restart(new Error('stale'), []);
    void f.system.ask(agent('parent'), 1);
    await f.settle();
    f.spawn('run_2');
    await f.settle();
    const ask = watch(f.system.ask(agent('parent'), 'bad'));
    await f.settle();
    expect(ask.state).to.equal('error boom');
    expect(f.done).to.deep.equal(['run_1 begins', 'run_1 stops: stale', 'run_2 begins', 'run_2 stops: boom']);
    expect(f.system.stats()).to.include({ active: 0, children: 0 });
  });

  it('a defect in the work is a fault of the child, and no crash of its parent; after a stop it is nothing', async () => {
    const late = new Gate();
    const f = await family();
    f.spawn('run_1', () => Promise.reject(new Error('boom')));
    const stopped = f.spawn('run_2', () => late.opened);
    await f.settle();
    stopped.stop('cancelled');
    late.reject(new Error('aborted'));
    await f.settle();
    expect(f.faults.map(({ address, phase, crashes }) => [address.id, phase, crashes])).to.deep.equal([
      ['run_1', 'child', 0],
    ]);
    expect(f.system.stats()).to.include({ active: 1, children: 0 });
  });
});
