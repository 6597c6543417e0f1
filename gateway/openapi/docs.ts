/**
 * GET /openapi.json and GET /docs: public, generated on the first request, and cacheable by ETag. The page works
 * offline, runs no script, and its policy allows nothing but its own style.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { etagOf, matchesEtag } from '../http/etag.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import type { Probe } from '../probes.js';
import { createDocument } from './document.js';
import { renderPage, style } from './page.js';
import type { Document } from './types.js';

export interface DocsDeps {
  responder: Pick<Responder, 'text' | 'empty'>;
  /**
   * The base URL under which clients reach the service, without a trailing slash; empty for the URL from which the
   * document was fetched.
   */
  publicUrl: string;
}

interface Made {
  body: string;
  etag: string;
}

const security = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Handlers by path, as for the probes. Unlike probes, these require HTTPS where the API does, and count against the
 * client's address.
 */
export function createDocs({ responder, publicUrl }: DocsDeps): ReadonlyMap<string, Probe> {
  let made: Document | null = null;
  const document = (): Document => (made ??= createDocument(publicUrl));
  const serve = (
    make: (document: Document) => string,
    contentType: string,
    more: Readonly<Record<string, string>>,
  ): Probe => {
    let answer: Made | null = null;
    return (req: GatewayRequest, res: ServerResponse) => {
      if (answer === null) {
        const body = make(document());
        answer = { body, etag: etagOf(body) };
      }
      const headers = { ETag: answer.etag, 'Cache-Control': 'public, no-cache', ...more };
      if (matchesEtag(req.headers['if-none-match'], answer.etag)) responder.empty(req, res, 304, headers);
      else responder.text(req, res, 200, contentType, answer.body, headers);
    };
  };
  return new Map([
    // the document is public, and browser-based tools on other origins read it
    [
      '/openapi.json',
      serve((api) => JSON.stringify(api), 'application/json; charset=utf-8', { 'Access-Control-Allow-Origin': '*' }),
    ],
    ['/docs', serve(renderPage, 'text/html; charset=utf-8', security)],
  ]);
}
