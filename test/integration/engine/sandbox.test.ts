/** How a sandbox comes to be (actors/service/principals.ts). */
import { spawnAgent } from '../../../src/commands/agents.js';
import { getUsage } from '../../../src/commands/workspace.js';
import { madeKey, madeToken } from '../../helpers/minted.js';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createAdmin } from '../../../gateway/admin/admin.js';
import { hashSecret } from '../../../src/secrets/api-keys.js';
import { idSource } from '../../../src/domain/shared/ids.js';
import { sandboxOf } from '../../../src/domain/workspace/workspace.js';
import { scopes } from '../../../src/domain/shared/vocabulary.js';
import { allOf } from '../../../src/maybe-promise.js';
import type { Caller } from '../../../src/service.js';
import { everyShard, testCluster } from '../../helpers/cluster.js';
import { caller, realClock } from '../../helpers/engine.js';
import { type Bed, codeOf, overStores } from './kit.js';

const adminOf = (bed: Bed) =>
  createAdmin({ store: bed.store, clock: realClock, ids: idSource(randomBytes), randomBytes });
const request = { name: 'k', scopes, expires_at: null } as const;

overStores('Sandboxes', (bed) => {
  it('one is opened by the first use of a test key, once, however many are used at the same time', async () => {
    const { service } = await bed.start();
    const admin = adminOf(bed);
    const { id } = await admin.createWorkspace('acme', 'team');
    const desk = { workspace: sandboxOf(id), kind: 'workspace' as const, id: sandboxOf(id) };
    const made = await Promise.all([1, 2, 3].map(() => admin.createKey('acme', { ...request, mode: 'test' })));
    expect(await bed.store.head(desk)).to.equal(null);
    const who = (await allOf(made.map(({ secret }) => service.authenticate(hashSecret(secret))))) as Caller[];
    for (const one of who) expect(one).to.include({ workspace: sandboxOf(id), tier: 'sandbox' });
    expect(await bed.store.head(desk)).to.deep.include({ seq: 1 });
    await service.createMemory(who[0]!, { type: 'note', content: 'x' });
    expect((await service.execute(who[1]!, getUsage, {}, {})).used).to.equal(1);
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
    const agent = await service.execute(who, spawnAgent, {}, { name: 'a' });
    const { token } = await madeToken(service, who, agent.id, { name: 't', scopes: ['agent:read'] });
    const told: string[] = [];
    for await (const page of admin.audit('default')) told.push(...page.map((r) => String(r.credential_id)));
    expect(told).to.include(token.id).and.include(who.credentialId);
  });
});

describe('Sandboxes in a cluster', () => {
  it('are the same to every process, with one quota, exact for one request after the other', async () => {
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
    const { secret } = await madeKey(a.engine.service, caller, { name: 'k', mode: 'test' });
    const at = async (m: typeof a): Promise<Caller> => (await m.engine.service.authenticate(hashSecret(secret)))!;
    const who = [await at(a), await at(b)];
    const codes: string[] = [];
    for (let i = 0; i < 110; i++)
      codes.push(
        await codeOf([a, b][i % 2]!.engine.service.createMemory(who[i % 2]!, { type: 'note', content: `n${i}` })),
      );
    expect(codes.filter((code) => code === 'none')).to.have.length(100);
    expect(codes.filter((code) => code === 'QUOTA_EXCEEDED')).to.have.length(10);
    expect((await b.engine.service.execute(who[0]!, getUsage, {}, {})).used).to.equal(100);
    expect((await b.engine.service.execute(caller, getUsage, {}, {})).used).to.equal(0);
    await cluster.stop();
  });
});
