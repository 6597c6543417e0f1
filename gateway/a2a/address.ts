/** Where an agent's endpoint is, and what a request to it says in its address: the agent, and the A2A version. */
import { invalid, notFound } from '../../src/domain/errors.js';
import { parseUrl } from '../../src/domain/parse-url.js';
import type { GatewayRequest } from '../http/prototypes.js';
import { parseQuery } from '../http/query.js';

/** With and without a slash at its end. */
export const agentPath = '/api/v1/a2a/agents/:id';

/** What cannot be an id is nobody's. */
export function checkedAgent(req: GatewayRequest): string {
  const id = req.params['id'] ?? '';
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) throw notFound('agent', id.toWellFormed().replaceAll('\0', '').slice(0, 128));
  return id;
}

/** The header, or its twin in the query (A2A 1.0, 3.6.1). */
export function saidVersion(req: GatewayRequest): string | undefined {
  const header = req.headers['a2a-version'];
  if (typeof header === 'string' && header !== '') return header;
  return req.url?.includes('?') === true ? parseQuery(req.url, versionName).get('A2A-Version') : undefined;
}

const versionName = new Set(['A2A-Version']);

/** The parts of Express's request that heed trusted proxies: X-Forwarded-Host and -Proto count from these alone. */
interface Addressed {
  readonly host: string | undefined;
  readonly protocol: string;
}

/** Absolute, without a slash at its end: below the configured URL, else where this request reached us. */
export function urlOfAgent(req: GatewayRequest, publicUrl: string, agent: string): string {
  return `${publicUrl === '' ? originOf(req) : publicUrl}/api/v1/a2a/agents/${agent}`;
}

function originOf(req: GatewayRequest): string {
  const { host, protocol } = req as unknown as Addressed;
  const secure = protocol === 'https';
  // HTTP/1.0 may go without a Host
  if (host === undefined || host === '') return `${secure ? 'https' : 'http'}://${ownAddress(req)}`;
  const origin = `${secure ? 'https' : 'http'}://${host}`;
  if (!/^[\w.~:[\]-]+$/.test(host) || parseUrl(origin) === null)
    throw invalid({ path: 'Host', message: 'must be a host name and maybe a port' });
  return origin;
}

function ownAddress({ socket }: GatewayRequest): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
