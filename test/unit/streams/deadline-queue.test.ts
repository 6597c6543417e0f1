import { expect } from 'chai';
import { Deadline, DeadlineQueue } from '../../../gateway/streams/deadline-queue.js';
import { ManualClock } from '../bus/support.js';

class Item extends Deadline<Item> {
  constructor(readonly name: string) {
    super();
  }
}
const [a, b, c] = [new Item('a'), new Item('b'), new Item('c')];

const setUp = () => {
  const clock = new ManualClock();
  const due: string[] = [];
  return { clock, due, queue: new DeadlineQueue<Item>(clock, 100, ({ name }) => due.push(name)) };
};

describe('a queue of deadlines', () => {
  it('hands each item over once, a period after it was added, in order', async () => {
    const { clock, due, queue } = setUp();
    queue.add(a);
    await clock.advance(60);
    queue.add(b);
    await clock.advance(39);
    expect(due).to.deep.equal([]);
    await clock.advance(1);
    expect(due).to.deep.equal(['a']);
    await clock.advance(60);
    expect(due).to.deep.equal(['a', 'b']);
    await clock.advance(1000);
    expect(due).to.deep.equal(['a', 'b']);
  });

  it('adding again starts the period anew, deleting ends it', async () => {
    const { clock, due, queue } = setUp();
    queue.add(a);
    queue.add(b);
    await clock.advance(50);
    queue.add(a);
    queue.delete(b);
    await clock.advance(99);
    expect(due).to.deep.equal([]);
    await clock.advance(1);
    expect(due).to.deep.equal(['a']);
  });

  it('a thousand items wait on one timer, and none is left when all is done', async () => {
    const { clock, due, queue } = setUp();
    for (let i = 0; i < 1000; i++) queue.add(new Item(String(i)));
    expect(clock.pending).to.equal(1);
    await clock.advance(100);
    expect(due.length).to.equal(1000);
    expect(clock.pending).to.equal(0);
  });

  it('a wall clock that goes back by an hour makes nothing an hour late', async () => {
    const { clock, due, queue } = setUp();
    queue.add(a);
    queue.add(b);
    clock.jump(-3_600_000);
    await clock.advance(100);
    expect(due).to.deep.equal(['a', 'b']);
    queue.add(c);
    await clock.advance(100);
    expect(due).to.deep.equal(['a', 'b', 'c']);
  });

  it('an item that is added again when it is due is due once a period, also when the clock moves meanwhile', () => {
    let now = 0;
    let fire: () => void = () => undefined;
    let beats = 0;
    const clock = {
      now: () => now++,
      after: (_ms: number, fn: () => void) => {
        fire = fn;
        return () => undefined;
      },
    };
    const queue: DeadlineQueue<Item> = new DeadlineQueue(clock, 100, (item) => {
      if (++beats < 50) queue.add(item);
    });
    queue.add(a);
    now += 100;
    fire();
    expect(beats).to.equal(1);
  });
});
