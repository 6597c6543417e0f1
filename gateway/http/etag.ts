/**
 * ETags and conditional requests (RFC 9110, 8.8 and 13.1).
 *
 * An agent's ETag has two parts: its version, which is the time at which its settings last changed, and a digest of the
 * response. If-None-Match compares the whole tag, which changes with every byte of the body. If-Match compares the
 * version only: it prevents overwriting a change that the client has not seen, and an agent that has meanwhile stored a
 * memory or answered a message is no reason to refuse a new name.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { iso } from '../../src/domain/shared/clock.js';
import type { GatewayRequest } from './prototypes.js';
import type { Responder } from './responder.js';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 27);

/** A strong ETag of a text. */
export const etagOf = (text: string): string => `"${digest(text)}"`;

/** The same for a response with a version, which is a time in ISO 8601. */
export const versionedEtag = (version: string, text: string): string =>
  `"${Date.parse(version).toString(36)}-${digest(text)}"`;

/**
 * The versions that If-Match names; undefined if it is absent or `*`, which every existing resource meets. Tags that
 * are not ours, including weak ones (RFC 9110, 13.1.1), contribute no version, and an empty list never matches.
 */
export function namedVersions(header: string | undefined): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return Array.from(header.matchAll(/(?:^|,)[ \t]*"([0-9a-z]{1,9})-[\w-]{0,64}"[ \t]*(?=,|$)/g), ([, version = '']) =>
    iso(parseInt(version, 36)),
  );
}

/**
 * Wraps a responder so that its JSON responses have a versioned ETag, and become 304 if the client's copy is current.
 */
export function tagging(responder: Responder): Responder {
  return {
    ...responder,
    json(
      req: GatewayRequest,
      res: ServerResponse,
      status: number,
      value: unknown,
      headers: Record<string, string> = {},
    ) {
      const body = JSON.stringify(value);
      const etag = versionedEtag((value as { data: { updated_at: string } }).data.updated_at, body);
      headers['ETag'] = etag;
      if ((req.method === 'GET' || req.method === 'HEAD') && matchesEtag(req.headers['if-none-match'], etag))
        responder.empty(req, res, 304, headers);
      else responder.text(req, res, status, 'application/json; charset=utf-8', body, headers);
    },
  };
}

/** Whether If-None-Match contains the tag, or `*`; the comparison is weak. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag));
