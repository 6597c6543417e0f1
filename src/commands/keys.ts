/**
 * What can be asked of API keys and of the audit log (docs/api.md 2.4). The keys of a sandbox are stored at its
 * workspace's desk (Sandbox.S2).
 */
import type { AuditAction } from '../domain/shared/vocabulary.js';
import { z } from 'zod';
import { auditActorOf, showAuditRecord } from '../domain/workspace/audit.js';
import type { Caller } from '../domain/shared/caller.js';
import { HivekeepError, invalid, notFound } from '../domain/shared/errors.js';
import { keyInput, type KeyInput } from '../domain/shared/inputs.js';
import { auditFilter } from '../domain/shared/filters.js';
import { homeOf, isSandbox } from '../domain/workspace/workspace.js';
import { keyLimit } from '../domain/workspace/usage.js';
import { addKey, removeKey } from '../domain/workspace/workspace-entity.js';
import { keyPrefixes, newSecret, shownKey } from '../secrets/api-keys.js';
import { type Services, partialChange, procedure, query, takes } from './command.js';
import { checkGranted, expiryWithin, keyScopes } from './credentials.js';
import { descendantsOf } from './descendants.js';
import { keyDesk } from './entities.js';
import { createdRange, type CreatedFilter, pageOf, type PageRequest } from './lists.js';
import { type MadeSecret, mintedKey, mintSecret, withSalt } from './minted.js';
import { revokeToken } from './tokens.js';

/** The highest number of keys that any tier allows. */
const mostKeys = keyLimit('enterprise');

export const storeKey = partialChange({
  name: 'storeKey',
  of: 'workspace',
  target: [],
  at: ({ caller }) => keyDesk(caller),
  takes: takes<MadeSecret & { key: KeyInput }>(),
  key: mintedKey,
  read: (reading) =>
    reading.settled(async () => {
      const { deps, entity } = reading;
      const keys = { workspace: entity.workspace, entity, collection: 'key', list: 'created' } as const;
      return { held: (await deps.store.count(keys, mostKeys)).count };
    }),
  decide: (d, { caller, input: { key, hash, hint } }, { held }) =>
    addKey(d, { input: key, hash, hint, held, by: auditActorOf(caller) }),
  record: withSalt('key'),
});

export const createKey = procedure({
  name: 'createKey',
  summary: 'Create an API key. Its secret is shown only once.',
  scope: 'workspace:admin',
  result: 'MintedKey',
  audit: 'key.created',
  target: [],
  input: keyInput,
  async run(services, { caller, input }) {
    // A sandbox key that could create a live key would be as powerful as a live key.
    if (isSandbox(caller.workspace) && input.mode === 'live')
      throw invalid({ path: 'mode', message: 'must be "test": a sandbox key mints sandbox keys only' });
    const granted = input.scopes ?? keyScopes(caller);
    checkGranted(caller, granted);
    const wanted = { ...input, scopes: granted, expires_at: expiryWithin(caller, input.expires_at) };
    const { key, secret } = await mintSecret(
      services,
      caller,
      (random) => newSecret(keyPrefixes[input.mode], random),
      'key',
      (made) => services.execute(caller, storeKey, {}, { ...made, key: wanted }),
    );
    return { ...key, key: secret };
  },
});

export const listKeys = query({
  name: 'listKeys',
  summary: 'List API keys, without their secrets.',
  scope: 'workspace:admin',
  result: 'ApiKey',
  target: [],
  run: (services, { caller, input: { page } }: Paged) =>
    pageOf(
      services,
      {
        workspace: homeOf(caller.workspace),
        entity: keyDesk(caller),
        collection: 'key',
        list: 'created',
        ...(isSandbox(caller.workspace) && { where: { mode: 'test' } }),
      },
      page,
      null,
      ({ body }) => shownKey(body),
    ),
});

interface Paged {
  caller: Caller;
  input: { page: PageRequest };
}

export const dropKey = partialChange({
  name: 'dropKey',
  of: 'workspace',
  target: ['id'],
  takes: takes<undefined>(),
  at: ({ caller }) => keyDesk(caller),
  read: (reading, { target }) =>
    reading.settled(async () => {
      const key = await reading.deps.store.get(reading.entity, 'key', target.id);
      if (!key) throw notFound('key', target.id);
      return key.body;
    }),
  decide(d, { caller }, key): void {
    removeKey(d, key, auditActorOf(caller));
  },
});

/**
 * With `cascade`, also revokes what the key minted, and what that minted, and returns their ids. Credentials that were
 * revoked before stay revoked.
 */
export const revokeKey = procedure({
  name: 'revokeKey',
  summary: 'Revoke an API key, and with `cascade=true` every credential created with it.',
  scope: 'workspace:admin',
  result: 'Deleted',
  audit: 'key.revoked',
  target: ['id'],
  filter: { cascade: z.enum(['true', 'false']) },
  async run(services, { caller, target: { id }, input }: Revocation): Promise<readonly string[]> {
    if (input?.cascade === 'true') return revokeTree(services, caller, id);
    await revoke(services, caller, id);
    return [];
  },
});

interface Revocation {
  caller: Caller;
  target: { id: string };
  input: { cascade?: 'true' | 'false' } | undefined;
}

export const listAudit = query({
  name: 'listAudit',
  summary: 'List the audit log: who has changed what.',
  scope: 'workspace:admin',
  result: 'AuditRecord',
  target: [],
  filter: auditFilter,
  run: (services, { caller, input: { page, ...filter } }: Paged & { input: AuditFilter }) =>
    pageOf(
      services,
      { workspace: caller.workspace, collection: 'audit', ...auditWanted(filter), ...createdRange('audit', filter) },
      page,
      null,
      ({ body }) => showAuditRecord(body),
    ),
});

export interface AuditFilter extends CreatedFilter {
  actor?: string;
  action?: AuditAction;
  agent_id?: string;
  target_id?: string;
}

/** The list that has the fewest records of what is asked for; what it does not tell is looked for in them. */
export function auditWanted({ target_id, agent_id, actor, action }: AuditFilter) {
  if (target_id !== undefined) return within('target', target_id, { agent_id, actor, action });
  if (agent_id !== undefined) return within('agent', agent_id, { actor, action });
  if (actor !== undefined) return within('actor', actor, { action });
  if (action !== undefined) return within('action', action, {});
  return { list: 'created' as const };
}

function within<L extends string>(list: L, by: string, rest: Record<string, string | undefined>) {
  const where: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) where[name] = value;
  return { list, by, ...(Object.keys(where).length > 0 && { where }) };
}

async function revoke(services: Services, caller: Caller, id: string): Promise<void> {
  if (isSandbox(caller.workspace)) await checkTestKey(services, caller, id);
  await services.execute(caller, dropKey, { id });
}

/** Sandbox.S2: to a test key, live keys do not exist. */
async function checkTestKey({ store }: Services, caller: Caller, id: string): Promise<void> {
  const key = await store.get(keyDesk(caller), 'key', id);
  if (key?.body['mode'] !== 'test') throw notFound('key', id);
}

/**
 * Revokes the keys first, from the root down, so that a revoked key creates nothing more. A repeat continues after a
 * failure.
 */
async function revokeTree(services: Services, caller: Caller, root: string): Promise<readonly string[]> {
  const gone = (error: unknown): false => {
    if (error instanceof HivekeepError && error.code === 'NOT_FOUND') return false;
    throw error;
  };
  const isThere = await revoke(services, caller, root).then(() => true, gone);
  const { keys, tokens } = await descendantsOf(services.store, caller.workspace, root);
  if (!isThere && keys.length === 0 && tokens.length === 0) throw notFound('key', root);
  const ended: string[] = [];
  for (const id of keys) if (await revoke(services, caller, id).then(() => true, gone)) ended.push(id);
  for (const { id, agent, workspace } of tokens) {
    const revoked = services.execute({ ...caller, workspace }, revokeToken, { id: agent, tokenId: id });
    if (await revoked.then(() => true, gone)) ended.push(id);
  }
  return ended;
}
