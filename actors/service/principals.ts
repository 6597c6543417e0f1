/**
 * Resolves credentials to principals. The store is queried by the hash of the credential alone, the only read without a
 * workspace; every later read uses the workspace that was found. Expired keys, and tokens of deleted agents, resolve to
 * nobody. The sandbox of a workspace is opened when the first test key is used. There is no cache here: the gateway
 * keeps results for at most 2 s.
 */
import { agentRef, deskRef, keyDesk } from '../../src/commands/entities.js';
import type { Principal, Service } from '../../src/service.js';
import { type EntityRef, type Head, type StoredDoc, entityKey } from '../../src/store/port.js';
import type { LastUse } from '../entities/memory-operations.js';
import type { ServiceDeps } from './context.js';
import { type Tier, type TokenScope, tokenScopes } from '../../src/domain/shared/vocabulary.js';
import { powersOf } from '../../src/domain/shared/caller.js';
import { newWorkspace, sandboxOf } from '../../src/domain/workspace/workspace.js';

/*
 * Records when keys and tokens were last used, in the background.
 *
 *  - Requests never wait for this: the cost is one map look-up each time the gateway resolves a credential, which it
 *    does at most once a second for each.
 *  - A credential is written at most once a minute, even across restarts: the stored value is read before it is
 *    written.
 *  - A use is stored at most `flushMs` later, unless a use in the preceding minute was stored.
 * Uses that were not written when the process ends, or the store fails, are lost; the next use is recorded.
 */

const everyMs = 60_000;
const flushMs = 1000;
/**
 * The number of recently used credentials to remember. Above it the oldest entries are dropped, and once a minute
 * relies on the stored values alone.
 */
const maxNoted = 10_000;

interface Pending {
  entity: EntityRef;
  kind: 'key' | 'token';
  uses: Map<string, number>;
}

export class LastUseRecorder {
  private readonly noted = new Map<string, number>();
  private pending = new Map<string, Pending>();
  private armed = false;

  constructor(private readonly deps: ServiceDeps) {}

  note(principal: Exclude<Principal, { kind: 'access' }>): void {
    const { credentialId: id } = principal;
    const now = this.deps.clock.now();
    const before = this.noted.get(id);
    if (before !== undefined && now - before < everyMs && now >= before) return;
    this.noted.delete(id);
    if (this.noted.size >= maxNoted)
      for (const oldest of this.noted.keys()) {
        this.noted.delete(oldest);
        break;
      }
    this.noted.set(id, now);
    const entity = principal.kind === 'key' ? keyDesk(principal) : agentRef(principal, principal.agent);
    const at = entityKey(entity);
    const known = this.pending.get(at);
    if (known) known.uses.set(id, now);
    else this.pending.set(at, { entity, kind: principal.kind, uses: new Map([[id, now]]) });
    if (this.armed) return;
    this.armed = true;
    this.deps.clock.after(flushMs, () => {
      this.flush();
    });
  }

  private flush(): void {
    const due = [...this.pending.values()];
    this.pending = new Map();
    this.armed = false;
    if (this.deps.stopping()) return;
    for (const one of due)
      this.write(one).catch((error: unknown) => {
        this.deps.log.warn(
          { event: 'last_use.failed', err: error, entity: one.entity },
          'the last use of keys or tokens could not be stored',
        );
      });
  }

  private async write({ entity, kind, uses: noted }: Pending): Promise<void> {
    const all: LastUse[] = Array.from(noted, ([id, at]) => ({ id, at }));
    const stored = await this.deps.store.getMany(
      entity,
      kind,
      all.map(({ id }) => id),
    );
    const uses = all.filter(({ at }, i) => isDue(stored[i]?.body, at));
    if (uses.length > 0) await this.deps.ask(entity, { type: 'used', uses });
  }
}

/** Returns false for a credential that was revoked meanwhile, or whose stored time is less than a minute old. */
function isDue(stored: { last_used_at: string | null } | undefined, at: number): boolean {
  if (!stored) return false;
  return stored.last_used_at === null || Math.abs(at - Date.parse(stored.last_used_at)) >= everyMs;
}

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
 * Returns the head of the desk of a workspace's sandbox (src/domain/workspace/workspace.ts). The desk is created when the first
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
