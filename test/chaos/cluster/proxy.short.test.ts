import { expect } from 'chai';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startProxy, type Proxy } from './proxy.js';

describe('The network of the chaos harness', () => {
  let server: Server;
  let proxy: Proxy;
  const clients: Socket[] = [];
  beforeEach(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined).pipe(socket);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    proxy = await startProxy(() => ({ host: '127.0.0.1', port }));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await proxy.close();
    server.close();
  });

  const client = (): Socket => {
    const socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    clients.push(socket);
    return socket;
  };
  const echoed = (socket: Socket, text: string): Promise<string> =>
    new Promise((resolve) => {
      socket.once('data', (chunk) => {
        resolve(chunk.toString());
      });
      socket.write(text);
    });
  const closed = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
  const within = (ms: number, promise: Promise<unknown>): Promise<boolean> =>
    Promise.race([
      promise.then(() => true),
      new Promise<false>((resolve) => {
        setTimeout(resolve, ms, false);
      }),
    ]);

  it('passes bytes both ways while it is whole', async () => {
    expect(await echoed(client(), 'ping')).to.equal('ping');
  });

  it('cut: ends what is open and what is new, until it heals', async () => {
    const open = client();
    await echoed(open, 'ping');
    const ends = closed(open);
    proxy.breakAs('cut');
    await ends;
    await closed(client());
    proxy.heal();
    expect(await echoed(client(), 'ping')).to.equal('ping');
  });

  it('hang: nothing passes, also on new connections, and arrives late', async () => {
    const open = client();
    await echoed(open, 'ping');
    proxy.breakAs('hang');
    const answers = [echoed(open, 'one'), echoed(client(), 'two')];
    expect(await within(100, Promise.any(answers))).to.equal(false);
    proxy.heal();
    expect(await Promise.all(answers)).to.deep.equal(['one', 'two']);
  });

  it('slow: everything arrives later, in order', async () => {
    const open = client();
    await echoed(open, 'ping');
    proxy.breakAs('slow');
    const begun = Date.now();
    expect(await echoed(open, 'ping')).to.equal('ping');
    expect(Date.now() - begun).to.be.at.least(100);
  });

  it('closes a connection whose server is away', async () => {
    server.close();
    await closed(client());
  });

  it('reset: what is open ends, what is new works', async () => {
    const open = client();
    await echoed(open, 'ping');
    const ends = closed(open);
    proxy.reset();
    await ends;
    expect(await echoed(client(), 'ping')).to.equal('ping');
  });
});
