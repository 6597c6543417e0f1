/** Validators of answers that clients may have already (RFC 9110, 8.8 and 13.1.2). */
import { createHash } from 'node:crypto';

/** A strong validator of a text. */
export const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** Whether If-None-Match names the validator, or any; compared weakly. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag));
