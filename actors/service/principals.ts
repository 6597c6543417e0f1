/**
 * Who a credential is. The store is asked by the hash of the credential alone, the one read that knows no workspace yet;
 * everything after it carries the workspace that was found. Expired keys, and tokens of agents that are gone, are nobody.
 * Nothing is kept here: who asks often keeps the answer, for 2 s at most (design, section 4).
 */
import { scopes, type ApiKey, type AgentToken, type Scope, type Tier } from '../../src/domain/model.js';
import type { WorkspaceSnapshot } from '../../src/domain/workspace.js';
import type { Principal } from '../../src/service.js';
import type { Head, MaybePromise, StoredDoc } from '../../src/store/port.js';
import { chain } from '../maybe.js';
import type { World } from '../world.js';
import { agentRef, deskRef } from './context.js';

export type Authenticate = (credentialHash: string) => MaybePromise<Principal | null>;

export function authenticator({ store, clock }: World): Authenticate {
  const alive = (expires: string | null): boolean => expires === null || Date.parse(expires) > clock.now();

  function fromKey({ entity, body }: StoredDoc): MaybePromise<Principal | null> {
    const key = body as unknown as ApiKey;
    if (!alive(key.expires_at)) return null;
    return chain(store.head(deskRef(entity)), (head) => (head && !head.deleted ? { kind: 'key', ...caller(entity.workspace, key.id, key.mode, head, key.scopes) } : null));
  }

  function fromToken({ entity, body }: StoredDoc): MaybePromise<Principal | null> {
    const token = body as unknown as AgentToken;
    if (!alive(token.expires_at)) return null;
    return chain(store.head(agentRef(entity, token.agent_id)), (agent) => (!agent || agent.deleted || agent.snapshot['deleting'] === true ? null
      : chain(store.head(deskRef(entity)), (head) => (head ? { kind: 'token', agent: token.agent_id, ...caller(entity.workspace, token.id, 'live', head, token.scopes) } : null))));
  }

  const look = (hash: string): MaybePromise<Principal | null> => chain(store.lookup('key', hash), (key) => (key ? fromKey(key)
    : chain(store.lookup('token', hash), (token) => (token ? fromToken(token) : null))));

  return look;
}

const known: ReadonlySet<string> = new Set(scopes);
const caller = (workspace: string, key: string, mode: 'live' | 'test', head: Head, granted: readonly Scope[]): { workspace: string; key: string; mode: 'live' | 'test'; tier: Tier; scopes: ReadonlySet<Scope> } =>
  ({ workspace, key, mode, tier: (head.snapshot as unknown as WorkspaceSnapshot).tier, scopes: new Set(granted.filter((s) => known.has(s))) });
