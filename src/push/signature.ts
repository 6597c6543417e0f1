/** Signs what webhooks are sent, as Standard Webhooks (standardwebhooks.com) has it. */
import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/** Whether a token is a secret to sign with, which is itself never sent. */
export const isSigningSecret = (token: string): boolean => token.startsWith(prefix);

/** The headers by which the receiver knows who has sent this body, when, and under which id; `now` in ms. */
export function signatureHeaders(secret: string, id: string, now: number, body: string): Record<string, string> {
  const time = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
}
