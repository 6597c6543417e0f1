/** Makes credentials, and tells them apart from their secrets. */
import { createKey } from '../../src/commands/keys.js';
import { mintToken } from '../../src/commands/tokens.js';
import { createWebhook } from '../../src/commands/webhooks.js';
import type { KeyInput, TokenInput } from '../../src/domain/shared/inputs.js';
import type { WebhookInput } from '../../src/domain/workspace/workspace-inputs.js';
import type { AgentToken, ApiKey, Webhook } from '../../src/domain/model/model.js';
import type { Caller, Service } from '../../src/service.js';

export async function madeKey(
  { execute }: Pick<Service, 'execute'>,
  caller: Caller,
  input: KeyInput,
): Promise<{ key: ApiKey; secret: string }> {
  const { key: secret, ...key } = await execute(caller, createKey, {}, input);
  return { key, secret };
}

export async function madeToken(
  { execute }: Pick<Service, 'execute'>,
  caller: Caller,
  agent: string,
  input: TokenInput,
): Promise<{ token: AgentToken; secret: string }> {
  const { token: secret, ...token } = await execute(caller, mintToken, { id: agent }, input);
  return { token, secret };
}

export async function madeWebhook(
  { execute }: Pick<Service, 'execute'>,
  caller: Caller,
  input: WebhookInput,
): Promise<{ webhook: Webhook; secret: string }> {
  const { secret, ...webhook } = await execute(caller, createWebhook, {}, input);
  return { webhook, secret };
}
