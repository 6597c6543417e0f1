import { expect } from 'chai';
import { Lane, Runnable, Scheduler } from '../../../../actors/runtime/scheduler.js';
import { ManualLoop } from './kit.js';

/** Work of `left` messages that take `cost` ms each. */
class Work extends Runnable {
  constructor(
    readonly lane: Lane,
    readonly name: string,
    public left: number,
    private readonly loop: ManualLoop,
    private readonly scheduler: Scheduler,
    private readonly done: string[],
    private readonly cost = 0,
  ) {
    super();
  }
  get ready(): boolean {
    return this.left > 0;
  }
  run(limit: number): number {
    let n = 0;
    while (n < limit && this.left > 0 && (n === 0 || !this.scheduler.overdue())) {
      this.left--;
      n++;
      this.loop.time += this.cost;
      this.done.push(this.name);
    }
    return n;
  }
}

const stage = (burst = 4, budget = 2): { loop: ManualLoop; scheduler: Scheduler; done: string[] } => {
  const loop = new ManualLoop();
  return { loop, scheduler: new Scheduler({ loop, burst, budgetMs: budget }), done: [] };
};

describe('scheduler', () => {
  it('the first task of an idle scheduler runs in a microtask', () => {
    const { loop, scheduler, done } = stage();
    scheduler.schedule(new Work(new Lane(), 'a', 1, loop, scheduler, done));
    expect(done).to.deep.equal([]);
    loop.runMicrotasks();
    expect(done).to.deep.equal(['a']);
  });

  it('a turn ends when its budget is used, and the rest follows in the next', () => {
    const { loop, scheduler, done } = stage();
    scheduler.schedule(new Work(new Lane(), 'a', 10, loop, scheduler, done, 1));
    loop.runMicrotasks();
    expect(done).to.have.length(2);
    loop.turn();
    expect(done).to.have.length(4);
    for (let i = 0; i < 10; i++) loop.turn();
    expect(done).to.have.length(10);
    expect(loop.busy).to.equal(false);
  });

  it('a chain of asks and answers does not hold the turn: time between drains counts', () => {
    const { loop, scheduler, done } = stage();
    const lane = new Lane();
    for (let i = 0; i < 10; i++) {
      scheduler.schedule(new Work(lane, `a${i}`, 1, loop, scheduler, done));
      loop.runMicrotasks();
      loop.time += 0.5;
    }
    expect(done).to.have.length(4);
    loop.turn();
    expect(done).to.have.length(10);
  });

  it('a workspace that floods many actors delays another by one burst a round', () => {
    const { loop, scheduler, done } = stage(4, 1_000);
    const flood = new Lane();
    const quiet = new Lane();
    for (let i = 0; i < 100; i++) scheduler.schedule(new Work(flood, 'flood', 10, loop, scheduler, done));
    scheduler.schedule(new Work(quiet, 'quiet', 2, loop, scheduler, done));
    loop.runMicrotasks();
    expect(done.indexOf('quiet')).to.equal(4);
    expect(done).to.have.length(1_002);
  });

  it('a hot actor does not starve its neighbours', () => {
    const { loop, scheduler, done } = stage(4, 1_000);
    const lane = new Lane();
    for (const [name, left] of [
      ['hot', 100],
      ['a', 1],
      ['b', 1],
    ] as const)
      scheduler.schedule(new Work(lane, name, left, loop, scheduler, done));
    loop.runMicrotasks();
    expect(done.slice(0, 6)).to.deep.equal(['hot', 'hot', 'hot', 'hot', 'a', 'b']);
  });

  it('a task scheduled twice runs once, one that is scheduled while it runs runs again', () => {
    const { loop, scheduler, done } = stage();
    const lane = new Lane();
    const work = new Work(lane, 'a', 1, loop, scheduler, done);
    scheduler.schedule(work);
    scheduler.schedule(work);
    loop.runMicrotasks();
    work.left = 1;
    scheduler.schedule(work);
    while (loop.busy) loop.turn();
    expect(done).to.deep.equal(['a', 'a']);
  });

  it('after a task that breaks its word and throws, the others go on', () => {
    const { loop, scheduler, done } = stage();
    const lane = new Lane();
    const bad = new Work(lane, 'bad', 1, loop, scheduler, done);
    bad.run = (): number => {
      throw new Error('defect');
    };
    scheduler.schedule(bad);
    scheduler.schedule(new Work(lane, 'good', 1, loop, scheduler, done));
    expect(() => {
      loop.runMicrotasks();
    }).to.throw('defect');
    loop.turn();
    expect(done).to.deep.equal(['good']);
  });
});
