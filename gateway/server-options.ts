/** Settings of the HTTP(S) server. */
import type { ServerOptions } from 'node:http';
import type { TlsOptions } from 'node:tls';

/**
 * `requestTimeout` is the time for a whole request in ms, half of it for the head or for a TLS handshake; a slower
 * request is cut off at most a sixth later. The number of requests on a connection is unlimited
 * (`maxRequestsPerSocket`): a limit would not help clients with few long connections, and a response that announces the
 * close could cross a request on its way.
 */
export const serverLimits = (requestTimeout: number): ServerOptions & { headersTimeout: number } => ({
  requestTimeout,
  headersTimeout: Math.ceil(requestTimeout / 2),
  connectionsCheckingInterval: Math.ceil(requestTimeout / 6),
  // longer than common proxies keep an idle connection (60 s), so that the proxy closes it first
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  noDelay: true,
  // lenient parsing would read a request differently from other parsers
  insecureHTTPParser: false,
  // a missing Host is answered with the error envelope (http/head.ts) instead of node's empty 400
  requireHostHeader: false,
});

export interface TlsFiles {
  cert: string | Uint8Array;
  key: string | Uint8Array;
}

/**
 * TLS 1.3, and 1.2 only with ephemeral keys and authenticated encryption: no CBC, no static RSA (RFC 9325, 4.2). The
 * suites of 1.3 are listed as well, because naming any suite replaces node's whole list.
 */
export const tlsOptions = ({ cert, key }: TlsFiles): Pick<TlsOptions, 'cert' | 'key' | 'minVersion' | 'ciphers'> => ({
  cert: asPem(cert),
  key: asPem(key),
  minVersion: 'TLSv1.2',
  ciphers,
});

const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

const asPem = (pem: string | Uint8Array): string | Buffer => (typeof pem === 'string' ? pem : Buffer.from(pem));
