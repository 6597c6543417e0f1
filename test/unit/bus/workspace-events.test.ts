import { expect } from 'chai';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import type { Bus } from '../../../src/bus/port.js';
import { followWorkspace } from '../../../src/bus/workspace-events.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { WorkspaceEvent } from '../../../src/domain/model/model.js';
import { change, ManualClock, Reader, settle } from './support.js';

const open = (buffer = 10) => {
  const bus = createInProcessBus();
  const abort = new AbortController();
  let subscriptions = 0;
  const counted: Pick<Bus, 'subscribe'> = {
    subscribe: (...args) => {
      const leave = bus.subscribe(...args);
      subscriptions++;
      return () => {
        subscriptions--;
        leave();
      };
    },
  };
  const reader = new Reader(followWorkspace({ bus: counted, workspace: 'ws_1', signal: abort.signal, buffer }));
  return { bus, abort, reader, subscriptions: () => subscriptions };
};

describe('the live events of a workspace', () => {
  it('are given from the call on, in order, before and while the reader waits', async () => {
    const { bus, reader } = open();
    bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
    bus.publish('workspace', { workspace: 'ws_2' }, [change(9)]);
    bus.publish('workspace', { workspace: 'ws_1' }, [change(2), change(3)]);
    await reader.drain();
    bus.publish('workspace', { workspace: 'ws_1' }, [change(4)]);
    await reader.drain();
    expect(reader.out.map((e) => e.data['id'])).to.deep.equal(['mem_1', 'mem_2', 'mem_3', 'mem_4']);
    expect(reader.closed).to.equal(false);
  });

  it('a reader that falls behind is told so and unsubscribed', async () => {
    const { bus, reader, subscriptions } = open(2);
    bus.publish('workspace', { workspace: 'ws_1' }, [change(1), change(2)]);
    bus.publish('workspace', { workspace: 'ws_1' }, [change(3)]);
    await reader.drain();
    expect(reader.error).to.be.instanceOf(HivekeepError).with.property('code', 'UNAVAILABLE');
    expect(subscriptions()).to.equal(0);
  });

  it('an abort ends a pending read at once, without an error', async () => {
    const { abort, reader, subscriptions } = open();
    reader.take();
    await settle();
    abort.abort();
    await settle();
    expect(reader.closed).to.equal(true);
    expect(subscriptions()).to.equal(0);
  });

  it('return() ends a pending read at once', async () => {
    const { reader, subscriptions } = open();
    reader.take();
    await settle();
    await reader.iterator.return?.();
    await settle();
    expect(reader.closed).to.equal(true);
    expect(subscriptions()).to.equal(0);
  });

  it('with an aborted signal nothing is subscribed', async () => {
    const abort = new AbortController();
    abort.abort();
    const reader = new Reader(
      followWorkspace({
        bus: {
          subscribe: () => {
            throw new Error('subscribed');
          },
        },
        workspace: 'ws_1',
        signal: abort.signal,
        buffer: 1,
      }),
    );
    await reader.drain();
    expect(reader.closed).to.equal(true);
  });
});

/** A bus that needs a moment to subscribe; the test says what it tells. */
const openConfirming = () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  let tell: (events: readonly WorkspaceEvent[]) => void = () => undefined;
  const world = { subscriptions: 0, begun: false };
  const subscribe: Bus['subscribe'] = (_channel, _topic, listener) => {
    tell = listener as typeof tell;
    world.subscriptions++;
    return () => {
      world.subscriptions--;
    };
  };
  const events = followWorkspace({
    bus: { subscribe, confirms: true },
    workspace: 'ws_1',
    signal: abort.signal,
    buffer: 10,
    clock,
  });
  void events.begun.then(() => {
    world.begun = true;
  });
  return {
    clock,
    abort,
    world,
    tell: (...told: WorkspaceEvent[]) => {
      tell(told);
    },
    reader: new Reader(events),
  };
};

describe('the live events of a workspace on a bus that confirms', () => {
  it('begins with the first [], and what came just before it is not lost', async () => {
    const t = openConfirming();
    t.tell(change(1));
    await t.reader.drain();
    expect([t.world.begun, t.reader.out]).to.deep.equal([false, []]);
    t.tell();
    await t.reader.drain();
    t.tell(change(2));
    await t.reader.drain();
    expect(t.reader.out.map((e) => e.data['id'])).to.deep.equal(['mem_1', 'mem_2']);
    expect([t.world.begun, t.clock.pending], 'nothing is waited for any more').to.deep.equal([true, 0]);
  });

  it('another [] ends it, after what came before and without what came after', async () => {
    const t = openConfirming();
    t.tell();
    t.tell(change(1));
    t.tell();
    t.tell(change(2));
    await t.reader.drain();
    expect(t.reader.out.map((e) => e.data['id'])).to.deep.equal(['mem_1']);
    expect(t.reader.error).to.be.instanceOf(HivekeepError).with.property('code', 'UNAVAILABLE');
    expect(t.world.subscriptions).to.equal(0);
  });

  it('one that does not begin in time ends, and never says that it has begun', async () => {
    const t = openConfirming();
    t.reader.take();
    await t.clock.advance(4999);
    expect([t.reader.error, t.reader.pending]).to.deep.equal([null, true]);
    await t.clock.advance(1);
    expect(t.reader.error).to.be.instanceOf(HivekeepError).with.property('code', 'UNAVAILABLE');
    expect(t.world).to.deep.equal({ subscriptions: 0, begun: false });
  });

  it('an abort before it has begun leaves nothing behind', async () => {
    const t = openConfirming();
    t.reader.take();
    t.abort.abort();
    await settle();
    expect([t.reader.closed, t.world.subscriptions, t.clock.pending]).to.deep.equal([true, 0, 0]);
  });
});
