/**
 * Operators' actions on workspaces and keys. They work directly on the store, and therefore with or without a running
 * server.
 *
 *  - A running server's workspace desk commits to the same entity. Every change here is therefore a compare-and-set on
 *    the head, decided again after a conflict, and keeps everything in the snapshot and the counts that it does not
 *    know.
 *  - No two workspaces have the same name. If two with one name are created at the same time, at most one stays.
 *  - A raw key is returned once, by the call that creates it; the store holds its hash.
 *  - A key is created or revoked together with its audit record, in one commit.
 *
 * A failed operation throws HivekeepError and has changed nothing, with one exception: of two of one name a workspace
 * that has to yield is left as a tombstone. StoreError passes through.
 */
import type { AuditActor } from '../../src/domain/shared/draft.js';
import { type AuditFilter, auditWanted } from '../../src/commands/keys.js';
import { createdRange } from '../../src/commands/lists.js';
import type { WorkspaceSnapshot } from '../../src/domain/shared/snapshots.js';
import type { StoredKey } from '../../src/domain/shared/documents.js';
import {
  credentialRecord,
  commandLine,
  type Credential,
  serverStart,
  showAuditRecord,
} from '../../src/domain/workspace/audit.js';
import { conflict, invalid, notFound, unavailable } from '../../src/domain/shared/errors.js';
import { type Clock, idTime, iso } from '../../src/domain/shared/clock.js';
import type { IdSource } from '../../src/domain/shared/ids.js';
import { workspaceInput } from '../../src/domain/workspace/workspace-inputs.js';
import { type ApiKey, type AuditRecord, type Workspace } from '../../src/domain/model/model.js';
import {
  defaultWorkspace,
  isSandbox,
  newWorkspace,
  sandboxOf,
  showWorkspace,
  withUpdatedAt,
} from '../../src/domain/workspace/workspace.js';
import { scopes, type Tier } from '../../src/domain/shared/vocabulary.js';
import {
  hashSecret,
  keyPrefixes,
  newSecret,
  shownKey,
  storedKey,
  type KeyRequest,
  type RandomBytes,
} from '../../src/secrets/api-keys.js';
import type { Commit, EntityRef, Store } from '../../src/store/port.js';
import { itemsOf, pagesOf } from '../../src/store/list-query.js';

export interface AdminDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  randomBytes: RandomBytes;
}

export interface Admin {
  /** CONFLICT if the name is taken, VALIDATION_ERROR if it is not a valid name. */
  createWorkspace(name: string, tier: Tier): Promise<Workspace>;
  /** In order of creation, with `default` first. */
  listWorkspaces(): Promise<Workspace[]>;
  setTier(name: string, tier: Tier): Promise<Workspace>;
  /** `by` is named in the audit record. Default: the command line. */
  createKey(workspace: string, request: KeyRequest, by?: AuditActor): Promise<{ key: ApiKey; secret: string }>;
  listKeys(workspace: string): Promise<ApiKey[]>;
  /** Searches every workspace unless one is named. */
  revokeKey(id: string, workspace?: string): Promise<ApiKey>;
  /**
   * What was done to the keys and tokens of one workspace (by its name or id) and of its sandbox, in pages, newest
   * first for each of the two.
   */
  audit(workspace: string, filter?: AuditFilter): AsyncIterable<readonly AuditRecord[]>;
  /** Creates the workspace `default` (tier enterprise) if it is missing. */
  ensureDefaultWorkspace(): Promise<void>;
  /**
   * The 32-byte secret that clusters without a key of their own keep in the store. Null if
   * there is none.
   */
  storedSecret(): Promise<Uint8Array | null>;
  /** Returns the stored secret, creating it if there is none. It is the same at every start on this store. */
  ensureStoredSecret(): Promise<Uint8Array>;
  /**
   * Used at startup: makes `given` a key of `default` unless it is already known. Without `given`, a first key is
   * created if the store has none at all. `secret` is the key that was created.
   */
  ensureRootKey(given: string | null): Promise<{ secret: string | null }>;
}

/** More conflicts in a row than concurrent writers are likely to cause: something else must be wrong. */
const maxTries = 20;

export const createAdmin = (deps: AdminDeps): Admin => ({
  createWorkspace: (name, tier) => createWorkspace(deps, name, tier),
  listWorkspaces: async () => (await workspaces(deps)).map(showWorkspace),
  setTier: async (name, tier) => {
    const entity = await named(deps, name);
    return showWorkspace((await change(deps, entity, (snapshot) => ({ snapshot: { ...snapshot, tier } }))).snapshot);
  },
  createKey: async (workspace, request, by = commandLine) =>
    createKey(deps, await named(deps, workspace), request, newSecret(keyPrefixes[request.mode], deps.randomBytes), by),
  listKeys: async (workspace) => (await keysOf(deps, await named(deps, workspace))).map(shownKey),
  revokeKey: (id, workspace) => revokeKey(deps, id, workspace),
  audit: (workspace, filter) => auditPages(deps, workspace, filter),
  ensureDefaultWorkspace: () => ensureDefaultWorkspace(deps),
  storedSecret: () => storedSecret(deps),
  ensureStoredSecret: () => ensureStoredSecret(deps),
  ensureRootKey: (given) => ensureRootKey(deps, given),
});

const entityOf = (id: string): EntityRef<'workspace'> => ({ workspace: id, kind: 'workspace', id });

/** All workspaces, without their sandboxes, which are handled together with them. */
async function workspaces({ store }: AdminDeps): Promise<WorkspaceSnapshot[]> {
  const found: WorkspaceSnapshot[] = [];
  for await (const heads of store.workspaces())
    found.push(...heads.map(({ snapshot }) => snapshot).filter(({ id }) => !isSandbox(id)));
  return found.sort((a, b) =>
    a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1,
  );
}

/** Finds a workspace by its name or id. */
async function named(deps: AdminDeps, name: string): Promise<EntityRef<'workspace'>> {
  const all = await workspaces(deps);
  const found = all.find((w) => w.name === name) ?? all.find((w) => w.id === name);
  if (!found) throw notFound('workspace', name);
  return entityOf(found.id);
}

interface Change {
  snapshot: WorkspaceSnapshot;
  puts?: Commit['puts'];
  deletes?: Commit['deletes'];
  deleted?: boolean;
}

/** Changes an existing workspace. `decide` gets a snapshot whose clock has moved to this change. */
const change = async (
  deps: AdminDeps,
  entity: EntityRef<'workspace'>,
  decide: (snapshot: WorkspaceSnapshot) => Change,
): Promise<Change> => (await changeUnless(deps, entity, () => Promise.resolve(false), decide))!;

/**
 * Like `change`, but does nothing and returns null if `done` holds for the stored state. Of several processes that make
 * the same change together, one makes it.
 */
async function changeUnless(
  { store, clock }: AdminDeps,
  entity: EntityRef<'workspace'>,
  done: () => Promise<boolean>,
  decide: (snapshot: WorkspaceSnapshot) => Change,
): Promise<Change | null> {
  for (let i = 0; i < maxTries; i++) {
    const head = await store.load(entity);
    if (!head || head.deleted) throw notFound('workspace', entity.id);
    if (await done()) return null; // checked after the load, so that a later change by others makes our commit conflict
    const decided = decide(withUpdatedAt(head.snapshot, clock.now()));
    const outcome = await store.commit({
      ...head,
      seq: head.seq + 1,
      snapshot: { ...decided.snapshot },
      deleted: decided.deleted ?? false,
      puts: decided.puts ?? [],
      deletes: decided.deletes ?? [],
      records: [],
      previousCounts: head.counts,
    });
    if (outcome === 'committed') return decided;
  }
  throw unavailable(`workspace ${entity.id} is being changed by others at the same time; try again`);
}

async function insert({ store, clock }: AdminDeps, id: string, name: string, tier: Tier): Promise<Workspace | null> {
  const snapshot = newWorkspace(id, name, tier, clock.now());
  const outcome = await store.commit({
    entity: entityOf(id),
    seq: 1,
    snapshot: { ...snapshot },
    active: false,
    due: null,
    counts: {},
    deleted: false,
    puts: [],
    deletes: [],
    records: [],
    previousCounts: {},
  });
  return outcome === 'committed' ? showWorkspace(snapshot) : null;
}

async function createWorkspace(deps: AdminDeps, name: string, tier: Tier): Promise<Workspace> {
  const checked = workspaceInput.safeParse({ name, tier });
  if (!checked.success) throw invalid({ path: 'name', message: checked.error.issues[0]?.message ?? 'is not valid' });
  const taken = (): Error => conflict(`a workspace named ${name} already exists`);
  const isName = (w: WorkspaceSnapshot): boolean => w.name === name;
  if ((await workspaces(deps)).some(isName)) throw taken();
  const id = name === defaultWorkspace ? defaultWorkspace : deps.ids('workspace', deps.clock.now());
  const created = await insert(deps, id, name, tier);
  if (!created) throw taken();
  // each checks after its own commit and yields if it sees the other. Both may yield, but never neither.
  if ((await workspaces(deps)).some((w) => isName(w) && w.id !== id)) {
    await change(deps, entityOf(id), (snapshot) => ({ snapshot, deleted: true }));
    throw taken();
  }
  return created;
}

async function ensureDefaultWorkspace(deps: AdminDeps): Promise<void> {
  if (await deps.store.head(entityOf(defaultWorkspace))) return;
  await insert(deps, defaultWorkspace, defaultWorkspace, 'enterprise'); // null if another process has just created it
}

const secretIn = ({ cursorSecret }: WorkspaceSnapshot): Uint8Array | null =>
  cursorSecret === undefined ? null : Buffer.from(cursorSecret, 'hex');

async function storedSecret({ store }: AdminDeps): Promise<Uint8Array | null> {
  const head = await store.head(entityOf(defaultWorkspace));
  return head && secretIn(head.snapshot);
}

async function ensureStoredSecret(deps: AdminDeps): Promise<Uint8Array> {
  const fresh = Buffer.from(deps.randomBytes(32)).toString('hex');
  const known = await storedSecret(deps);
  if (known) return known;
  // Another process may have created one in the meantime; the stored one counts.
  const { snapshot } = await change(deps, entityOf(defaultWorkspace), (before) => ({
    snapshot: { ...before, cursorSecret: before.cursorSecret ?? fresh },
  }));
  return secretIn(snapshot) ?? Buffer.from(fresh, 'hex');
}

async function createKey(
  deps: AdminDeps,
  entity: EntityRef<'workspace'>,
  request: KeyRequest,
  secret: string,
  by: AuditActor,
): Promise<{ key: ApiKey; secret: string }> {
  let stored: StoredKey | undefined;
  await change(deps, entity, (snapshot) => {
    stored = storedKey(deps.ids('key', idTime(snapshot)), secret, request, snapshot.lastMs);
    return withKey(deps, snapshot, stored, by);
  });
  if (!stored) throw unavailable('the key was not created');
  return { key: shownKey(stored), secret };
}

const withKey = (deps: AdminDeps, snapshot: WorkspaceSnapshot, stored: StoredKey, by: AuditActor): Change => ({
  snapshot,
  puts: [{ kind: 'key', id: stored.id, body: stored, isNew: true }, audited(deps, snapshot, by, 'key.created', stored)],
});

/** The audit record of a change, to be written in the same commit. */
function audited(
  { ids }: AdminDeps,
  snapshot: WorkspaceSnapshot,
  by: AuditActor,
  action: AuditRecord['action'],
  credential: Credential,
): Commit['puts'][number] {
  const record = credentialRecord(ids('audit', idTime(snapshot)), iso(snapshot.lastMs), by, action, credential);
  return { kind: 'audit', id: record.id, body: { ...record }, isNew: true };
}

async function keysOf({ store }: AdminDeps, entity: EntityRef, limit = Infinity): Promise<StoredKey[]> {
  const found: StoredKey[] = [];
  for await (const { body } of itemsOf(store, {
    workspace: entity.workspace,
    collection: 'key',
    list: 'created',
    entity,
    order: 'asc',
    limit: Math.min(limit, 100),
  }))
    if (found.push(body) === limit) break;
  return found;
}

/** The records of the workspace, followed by those of its sandbox. */
async function* auditPages(
  deps: AdminDeps,
  name: string,
  filter: AuditFilter = {},
): AsyncIterable<readonly AuditRecord[]> {
  const { workspace: home } = await named(deps, name);
  for (const workspace of [home, sandboxOf(home)]) {
    const wanted = { ...auditWanted(filter), ...createdRange('audit', filter), order: 'desc', limit: 100 } as const;
    for await (const { items } of pagesOf(deps.store, { workspace, collection: 'audit', ...wanted }))
      yield items.map(({ body }) => showAuditRecord(body));
  }
}

async function revokeKey(deps: AdminDeps, id: string, workspace?: string): Promise<ApiKey> {
  const entities =
    workspace === undefined ? (await workspaces(deps)).map((w) => entityOf(w.id)) : [await named(deps, workspace)];
  for (const entity of entities) {
    const found = await deps.store.get(entity, 'key', id);
    if (!found) continue;
    const key = found.body;
    await change(deps, entity, (snapshot) => ({
      snapshot,
      deletes: [{ kind: 'key', id }],
      puts: [audited(deps, snapshot, commandLine, 'key.revoked', key)],
    }));
    return shownKey(key);
  }
  throw notFound('key', id);
}

/** However many processes start together, only one root key is created. */
async function ensureRootKey(deps: AdminDeps, given: string | null): Promise<{ secret: string | null }> {
  const { store, ids, randomBytes } = deps;
  const entity = entityOf(defaultWorkspace);
  const known = async (): Promise<boolean> => {
    if (given !== null) return (await store.lookup('key', hashSecret(given))) !== null;
    for (const workspace of await workspaces(deps))
      if ((await keysOf(deps, entityOf(workspace.id), 1)).length) return true;
    return false;
  };
  if (await known()) return { secret: null };
  const secret = given ?? newSecret(keyPrefixes.live, randomBytes);
  const request: KeyRequest = { name: 'root', mode: 'live', scopes, expires_at: null };
  const made = await changeUnless(deps, entity, known, (snapshot) =>
    withKey(deps, snapshot, storedKey(ids('key', idTime(snapshot)), secret, request, snapshot.lastMs), serverStart),
  );
  return { secret: made === null || given !== null ? null : secret };
}
