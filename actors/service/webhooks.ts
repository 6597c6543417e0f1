/** The service's operations on the webhooks of a workspace (docs/webhooks.md). */
import { notFound } from '../../src/domain/errors.js';
import { secretsAt, showWebhook, type StoredWebhook } from '../../src/domain/webhooks.js';
import { PushError } from '../../src/push/port.js';
import { sealCredential } from '../../src/push/credentials.js';
import { newSigningSecret } from '../../src/push/signature.js';
import type { Caller, Service } from '../../src/service.js';
import { agentRef, ask, deskRef, headOf, pageOf, reserve, type ServiceContext, withIdempotencyKey } from './context.js';
import { mintSecret } from './minted.js';

export function webhookService(c: ServiceContext) {
  const { store, clock, ids, push } = c.deps;
  const seal = (caller: Caller, secret: string): string => sealCredential(c.keyring, caller.workspace, secret);
  async function check(
    caller: Caller,
    { url, agent_id }: { url?: string | undefined; agent_id?: string | null | undefined },
  ) {
    if (url !== undefined) await push.check({ url });
    if (agent_id != null) await headOf(c, agentRef(caller, agent_id));
  }
  async function find(caller: Caller, id: string): Promise<StoredWebhook> {
    const doc = await store.get(deskRef(caller), 'webhook', id);
    if (!doc) throw notFound('webhook', id);
    return doc.body;
  }
  return {
    async addWebhook(caller, input) {
      await check(caller, input);
      return mintSecret(c, caller, newSigningSecret, 'webhook', ({ salt, idempotencyKey }, secret) =>
        ask(c, caller, deskRef(caller), {
          type: 'addWebhook',
          input,
          secret: seal(caller, secret),
          ...(salt !== undefined && { salt }),
          ...(idempotencyKey && { idempotencyKey }),
        }),
      );
    },
    listWebhooks: (caller, page) =>
      pageOf(
        c,
        { workspace: caller.workspace, entity: deskRef(caller), collection: 'webhook', list: 'created' },
        page,
        null,
        ({ body }) => showWebhook(body),
      ),
    getWebhook: async (caller, id) => showWebhook(await find(caller, id)),
    async updateWebhook(caller, id, patch) {
      await check(caller, patch);
      return ask(c, caller, deskRef(caller), { type: 'patchWebhook', id, patch, ...withIdempotencyKey(caller) });
    },
    async deleteWebhook(caller, id) {
      await ask(c, caller, deskRef(caller), { type: 'deleteWebhook', id });
    },
    rotateWebhookSecret: (caller, id) =>
      mintSecret(c, caller, newSigningSecret, 'webhook', ({ salt, idempotencyKey }, secret) =>
        ask(c, caller, deskRef(caller), {
          type: 'rotateWebhook',
          id,
          secret: seal(caller, secret),
          ...(salt !== undefined && { salt }),
          ...(idempotencyKey && { idempotencyKey }),
        }),
      ),
    async testWebhook(caller, id) {
      const webhook = await find(caller, id);
      const now = clock.now();
      const made = ids('outbox', now);
      // a repeat of the request sends the same event again, which a receiver knows by its id
      const known = await reserve(c, caller, made);
      if (caller.idempotencyKey) caller.idempotencyKey.replayed = known !== made;
      const event = { id: known, type: 'webhook.test', timestamp: new Date(now).toISOString() } as const;
      try {
        await push.deliver(
          {
            id: event.id,
            workspace: caller.workspace,
            webhook: id,
            config: { url: webhook.url },
            secrets: secretsAt(webhook, now),
            event: { ...event, data: { webhook_id: id } },
          },
          new AbortController().signal,
        );
        return { id: event.id, delivered: true, reason: null };
      } catch (error) {
        if (!(error instanceof PushError)) throw error;
        return { id: event.id, delivered: false, reason: error.message };
      }
    },
  } satisfies Partial<Service>;
}
