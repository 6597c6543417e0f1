/** How a sandbox comes to be (actors/service/principals.ts), and what earlier versions kept in the workspace itself. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createAdmin } from '../../../src/admin.js';
import { hashSecret } from '../../../src/api-keys.js';
import { idSource } from '../../../src/domain/ids.js';
import { sandboxOf } from '../../../src/domain/sandbox.js';
import { scopes } from '../../../src/domain/vocabulary.js';
import { allSync } from '../../../src/maybe-promise.js';
import type { Caller } from '../../../src/service.js';
import type { Put } from '../../../src/store/port.js';
import { everyShard, testCluster } from '../../helpers/cluster.js';
import { caller, realClock } from '../../helpers/engine.js';
import { agentRef, type Bed, overStores } from './kit.js';

const adminOf = (bed: Bed) =>
  createAdmin({ store: bed.store, clock: realClock, ids: idSource(randomBytes), randomBytes });
const request = { name: 'k', scopes, expires_at: null } as const;

/** Adds documents to an agent, as an earlier version would have stored them. */
async function put(bed: Bed, agent: string, puts: Put[], counts: Record<string, number> = {}): Promise<void> {
  const head = (await bed.store.load(agentRef(agent)))!;
  await bed.store.commit({
    ...head,
    seq: head.seq + 1,
    counts: { ...head.counts, ...counts },
    previousCounts: head.counts,
    puts,
    deletes: [],
    commands: [],
  });
}

overStores('Sandboxes', (bed) => {
  it('one is opened by the first use of a test key, once, however many are used at the same time', async () => {
    const { service } = await bed.start();
    const admin = adminOf(bed);
    const { id } = await admin.createWorkspace('acme', 'team');
    const desk = { workspace: sandboxOf(id), kind: 'workspace' as const, id: sandboxOf(id) };
    const made = await Promise.all([1, 2, 3].map(() => admin.createKey('acme', { ...request, mode: 'test' })));
    expect(await bed.store.head(desk)).to.equal(null);
    const who = (await allSync(made.map(({ secret }) => service.authenticate(hashSecret(secret))))) as Caller[];
    for (const one of who) expect(one).to.include({ workspace: sandboxOf(id), tier: 'sandbox' });
    expect(await bed.store.head(desk)).to.deep.include({ seq: 1 });
    await service.createMemory(who[0]!, { type: 'note', content: 'x' });
    expect((await service.usage(who[1]!)).used).to.equal(1);
  });

  it('it is no workspace to whoever operates the service, and no name leads to it', async () => {
    await bed.start();
    const admin = adminOf(bed);
    expect((await admin.listWorkspaces()).map(({ name }) => name)).to.deep.equal(['default']);
    for (const attempt of [
      admin.createWorkspace(sandboxOf('default'), 'free'),
      admin.setTier(sandboxOf('default'), 'enterprise'),
      admin.createKey(sandboxOf('default'), { ...request, mode: 'live' }),
    ])
      expect(await attempt.then(String, (error: { code: string }) => error.code)).to.match(
        /VALIDATION_ERROR|NOT_FOUND/,
      );
  });

  it("the operator's audit tells of both", async () => {
    const { service } = await bed.start();
    const admin = adminOf(bed);
    const { secret } = await admin.createKey('default', { ...request, mode: 'test' });
    const who = (await service.authenticate(hashSecret(secret)))!;
    const agent = await service.spawnAgent(who, { name: 'a' });
    const { token } = await service.mintToken(who, agent.id, { name: 't', scopes: ['agent:read'] });
    const told: string[] = [];
    for await (const page of admin.audit('default')) told.push(...page.map((r) => r.credential_id));
    expect(told).to.include(token.id).and.include(who.key);
  });

  it('a token that a test key minted for an agent of the workspace, before there were sandboxes, is nobody', async () => {
    const first = await bed.start();
    const agent = await first.service.spawnAgent(caller, { name: 'a' });
    const { secret, token } = await first.service.mintToken(caller, agent.id, { name: 't', scopes: ['agent:read'] });
    expect(await first.service.authenticate(hashSecret(secret))).not.to.equal(null);
    await first.engine.stop(1000);
    const stored = (await bed.store.get(agentRef(agent.id), 'token', token.id))!;
    await put(bed, agent.id, [{ kind: 'token', id: token.id, body: { ...stored.body, mode: 'test' }, isNew: false }]);
    const { service } = await bed.start();
    expect(await service.authenticate(hashSecret(secret))).to.equal(null);
  });

  it('a memory that a test key made in the workspace stays there, and its end gives back no place of a live one', async () => {
    const first = await bed.start();
    const agent = await first.service.spawnAgent(caller, { name: 'a' });
    const more = { type: 'note', agent_id: agent.id };
    const [old] = [await first.service.createMemory(caller, { ...more, content: 'old' })];
    await first.service.createMemory(caller, { ...more, content: 'live' });
    const month = old.created_at.slice(0, 7);
    await first.engine.stop(1000);
    const stored = (await bed.store.get(agentRef(agent.id), 'memory', old.id))!;
    await put(bed, agent.id, [{ kind: 'memory', id: old.id, body: { ...stored.body, mode: 'test' }, isNew: false }], {
      [`used:${month}:live`]: 1,
      [`used:${month}:test`]: 1,
    });
    const { service } = await bed.start();
    expect((await service.listMemories(caller, {}, page)).items.map(({ content }) => content)).to.have.members([
      'old',
      'live',
    ]);
    expect((await service.usage(caller)).used).to.equal(1);
    await service.patchMemory(caller, old.id, { content: 'older' });
    await service.deleteMemory(caller, old.id);
    expect(await service.usage(caller)).to.include({ used: 1, memories: 1 });
  });
});

describe('Sandboxes in a cluster', () => {
  it('are the same to every process, with one quota', async () => {
    const cluster = await testCluster();
    const [a, b] = [await cluster.add('a', 'all'), await cluster.add('b', 'all')];
    await cluster.table.give(
      everyShard.filter((s) => s % 2 === 0),
      'a',
    );
    await cluster.table.give(
      everyShard.filter((s) => s % 2 === 1),
      'b',
    );
    const { secret } = await a.engine.service.mintKey(caller, { name: 'k', mode: 'test' });
    const at = async (m: typeof a): Promise<Caller> => (await m.engine.service.authenticate(hashSecret(secret)))!;
    const who = [await at(a), await at(b)];
    const codes = await Promise.all(
      Array.from({ length: 110 }, (_, i) =>
        [a, b][i % 2]!.engine.service.createMemory(who[i % 2]!, { type: 'note', content: `n${i}` }).then(
          () => 'none',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === 'none')).to.have.length(100);
    expect(codes.filter((code) => code === 'QUOTA_EXCEEDED')).to.have.length(10);
    expect((await b.engine.service.usage(who[0]!)).used).to.equal(100);
    expect((await b.engine.service.usage(caller)).used).to.equal(0);
    await cluster.stop();
  });
});

const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;
