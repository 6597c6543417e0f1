/** How the HTTP(S) server itself is set: on purpose, each of them. */
import type { ServerOptions } from 'node:http';
import type { TlsOptions } from 'node:tls';

/**
 * `requestTimeout`: ms for a whole request, half of it for its head; who sends slower is cut within a sixth more.
 * Connections end after no number of requests (`maxRequestsPerSocket`): that helps nobody whose connections are few and
 * long, and a response of ours that says so could cross a request on its way.
 */
export const serverLimits = (requestTimeout: number): ServerOptions => ({
  requestTimeout,
  headersTimeout: Math.ceil(requestTimeout / 2),
  connectionsCheckingInterval: Math.ceil(requestTimeout / 6),
  // longer than common proxies keep an idle connection (60 s), so that it is they who close it
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  noDelay: true,
  // what is not quite HTTP is read by nobody else the same way
  insecureHTTPParser: false,
  // a missing Host is answered with the envelope (http/head.ts), not with node's empty 400
  requireHostHeader: false,
});

export interface TlsFiles {
  cert: string | Uint8Array;
  key: string | Uint8Array;
}

/** TLS 1.2 and 1.3, with the ciphers of this version of node. */
export const tlsOptions = ({ cert, key }: TlsFiles): Pick<TlsOptions, 'cert' | 'key' | 'minVersion'> => ({
  cert: asPem(cert),
  key: asPem(key),
  minVersion: 'TLSv1.2',
});

const asPem = (pem: string | Uint8Array): string | Buffer => (typeof pem === 'string' ? pem : Buffer.from(pem));
