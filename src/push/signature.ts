/** Signs what webhooks are sent, as Standard Webhooks (standardwebhooks.com) has it. */
import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/** A secret to sign with, of 32 bytes. */
export const newSigningSecret = (randomBytes: (n: number) => Uint8Array): string =>
  prefix + Buffer.from(randomBytes(32)).toString('base64');

/**
 * The headers by which the receiver knows who has sent this body, when, and under which id; `now` in ms. There is a
 * signature by each of the secrets.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  const time = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures.join(' ') };
}
