/** Request ids (docs/api.md 7.1). */

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Generates `req_` and 20 random characters (100 bits). Random bytes are read in blocks, because a call for 20 costs as
 * much as one for 4096.
 */
export function requestIdSource(randomBytes: (n: number) => Uint8Array): () => string {
  let block = randomBytes(4096);
  let used = 0;
  return () => {
    if (used + 20 > block.length) {
      block = randomBytes(4096);
      used = 0;
    }
    let id = 'req_';
    for (const end = used + 20; used < end; used++) id += alphabet.charAt((block[used] ?? 0) & 31);
    return id;
  };
}

/** Returns the client's X-Request-Id if it is safe to echo and log: 1 to 128 visible ASCII characters. */
export function clientRequestId(header: string | undefined): string | null {
  return header !== undefined && /^[\x21-\x7e]{1,128}$/.test(header) ? header : null;
}
