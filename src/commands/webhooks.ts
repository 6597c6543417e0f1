/** What can be asked of the webhooks of a workspace (docs/webhooks.md; domain/workspace/webhooks.ts). */
import type { WebhookOutboxItem } from '../domain/task/push.js';
import { z } from 'zod';
import type { StoredWebhook } from '../domain/shared/documents.js';
import type { Caller } from '../domain/shared/caller.js';
import { notFound } from '../domain/shared/errors.js';
import { webhookInput, type WebhookInput, webhookPatch } from '../domain/workspace/workspace-inputs.js';
import {
  addWebhook,
  removeWebhook,
  mostWebhooks,
  patchWebhook,
  rotateWebhook,
  secretsAt,
  showWebhook,
  webhookTried,
} from '../domain/workspace/webhooks.js';
import { sealCredential } from '../push/credentials.js';
import { PushError } from '../push/port.js';
import { newSigningSecret } from '../push/signature.js';
import { reserve } from './claims.js';
import {
  type Reading,
  type Services,
  change,
  internalChange,
  partialChange,
  procedure,
  query,
  takes,
} from './command.js';
import { agentRef, deskRef, headOf } from './entities.js';
import { pageOf, type PageRequest } from './lists.js';
import { mintedKey, mintSecret, withSalt } from './minted.js';

/** A secret that is sealed, and the salt that it was derived with if the request may be repeated. */
interface SealedSecret {
  secret: string;
  salt: string | undefined;
}

export const storeWebhook = partialChange({
  name: 'storeWebhook',
  of: 'workspace',
  target: [],
  takes: takes<SealedSecret & { webhook: WebhookInput }>(),
  audit: 'webhook.created',
  key: mintedKey,
  read: (reading) =>
    reading.settled(async () => {
      const { deps, entity } = reading;
      const all = { workspace: entity.workspace, entity, collection: 'webhook', list: 'created' } as const;
      return { held: (await deps.store.count(all, mostWebhooks)).count };
    }),
  decide: (d, { input: { webhook, secret } }, { held }) => addWebhook(d, { input: webhook, secret, held }),
  record: withSalt('webhook'),
});

/**
 * VALIDATION_ERROR on `url` if the guard refuses it, NOT_FOUND if there is no such agent, CONFLICT if the workspace has
 * as many webhooks as it may have.
 */
export const createWebhook = procedure({
  name: 'createWebhook',
  summary: 'Have events of the workspace POSTed to a URL. The secret that signs them is shown only once.',
  scope: 'workspace:admin',
  result: 'MintedWebhook',
  audit: 'webhook.created',
  target: [],
  input: webhookInput,
  async run(services, { caller, input }) {
    await check(services, caller, input);
    const { webhook, secret } = await mintSecret(services, caller, newSigningSecret, 'webhook', ({ salt }, made) =>
      services.execute(caller, storeWebhook, {}, { webhook: input, secret: seal(services, caller, made), salt }),
    );
    return { ...webhook, secret };
  },
});

export const listWebhooks = query({
  name: 'listWebhooks',
  summary: 'List webhooks, without their secrets.',
  scope: 'workspace:admin',
  result: 'Webhook',
  target: [],
  run: (services, { caller, input: { page } }: { caller: Caller; input: { page: PageRequest } }) =>
    pageOf(
      services,
      { workspace: caller.workspace, entity: deskRef(caller), collection: 'webhook', list: 'created' },
      page,
      null,
      ({ body }) => showWebhook(body),
    ),
});

export const getWebhook = query({
  name: 'getWebhook',
  summary: 'Get a webhook: what it is told, and whether deliveries fail.',
  scope: 'workspace:admin',
  result: 'Webhook',
  target: ['id'],
  run: async (services, { caller, target }) => showWebhook(await storedWebhook(services, caller, target.id)),
});

/** CONFLICT if it is to be enabled and has no secret, because it was imported. */
export const updateWebhook = change({
  name: 'updateWebhook',
  summary: 'Change a webhook, disable it, or enable it again.',
  scope: 'workspace:admin',
  result: 'Webhook',
  audit: 'webhook.updated',
  of: 'workspace',
  target: ['id'],
  input: webhookPatch,
  async prepare(services, { caller, input }) {
    await check(services, caller, input);
    return input;
  },
  read: (reading, { target }) => webhookOf(reading, target.id),
  decide: (d, { input: patch }, webhook) => patchWebhook(d, { webhook, patch }),
});

export const deleteWebhook = change({
  name: 'deleteWebhook',
  summary: 'Delete a webhook. What waits for it is dropped.',
  scope: 'workspace:admin',
  result: 'Deleted',
  audit: 'webhook.deleted',
  of: 'workspace',
  target: ['id'],
  read: (reading, { target }) => webhookOf(reading, target.id),
  decide(d, _call, webhook): void {
    removeWebhook(d, { webhook });
  },
});

export const storeSecret = partialChange({
  name: 'storeWebhookSecret',
  of: 'workspace',
  target: ['id'],
  takes: takes<SealedSecret>(),
  audit: 'webhook.updated',
  key: mintedKey,
  read: (reading, { target }) => webhookOf(reading, target.id),
  decide: (d, { input: { secret } }, webhook) => rotateWebhook(d, { webhook, secret }),
  record: withSalt('webhook'),
});

/** Replaces its secret; that before signs for a day, too. */
export const rotateWebhookSecret = procedure({
  name: 'rotateWebhookSecret',
  summary: 'Give a webhook a new secret, shown only once. For a day the one before signs, too.',
  scope: 'workspace:admin',
  result: 'MintedWebhook',
  audit: 'webhook.updated',
  target: ['id'],
  input: z.strictObject({}),
  async run(services, { caller, target }) {
    const { webhook, secret } = await mintSecret(services, caller, newSigningSecret, 'webhook', ({ salt }, made) =>
      services.execute(caller, storeSecret, target, { secret: seal(services, caller, made), salt }),
    );
    return { ...webhook, secret };
  },
});

/** Makes one attempt to deliver a test event, also if it is disabled. */
export const testWebhook = procedure({
  name: 'testWebhook',
  summary: 'Send a webhook the event `webhook.test` once, and tell what became of it.',
  scope: 'workspace:admin',
  result: 'WebhookTest',
  audit: null,
  target: ['id'],
  input: z.strictObject({}),
  async run(services, { caller, target: { id: webhookId } }) {
    const { clock, ids, push } = services;
    const webhook = await storedWebhook(services, caller, webhookId);
    const now = clock.now();
    // a repeat of the request sends the same event again, which a receiver knows by its id
    const made = ids('outbox', now);
    const id = await reserve(services, caller, made);
    if (caller.idempotencyKey) caller.idempotencyKey.replayed = id !== made;
    const event = { id, type: 'webhook.test', timestamp: new Date(now).toISOString() } as const;
    try {
      await push.deliver(
        {
          id,
          workspace: caller.workspace,
          webhook: webhookId,
          config: { url: webhook.url },
          secrets: secretsAt(webhook, now),
          event: { ...event, data: { webhook_id: webhookId } },
        },
        new AbortController().signal,
      );
      return { id, delivered: true, reason: null };
    } catch (error) {
      if (!(error instanceof PushError)) throw error;
      return { id, delivered: false, reason: error.message };
    }
  },
});

/** What became of a try to deliver an event; results in whether that disabled the webhook. A null reason is a success. */
export const noteWebhookTry = internalChange({
  name: 'noteWebhookTry',
  of: 'workspace',
  target: ['id'],
  takes: takes<{ reason: string | null }>(),
  repeatable: true,
  read: (reading, { target }) =>
    reading.settled(async () => {
      const doc = await reading.deps.store.get(reading.entity, 'webhook', target.id);
      return doc && doc.body;
    }),
  decide: (d, { input: { reason } }, webhook) => webhookTried(d, { webhook, reason }),
});

/** The desk sends what still waits at an entity that is being deleted, each event once (domain/workspace/webhooks.ts). */
export const adoptEvents = internalChange({
  name: 'adoptEvents',
  of: 'workspace',
  target: [],
  takes: takes<{ events: readonly WebhookOutboxItem[] }>(),
  repeatable: true,
  read: (reading, { input: { events } }) =>
    reading.settled(() =>
      reading.deps.store.getMany(
        reading.entity,
        'outbox',
        events.map(({ id }) => id),
      ),
    ),
  decide(d, { input: { events } }, known): void {
    for (const [i, event] of events.entries()) if (!known[i]) d.sendEvent(event);
  },
});

async function check(
  services: Services,
  caller: Caller,
  { url, agent_id }: { url?: string | undefined; agent_id?: string | null | undefined },
): Promise<void> {
  if (url !== undefined) await services.push.check({ url });
  if (agent_id != null) await headOf(services, agentRef(caller, agent_id));
}

const seal = ({ keyring }: Services, caller: Caller, secret: string): string =>
  sealCredential(keyring, caller.workspace, secret);

async function storedWebhook({ store }: Services, caller: Caller, id: string): Promise<StoredWebhook> {
  const doc = await store.get(deskRef(caller), 'webhook', id);
  if (!doc) throw notFound('webhook', id);
  return doc.body;
}

const webhookOf = (reading: Reading<'workspace'>, id: string): Promise<StoredWebhook> =>
  reading.settled(async () => {
    const doc = await reading.deps.store.get(reading.entity, 'webhook', id);
    if (!doc) throw notFound('webhook', id);
    return doc.body;
  });
