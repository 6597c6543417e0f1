import { expect } from 'chai';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import { followWorkspace } from '../../../src/bus/workspace-events.js';
import { HivekeepError } from '../../../src/domain/errors.js';
import { change, Reader, settle } from './support.js';

const open = (buffer = 10) => {
  const bus = createInProcessBus(), abort = new AbortController();
  let subscriptions = 0;
  const counted = { subscribeWorkspace: (...args: Parameters<typeof bus.subscribeWorkspace>) => { const leave = bus.subscribeWorkspace(...args); subscriptions++; return () => { subscriptions--; leave(); }; } };
  const reader = new Reader(followWorkspace({ bus: counted, workspace: 'ws_1', signal: abort.signal, buffer }));
  return { bus, abort, reader, subscriptions: () => subscriptions };
};

describe('the live events of a workspace', () => {
  it('W1: are given from the call on, in order, before and while the reader waits', async () => {
    const { bus, reader } = open();
    bus.publishWorkspace('ws_1', [change(1)]);
    bus.publishWorkspace('ws_2', [change(9)]);
    bus.publishWorkspace('ws_1', [change(2), change(3)]);
    await reader.drain();
    bus.publishWorkspace('ws_1', [change(4)]);
    await reader.drain();
    expect(reader.out.map((e) => e.data['id'])).to.deep.equal(['mem_1', 'mem_2', 'mem_3', 'mem_4']);
    expect(reader.closed).to.equal(false);
  });

  it('W2: a reader that falls behind is told so and unsubscribed', async () => {
    const { bus, reader, subscriptions } = open(2);
    bus.publishWorkspace('ws_1', [change(1), change(2)]);
    bus.publishWorkspace('ws_1', [change(3)]);
    await reader.drain();
    expect(reader.error).to.be.instanceOf(HivekeepError).with.property('code', 'UNAVAILABLE');
    expect(subscriptions()).to.equal(0);
  });

  it('W3: an abort ends a pending read at once, without an error', async () => {
    const { abort, reader, subscriptions } = open();
    reader.take();
    await settle();
    abort.abort();
    await settle();
    expect(reader.closed).to.equal(true);
    expect(subscriptions()).to.equal(0);
  });

  it('W3: return() ends a pending read at once', async () => {
    const { reader, subscriptions } = open();
    reader.take();
    await settle();
    await reader.iterator.return?.();
    expect(reader.closed).to.equal(true);
    expect(subscriptions()).to.equal(0);
  });

  it('W3: with an aborted signal nothing is subscribed', async () => {
    const abort = new AbortController();
    abort.abort();
    const reader = new Reader(followWorkspace({ bus: { subscribeWorkspace: () => { throw new Error('subscribed'); } }, workspace: 'ws_1', signal: abort.signal, buffer: 1 }));
    await reader.drain();
    expect(reader.closed).to.equal(true);
  });
});
