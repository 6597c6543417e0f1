/**
 * Keys and tokens over the whole engine: when they were used (principals.ts), whether they are valid still, and what is
 * audited; changes of agents under a condition.
 */
import { deleteAgent, spawnAgent } from '../../../src/commands/agents.js';
import type { PageRequest } from '../../../src/commands/lists.js';
import { madeKey, madeToken } from '../../helpers/minted.js';
import { listAudit, createKey, revokeKey, listKeys } from '../../../src/commands/keys.js';
import { revokeToken, listTokens } from '../../../src/commands/tokens.js';
import { expect } from 'chai';
import { hashSecret } from '../../../src/secrets/api-keys.js';
import { answers, caller, eventually, skippingClock, testEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { codeOf, newestFirst } from './kit.js';

const used = (store: MemoryStore): number =>
  store.commits.filter((commit) =>
    commit.puts.some((put) => (put.kind === 'key' || put.kind === 'token') && !put.isNew),
  ).length;

describe('When keys and tokens were last used', () => {
  it('is stored behind the request, once a minute at most', async () => {
    const store = new MemoryStore();
    const clock = skippingClock();
    const { engine } = await testEngine(store, () => answers('ok'), { clock });
    const { service } = engine;
    const { key, secret } = await madeKey(service, caller, { name: 'ci', mode: 'live' });
    const lastUsed = async (): Promise<string | null | undefined> =>
      (await service.execute(caller, listKeys, {}, { page: newestFirst })).items.find(({ id }) => id === key.id)
        ?.last_used_at;
    expect([key.last_used_at, await lastUsed()]).to.deep.equal([null, null]);
    const before = Date.now();
    for (let i = 0; i < 100; i++) await service.authenticate(hashSecret(secret));
    expect(used(store), 'not on the way of the request').to.equal(0);
    clock.skip(1000);
    const first = await eventually(lastUsed, 'the first use');
    expect(Date.parse(first)).to.be.within(before, before + 5000);
    for (const seconds of [1, 20, 20]) {
      clock.skip(seconds * 1000);
      await service.authenticate(hashSecret(secret));
    }
    clock.skip(2000);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect([await lastUsed(), used(store)]).to.deep.equal([first, 1]);
    clock.skip(60_000);
    await service.authenticate(hashSecret(secret));
    clock.skip(1000);
    const second = await eventually(async () => {
      const at = await lastUsed();
      return at !== first && at;
    }, 'the second use');
    expect(Date.parse(second) - Date.parse(first)).to.be.at.least(60_000);
    expect(used(store)).to.equal(2);
    await engine.stop(0);
  });

  it('survives a restart, which is no reason to write it again', async () => {
    const store = new MemoryStore();
    const clock = skippingClock();
    const one = await testEngine(store, undefined, { clock });
    const { key, secret } = await madeKey(one.engine.service, caller, { name: 'ci', mode: 'live' });
    await one.engine.service.authenticate(hashSecret(secret));
    clock.skip(1000);
    await eventually(async () => used(store) === 1, 'the use');
    await one.engine.stop(0);
    const two = await testEngine(store, undefined, { clock });
    await two.engine.service.authenticate(hashSecret(secret));
    clock.skip(1000);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(used(store)).to.equal(1);
    expect(
      (await two.engine.service.execute(caller, listKeys, {}, { page: newestFirst })).items.find(
        ({ id }) => id === key.id,
      )?.last_used_at,
    ).to.be.a('string');
    await two.engine.stop(0);
  });

  it('is noted of tokens at their agent; many credentials of one workspace are one commit', async () => {
    const store = new MemoryStore();
    const clock = skippingClock();
    const { engine } = await testEngine(store, undefined, { clock });
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'x' });
    const { token, secret } = await madeToken(service, caller, agent.id, { name: 'peer', scopes: ['agent:read'] });
    const secrets = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, i) => (await madeKey(service, caller, { name: `k${i}`, mode: 'live' })).secret,
      ),
    );
    for (const each of [secret, ...secrets]) await service.authenticate(hashSecret(each));
    clock.skip(1000);
    await eventually(
      async () =>
        (await service.execute(caller, listTokens, { id: agent.id }, { page: newestFirst })).items.some(
          (t) => t.id === token.id && t.last_used_at !== null,
        ),
      "the token's use",
    );
    await eventually(
      async () =>
        (await service.execute(caller, listKeys, {}, { page: newestFirst })).items.filter(
          (k) => k.last_used_at !== null,
        ).length === 20,
      "the keys' uses",
    );
    expect(used(store)).to.equal(2);
    await engine.stop(0);
  });

  it('of one that was revoked meanwhile does not bring it back, and a store that fails is no failure', async () => {
    const store = new MemoryStore();
    const clock = skippingClock();
    const { engine, lines } = await testEngine(store, undefined, { clock });
    const { service } = engine;
    const gone = await madeKey(service, caller, { name: 'gone', mode: 'live' });
    const kept = await madeKey(service, caller, { name: 'kept', mode: 'live' });
    for (const { secret } of [gone, kept]) await service.authenticate(hashSecret(secret));
    await service.execute(caller, revokeKey, { id: gone.key.id }, {});
    store.beforeCommit = () => {
      throw new Error('disk full');
    };
    clock.skip(1000);
    await eventually(
      async () => lines.some((line) => 'event' in line && line.event === 'last_use.failed'),
      'the log line',
    );
    store.beforeCommit = () => undefined;
    expect(
      (await service.execute(caller, listKeys, {}, { page: newestFirst })).items.map((k) => [k.name, k.last_used_at]),
    ).to.deep.equal([['kept', null]]);
    expect(await service.authenticate(hashSecret(gone.secret))).to.equal(null);
    await engine.stop(0);
  });
});

describe('Whether a credential is valid still', () => {});

describe('The audit', () => {
  it('tells of keys, tokens and agents of the workspace, newest first, by whom and from where, also when the agent is gone', async () => {
    const clock = skippingClock();
    const { engine } = await testEngine(undefined, undefined, { clock });
    const { service } = engine;
    const from = '192.0.2.7';
    const asker = { ...caller, from };
    const agent = await service.execute(asker, spawnAgent, {}, { name: 'x' });
    clock.skip(10); // entities have clocks of their own, which agree to some milliseconds
    const { key } = await madeKey(service, asker, { name: 'ci', mode: 'live', scopes: ['agent:read'] });
    clock.skip(10);
    const { token } = await madeToken(service, { ...asker, credentialId: 'key_other' }, agent.id, {
      name: 'peer',
      scopes: ['agent:spawn'],
    });
    clock.skip(10);
    const { token: second } = await madeToken(service, asker, agent.id, { name: 'second', scopes: ['agent:read'] });
    clock.skip(10);
    await service.execute(caller, revokeKey, { id: key.id }, {});
    clock.skip(10);
    await service.execute(asker, revokeToken, { id: agent.id, tokenId: token.id });
    clock.skip(10);
    await service.execute(asker, deleteAgent, { id: agent.id });
    const { items, total } = await service.execute(caller, listAudit, {}, { page: newestFirst });
    expect(items.map((r) => [r.action, r.credential_id, r.actor, r.from])).to.deep.equal([
      ['agent.deleted', null, 'key_test', from],
      ['token.revoked', second.id, 'key_test', from],
      ['token.revoked', token.id, 'key_test', from],
      ['key.revoked', key.id, 'key_test', null],
      ['token.created', second.id, 'key_test', from],
      ['token.created', token.id, 'key_other', from],
      ['key.created', key.id, 'key_test', from],
      ['agent.created', null, 'key_test', from],
    ]);
    expect(total).to.equal(8);
    expect(
      (await service.execute({ ...caller, workspace: 'ws_other' }, listAudit, {}, { page: newestFirst })).items,
    ).to.deep.equal([]);
    const pages: string[] = [];
    for (let after: PageRequest['after']; ;) {
      const page = await service.execute(
        caller,
        listAudit,
        {},
        { page: { ...newestFirst, order: 'asc', limit: 2, ...(after && { after }) } },
      );
      pages.push(...page.items.map((r) => r.id));
      if (!page.next) break;
      after = page.next;
    }
    expect(pages).to.deep.equal(items.map((r) => r.id).reverse());
    await engine.stop(0);
  });

  it('has nothing of what was refused, and tells a repeated mint once', async () => {
    const { engine } = await testEngine();
    const { service } = engine;
    expect(
      await codeOf(madeKey(service, caller, { name: 'x', mode: 'live', expires_at: '2020-01-01T00:00:00Z' })),
    ).to.equal('VALIDATION_ERROR');
    expect(await codeOf(service.execute(caller, revokeKey, { id: 'key_none' }, {}))).to.equal('NOT_FOUND');
    const mint = () =>
      service.execute(
        { ...caller, idempotencyKey: { id: 'c', bodyHash: 'b', replayed: false } },
        createKey,
        {},
        { name: 'ci', mode: 'live' },
      );
    expect((await mint()).key).to.equal((await mint()).key);
    expect(
      (await service.execute(caller, listAudit, {}, { page: newestFirst })).items.map((r) => r.action),
    ).to.deep.equal(['key.created']);
    await engine.stop(0);
  });
});
