/**
 * What a client sends to a MongoDB, counted on the wire: a TCP proxy that reads the commands (OP_MSG) on their way to
 * the server, and when each was answered.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';

export interface WireCommand {
  /** As 'update heads'. */
  readonly name: string;
  /** Its place in the longest chain of commands of which each was sent after the answer to the one before. */
  readonly depth: number;
}

export interface MongoWire {
  /** The address of the proxy, to be put in the place of the server's. */
  readonly host: string;
  /** The commands that are sent while `work` is done, without those that only keep the connection. */
  during(work: () => Promise<unknown>): Promise<WireCommand[]>;
  close(): Promise<void>;
}

/** The length of the longest chain of commands of which each had to wait for the one before. */
export const roundTrips = (commands: readonly WireCommand[]): number => Math.max(0, ...commands.map((c) => c.depth));

const keepsTheConnection: ReadonlySet<string> = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions']);
const opMsg = 2013;
const headerBytes = 16;

/** `apart`: the names of commands that nobody waits for, and that are not counted. */
export async function mongoWire(port: number, apart: readonly string[] = []): Promise<MongoWire> {
  const sockets = new Set<Socket>();
  let sent: WireCommand[] = [];
  let deepest = 0;
  const unanswered = new Map<string, number>();
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: '127.0.0.1', port, noDelay: true });
    const name = String(Math.random());
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    const asked = messages((message) => {
      const command = commandOf(message);
      if (command === null || apart.includes(command)) return;
      const depth = deepest + 1;
      unanswered.set(`${name}/${message.readInt32LE(4)}`, depth);
      sent.push({ name: command, depth });
    });
    const answered = messages((message) => {
      const key = `${name}/${message.readInt32LE(8)}`;
      deepest = Math.max(deepest, unanswered.get(key) ?? 0);
      unanswered.delete(key);
    });
    client.on('data', asked).pipe(server);
    server.on('data', answered).pipe(client);
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    host: `127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async during(work) {
      sent = [];
      deepest = 0;
      unanswered.clear();
      await work();
      return sent;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        listener.close(() => {
          resolve();
        });
      }),
  };
}

/** Cuts a stream of bytes into messages of MongoDB's wire protocol, each with its length in front. */
function messages(use: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headerBytes && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      use(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** The first section of a message is the command: a document whose first field is its name and, mostly, collection. */
function commandOf(message: Buffer): string | null {
  if (message.readInt32LE(12) !== opMsg) return null;
  const start = headerBytes + 5;
  const [first] = Object.entries(BSON.deserialize(message.subarray(start, start + message.readInt32LE(start))));
  if (!first || keepsTheConnection.has(first[0])) return null;
  return typeof first[1] === 'string' ? first.join(' ') : first[0];
}
