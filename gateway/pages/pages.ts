/**
 * The pages for people: the console at /console, the API at /docs, and what browsers ask for beside them. All of it is
 * public and holds no data; a page gets its data from the REST API with its reader's key.
 *
 * Invariants
 *  Pages.P1 Every page has a content security policy under which nothing is loaded from elsewhere and no inline script
 *     or style runs.
 *  - An asset has a hash of its content in its name and may be cached for good. A page itself is revalidated, so that
 *    a browser never combines an old page with new assets.
 *  - Any path below /console that is no asset is the console, which finds its own way by the path. A missing asset is
 *    404.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { matchesEtag } from '../http/etag.js';
import type { Endpoint, GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import { type Bundle, openBundle, type PageFile, pagesFolder } from './bundle.js';

export interface PagesDeps {
  responder: Pick<Responder, 'text' | 'empty'>;
  /** Where the built pages are. Default: dist/pages of this package. */
  folder?: string | undefined;
  /** The URL under which clients reach the service; a proxy may add a path there. */
  publicUrl: string;
}

/** For pages that need no exception: their own scripts and styles, and requests to this service. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The console shows the images of runs, which it has asked for with its key. */
const consolePolicy = strictPolicy.replace("img-src 'self'", "img-src 'self' blob:");

/** Swagger UI draws its icons from data: URLs, and sets markup that it has cleaned itself. */
export const docsPolicy = strictPolicy
  .replace("img-src 'self'", "img-src 'self' data:")
  .replace(/; require-trusted-types-for.*$/, '');

export function pageRoutes({ responder, folder = pagesFolder(), publicUrl }: PagesDeps): Endpoint[] {
  const base = publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  const bundle = openBundle(folder, base);
  const send = fileSender(responder);
  const console = (req: GatewayRequest, res: ServerResponse): void => {
    send(req, res, pageOf(bundle, 'console/index.html'), { ...revalidated, 'Content-Security-Policy': consolePolicy });
  };
  return [
    {
      method: 'GET',
      path: '/',
      serve: (req, res) => {
        if (!wantsPage(req)) throw new HivekeepError('NOT_FOUND', 'there is nothing at this path');
        responder.text(req, res, 303, 'text/plain; charset=utf-8', 'The console is at /console.\n', {
          Location: `${base}/console`,
          Vary: 'Accept',
        });
      },
    },
    { method: 'GET', path: '/console', serve: console },
    {
      method: 'GET',
      path: '/console/assets/:name',
      serve: (req, res) => {
        send(req, res, assetOf(bundle, `console/assets/${lastSegment(req)}`), forGood);
      },
    },
    { method: 'GET', path: '/console/*rest', serve: console },
    {
      method: 'GET',
      path: '/docs',
      serve: (req, res) => {
        send(req, res, pageOf(bundle, 'docs/index.html'), { ...revalidated, 'Content-Security-Policy': docsPolicy });
      },
    },
    {
      method: 'GET',
      path: '/docs/assets/:name',
      serve: (req, res) => {
        send(req, res, assetOf(bundle, `docs/assets/${lastSegment(req)}`), forGood);
      },
    },
    {
      method: 'GET',
      path: '/favicon.ico',
      serve: (req, res) => {
        send(req, res, assetOf(bundle, 'console/favicon.svg'), { 'Cache-Control': 'public, max-age=86400' });
      },
    },
  ];
}

const revalidated = { 'Cache-Control': 'public, no-cache' };
const forGood = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Whether the client is a browser that opens a page, rather than a program that asks for JSON. */
const wantsPage = (req: IncomingMessage): boolean => /\btext\/html\b/i.test(req.headers.accept ?? '');

const lastSegment = (req: IncomingMessage): string => /([^/?#]*)(?:[?#].*)?$/.exec(req.url ?? '')?.[1] ?? '';

function pageOf(bundle: Bundle, path: string): PageFile {
  const file = bundle.file(path);
  if (file === null)
    throw new HivekeepError('NOT_FOUND', 'this page is not built: run "npm run build", then start again');
  return file;
}

function assetOf(bundle: Bundle, path: string): PageFile {
  const file = bundle.file(path);
  if (file === null) throw new HivekeepError('NOT_FOUND', 'there is no such file: reload the page');
  return file;
}

type SendFile = (
  req: GatewayRequest,
  res: ServerResponse,
  file: PageFile,
  headers: Readonly<Record<string, string>>,
) => void;

/** Sends a file, compressed where the client takes that, or 304 where the client has it. */
function fileSender(responder: Pick<Responder, 'text' | 'empty'>): SendFile {
  return (req, res, { type, body, gzip, digest }, more) => {
    const compressed = gzip !== null && takesGzip(req);
    const etag = compressed ? `"${digest}-gz"` : `"${digest}"`;
    const headers: Record<string, string> = { ...more, ETag: etag, Vary: varyBy(res, 'Accept-Encoding') };
    if (matchesEtag(req.headers['if-none-match'], etag)) {
      responder.empty(req, res, 304, headers);
      return;
    }
    if (compressed) headers['Content-Encoding'] = 'gzip';
    responder.text(req, res, 200, type, compressed ? gzip : body, headers);
  };
}

/** Adds to what the response varies by already, such as Origin where CORS is on. */
const varyBy = (res: ServerResponse, name: string): string =>
  [name, ...[res.getHeader('Vary') ?? []].flat()].join(', ');

/** Whether Accept-Encoding names gzip without refusing it (RFC 9110, 12.5.3). */
function takesGzip(req: IncomingMessage): boolean {
  const accepted = req.headers['accept-encoding'];
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}
