/**
 * Connections on which no request has begun. Browsers and HTTP clients open some ahead of need, and node takes a
 * connection that was never used for one that is about to send: closing a server would wait for it until the grace time
 * is over, and leave no time for anything else.
 *
 * Invariant: a connection of which a byte was read (over TLS: on which a request began) is never ended here.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Call it when all other listeners of the server are there. The returned function ends those that are silent now. */
export function watchSilentConnections(server: Server): () => void {
  const plain = new Set<Socket>();
  const secured = new Set<Socket>();
  const watch =
    (silent: Set<Socket>) =>
    (socket: Socket): void => {
      silent.add(socket);
      socket.once('close', () => silent.delete(socket));
    };
  server.on('connection', watch(plain));
  server.on('secureConnection', watch(secured)); // the socket inside TLS, whose bytes begin with the handshake's
  // to listen to upgrades and tunnels is to take them over, so that is done only where somebody does
  const begins = [
    'request',
    'checkContinue',
    'checkExpectation',
    ...['upgrade', 'connect'].filter((event) => server.listenerCount(event) > 0),
  ];
  for (const event of begins) server.on(event, (req: IncomingMessage) => secured.delete(req.socket));
  return () => {
    for (const socket of plain) if (socket.bytesRead === 0) socket.destroy();
    for (const socket of secured) socket.destroy();
  };
}
