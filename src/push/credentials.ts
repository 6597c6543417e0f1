/**
 * Encrypts push tokens, credentials and secrets of webhooks at rest. They are encrypted before they reach an entity (an
 * agent, or for webhooks the workspace), and decrypted only for the attempt that sends them and for callers that may
 * manage the agent. A ciphertext is bound to its entity.
 */
import type { Keyring } from '../secrets/keyring.js';
import type { PushItem } from '../domain/task/push.js';
import type { PushConfig, Receiver } from '../domain/task/task.js';
import { type OutboundRequest, PushError, type Push } from './port.js';

const purpose = 'push credentials';

export const sealCredential = (keyring: Keyring, owner: string, text: string): string =>
  keyring.seal(purpose, text, owner);

/** Seals a secret of one owner for another; undefined if it cannot be opened. */
export const resealing =
  (keyring: Keyring) =>
  (text: string, from: string, to: string): string | undefined => {
    const plain = keyring.open(purpose, text, from);
    return plain === null ? undefined : sealCredential(keyring, to, plain);
  };

export const sealConfig = <C extends Receiver>(keyring: Keyring, owner: string, config: C): C =>
  changed(config, (text) => sealCredential(keyring, owner, text));

/** Returns null if it was encrypted with a key that the service does not have. */
export function openConfig<C extends Receiver>(keyring: Keyring, owner: string, config: C): C | null {
  let lost = false;
  const opened = changed(config, (text) => {
    const plain = keyring.open(purpose, text, owner);
    lost ||= plain === null;
    return plain ?? '';
  });
  return lost ? null : opened;
}

/**
 * The configuration as callers see it that may not manage the agent: without token, credentials and query string, which
 * may hold a secret.
 */
export function withoutPushSecrets(config: PushConfig): PushConfig {
  const { token: _token, authentication, ...rest } = config;
  return {
    ...rest,
    url: withMaskedQuery(config.url),
    ...(authentication && { authentication: { schemes: authentication.schemes } }),
  };
}

/** Turns `https://host/path?key=1` into `https://host/path?***`. */
export const withMaskedQuery = (url: string): string => url.replace(/[?#].*$/s, '?***');

/** Wraps a push port so that it decrypts the credentials that it sends. */
export const sendingSealed = (push: Push, keyring: Keyring): Push => ({
  check: (config, path) => push.check(config, path),
  close: () => push.close(),
  turn: (workspace, url, signal) => push.turn(workspace, url, signal),
  async open(agent, request, signal) {
    const known = opened(keyring, agent, request);
    const answer = await push.open(agent, known, signal);
    return known.secret ? { ...answer, body: withoutEcho(answer.body, known.secret.value) } : answer;
  },
  deliver(item, signal) {
    const whole = openItem(keyring, item);
    return whole === null
      ? Promise.reject(
          new PushError('its credentials were encrypted with a secret key that the service does not have', true),
        )
      : push.deliver(whole, signal);
  },
});

/** The request with its secret opened. Throws PushError. */
function opened(keyring: Keyring, agent: string, request: OutboundRequest): OutboundRequest {
  const { secret } = request;
  if (!secret) return request;
  const value = keyring.open(purpose, secret.value, agent);
  if (value === null)
    throw new PushError('its secret was encrypted with a secret key that the service does not have', true);
  return { ...request, secret: { ...secret, value } };
}

/** A shorter one occurs in what has nothing to do with it. */
const shortestMasked = 8;

/** The answer with stars in place of the secret, and of what follows its scheme, where its server repeats it. */
async function* withoutEcho(body: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  const masked = [secret, secret.slice(secret.indexOf(' ') + 1)]
    .filter((text) => text.length >= shortestMasked)
    .map((text) => Buffer.from(text, 'latin1'));
  let held = Buffer.alloc(0);
  for await (const chunk of body) {
    const bytes = Buffer.concat([held, chunk]);
    for (const text of masked)
      for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length))
        bytes.fill('*', at, at + text.length);
    const end = bytes.length - Math.max(0, ...masked.map((text) => begun(bytes, text)));
    held = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (held.length > 0) yield held;
}

/** How many bytes at the end may be the beginning of the text. */
function begun(bytes: Buffer, text: Buffer): number {
  const from = Math.max(0, bytes.length - text.length + 1);
  for (let at = bytes.indexOf(text[0] as number, from); at >= 0; at = bytes.indexOf(text[0] as number, at + 1))
    if (bytes.subarray(at).equals(text.subarray(0, bytes.length - at))) return bytes.length - at;
  return 0;
}

function openItem(keyring: Keyring, item: PushItem): PushItem | null {
  if ('task' in item) {
    const config = openConfig(keyring, item.task.agent_id, item.config);
    return config && { ...item, config };
  }
  const secrets = item.secrets.map((secret) => keyring.open(purpose, secret, item.workspace));
  const known = secrets.filter((secret) => secret !== null);
  return known.length > 0 ? { ...item, secrets: known } : null;
}

function changed<C extends Receiver>(config: C, change: (text: string) => string): C {
  const { token, authentication } = config;
  const credentials = authentication?.credentials;
  if (token === undefined && credentials === undefined) return config;
  return {
    ...config,
    ...(token !== undefined && { token: change(token) }),
    ...(authentication &&
      credentials !== undefined && { authentication: { ...authentication, credentials: change(credentials) } }),
  };
}
