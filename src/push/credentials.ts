/**
 * Encrypts push tokens, credentials and secrets of webhooks at rest. They are encrypted before they reach an entity (an
 * agent, or for webhooks the workspace), and decrypted only for the attempt that sends them and for callers that may
 * manage the agent. A ciphertext is bound to its entity.
 */
import type { Keyring } from '../secrets/keyring.js';
import type { PushItem } from '../domain/push.js';
import type { PushConfig, Receiver } from '../domain/task.js';
import { type OutboundRequest, PushError, type Push } from './port.js';

const purpose = 'push credentials';

export const sealCredential = (keyring: Keyring, owner: string, text: string): string =>
  keyring.seal(purpose, text, owner);

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
export function withoutSecrets(config: PushConfig): PushConfig {
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
  open: async (agent, request, signal) => push.open(agent, opened(keyring, agent, request), signal),
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
