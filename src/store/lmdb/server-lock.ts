/**
 * Ensures that a data directory has one server.
 *
 * A server listens on its own socket file in the directory and writes its name into the store. The kernel tells whether
 * the owner of a name is alive: a connection succeeds only while the listening process exists. A lock is therefore free
 * at once after kill -9, after a reboot, or in a copy of the directory, and it is respected by a server in another
 * container that shares the directory. Process ids, which are reused, play no role.
 *
 *  - The name changes in a write transaction that requires the same dead owner as was checked, so of two servers that
 *    start together one succeeds.
 *  - The socket of a live owner is never removed.
 *
 * An owner that is stopped (SIGSTOP) or busy still counts as alive, as it must, because it will continue.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { StoreError } from '../port.js';
import type { Trees } from './environment.js';

const recordKey = 'server';
/** Socket names are limited to 104 bytes including NUL on some systems. */
const longestPath = 100;

interface Owner {
  socket: string;
  pid: number;
  elsewhere: boolean;
  /** Nobody else may write meanwhile, not even a command beside the owner. */
  fence?: true;
}
export interface ServerLock {
  release(): Promise<void>;
}

/** Throws 'in-use' if the owner lets nobody work beside it. */
export async function refuseFenced({ system }: Pick<Trees, 'system'>, dir: string): Promise<void> {
  const found = system.get(recordKey);
  const owner = found === undefined ? null : (JSON.parse(found) as Owner);
  if (owner?.fence && (await alive(pathOf(dir, owner))))
    throw new StoreError(
      'in-use',
      `The data in ${resolve(dir)} is being migrated (process ${owner.pid}). Wait until that is done.`,
    );
}

/** With `fence`, processes beside the owner are refused, too. */
export async function lockForServer(
  trees: Pick<Trees, 'root' | 'system'>,
  dir: string,
  fence = false,
): Promise<ServerLock> {
  const me: Owner = { ...nameFor(dir), ...(fence && { fence }) };
  const server = await listen(pathOf(dir, me));
  const mine = JSON.stringify(me);
  for (;;) {
    const found = trees.system.get(recordKey);
    const owner = found === undefined ? null : (JSON.parse(found) as Owner);
    if (owner && (await alive(pathOf(dir, owner)))) {
      await stop(server, pathOf(dir, me));
      throw new StoreError(
        'in-use',
        `The data directory ${resolve(dir)} is in use by another hivekeep server (process ${owner.pid}). Stop that one, or name another directory with HIVEKEEP_DATA_DIR.`,
      );
    }
    const taken = trees.root.transactionSync(() => {
      if (trees.system.get(recordKey) !== found) return false;
      void trees.system.put(recordKey, mine);
      return true;
    });
    if (!taken) continue;
    if (owner) rmSync(pathOf(dir, owner), { force: true });
    return {
      async release() {
        try {
          trees.root.transactionSync(() => {
            if (trees.system.get(recordKey) === mine) void trees.system.remove(recordKey);
          });
        } catch {
          /* a full disk: the socket is closed, so the record does not block others */
        }
        await stop(server, pathOf(dir, me));
      },
    };
  }
}

function nameFor(dir: string): Owner {
  const name = `server-${randomBytes(6).toString('hex')}.sock`;
  const elsewhere = Buffer.byteLength(shortest(join(dir, name))) > longestPath;
  return { socket: name, pid: process.pid, elsewhere };
}

function pathOf(dir: string, owner: Owner): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\hivekeep-${owner.socket}`;
  return owner.elsewhere ? join(tmpdir(), `hivekeep-${owner.socket}`) : shortest(join(dir, owner.socket));
}

function shortest(path: string): string {
  const from = relative(process.cwd(), resolve(path));
  const whole = resolve(path);
  return from.length < whole.length ? from : whole;
}

function listen(path: string): Promise<Server> {
  return new Promise((done, failed) => {
    const server = createServer((socket) => {
      socket.destroy();
    });
    server.once('error', failed);
    server.listen(path, () => {
      server.unref();
      done(server);
    });
  });
}

function alive(path: string): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      answer(true);
    });
    // refused or gone: nobody listens. Any other error (no permission to connect, a full backlog) does not prove that
    // the owner is dead.
    socket.once('error', (error: NodeJS.ErrnoException) => {
      answer(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

function stop(server: Server, path: string): Promise<void> {
  return new Promise((done) => {
    server.close(() => {
      if (process.platform !== 'win32') rmSync(path, { force: true });
      done();
    });
  });
}
