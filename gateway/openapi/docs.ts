/**
 * GET /openapi.json: public, generated on the first request, and cacheable by ETag. The page at /docs
 * (packages/console/docs) shows it.
 */
import { etagOf, matchesEtag } from '../http/etag.js';
import type { Endpoint } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import { createDocument } from './document.js';

export interface DocsDeps {
  responder: Pick<Responder, 'text' | 'empty'>;
  /**
   * The base URL under which clients reach the service, without a trailing slash; empty for the URL from which the
   * document was fetched.
   */
  publicUrl: string;
}

export function documentRoute({ responder, publicUrl }: DocsDeps): Endpoint {
  let made: { body: string; etag: string } | null = null;
  const serve: Endpoint['serve'] = (req, res) => {
    if (made === null) {
      const body = JSON.stringify(createDocument(publicUrl));
      made = { body, etag: etagOf(body) };
    }
    const headers = {
      ETag: made.etag,
      'Cache-Control': 'public, no-cache',
      // the document is public, and browser-based tools on other origins read it
      'Access-Control-Allow-Origin': '*',
    };
    if (matchesEtag(req.headers['if-none-match'], made.etag)) responder.empty(req, res, 304, headers);
    else responder.text(req, res, 200, 'application/json; charset=utf-8', made.body, headers);
  };
  return { method: 'GET', path: '/openapi.json', serve };
}
