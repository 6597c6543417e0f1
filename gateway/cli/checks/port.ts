/** Checks whether the port is free, or a server already answers on it. */
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { createServer } from 'node:net';
import type { Config } from '../../../src/config/config.js';
import { systemCode } from '../failure.js';
import { findingsAbout, type Finding } from './finding.js';

const { ok, warn, fail } = findingsAbout('port');
const patienceMs = 2000;

export async function checkPort(config: Config): Promise<Finding[]> {
  const where = `${config.host} port ${config.port}`;
  const refusal = await tryListening(config);
  if (refusal === null)
    return [ok(config.port === 0 ? `a free port of ${config.host} will be taken` : `${where} is free`)];
  if (refusal === 'EACCES') return [fail(`not allowed to listen on ${where}: set HIVEKEEP_PORT to 1024 or above.`)];
  if (refusal !== 'EADDRINUSE')
    return [fail(`cannot listen on ${where} (${refusal}): set HIVEKEEP_HOST to an address of this machine.`)];
  const status = await readiness(config);
  if (status === 200) return [ok(`a server on ${where} is ready`)];
  if (status === 503)
    return [warn(`a server on ${where} is not ready: it is starting or stopping, or its log says why.`)];
  return [fail(`something else listens on ${where}: stop it, or set HIVEKEEP_PORT.`)];
}

/** Resolves to null on success, and otherwise to the code of the system error. */
const tryListening = ({ host, port }: Config): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      resolve(systemCode(error) ?? 'unknown error');
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(null);
      });
    });
  });

/** The status of GET /readyz; null if nothing answers in HTTP. The certificate is not verified here. */
const readiness = ({ host, port, tlsCert }: Config): Promise<number | null> =>
  new Promise((resolve) => {
    const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    const options = { host: address, port, path: '/readyz', timeout: patienceMs, agent: false as const };
    const request = tlsCert === null ? httpGet(options) : httpsGet({ ...options, rejectUnauthorized: false });
    request.once('response', (response) => {
      response.destroy();
      resolve(response.statusCode ?? null);
    });
    request.once('timeout', () => {
      request.destroy();
      resolve(null);
    });
    request.once('error', () => {
      resolve(null);
    });
  });
