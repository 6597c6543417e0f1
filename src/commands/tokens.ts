/** What can be asked of agents' tokens (docs/api.md 2.4). The secret is in the answer to its creation and nowhere else. */
import { auditActorOf } from '../domain/workspace/audit.js';
import type { Caller } from '../domain/shared/caller.js';
import { notFound } from '../domain/shared/errors.js';
import { tokenInput, type TokenInput } from '../domain/shared/inputs.js';
import { addToken, removeToken } from '../domain/agent/tokens.js';
import { newSecret, shownToken } from '../secrets/api-keys.js';
import { change, partialChange, procedure, query, takes } from './command.js';
import { checkGranted, expiryWithin } from './credentials.js';
import { agentRef, headOf } from './entities.js';
import { pageOf, type PageRequest } from './lists.js';
import { type MadeSecret, mintedKey, mintSecret, withSalt } from './minted.js';

export const storeToken = partialChange({
  name: 'storeToken',
  of: 'agent',
  target: ['id'],
  takes: takes<MadeSecret & { token: TokenInput }>(),
  key: mintedKey,
  read: (reading) =>
    reading.settled(async () => {
      const { deps, entity } = reading;
      const tokens = { workspace: entity.workspace, entity, collection: 'token', list: 'created' } as const;
      return { held: (await deps.store.count(tokens, 1000)).count };
    }),
  decide: (d, { caller, input: { token, hash, hint } }, { held }) =>
    addToken(d, { token, hash, hint, held, by: auditActorOf(caller) }),
  record: withSalt('token'),
});

export const mintToken = procedure({
  name: 'mintToken',
  summary: 'Create a token for the A2A endpoint of an agent.',
  scope: 'agent:manage',
  result: 'MintedToken',
  audit: 'token.created',
  target: ['id'],
  input: tokenInput,
  async run(services, { caller, target, input }) {
    checkGranted(caller, input.scopes);
    const wanted = { ...input, expires_at: expiryWithin(caller, input.expires_at) };
    const { token, secret } = await mintSecret(
      services,
      caller,
      (random) => newSecret('at_', random),
      'token',
      (made) => services.execute(caller, storeToken, target, { ...made, token: wanted }),
    );
    return { ...token, token: secret };
  },
});

export const listTokens = query({
  name: 'listTokens',
  summary: 'List tokens, without their secrets.',
  scope: 'agent:manage',
  result: 'AgentToken',
  target: ['id'],
  async run(
    services,
    { caller, target, input: { page } }: { caller: Caller; target: { id: string }; input: { page: PageRequest } },
  ) {
    const entity = agentRef(caller, target.id);
    await headOf(services, entity);
    return pageOf(
      services,
      { workspace: caller.workspace, entity, collection: 'token', list: 'created' },
      page,
      null,
      ({ body }) => shownToken(body),
    );
  },
});

export const revokeToken = change({
  name: 'revokeToken',
  summary: 'Revoke a token.',
  scope: 'agent:manage',
  result: 'Deleted',
  audit: 'token.revoked',
  of: 'agent',
  target: ['id', 'tokenId'],
  read: (reading, { target }) =>
    reading.settled(async () => {
      const doc = await reading.deps.store.get(reading.entity, 'token', target.tokenId);
      if (!doc) throw notFound('token', target.tokenId);
      return doc.body;
    }),
  noted: () => null, // removeToken writes it
  decide(d, { caller }, token): void {
    removeToken(d, token, auditActorOf(caller));
  },
});
