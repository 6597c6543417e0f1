import { expect } from 'chai';
import { createAdmin, type Admin } from '../../../gateway/admin/admin.js';
import { hashSecret } from '../../../src/secrets/api-keys.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import { idSource } from '../../../src/domain/shared/ids.js';
import { type AuditRecord } from '../../../src/domain/model/model.js';
import { scopes } from '../../../src/domain/shared/vocabulary.js';
import type { EntityRef } from '../../../src/store/port.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { turn } from '../../helpers/turn.js';

const start = Date.parse('2026-11-21T10:00:00.000Z');
const desk: EntityRef = { workspace: 'default', kind: 'workspace', id: 'default' };
const request = { name: 'ci', mode: 'live', scopes: ['agent:read'], expires_at: null } as const;

function counting(): (n: number) => Uint8Array {
  let next = 0;
  return (n) => Uint8Array.from({ length: n }, () => (next = (next * 31 + 7) % 251));
}

function given(): { store: MemoryStore; admin: Admin; time: { now: number } } {
  const store = new MemoryStore();
  const time = { now: start };
  const random = counting();
  const admin = createAdmin({
    store,
    clock: { now: () => time.now, after: () => () => undefined },
    ids: idSource(random),
    randomBytes: random,
  });
  return { store, admin, time };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof HivekeepError) return error.code;
    throw error;
  }
  return 'no error';
}

describe('administration: workspaces', () => {
  it('makes the first workspace once: id and name default, tier enterprise', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    await admin.ensureDefaultWorkspace();
    expect(await admin.listWorkspaces()).to.deep.equal([
      { id: 'default', name: 'default', tier: 'enterprise', created_at: '2026-11-21T10:00:00.000Z' },
    ]);
    expect(store.heads.get('default/workspace/default')).to.deep.include({
      seq: 1,
      active: false,
      due: null,
      counts: {},
      deleted: false,
    });
  });

  it('gives others an id of their own and lists them in order of creation', async () => {
    const { admin, time } = given();
    await admin.ensureDefaultWorkspace();
    time.now += 1000;
    const made = await admin.createWorkspace('acme', 'team');
    expect(made.id).to.match(/^ws_[0-9a-z]{26}$/);
    expect((await admin.listWorkspaces()).map((w) => [w.name, w.tier])).to.deep.equal([
      ['default', 'enterprise'],
      ['acme', 'team'],
    ]);
  });

  it('refuses a name that is taken, and a name that is none', async () => {
    const { admin } = given();
    await admin.createWorkspace('acme', 'team');
    expect(await codeOf(admin.createWorkspace('acme', 'pro'))).to.equal('CONFLICT');
    expect(await codeOf(admin.createWorkspace('Not A Name', 'pro'))).to.equal('VALIDATION_ERROR');
    expect(await admin.listWorkspaces()).to.have.length(1);
  });

  it('lets at most one of two workspaces stay that are created at once', async () => {
    const { store, admin } = given();
    let release = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    let waiting = 0;
    store.beforeCommit = () => {
      if (++waiting === 2) release();
      if (waiting <= 2) return both;
    };
    const outcomes = await Promise.allSettled([
      admin.createWorkspace('acme', 'team'),
      admin.createWorkspace('acme', 'pro'),
    ]);
    const stayed = (await admin.listWorkspaces()).filter((w) => w.name === 'acme');
    expect(stayed.length).to.be.at.most(1);
    expect(outcomes.filter((o) => o.status === 'fulfilled')).to.have.length(stayed.length);
  });

  it('sets a tier, found by name or id, and keeps what it does not know', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    const head = store.heads.get('default/workspace/default')!;
    store.heads.set('default/workspace/default', {
      ...head,
      snapshot: { ...head.snapshot, ...{ reservations: { open: 2 } } },
      counts: { memories: 7 },
      active: true,
      due: 5,
    });
    await admin.setTier('default', 'free');
    const after = store.heads.get('default/workspace/default')!;
    expect(after).to.deep.include({ seq: 2, counts: { memories: 7 }, active: true, due: 5 });
    expect(after.snapshot).to.deep.include({ tier: 'free', reservations: { open: 2 } });
    expect(await codeOf(admin.setTier('nobody', 'free'))).to.equal('NOT_FOUND');
  });

  it("moves the entity's clock, also when the wall clock stands still or goes back", async () => {
    const { store, admin, time } = given();
    await admin.ensureDefaultWorkspace();
    await admin.setTier('default', 'pro');
    time.now -= 5000;
    await admin.setTier('default', 'team');
    expect(store.heads.get('default/workspace/default')!.snapshot).to.include({
      lastMs: start + 2,
      updated_at: '2026-11-21T10:00:00.002Z',
    });
  });

  it('decides again after a conflict, on what the other has written', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    let raced = false;
    store.beforeCommit = (c) => {
      if (raced) return;
      raced = true;
      const head = store.heads.get('default/workspace/default')!;
      store.heads.set('default/workspace/default', {
        ...head,
        seq: c.seq,
        snapshot: { ...head.snapshot, ...{ desk: 'wrote this' } },
        counts: { memories: 1 },
      });
    };
    await admin.setTier('default', 'free');
    const after = store.heads.get('default/workspace/default')!;
    expect(after).to.deep.include({ seq: 3, counts: { memories: 1 } });
    expect(after.snapshot).to.deep.include({ tier: 'free', desk: 'wrote this' });
  });

  it('gives up on a head that never holds still', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    store.beforeCommit = (c) => {
      store.heads.set('default/workspace/default', { ...store.heads.get('default/workspace/default')!, seq: c.seq });
    };
    expect(await codeOf(admin.setTier('default', 'free'))).to.equal('UNAVAILABLE');
  });
});

describe('administration: the secret that a store keeps', () => {
  it('is made once and the same ever after', async () => {
    const { admin } = given();
    await admin.ensureDefaultWorkspace();
    expect(await admin.storedSecret()).to.equal(null);
    const first = await admin.ensureStoredSecret();
    expect(await admin.storedSecret()).to.deep.equal(first);
    expect(first).to.have.length(32);
    expect(await admin.ensureStoredSecret()).to.deep.equal(first);
    await admin.setTier('default', 'pro');
    expect(await admin.ensureStoredSecret()).to.deep.equal(first);
  });

  it('is the one that another process made meanwhile', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    let raced = false;
    store.beforeCommit = (c) => {
      if (raced) return;
      raced = true;
      const head = store.heads.get('default/workspace/default')!;
      store.heads.set('default/workspace/default', {
        ...head,
        seq: c.seq,
        snapshot: { ...head.snapshot, cursorSecret: 'ab'.repeat(32) },
      });
    };
    expect(await admin.ensureStoredSecret()).to.deep.equal(Buffer.alloc(32, 0xab));
  });

  it('is shown in no list', async () => {
    const { admin } = given();
    await admin.ensureDefaultWorkspace();
    await admin.ensureStoredSecret();
    expect(await admin.listWorkspaces()).to.deep.equal([
      { id: 'default', name: 'default', tier: 'enterprise', created_at: '2026-11-21T10:00:00.000Z' },
    ]);
  });
});

describe('administration: keys', () => {
  it('returns the raw key once and stores its hash', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    const { key, secret } = await admin.createKey('default', request);
    expect(secret).to.match(/^svc_live_[0-9A-Za-z]{40}$/);
    expect(key).to.deep.equal({
      id: key.id,
      name: 'ci',
      mode: 'live',
      scopes: ['agent:read'],
      hint: secret.slice(0, 13),
      expires_at: null,
      last_used_at: null,
      created_at: '2026-11-21T10:00:00.001Z',
    });
    expect(store.lookup('key', hashSecret(secret))).to.deep.include({ id: key.id, entity: desk });
    expect(JSON.stringify([[...store.heads.values()], [...store.docs.values()]])).not.to.include(secret);
  });

  it('makes and revokes a key together with its audit record', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    const { key } = await admin.createKey('default', request);
    await admin.revokeKey(key.id);
    const first = await admin.ensureRootKey(null);
    expect(first.secret).to.match(/^svc_live_/);
    const records: AuditRecord[] = [];
    for await (const page of admin.audit('default')) records.push(...page);
    expect(
      records.map(({ action, actor, from, credential_id, name }) => ({
        action,
        actor,
        from,
        ci: credential_id === key.id,
        name,
      })),
    ).to.deep.equal([
      { action: 'key.created', actor: 'server start', from: null, ci: false, name: 'root' },
      { action: 'key.revoked', actor: 'command line', from: null, ci: true, name: 'ci' },
      { action: 'key.created', actor: 'command line', from: null, ci: true, name: 'ci' },
    ]);
    for (const { puts, deletes } of store.commits) {
      expect(puts.filter((put) => put.kind === 'audit')).to.have.length(
        puts.filter((put) => put.kind === 'key').length + deletes.filter((gone) => gone.kind === 'key').length,
      );
    }
    store.beforeCommit = () => {
      throw new Error('disk full');
    };
    const before = store.docs.size;
    await admin.createKey('default', request).catch(() => undefined);
    expect(store.docs.size).to.equal(before);
  });

  it('makes test keys with their prefix', async () => {
    const { admin } = given();
    await admin.ensureDefaultWorkspace();
    expect((await admin.createKey('default', { ...request, mode: 'test' })).secret).to.match(/^svc_test_/);
  });

  it('lists all keys of one workspace, over pages, and no other', async () => {
    const { admin } = given();
    await admin.ensureDefaultWorkspace();
    await admin.createWorkspace('acme', 'pro');
    for (let i = 0; i < 120; i++) await admin.createKey('default', { ...request, name: `k${i}` });
    await admin.createKey('acme', request);
    expect((await admin.listKeys('default')).map((k) => k.name)).to.deep.equal(
      Array.from({ length: 120 }, (_, i) => `k${i}`),
    );
    expect(await admin.listKeys('acme')).to.have.length(1);
    expect((await admin.listKeys('acme'))[0]).not.to.have.any.keys('hash', 'updated_at');
    expect(await codeOf(admin.listKeys('nobody'))).to.equal('NOT_FOUND');
  });

  it('revokes a key wherever it is, or only in the workspace that is named', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    await admin.createWorkspace('acme', 'pro');
    const { key, secret } = await admin.createKey('acme', request);
    expect(await codeOf(admin.revokeKey(key.id, 'default'))).to.equal('NOT_FOUND');
    expect((await admin.revokeKey(key.id)).id).to.equal(key.id);
    expect(store.lookup('key', hashSecret(secret))).to.equal(null);
    expect(await codeOf(admin.revokeKey(key.id))).to.equal('NOT_FOUND');
  });
});

describe('administration: the root key', () => {
  const own = `svc_live_${'q'.repeat(40)}`;

  it('is made once, with every scope, where there is no key at all', async () => {
    const { admin } = given();
    await admin.ensureDefaultWorkspace();
    const { secret } = await admin.ensureRootKey(null);
    expect(secret).to.match(/^svc_live_/);
    expect((await admin.ensureRootKey(null)).secret).to.equal(null);
    expect((await admin.listKeys('default')).map((k) => [k.name, k.scopes])).to.deep.equal([['root', [...scopes]]]);
  });

  it('is not made where any workspace has a key', async () => {
    const { admin } = given();
    await admin.ensureDefaultWorkspace();
    await admin.createWorkspace('acme', 'pro');
    await admin.createKey('acme', request);
    expect((await admin.ensureRootKey(null)).secret).to.equal(null);
  });

  it('is one, however many processes start together', async () => {
    for (const key of [null, own]) {
      const { store, admin } = given();
      await admin.ensureDefaultWorkspace();
      const { lookup, load } = store;
      // every process looks before any of them commits
      Object.assign(store, {
        lookup: async (...args: Parameters<typeof lookup>) => {
          await turn();
          return lookup.apply(store, args);
        },
        load: async (...args: Parameters<typeof load>) => {
          await turn();
          return load.apply(store, args);
        },
      });
      const made = await Promise.all(Array.from({ length: 4 }, () => admin.ensureRootKey(key)));
      expect(made.filter(({ secret }) => secret !== null)).to.have.length(key === null ? 1 : 0);
      expect(await admin.listKeys('default')).to.have.length(1);
      const records: AuditRecord[] = [];
      for await (const page of admin.audit('default')) records.push(...page);
      expect(records.map((r) => r.action)).to.deep.equal(['key.created']);
    }
  });

  it('is the one that is given, once, beside those that exist', async () => {
    const { store, admin } = given();
    await admin.ensureDefaultWorkspace();
    await admin.createKey('default', request);
    for (let i = 0; i < 2; i++) expect((await admin.ensureRootKey(own)).secret).to.equal(null);
    expect(await admin.listKeys('default')).to.have.length(2);
    expect(store.lookup('key', hashSecret(own))).to.not.equal(null);
  });
});
