/** Verifies what the service sends to webhooks, as Standard Webhooks (standardwebhooks.com) has it. */
import { HivekeepError } from './errors.js';

export interface VerifyOptions {
  /** How far the time of the message may be from now, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** The present in ms. Default `Date.now()`. */
  now?: number;
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Resolves with the message, once it is known that it was signed with this secret (`whsec_...`), and lately; otherwise
 * rejects with HivekeepError. `body` is the body as it came: parsed and written again it may be another text.
 */
export async function verifyWebhook<T = unknown>(
  body: string | Uint8Array,
  headers: HeadersLike,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<T> {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name);
    if (value === null) throw new HivekeepError(`the header ${name} is missing`);
    return value;
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > toleranceSeconds)
    throw new HivekeepError('the time of the message is too far from now');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ''));
  // anybody can sign by an empty secret, such as that of a setting that is not there
  if (secretBytes.length === 0) throw new HivekeepError('the secret is empty, or not base64');
  const key = await crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  for (const signature of signatures.split(' '))
    if (signature.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)))
      return JSON.parse(text) as T;
  throw new HivekeepError('no signature of the message is by this secret');
}

function headerOf(headers: HeadersLike, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}

/** What is no base64 has no bytes, and so is no signature. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
