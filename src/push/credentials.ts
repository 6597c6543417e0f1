/**
 * Push tokens and credentials at rest: sealed before they reach an agent, opened for the one try that sends them, and
 * for who may manage the agent. A sealed one opens for its own agent only. What earlier versions stored in plain is
 * sent as it is.
 */
import { isSealed, type Keyring } from '../keyring.js';
import type { PushConfig, PushConfigInput } from '../domain/task.js';
import { PushError, type Push } from './port.js';

const purpose = 'push credentials';

export const sealConfig = <C extends PushConfigInput>(keyring: Keyring, agent: string, config: C): C =>
  changed(config, (text) => keyring.seal(purpose, text, agent));

/** Null where it was sealed with a key that the service does not have. */
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

/** As somebody may see it who may not manage the agent: no token and no credentials, and no query, which may hold one. */
export function withoutSecrets(config: PushConfig): PushConfig {
  const { token: _token, authentication, ...rest } = config;
  return {
    ...rest,
    url: withMaskedQuery(config.url),
    ...(authentication && { authentication: { schemes: authentication.schemes } }),
  };
}

/** `https://host/path?key=1` as `https://host/path?***`. */
export const withMaskedQuery = (url: string): string => url.replace(/[?#].*$/s, '?***');

/** The same receiver of pushes, which sends what was sealed. */
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
