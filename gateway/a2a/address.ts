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

/** Under which addresses clients reach the service. */
export interface PublicAddress {
  /** Without a slash at its end; empty: where the request came to, as far as that may be named. */
  publicUrl: string;
  /** Names, with or without a port, that may be named beside loopback ones. */
  allowedHosts: readonly string[];
}

/**
 * Absolute, without a slash at its end: below the configured URL, else where this request reached us. A client sends its
 * tokens to the address on a card, and a cache or a proxy may hand a card to others than the one who asked, so a Host that
 * nobody has allowed is refused rather than repeated.
 */
export function urlOfAgent(req: GatewayRequest, { publicUrl, allowedHosts }: PublicAddress, agent: string): string {
  return `${publicUrl === '' ? originOf(req, allowedHosts) : publicUrl}/api/v1/a2a/agents/${agent}`;
}

function originOf(req: GatewayRequest, allowedHosts: readonly string[]): string {
  const { host, protocol } = req as unknown as Addressed;
  const secure = protocol === 'https';
  // HTTP/1.0 may go without a Host
  if (host === undefined || host === '') return `${secure ? 'https' : 'http'}://${ownAddress(req)}`;
  const origin = `${secure ? 'https' : 'http'}://${host}`;
  if (!/^[\w.~:[\]-]+$/.test(host) || parseUrl(origin) === null)
    throw invalid({ path: 'Host', message: 'must be a host name and maybe a port' });
  if (!isAllowed(host.toLowerCase(), allowedHosts))
    throw invalid({
      path: 'Host',
      message:
        'must be a loopback address or one of HIVEKEEP_ALLOWED_HOSTS for an agent card, as long as HIVEKEEP_PUBLIC_URL is not set',
    });
  return origin;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isAllowed(host: string, allowedHosts: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, '');
  return (
    loopback.test(name) ||
    allowedHosts.some((allowed) => allowed === host || allowed === name || `[${allowed}]` === name)
  );
}

function ownAddress({ socket }: GatewayRequest): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
