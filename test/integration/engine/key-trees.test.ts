/** Keys that mint keys and tokens: what ends with them. */
import { spawnAgent } from '../../../src/commands/agents.js';
import { madeKey, madeToken } from '../../helpers/minted.js';
import { revokeKey, listAudit } from '../../../src/commands/keys.js';
import { expect } from 'chai';
import { hashSecret } from '../../../src/secrets/api-keys.js';
import type { Caller } from '../../../src/service.js';
import type { Scope } from '../../../src/domain/shared/vocabulary.js';
import { answers, caller } from '../../helpers/engine.js';
import { codeOf, overStores } from './kit.js';

const all = { sort: 'created_at', order: 'asc', limit: 100 } as const;
const admin: Scope[] = ['workspace:admin', 'agent:manage', 'agent:read'];

overStores('Key trees', (bed) => {
  it('revoking with cascade takes what the key minted, and what that minted, and nothing else', async () => {
    const { service } = await bed.start(() => answers('ok'));
    const known = async (secret: string): Promise<Caller | null> => service.authenticate(hashSecret(secret));
    const agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    const mint = async (by: Caller): Promise<{ id: string; secret: string; as: Caller }> => {
      const { key, secret } = await madeKey(service, by, { name: 'k', mode: 'live', scopes: admin });
      return { id: key.id, secret, as: (await known(secret))! };
    };
    const root = await mint(caller);
    const child = await mint(root.as);
    const grandchild = await mint(child.as);
    const token = await madeToken(service, grandchild.as, agent, { name: 't', scopes: ['agent:read'] });
    const other = await mint(caller);
    const otherToken = await madeToken(service, other.as, agent, { name: 't', scopes: ['agent:read'] });

    const ended = await service.execute(caller, revokeKey, { id: root.id }, { cascade: 'true' });
    expect([...ended].sort()).to.deep.equal([child.id, grandchild.id, token.token.id].sort());
    for (const secret of [root.secret, child.secret, grandchild.secret, token.secret])
      expect(await known(secret)).to.equal(null);
    for (const secret of [other.secret, otherToken.secret]) expect(await known(secret)).not.to.equal(null);

    // the audit shows the tree: who minted what, and that each was revoked
    const { items } = await service.execute(caller, listAudit, {}, { page: all });
    const minters = new Map(items.filter((r) => r.action.endsWith('created')).map((r) => [r.credential_id, r.actor]));
    expect([minters.get(child.id), minters.get(grandchild.id), minters.get(token.token.id)]).to.deep.equal([
      root.id,
      child.id,
      grandchild.id,
    ]);
    expect(new Set(items.filter((r) => r.action.endsWith('revoked')).map((r) => r.credential_id))).to.deep.equal(
      new Set([root.id, ...ended]),
    );
  });

  it('without cascade what it minted stays, and a later cascade still finds it', async () => {
    const { service } = await bed.start(() => answers('ok'));
    const root = await madeKey(service, caller, { name: 'root', mode: 'live', scopes: admin });
    const as = (await service.authenticate(hashSecret(root.secret)))!;
    const child = await madeKey(service, as, { name: 'child', mode: 'live', scopes: admin });
    expect(await service.execute(caller, revokeKey, { id: root.key.id }, {})).to.deep.equal([]);
    expect(await service.authenticate(hashSecret(child.secret))).not.to.equal(null);
    expect(await service.execute(caller, revokeKey, { id: root.key.id }, { cascade: 'true' })).to.deep.equal([
      child.key.id,
    ]);
    expect(await codeOf(service.execute(caller, revokeKey, { id: 'key_nobody' }, { cascade: 'true' }))).to.equal(
      'NOT_FOUND',
    );
  });

  it('what an expiring key mints expires with it at the latest', async () => {
    const { service } = await bed.start(() => answers('ok'));
    const agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const [sooner, end, later] = [at(1), at(2), at(3)];
    const root = await madeKey(service, caller, { name: 'root', mode: 'live', scopes: admin, expires_at: end });
    const as = (await service.authenticate(hashSecret(root.secret)))!;
    const key = { name: 'k', mode: 'live' as const, scopes: admin };
    const token = { name: 't', scopes: ['agent:read' as const] };
    expect((await madeKey(service, as, key)).key.expires_at).to.equal(end);
    expect((await madeKey(service, as, { ...key, expires_at: null })).key.expires_at).to.equal(end);
    expect((await madeKey(service, as, { ...key, expires_at: sooner })).key.expires_at).to.equal(sooner);
    expect((await madeToken(service, as, agent, token)).token.expires_at).to.equal(end);
    expect(await codeOf(madeKey(service, as, { ...key, expires_at: later }))).to.equal('VALIDATION_ERROR');
    expect(await codeOf(madeToken(service, as, agent, { ...token, expires_at: later }))).to.equal('VALIDATION_ERROR');
  });
});
