/**
 * A real Redis for tests: REDIS_URL where it is set (its data is then not ours: only `url` is there), else a
 * `redis-server` from PATH on a free port with a folder of its own, else null and the suite is skipped.
 */
import { connect, createServer, type AddressInfo } from 'node:net';
import { OwnServer } from './own-server.js';

export interface RedisService {
  readonly url: string;
  /** What a test of our own server may do to it; null for one that was given. */
  readonly own: OwnRedis | null;
  stop(): Promise<void>;
}

export interface OwnRedis {
  readonly port: number;
  /** kill -9, and the same port without any data. */
  restartEmpty(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** SIGSTOP: it listens, and answers nothing. */
  pause(): void;
  resume(): void;
  /** kill -9. */
  kill(): Promise<void>;
}

/** `args` are redis-server's own, such as ['--requirepass', 'x']; with them REDIS_URL is not used. */
export async function redisService(args: readonly string[] = []): Promise<RedisService | null> {
  const given = process.env['REDIS_URL'];
  if (given && args.length === 0) return { url: given, own: null, stop: async () => undefined };
  const server = new Server(await freePort(), args);
  try {
    await server.start();
  } catch (error) {
    server.clean();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return { url: `redis://127.0.0.1:${server.port}`, own: server, stop: () => server.stop() };
}

class Server extends OwnServer implements OwnRedis {
  constructor(port: number, args: readonly string[]) {
    super(port, {
      name: 'redis-server',
      args: (own, folder) =>
        ['--port', String(own), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'].concat(
          args,
        ),
      answers: answering,
    });
  }

  async restartEmpty(): Promise<void> {
    await this.kill();
    await this.start();
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });

/** Until it answers anything at all, be it a demand for a password. */
async function answering(port: number): Promise<void> {
  for (const until = Date.now() + 10_000; !(await answers(port));) {
    if (Date.now() > until) throw new Error('redis-server does not answer 10 s after it was started');
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n')).setTimeout(1000);
    const done = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket
      .once('data', () => done(true))
      .once('error', () => done(false))
      .once('timeout', () => done(false));
  });
