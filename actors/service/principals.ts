/**
 * Resolves credentials to principals. The store is queried by the hash of the credential alone, the only read without a
 * workspace; every later read uses the workspace that was found. Expired keys, and tokens of deleted agents, resolve to
 * nobody. The sandbox of a workspace is opened when the first test key is used. There is no cache here: the gateway
 * keeps results for at most 2 s.
 */
import { keyDesk } from '../../src/commands/entities.js';
import { tokenScopes, type Tier, type TokenScope } from '../../src/domain/vocabulary.js';
import { powersOf } from '../../src/domain/powers.js';
import { newWorkspace } from '../../src/domain/workspace.js';
import type { Principal, Service } from '../../src/service.js';
import type { Head, StoredDoc } from '../../src/store/port.js';
import { agentRef, deskRef } from '../../src/commands/entities.js';
import { type ServiceDeps } from './context.js';
import { LastUseRecorder } from './last-uses.js';
import { sandboxOf } from '../../src/domain/sandbox.js';

/** Who holds a credential of the service's own. */
type Stored = Exclude<Principal, { kind: 'access' }>;

export function principalService(deps: ServiceDeps) {
  const { store, clock } = deps;
  const uses = new LastUseRecorder(deps);
  const alive = ({ body }: { body: { expires_at: string | null } }): boolean =>
    body.expires_at === null || Date.parse(body.expires_at) > clock.now();

  async function fromKey(found: StoredDoc<'key'>): Promise<Stored | null> {
    const key = found.body;
    if (!alive(found)) return null;
    const head = await store.head(deskRef(found.entity));
    if (!head || head.deleted) return null;
    const desk = key.mode === 'test' ? await sandboxDesk(deps, head) : head;
    return {
      kind: 'key',
      ...caller(desk, key.id, key.scopes),
      name: key.name,
      ...(key.expires_at !== null && { expires_at: key.expires_at }),
    };
  }

  async function fromToken(found: StoredDoc<'token'>): Promise<Stored | null> {
    const token = found.body;
    const { entity } = found;
    if (!alive(found) || !(await isThere(entity.workspace, token.agent_id))) return null;
    const head = await store.head(deskRef(entity));
    return (
      head && {
        kind: 'token',
        agent: token.agent_id,
        powers: powersOf(token.scopes),
        ...(token.tasks === 'own' && { ownTasks: true as const }),
        ...caller(head, token.id, token.scopes),
        name: token.name,
      }
    );
  }

  async function isThere(workspace: string, agent: string): Promise<boolean> {
    const head = await store.head(agentRef({ workspace }, agent));
    return head !== null && !head.deleted && !head.snapshot.deleting;
  }

  async function look(hash: string): Promise<Stored | null> {
    const key = await store.lookup('key', hash);
    if (key) return fromKey(key);
    const token = await store.lookup('token', hash);
    return token && fromToken(token);
  }

  return {
    async authenticate(hash) {
      const principal = await look(hash);
      if (principal !== null) uses.note(principal);
      return principal;
    },
    async admit({ workspace, credentialId, name, scopes, agents, ownTasks, issued_at, expires_at }) {
      const head = await store.head(deskRef({ workspace }));
      if (!head || head.deleted) return null;
      return {
        kind: 'access',
        agents,
        ...(agents !== null && { powers: powersOf(scopes) }),
        ...(ownTasks && { ownTasks: true as const }),
        ...caller(head, credentialId, scopes),
        name,
        issued_at,
        expires_at,
      };
    },
    async stillValid(p) {
      if (p.kind === 'access') {
        if (!(Date.parse(p.expires_at ?? '') > clock.now())) return false;
        const head = await store.head(deskRef(p));
        return head !== null && !head.deleted;
      }
      if (p.kind === 'key') {
        const key = await store.get(keyDesk(p), 'key', p.credentialId);
        return key !== null && alive(key);
      }
      const token = await store.get(agentRef(p, p.agent), 'token', p.credentialId);
      return token !== null && alive(token) && isThere(p.workspace, p.agent);
    },
  } satisfies Partial<Service>;
}

const known: ReadonlySet<string> = new Set(tokenScopes);
/** `head` is that of the desk of the workspace or sandbox that the credential gives access to. */
const caller = (
  head: Head<'workspace'>,
  credentialId: string,
  granted: readonly TokenScope[],
): { workspace: string; credentialId: string; tier: Tier; scopes: readonly TokenScope[] } => ({
  workspace: head.entity.workspace,
  credentialId,
  tier: head.snapshot.tier,
  scopes: granted.filter((s) => known.has(s)),
});

/**
 * Returns the head of the desk of a workspace's sandbox (src/domain/sandbox.ts). The desk is created when the first
 * test key is used. If several processes do so at the same time, one commit succeeds and the others use its sandbox.
 */
async function sandboxDesk({ store, clock }: ServiceDeps, home: Head<'workspace'>): Promise<Head<'workspace'>> {
  const entity = deskRef({ workspace: sandboxOf(home.entity.workspace) });
  const known = await store.head(entity);
  if (known) return known;
  const name = sandboxOf(home.snapshot.name);
  const head: Head<'workspace'> = {
    entity,
    seq: 1,
    snapshot: { ...newWorkspace(entity.id, name, 'sandbox', clock.now()) },
    active: false,
    due: null,
    counts: {},
    deleted: false,
  };
  await store.commit({ ...head, puts: [], deletes: [], records: [], previousCounts: {} });
  return head;
}
