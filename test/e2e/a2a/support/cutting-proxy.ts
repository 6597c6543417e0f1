/** A wire that breaks when the test says so: connections to it go on to the server, until `cut` destroys them all. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  /** The server's address as clients of the proxy see it. */
  url: string;
  cut(): void;
  /** Cuts once, when so many bytes have come from the server. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(target: () => string): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let leftUntilCut = Infinity;
  const server = createServer((client) => {
    const { port, hostname } = new URL(target());
    const upstream = connect(Number(port), hostname);
    upstream.on('data', (chunk: Buffer) => {
      leftUntilCut -= chunk.length;
      if (leftUntilCut > 0) return;
      leftUntilCut = Infinity;
      cut();
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    cutAfter(bytes) {
      leftUntilCut = bytes;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        cut();
      }),
  };
}
