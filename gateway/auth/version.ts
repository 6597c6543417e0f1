/**
 * Determines the API version of a request (docs/api.md 9): from the path, or from X-Service-Version if the path names
 * none.
 */
import { HivekeepError } from '../../src/domain/errors.js';

const known = new Set(['v1', '1']);
/** First path segments that are not versioned. */
const unversioned = new Set([
  '',
  '.well-known',
  'livez',
  'readyz',
  'metrics',
  'openapi.json',
  'docs',
  'console',
  'favicon.ico',
  'api',
  'mcp',
]);

/** The request target (path and query) with the version prefixed; unchanged if none is to be added. */
export function withVersion(target: string, header: string | undefined): string {
  if (header === undefined) return target;
  const first = /^\/([^/?]*)/.exec(target)?.[1] ?? '';
  if (/^v\d+$/.test(first) || unversioned.has(first)) return target;
  if (!known.has(header.trim().toLowerCase()))
    throw new HivekeepError('UNSUPPORTED_VERSION', 'X-Service-Version must be v1', { details: { supported: ['v1'] } });
  return `/v1${target}`;
}

/** Whether a path is under /v1, /api/v1 (A2A) or /mcp and so needs a credential, even if no such route exists. */
export const needsCredential = (target: string): boolean =>
  isUnder(target, '/v1') || isUnder(target, '/api/v1') || isUnder(target, '/mcp');

function isUnder(target: string, root: string): boolean {
  if (!target.startsWith(root)) return false;
  const after = target.charCodeAt(root.length);
  return Number.isNaN(after) || after === 0x2f || after === 0x3f;
}
