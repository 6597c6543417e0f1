/**
 * A server that listens for upgrades gets every request that asks for one, whatever for and whatever path: also those
 * of clients that would take a plain answer (`curl --http2` offers h2c with each request). Node has then let go of the
 * socket without answering. This hands the request back to the server as one that asks for no upgrade: its head, without
 * those headers, is put in front of what is still to be read, and the server takes the socket as a new connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

export function serveAsPlain(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method ?? 'GET'} ${req.url ?? '/'} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] ?? '';
    const value = req.rawHeaders[i + 1] ?? '';
    if (name.toLowerCase() === 'connection') lines.push(...keptOptions(value));
    else if (!/^(upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit((socket as TLSSocket).encrypted ? 'secureConnection' : 'connection', socket);
}

function keptOptions(value: string): string[] {
  const kept = value
    .split(',')
    .map((option) => option.trim())
    .filter((option) => !/^(upgrade|http2-settings|)$/i.test(option));
  return kept.length === 0 ? [] : [`Connection: ${kept.join(', ')}`];
}
