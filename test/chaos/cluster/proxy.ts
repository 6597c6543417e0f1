/**
 * The network between one process and one server: a TCP proxy on a port of its own, which the test breaks and heals.
 *
 *  - `cut`: every connection is reset, new ones too, until it heals.
 *  - `hang`: connections stay and new ones are taken, but no byte passes; what was on its way passes late, once it
 *    heals.
 *  - `slow`: every byte arrives so many milliseconds later, in order.
 *
 * Where the server itself is away, a connection is closed as soon as that is known, as a refused one is.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Manner = 'cut' | 'hang' | 'slow';

export interface Proxy {
  readonly port: number;
  breakAs(manner: Manner): void;
  heal(): void;
  /** Resets the connections that are open now; new ones work. */
  reset(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
}

const slowMs = 80;

/** `target` is asked for with every connection: a server may come back on another port. */
export async function startProxy(target: () => { host: string; port: number }): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let manner: Manner | null = null;
  const end = (pair: Pair): void => {
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
  };
  const pass = (from: Socket, to: Socket): void => {
    let last = Promise.resolve();
    from.on('data', (chunk) => {
      const due = Date.now() + (manner === 'slow' ? slowMs : 0);
      last = last
        .then(() => (due > Date.now() ? pause(due - Date.now()) : undefined))
        .then(() => {
          if (to.writable) to.write(chunk);
        });
    });
    from.on('end', () => {
      last = last.then(() => {
        to.end();
      });
    });
  };
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (manner === 'cut') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...target(), noDelay: true, allowHalfOpen: true });
    const pair = { client, server };
    pairs.add(pair);
    for (const socket of [client, server]) {
      socket.on('error', () => {
        end(pair);
      });
      socket.on('close', () => {
        end(pair);
      });
    }
    pass(client, server);
    pass(server, client);
    if (manner === 'hang') stop(pair);
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  const reset = (): void => {
    for (const pair of [...pairs]) end(pair);
  };
  return {
    port: (listener.address() as AddressInfo).port,
    reset,
    breakAs(how) {
      manner = how;
      if (how === 'cut') reset();
      if (how === 'hang') for (const pair of pairs) stop(pair);
    },
    heal() {
      manner = null;
      for (const { client, server } of pairs) {
        client.resume();
        server.resume();
      }
    },
    close: () =>
      new Promise((resolve) => {
        reset();
        listener.close(() => {
          resolve();
        });
      }),
  };
}

function stop({ client, server }: Pair): void {
  client.pause();
  server.pause();
}
