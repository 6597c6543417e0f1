/** What every adapter of src/bus/transport.ts has to pass. */
import { expect } from 'chai';
import type { Transport } from '../../../src/bus/transport.js';
import { turn } from '../../helpers/turn.js';

export interface TransportWorld {
  /** A process of a name that was never used. */
  transport(): Transport;
  /** Puts an entry into a process's inbox by hand: `text` is to be the JSON of its messages. */
  write(to: string, text: string): Promise<void>;
  /** Entries that the process could not read. */
  unreadable(transport: Transport): number;
  close(): Promise<void>;
}

/** A process whose events are kept, and waited for. */
export class Peer {
  readonly received: { from: string; message: unknown }[] = [];
  readonly gone: string[] = [];
  #resume = (): void => undefined;

  constructor(readonly transport: Transport) {}

  get messages(): unknown[] {
    return this.received.map(({ message }) => message);
  }

  start(): Promise<void> {
    return this.transport.start({
      received: (from, message) => {
        this.received.push({ from, message });
        this.#resume();
      },
      gone: (to) => {
        this.gone.push(to);
        this.#resume();
      },
    });
  }

  /** Rejects after `ms`, saying what there is. */
  async until(holds: () => boolean, what: string, ms = 10_000): Promise<void> {
    for (const end = Date.now() + ms; !holds();) {
      if (Date.now() > end)
        throw new Error(`${what}: not within ${ms} ms; received ${this.received.length}, gone ${this.gone.length}`);
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
        setTimeout(resolve, 20);
      });
    }
  }
}

export async function peers(world: TransportWorld, n = 2): Promise<Peer[]> {
  const made = Array.from({ length: n }, () => new Peer(world.transport()));
  for (const peer of made) await peer.start();
  return made;
}

export function transportContract(name: string, open: () => Promise<TransportWorld>): void {
  describe(`transport contract: ${name}`, () => {
    let world: TransportWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(async () => {
      await world.close();
    });

    it('messages of one turn arrive in the order in which they were sent, in one turn, saying from whom', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      let turns = 0;
      await b.transport.close();
      const c = new Peer(world.transport());
      await c.transport.start({
        received: (from, message) => {
          c.received.push({ from, message });
          if (c.received.length === 1)
            setImmediate(() => {
              turns = c.received.length;
            });
        },
        gone: () => undefined,
      });
      for (let i = 0; i < 1000; i++) a.transport.send(c.transport.self, { i });
      await c.until(() => c.received.length === 1000, 'all');
      await c.until(() => turns > 0, 'the turn after the first');
      expect(turns, 'received in the turn of the first').to.equal(1000);
      expect(c.received).to.deep.equal(
        Array.from({ length: 1000 }, (_, i) => ({ from: a.transport.self, message: { i } })),
      );
    });

    it('turns follow each other in order, also where each needs many entries', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      const text = 'x'.repeat(300_000);
      for (let round = 0; round < 5; round++) {
        for (let i = 0; i < 5; i++) a.transport.send(b.transport.self, { n: round * 5 + i, text });
        await turn();
      }
      await b.until(() => b.received.length === 25, 'all');
      expect(b.messages.map((m) => (m as { n: number }).n)).to.deep.equal(Array.from({ length: 25 }, (_, i) => i));
    });

    it('a message arrives as it was when it was sent, whatever is in it', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      const messages = [
        null,
        'text',
        0,
        [],
        { a: { b: ['é\u0000\u2028𝄞\ud800"\\\r\n', 1e21, -0.5, true, null] } },
        { left: undefined, kept: 1 },
      ];
      for (const message of messages) a.transport.send(b.transport.self, message);
      const changing = { n: 1 };
      a.transport.send(b.transport.self, changing);
      changing.n = 2;
      await b.until(() => b.received.length === messages.length + 1, 'all');
      expect(b.messages).to.deep.equal([...messages.slice(0, -1), { kept: 1 }, { n: 1 }]);
    });

    it('a message of 4 MiB arrives whole, between others', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      const big = '0123456789abcdé'.repeat((4 * 1024 * 1024) / 16);
      for (const message of ['before', big, 'after']) a.transport.send(b.transport.self, message);
      await b.until(() => b.received.length === 3, 'all');
      expect(b.messages[0]).to.equal('before');
      expect(b.messages[1] === big, 'unchanged').to.equal(true);
      expect(b.messages[2]).to.equal('after');
    });

    it('what is sent to one process arrives at no other, and a process may send to itself', async () => {
      const [a, b, c] = (await peers(world, 3)) as [Peer, Peer, Peer];
      a.transport.send(b.transport.self, 'to b');
      c.transport.send(c.transport.self, 'to c');
      await b.until(() => b.received.length > 0, 'at b');
      await c.until(() => c.received.length > 0, 'at c');
      b.transport.send(a.transport.self, 'to a');
      await a.until(() => a.received.length > 0, 'at a');
      expect([a.messages, b.messages, c.messages]).to.deep.equal([['to a'], ['to b'], ['to c']]);
    });

    it('request and answer between two processes, 200 at a time', async () => {
      const a = new Peer(world.transport());
      const b = world.transport();
      await b.start({
        received: (from, message) => {
          b.send(from, { answer: message });
        },
        gone: () => undefined,
      });
      await a.start();
      for (let i = 0; i < 200; i++) a.transport.send(b.self, i);
      await a.until(() => a.received.length === 200, 'answers');
      expect(a.messages).to.deep.equal(Array.from({ length: 200 }, (_, i) => ({ answer: i })));
    });

    for (const text of ['', 'not JSON', '{"an":"object"}', '"text"', '[1,2', 'null']) {
      it(`an entry of ${JSON.stringify(text)} is counted and dropped, and what follows arrives`, async () => {
        const [a, b] = (await peers(world)) as [Peer, Peer];
        await world.write(b.transport.self, text);
        a.transport.send(b.transport.self, 'good');
        await b.until(() => b.received.length > 0, 'what follows');
        await b.until(() => world.unreadable(b.transport) > 0, 'the count');
        expect([b.messages, world.unreadable(b.transport)]).to.deep.equal([['good'], 1]);
      });
    }

    it('who sends to a process that was never there, or has ended, is told so; once per entry', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      a.transport.send('nobody', 1);
      a.transport.send('nobody', 2);
      await a.until(() => a.gone.length > 0, 'gone');
      expect(a.gone).to.deep.equal(['nobody']);
      await b.transport.close();
      a.transport.send(b.transport.self, 3);
      await a.until(() => a.gone.length > 1, 'gone again');
      expect(a.gone).to.deep.equal(['nobody', b.transport.self]);
    });

    it('what was sent before close is on its way when it resolves; nothing arrives or is sent after', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      a.transport.send(b.transport.self, 'last');
      await a.transport.close();
      a.transport.send(b.transport.self, 'too late');
      await b.until(() => b.received.length > 0, 'the last');
      b.transport.send(a.transport.self, 'too late');
      await b.until(() => b.gone.length > 0, 'gone');
      expect([a.messages, b.messages, b.gone]).to.deep.equal([[], ['last'], [a.transport.self]]);
    });
  });
}
