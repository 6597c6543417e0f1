/**
 * Reads that are expensive to parse, such as a chunked body of one byte in each chunk. One read of 64 KiB then emits
 * 11,000 chunks, and libuv reads up to 32 times from a connection before it turns to the others: half a second for one
 * connection, whether or not its request has a key.
 *
 * Invariants
 *  HeavyReads.H1 After a read in which a connection emits more than `mostPieces` pieces of bodies, that connection is
 *     not read again in the same turn of the event loop.
 *  HeavyReads.H2 Of all connections that had such a read, one continues reading in each turn.
 *  HeavyReads.H3 A body that arrives in pieces of the usual size is read without delay.
 */
import type { Socket } from 'node:net';

const mostPieces = 64;

interface Reader {
  readonly socket: Socket;
  pieces: number;
  held: boolean;
}

const readers = new WeakMap<Socket, Reader>();
/** The readers counted in this turn of the event loop; their counts are reset in the next. */
let counted: Reader[] = [];
const held: Reader[] = [];
let scheduled = false;

/** Call this for every piece of a body. */
export function countPiece(socket: Socket): void {
  const reader = readers.get(socket) ?? newReader(socket);
  if (reader.pieces++ === 0) {
    counted.push(reader);
    schedule();
  }
  if (reader.pieces <= mostPieces || reader.held) return;
  reader.held = true;
  held.push(reader);
  socket.pause();
}

function newReader(socket: Socket): Reader {
  const reader: Reader = { socket, pieces: 0, held: false };
  readers.set(socket, reader);
  // node resumes the connection whenever the request wants more of its body
  socket.on('resume', () => {
    if (reader.held) socket.pause();
  });
  return reader;
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    for (const reader of counted) reader.pieces = 0;
    counted = [];
    let next = held.shift();
    while (next?.socket.destroyed === true) next = held.shift();
    if (next) {
      next.held = false;
      next.socket.resume();
    }
    if (held.length > 0) schedule();
  });
}
