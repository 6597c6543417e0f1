/**
 * Stands between a store and MongoDB and knows the commands that pass: a test holds one back, or loses it or its
 * answer, as a network may. Messages of the wire protocol are cut by their length; a command is known by the first
 * field of its body (`update`, `insert`, `find`...), which names the collection.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * lose: it never arrives. lose-answer: it takes effect and nobody is told. Both cut the connection. hold: it waits for
 * the promise.
 */
export type Fate = 'lose' | 'lose-answer' | { hold: Promise<unknown> };

interface Trap {
  command: string;
  collection: string;
  fate: Fate;
  seen: () => void;
}

export class MongoProxy {
  private readonly sockets = new Set<Socket>();
  private readonly traps: Trap[] = [];
  private server: Server | null = null;
  private refusing = false;

  constructor(private readonly target: number) {}

  /** The URL of a store behind this proxy, from one of the server itself. */
  async url(direct: string): Promise<string> {
    const server = (this.server = createServer((client) => {
      this.serve(client);
    }));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `${direct.replace(`127.0.0.1:${this.target}`, `127.0.0.1:${(server.address() as AddressInfo).port}`)}?directConnection=true`;
  }

  /** The next such command meets this fate. Resolves when it has come (and, where its answer is lost, taken effect). */
  trap(command: string, collection: string, fate: Fate): Promise<void> {
    return new Promise((seen) => {
      this.traps.push({ command, collection, fate, seen });
    });
  }

  /** Cuts what is connected and refuses what comes, until `mend`. */
  cut(): void {
    this.refusing = true;
    for (const socket of this.sockets) socket.destroy();
  }
  mend(): void {
    this.refusing = false;
  }

  close(): void {
    this.cut();
    this.server?.close();
  }

  private serve(client: Socket): void {
    if (this.refusing) {
      client.destroy();
      return;
    }
    const upstream = connect(this.target, '127.0.0.1');
    const ends = [client, upstream];
    let loseAnswer: (() => void) | null = null;
    let before: Promise<unknown> = Promise.resolve();
    const hangUp = (): void => {
      for (const end of ends) end.destroy();
    };
    for (const end of ends) {
      this.sockets.add(end);
      end.on('error', hangUp).on('close', () => {
        this.sockets.delete(end);
        hangUp();
      });
    }
    upstream.on('data', (bytes) => {
      if (loseAnswer) {
        hangUp();
        loseAnswer();
      } else client.write(bytes);
    });
    client.on(
      'data',
      messages((message) => {
        const trap = this.take(message);
        if (trap?.fate === 'lose') {
          hangUp();
          trap.seen();
          return;
        }
        if (trap?.fate === 'lose-answer') loseAnswer = trap.seen;
        if (typeof trap?.fate === 'object') {
          trap.seen();
          const { hold } = trap.fate;
          before = before.then(() => hold);
        }
        // what is held back goes also when whoever sent it has gone
        void before.then(() => {
          if (!upstream.destroyed) upstream.write(message);
        });
      }),
    );
  }

  private take(message: Buffer): Trap | undefined {
    const { command, collection } = read(message);
    const at = this.traps.findIndex((t) => t.command === command && t.collection === collection);
    return at < 0 ? undefined : this.traps.splice(at, 1)[0];
  }
}

const opMsg = 2013;

function read(message: Buffer): { command: string; collection: string } {
  if (message.readInt32LE(12) !== opMsg || message[20] !== 0) return { command: '', collection: '' };
  const nameAt = 26;
  const end = message.indexOf(0, nameAt);
  const command = message.toString('utf8', nameAt, end);
  if (message[25] !== 2 /* a text */) return { command, collection: '' };
  return { command, collection: message.toString('utf8', end + 5, end + 4 + message.readInt32LE(end + 1)) };
}

function messages(each: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const size = rest.readInt32LE(0);
      each(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  };
}
