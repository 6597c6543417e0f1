/**
 * Encrypts push tokens and credentials at rest. They are encrypted before they reach an agent, and decrypted only for
 * the attempt that sends them and for callers that may manage the agent. A ciphertext is bound to its agent. Values
 * that earlier versions stored in plain text are sent as they are.
 */
import { isSealed, type Keyring } from '../keyring.js';
import type { PushConfig, PushConfigInput } from '../domain/task.js';
import { PushError, type Push } from './port.js';

const purpose = 'push credentials';

export const sealConfig = <C extends PushConfigInput>(keyring: Keyring, agent: string, config: C): C =>
  changed(config, (text) => keyring.seal(purpose, text, agent));

/** Returns null if it was encrypted with a key that the service does not have. */
export function openConfig<C extends PushConfigInput>(keyring: Keyring, agent: string, config: C): C | null {
  let lost = false;
  const opened = changed(config, (text) => {
    if (!isSealed(text)) return text;
    const plain = keyring.open(purpose, text, agent);
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
  check: (config) => push.check(config),
  close: () => push.close(),
  deliver(item, signal) {
    const config = openConfig(keyring, item.task.agent_id, item.config);
    return config === null
      ? Promise.reject(
          new PushError('its credentials were encrypted with a secret key that the service does not have', true),
        )
      : push.deliver({ ...item, config }, signal);
  },
});

function changed<C extends PushConfigInput>(config: C, change: (text: string) => string): C {
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
