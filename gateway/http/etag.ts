/**
 * Validators of answers that clients may have already (RFC 9110, 8.8 and 13.1).
 *
 * An agent's is made of two parts: its version, which is the time of the last change of its settings, and a digest of the
 * answer. The whole of it says whether a client has what it would be sent (If-None-Match), so it changes with every byte
 * of the body. If-Match goes by the version alone: it is there so that nobody overwrites a change that they have not seen,
 * and that the agent has meanwhile remembered something, or answered, is no reason to refuse its new name.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { iso } from '../../src/domain/clock.js';
import type { GatewayRequest } from './prototypes.js';
import type { Responder } from './responder.js';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 27);

/** A strong validator of a text. */
export const etagOf = (text: string): string => `"${digest(text)}"`;

/** The same for an answer with a version, a time in ISO 8601. */
export const versionedEtag = (version: string, text: string): string =>
  `"${Date.parse(version).toString(36)}-${digest(text)}"`;

/**
 * The versions that If-Match names; undefined where it asks for nothing that an existing thing could lack: absent, or `*`.
 * What is no tag of ours, weak ones included (RFC 9110, 13.1.1), names none, and a condition without a name is not met.
 */
export function namedVersions(header: string | undefined): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return Array.from(header.matchAll(/(?:^|,)[ \t]*"([0-9a-z]{1,9})-[\w-]{0,64}"[ \t]*(?=,|$)/g), ([, version = '']) =>
    iso(parseInt(version, 36)),
  );
}

/** The same responder, whose JSON has a versioned ETag, and is not sent again to who has it. */
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

/** Whether If-None-Match names the validator, or any; compared weakly. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag));
