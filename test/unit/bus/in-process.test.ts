import { expect } from 'chai';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import type { RunEvent } from '../../../src/domain/model/model.js';
import { answer, change, topic } from './support.js';

describe('the bus of one process', () => {
  it('tells every listener of the topic, in order, what is published after it subscribed', () => {
    const bus = createInProcessBus();
    const told: string[] = [];
    bus.publish('run', topic, [answer(1)]);
    bus.subscribe('run', topic, (events) => told.push(...events.map((e) => `a${e.seq}`)));
    bus.subscribe('run', { ...topic }, (events) => told.push(...events.map((e) => `b${e.seq}`)));
    bus.publish('run', { ...topic }, [answer(2), answer(3)]);
    expect(told).to.deep.equal(['a2', 'a3', 'b2', 'b3']);
  });

  it("InProcessBus.B4: tells nobody what is another run's, agent's or workspace's", () => {
    const bus = createInProcessBus();
    let told = 0;
    const count = (): void => {
      told++;
    };
    bus.subscribe('run', topic, count);
    bus.subscribe('workspace', { workspace: 'ws_1' }, count);
    bus.publish('run', { ...topic, run: 'run_2' }, [answer(1)]);
    bus.publish('run', { ...topic, agent: 'agent_2' }, [answer(1)]);
    bus.publish('run', { ...topic, workspace: 'ws_2' }, [answer(1)]);
    bus.publish('workspace', { workspace: 'ws_2' }, [change(1)]);
    expect(told).to.equal(0);
  });

  it('InProcessBus.B2: a listener that throws is logged and hurts no other', () => {
    const logged: object[] = [];
    const told: number[] = [];
    const bus = createInProcessBus({ error: (fields) => logged.push(fields) });
    const broken = new Error('broken');
    bus.subscribe('workspace', { workspace: 'ws_1' }, () => {
      throw broken;
    });
    bus.subscribe('workspace', { workspace: 'ws_1' }, (events) => told.push(events.length));
    bus.publish('workspace', { workspace: 'ws_1' }, [change(1), change(2)]);
    expect(told).to.deep.equal([2]);
    expect(logged).to.deep.equal([{ event: 'bus.listener_failed', err: broken }]);
  });

  it('InProcessBus.B3: who unsubscribes in the middle of a delivery is not told any more', () => {
    const bus = createInProcessBus();
    let told = 0;
    bus.subscribe('run', topic, () => leave());
    const leave = bus.subscribe('run', topic, () => told++);
    bus.publish('run', topic, [answer(1)]);
    expect(told).to.equal(0);
    leave();
    expect(told).to.equal(0);
  });

  it('InProcessBus.B3: who subscribes in the middle of a delivery is told from the next on, also when it does so each time', () => {
    const bus = createInProcessBus();
    const told: number[] = [];
    const again = (events: readonly RunEvent[]): void => {
      told.push(events[0]!.seq);
      leave();
      leave = bus.subscribe('run', topic, again);
    };
    let leave = bus.subscribe('run', topic, again);
    bus.publish('run', topic, [answer(1)]);
    bus.publish('run', topic, [answer(2)]);
    expect(told).to.deep.equal([1, 2]);
  });

  it('a publish that nobody hears allocates nothing', function () {
    const gc = globalThis.gc;
    const bus = createInProcessBus();
    const events = [answer(1)];
    bus.subscribe('run', { ...topic, run: 'another' }, () => undefined);
    const publish = (): void => {
      for (let i = 0; i < 1_000_000; i++) bus.publish('run', topic, events);
    };
    publish();
    gc?.();
    const before = process.memoryUsage().heapUsed;
    publish();
    const grown = process.memoryUsage().heapUsed - before;
    expect(grown, 'bytes for a million publishes').to.be.below(1_000_000);
  });
});
