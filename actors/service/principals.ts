/**
 * Resolves credentials to principals. The store is queried by the hash of the credential alone, the only read without a
 * workspace; every later read uses the workspace that was found. Expired keys, and tokens of deleted agents, resolve to
 * nobody. The sandbox of a workspace is opened when the first test key is used. There is no cache here: the gateway
 * keeps results for at most 2 s.
 */
import type { ApiKey, AgentToken } from '../../src/domain/model.js';
import { tokenScopes, type Tier, type TokenScope } from '../../src/domain/vocabulary.js';
import { powersOf } from '../../src/domain/powers.js';
import { newWorkspace, type WorkspaceSnapshot } from '../../src/domain/workspace.js';
import type { Principal, Service } from '../../src/service.js';
import type { Head, StoredDoc } from '../../src/store/port.js';
import { thenSync, type MaybePromise } from '../../src/maybe-promise.js';
import { agentRef, deskRef, keyDesk, type ServiceDependencies } from './context.js';
import { LastUseRecorder } from './last-uses.js';
import { sandboxOf } from '../../src/domain/sandbox.js';

/** Who holds a credential of the service's own. */
type Stored = Exclude<Principal, { kind: 'access' }>;
type Part = Pick<Service, 'authenticate' | 'admit' | 'stillValid'>;

export function principalService(deps: ServiceDependencies): Part {
  const { store, clock } = deps;
  const uses = new LastUseRecorder(deps);
  const alive = ({ body }: StoredDoc): boolean =>
    body['expires_at'] === null || Date.parse(body['expires_at'] as string) > clock.now();

  function fromKey(found: StoredDoc): MaybePromise<Stored | null> {
    const key = found.body as unknown as ApiKey;
    const { entity } = found;
    if (!alive(found)) return null;
    return thenSync(store.head(deskRef(entity)), (head) =>
      !head || head.deleted
        ? null
        : thenSync(key.mode === 'test' ? sandboxDesk(deps, head) : head, (desk) => ({
            kind: 'key',
            ...caller(desk, key.id, key.scopes),
            ...(key.expires_at !== null && { expires_at: key.expires_at }),
          })),
    );
  }

  function fromToken(found: StoredDoc): MaybePromise<Stored | null> {
    const token = found.body as unknown as AgentToken;
    const { entity } = found;
    if (!alive(found)) return null;
    return thenSync(isThere(entity.workspace, token.agent_id), (there) =>
      !there
        ? null
        : thenSync(store.head(deskRef(entity)), (head) =>
            head
              ? {
                  kind: 'token',
                  agent: token.agent_id,
                  powers: powersOf(token.scopes),
                  ...(token.tasks === 'own' && { ownTasks: true as const }),
                  ...caller(head, token.id, token.scopes),
                }
              : null,
          ),
    );
  }

  const isThere = (workspace: string, agent: string): MaybePromise<boolean> =>
    thenSync(
      store.head(agentRef({ workspace }, agent)),
      (head) => head !== null && !head.deleted && head.snapshot['deleting'] !== true,
    );

  const look = (hash: string): MaybePromise<Stored | null> =>
    thenSync(store.lookup('key', hash), (key) =>
      key ? fromKey(key) : thenSync(store.lookup('token', hash), (token) => (token ? fromToken(token) : null)),
    );

  return {
    authenticate: (hash) =>
      thenSync(look(hash), (principal) => {
        if (principal !== null) uses.note(principal);
        return principal;
      }),
    admit: ({ workspace, key, scopes, agents, ownTasks, issued_at, expires_at }) =>
      thenSync(store.head(deskRef({ workspace })), (head) =>
        !head || head.deleted
          ? null
          : {
              kind: 'access',
              agents,
              ...(agents !== null && { powers: powersOf(scopes) }),
              ...(ownTasks && { ownTasks: true as const }),
              ...caller(head, key, scopes),
              issued_at,
              expires_at,
            },
      ),
    stillValid: (p) =>
      p.kind === 'access'
        ? Date.parse(p.expires_at ?? '') > clock.now() &&
          thenSync(store.head(deskRef(p)), (head) => head !== null && !head.deleted)
        : p.kind === 'key'
          ? thenSync(store.get(keyDesk(p), 'key', p.key), (key) => key !== null && alive(key))
          : thenSync(
              store.get(agentRef(p, p.agent), 'token', p.key),
              (token) => token !== null && alive(token) && isThere(p.workspace, p.agent),
            ),
  };
}

const known: ReadonlySet<string> = new Set(tokenScopes);
/** `head` is that of the desk of the workspace or sandbox that the credential gives access to. */
const caller = (
  head: Head,
  key: string,
  granted: readonly TokenScope[],
): { workspace: string; key: string; tier: Tier; scopes: ReadonlySet<TokenScope> } => ({
  workspace: head.entity.workspace,
  key,
  tier: (head.snapshot as unknown as WorkspaceSnapshot).tier,
  scopes: new Set(granted.filter((s) => known.has(s))),
});

/**
 * Returns the head of the desk of a workspace's sandbox (src/domain/sandbox.ts). The desk is created when the first
 * test key is used. If several processes do so at the same time, one commit succeeds and the others use its sandbox.
 */
function sandboxDesk({ store, clock }: ServiceDependencies, home: Head): MaybePromise<Head> {
  const entity = deskRef({ workspace: sandboxOf(home.entity.workspace) });
  return thenSync(store.head(entity), (known) => {
    if (known) return known;
    const name = sandboxOf((home.snapshot as unknown as WorkspaceSnapshot).name);
    const head: Head = {
      entity,
      seq: 1,
      snapshot: { ...newWorkspace(entity.id, name, 'sandbox', clock.now()) },
      active: false,
      due: null,
      counts: {},
      deleted: false,
    };
    return store.commit({ ...head, puts: [], deletes: [], commands: [], previousCounts: {} }).then(() => head);
  });
}
