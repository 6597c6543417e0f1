/**
 * Connections on which no request has begun. Browsers and HTTP clients open some ahead of need, and node treats a
 * connection that was never used as one that is about to send a request: closing the server would wait for it until the
 * grace time is over.
 *
 * Invariant: a connection from which a byte was read (over TLS: on which a request began) is never closed here.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Call this after all other listeners of the server are registered. The returned function closes the connections that
 * are silent at that time.
 */
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
  server.on('secureConnection', watch(secured)); // the socket beneath TLS, which receives the handshake's bytes first
  // listening for upgrades and tunnels turns off node's own handling, so listen only if somebody else does
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
