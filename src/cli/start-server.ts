/**
 * The composition of the server: what is listening, and how it is stopped. As long as the service behind it is not
 * wired, it answers its probes and says of everything else that it is unavailable.
 */
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.js';
import type { Store } from '../store/port.js';
import type { Logger } from '../telemetry/log.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { System } from './system.js';
import type { TlsFiles } from './tls-files.js';

export interface ServerParts extends System {
  config: Config;
  tls: TlsFiles | null;
  store: Store;
  log: Logger;
  metrics: Metrics;
  version: string;
}

export interface RunningServer {
  /** Where it listens, with the port that it got: http(s)://host:port. */
  readonly url: string;
  /** Drains within `config.shutdownSeconds`. Does not close the store. */
  stop(): Promise<void>;
}

/** Resolves when commands are served. Rejects with the system error where it cannot listen. */
export async function startServer({ config, tls, metrics }: ServerParts): Promise<RunningServer> {
  const answer: RequestListener = (request, response) => {
    if (request.url === '/livez') response.writeHead(200).end('ok');
    else if (request.url === '/metrics') void metrics.text().then((text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text));
    else response.writeHead(503, { 'Retry-After': '1' }).end();
  };
  const server = tls ? createHttps(tls, answer) : createHttp(answer);
  await listening(server, config);
  return {
    url: urlOf(server, config, tls !== null),
    stop: () => new Promise((resolve, reject) => {
      server.close((error) => { if (error) reject(error); else resolve(); });
      server.closeIdleConnections();
    }),
  };
}

const listening = (server: Server, { host, port }: Config): Promise<void> => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen(port, host, () => { server.off('error', reject); resolve(); });
});

function urlOf(server: Server, { host }: Config, secure: boolean): string {
  const { port } = server.address() as AddressInfo;
  return `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
