/** A load balancer of the simplest sort: each connection goes to the next gateway that takes it, byte by byte. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Hopper {
  readonly port: number;
  close(): Promise<void>;
}

/** `gateways` is asked at each connection for the URLs as they are then. */
export async function startHopper(gateways: () => readonly string[]): Promise<Hopper> {
  let next = 0;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client
      .on('close', () => {
        open.delete(client);
      })
      .on('error', () => undefined);
    const urls = gateways();
    const from = next++;
    const attempt = (tried: number): void => {
      const url = urls[(from + tried) % urls.length];
      if (url === undefined || tried === urls.length) {
        client.destroy();
        return;
      }
      const { hostname, port } = new URL(url);
      const gateway = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      const refused = (): void => {
        attempt(tried + 1);
      };
      gateway.once('error', refused);
      gateway.once('connect', () => {
        gateway.removeListener('error', refused);
        join(client, gateway, open);
      });
    };
    attempt(0);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of open) socket.destroy();
      }),
  };
}

/** What one side does, the other sees: an end as an end, a cut as a cut. */
function join(client: Socket, gateway: Socket, open: Set<Socket>): void {
  open.add(gateway);
  gateway.setNoDelay(true);
  client.setNoDelay(true);
  client.pipe(gateway);
  gateway.pipe(client);
  client.on('close', (failed) => {
    if (failed) gateway.resetAndDestroy();
    else gateway.destroy();
  });
  gateway
    .on('close', (failed) => {
      open.delete(gateway);
      if (failed) client.resetAndDestroy();
      else client.destroySoon();
    })
    .on('error', () => undefined);
}
