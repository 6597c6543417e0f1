/** gateway/limits/connections.ts: bounds on open connections. */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { turn as nextTurn } from '../../helpers/turn.js';
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
  const seen = ({ remoteAddress, remotePort }: FakeSocket): Duplex =>
    new FakeSocket(remoteAddress, remotePort) as unknown as Duplex;
  const prove = (socket: FakeSocket, workspace = 'w'): void => connections.proved(seen(socket), workspace);
  const timers: (() => void)[] = [];
  /** The time in which an address may have more. */
  const pass = async (): Promise<void> => {
    for (let look = 0; look < 15; look++) {
      for (const fn of timers.splice(0)) fn();
      await nextTurn();
    }
  };
  const closed = (sockets: FakeSocket[]): boolean[] => sockets.map((socket) => socket.destroyed);
  const told: string[] = [];
  beforeEach(() => {
    told.length = 0;
    timers.length = 0;
    connections = new Connections({
      perAddress: 3,
      total: 6,
      clock: {
        after: (_ms, fn) => {
          timers.push(fn);
          return () => undefined;
        },
      },
      secured: false,
      trusts: (address) => address === '10.0.0.1',
      closed: (address) => told.push(address),
    });
  });

  it('beyond the bound of an address its oldest unproven ones are closed after a while, and no one else is', async () => {
    const other = open('192.0.2.2');
    const mine = [1, 2, 3, 4, 5].map(() => open('192.0.2.1'));
    expect(closed(mine).some(Boolean), 'they may be about to prove themselves').to.equal(false);
    prove(mine[1]!);
    await pass();
    expect(closed(mine)).to.deep.equal([true, false, false, false, false]);
    expect(other.destroyed).to.equal(false);
    expect(told).to.deep.equal(['192.0.2.1']);
    expect(timers).to.have.length(0);
  });

  it('an IPv6 /64 is one address', async () => {
    const mine = [1, 2, 3, 4].map((i) => open(`2001:db8::${i}`));
    await pass();
    expect(closed(mine)).to.deep.equal([true, false, false, false]);
  });

  it('a trusted proxy has no bound of its own', async () => {
    const all = [1, 2, 3, 4, 5, 6].map(() => open('10.0.0.1'));
    all.forEach((socket) => prove(socket));
    await pass();
    expect(closed(all).some(Boolean)).to.equal(false);
  });

  it('while a credential is looked up, its connection stays, and is looked at again', async () => {
    const mine = [1, 2, 3, 4].map(() => open('192.0.2.1'));
    const asked = mine.map((socket) => connections.began(seen(socket), true));
    await pass();
    expect(closed(mine).some(Boolean)).to.equal(false);
    connections.ended(asked[2]!, true);
    await pass();
    expect(closed(mine)).to.deep.equal([false, false, true, false]);
  });

  it('a request without a credential keeps no connection', async () => {
    const mine = [1, 2, 3, 4].map(() => open('192.0.2.1'));
    mine.forEach((socket) => connections.began(seen(socket), false));
    await pass();
    expect(closed(mine)).to.deep.equal([true, false, false, false]);
  });

  it('beyond the total the oldest unproven one is closed, whoever opened it', () => {
    const all = [1, 2, 3, 4, 5, 6, 7].map((i) => open(`192.0.2.${i}`));
    expect(closed(all)).to.deep.equal([true, false, false, false, false, false, false]);
    expect(connections.size).to.equal(6);
  });

  it('proven ones leave places for others, by those that were idle for longest', () => {
    const all = [1, 2, 3, 4, 5, 6].map((i) => open(`192.0.2.${i}`));
    all.slice(0, 5).forEach((socket, i) => prove(socket, i < 3 ? 'most' : 'other'));
    connections.ended(connections.began(seen(all[0]!), true), true); // now idle for the shortest time
    const late = open('192.0.2.9');
    expect(closed([...all, late])).to.deep.equal([false, true, false, false, false, false, false]);
    const later = open('192.0.2.10');
    expect(closed([...all, late, later]), 'then an unproven one').to.deep.equal([
      false,
      true,
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('where all are busy, the new one is closed', () => {
    const all = [1, 2, 3, 4, 5, 6].map((i) => open(`192.0.2.${i}`));
    all.forEach((socket, i) => {
      connections.began(seen(socket), true);
      prove(socket, `w${i}`);
    });
    expect(open('192.0.2.9').destroyed).to.equal(true);
    all[0]!.destroy();
    expect(open('192.0.2.9').destroyed).to.equal(false);
  });

  it('nothing is kept of what has ended', () => {
    for (let i = 0; i < 100; i++) open('192.0.2.1').destroy();
    expect(connections.size).to.equal(0);
    expect(closed([1, 2, 3].map(() => open('192.0.2.1'))).some(Boolean)).to.equal(false);
    expect(open(undefined).destroyed, 'a client that has left already').to.equal(true);
    expect(connections.size).to.equal(3);
  });
});
