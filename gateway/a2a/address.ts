/**
 * Parses the address of a request to an agent's A2A endpoint: the agent id and the A2A version. Also builds an agent's
 * public endpoint URL.
 */
import { invalid, notFound } from '../../src/domain/shared/errors.js';
import { parseUrl } from '../../src/domain/shared/text-forms.js';
import type { GatewayRequest } from '../http/prototypes.js';
import { parseQueryString } from '../http/query.js';

/** Routes accept the path with and without a trailing slash. */
export const agentPath = '/api/v1/a2a/agents/:id';

/** Throws NOT_FOUND for a malformed id, as for an id that does not exist. */
export function checkedAgent(req: GatewayRequest): string {
  const id = req.params['id'] ?? '';
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) throw notFound('agent', id.toWellFormed().replaceAll('\0', '').slice(0, 128));
  return id;
}

/** The A2A-Version header, or the query parameter of the same meaning (A2A 1.0, 3.6.1). */
export function requestedVersion(req: GatewayRequest): string | undefined {
  const header = req.headers['a2a-version'];
  if (typeof header === 'string' && header !== '') return header;
  return req.url?.includes('?') === true ? parseQueryString(req.url, versionName).get('A2A-Version') : undefined;
}

const versionName = new Set(['A2A-Version']);

/**
 * The Express request properties that take trusted proxies into account: X-Forwarded-Host and X-Forwarded-Proto count
 * only when they come from one.
 */
interface Addressed {
  readonly host: string | undefined;
  readonly protocol: string;
}

/** The addresses under which clients may reach the service. */
export interface PublicAddress {
  /**
   * Without a trailing slash. When empty, URLs are built from the request's Host header, provided that it is allowed.
   */
  publicUrl: string;
  /** Host names, with or without a port, that are accepted besides loopback names. */
  allowedHosts: readonly string[];
}

/**
 * The agent's absolute endpoint URL, without a trailing slash: below the configured public URL, or else below the host
 * that this request was sent to.
 * A client sends its tokens to the URL on a card, and a cache or proxy may serve one client's card to another. A Host
 * header that has not been allowed is therefore refused instead of being echoed.
 */
export function urlOfAgent(req: GatewayRequest, { publicUrl, allowedHosts }: PublicAddress, agent: string): string {
  return `${originFor(req, { publicUrl, allowedHosts })}/api/v1/a2a/agents/${agent}`;
}

/** The same of the agent's MCP endpoint. */
export const mcpUrlOfAgent = (req: GatewayRequest, address: PublicAddress, agent: string): string =>
  `${originFor(req, address)}/mcp/agents/${agent}`;

/** What absolute URLs begin with, for the client of this request. */
export const originFor = (req: GatewayRequest, { publicUrl, allowedHosts }: PublicAddress): string =>
  publicUrl === '' ? originOf(req, allowedHosts) : publicUrl;

function originOf(req: GatewayRequest, allowedHosts: readonly string[]): string {
  const { host, protocol } = req as unknown as Addressed;
  const secure = protocol === 'https';
  // HTTP/1.0 requests may omit Host
  if (host === undefined || host === '') return `${secure ? 'https' : 'http'}://${ownAddress(req)}`;
  const origin = `${secure ? 'https' : 'http'}://${host}`;
  if (!/^[\w.~:[\]-]+$/.test(host) || parseUrl(origin) === null)
    throw invalid({ path: 'Host', message: 'must be a host name, optionally with a port' });
  if (!isAllowed(host.toLowerCase(), allowedHosts))
    throw invalid({
      path: 'Host',
      message:
        'must be a loopback address or one of HIVEKEEP_ALLOWED_HOSTS for an answer that names this address, as long as HIVEKEEP_PUBLIC_URL is not set',
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
