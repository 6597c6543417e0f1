/** Connections.C1-C3 of gateway/limits/connections.ts: bounds on open connections. */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { Connections } from '../../../gateway/limits/connections.js';

class FakeSocket extends EventEmitter {
  destroyed = false;
  constructor(
    readonly remoteAddress: string | undefined,
    readonly remotePort: number,
  ) {
    super();
  }
  destroy(): this {
    this.destroyed = true;
    this.emit('close');
    return this;
  }
}

describe('open connections', () => {
  let port = 0;
  let connections: Connections;
  const open = (address: string | undefined): FakeSocket => {
    const socket = new FakeSocket(address, ++port);
    connections.accepted(socket as never);
    return socket;
  };
  /** As requests over TLS see it: another object with the same ends. */
  const prove = ({ remoteAddress, remotePort }: FakeSocket): void =>
    connections.proved(new FakeSocket(remoteAddress, remotePort) as unknown as Duplex);
  const closed = (sockets: FakeSocket[]): boolean[] => sockets.map((socket) => socket.destroyed);
  const told: string[] = [];
  beforeEach(() => {
    told.length = 0;
    connections = new Connections({
      perAddress: 3,
      total: 6,
      trusts: (address) => address === '10.0.0.1',
      closed: (address) => told.push(address),
    });
  });

  it('Connections.C1: beyond the bound of an address its oldest unproven one is closed, and no one else is', () => {
    const other = open('192.0.2.2');
    const mine = [1, 2, 3, 4].map(() => open('192.0.2.1'));
    expect(closed(mine)).to.deep.equal([true, false, false, false]);
    expect(other.destroyed).to.equal(false);
    expect(told).to.deep.equal(['192.0.2.1']);
  });

  it('Connections.C1: an IPv6 /64 is one address', () => {
    const mine = [1, 2, 3, 4].map((i) => open(`2001:db8::${i}`));
    expect(closed(mine)).to.deep.equal([true, false, false, false]);
  });

  it('Connections.C1: a trusted proxy has no bound of its own', () => {
    expect(closed([1, 2, 3, 4, 5, 6].map(() => open('10.0.0.1'))).some(Boolean)).to.equal(false);
  });

  it('Connections.C3: a proven one is not counted, nor closed', () => {
    const first = open('192.0.2.1');
    prove(first);
    const mine = [1, 2, 3].map(() => open('192.0.2.1'));
    expect(closed([first, ...mine]).some(Boolean)).to.equal(false);
    open('192.0.2.1');
    expect(closed([first, ...mine])).to.deep.equal([false, true, false, false]);
  });

  it('Connections.C2: beyond the total the oldest unproven one is closed, whoever opened it', () => {
    const all = [1, 2, 3, 4, 5, 6, 7].map((i) => open(`192.0.2.${i}`));
    expect(closed(all)).to.deep.equal([true, false, false, false, false, false, false]);
    expect(connections.size).to.equal(6);
  });

  it('Connections.C2: where all are proven, the new one is', () => {
    const all = [1, 2, 3, 4, 5, 6].map((i) => open(`192.0.2.${i}`));
    all.forEach(prove);
    const late = open('192.0.2.9');
    expect(closed([...all, late])).to.deep.equal([false, false, false, false, false, false, true]);
    all[0]!.destroy();
    expect(open('192.0.2.9').destroyed).to.equal(false);
  });

  it('Connections.C3: nothing is kept of what has ended', () => {
    for (let i = 0; i < 100; i++) open('192.0.2.1').destroy();
    expect(connections.size).to.equal(0);
    expect(closed([1, 2, 3].map(() => open('192.0.2.1'))).some(Boolean)).to.equal(false);
    expect(open(undefined).destroyed, 'a client that has left already').to.equal(true);
    expect(connections.size).to.equal(3);
  });
});
