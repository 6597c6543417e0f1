/** Credentials of every sort, for the agent, the loner and the workspaces of things.ts: all of them raw. */
import { scopes as allScopes, type Scope } from '../../../../src/domain/shared/vocabulary.js';
import { client, until, type Api, type Json } from './client.js';
import type { Things } from './things.js';

export interface Credentials {
  revoked: string;
  expired: string;
  revokedToken: string;
  expiredToken: string;
  tokenOfDeleted: string;
  /** Of the agent, with all scopes. */
  token: string;
  /** Of the loner, with all scopes. */
  tokenOfAnother: string;
  /** Of the other workspace's agent, with all scopes. */
  theirToken: string;
  /** Keys, and tokens of the agent, with one scope alone, or with all but the one. */
  only: ReadonlyMap<Scope, string>;
  allBut: ReadonlyMap<Scope, string>;
  tokenOnly: ReadonlyMap<Scope, string>;
  tokenAllBut: ReadonlyMap<Scope, string>;
}

async function mint(
  api: Api,
  path: string,
  scopes: readonly Scope[],
  more: Json = {},
): Promise<{ raw: string; path: string }> {
  const made = await api.one(
    'POST',
    path,
    { name: 'k', ...(path === '/v1/keys' && { mode: 'live' }), scopes, ...more },
    201,
  );
  return { raw: String(made['key'] ?? made['token']), path: `${path}/${String(made['id'])}` };
}

/** Those that are no longer good have ended when this resolves. */
export async function makeCredentials(api: Api, mine: Things, other: Api, theirs: Things): Promise<Credentials> {
  const keys = '/v1/keys';
  const tokens = (agent: string): string => `/v1/agent-constellations/${agent}/tokens`;
  const own = tokens(mine.agent);
  const soon = { expires_at: new Date(Date.now() + 1500).toISOString() };
  const brief = String((await api.one('POST', '/v1/agents/spawn', { name: 'brief' }, 201))['id']);
  const [revoked, expired, revokedToken, expiredToken, tokenOfDeleted, token, tokenOfAnother, theirToken] =
    await Promise.all([
      mint(api, keys, allScopes),
      mint(api, keys, allScopes, soon),
      mint(api, own, allScopes),
      mint(api, own, allScopes, soon),
      mint(api, tokens(brief), allScopes),
      mint(api, own, allScopes),
      mint(api, tokens(mine.loner), allScopes),
      mint(other, tokens(theirs.agent), allScopes),
    ]);
  await Promise.all([revoked.path, revokedToken.path, `/v1/agents/${brief}`].map((path) => api.one('DELETE', path)));
  const byScope = async (path: string, of: (scope: Scope) => readonly Scope[]): Promise<ReadonlyMap<Scope, string>> =>
    new Map(
      await Promise.all(
        allScopes.map(async (scope): Promise<[Scope, string]> => [scope, (await mint(api, path, of(scope))).raw]),
      ),
    );
  const alone = (scope: Scope): Scope[] => [scope];
  const others = (scope: Scope): Scope[] => allScopes.filter((s) => s !== scope);
  const made = {
    only: await byScope(keys, alone),
    allBut: await byScope(keys, others),
    tokenOnly: await byScope(own, alone),
    tokenAllBut: await byScope(own, others),
  };
  for (const { raw } of [expired, expiredToken])
    await until(
      () => client(() => api.url, raw).ask('GET', '/v1/agents'),
      ({ status }) => status === 401,
    );
  return {
    ...made,
    revoked: revoked.raw,
    expired: expired.raw,
    revokedToken: revokedToken.raw,
    expiredToken: expiredToken.raw,
    tokenOfDeleted: tokenOfDeleted.raw,
    token: token.raw,
    tokenOfAnother: tokenOfAnother.raw,
    theirToken: theirToken.raw,
  };
}
