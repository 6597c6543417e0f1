/** Credentials: API keys, agent tokens, scopes (docs/api.md 2.4, 5). */
import { expect } from 'chai';
import { everywhere } from '../../helpers/cluster-mode.js';
import { everyItem, ids, served, until, type Json } from './support/client.js';

const { api, as, hooks } = served();
const allScopes = [
  'agent:spawn',
  'agent:read',
  'agent:manage',
  'memory:read',
  'memory:write',
  'hive:read',
  'hive:write',
  'usage:read',
  'workspace:admin',
];
const mint = (input: Json = {}): Promise<Json> =>
  api.one('POST', '/v1/keys', { name: 'k', mode: 'live', ...input }, 201);
const inSeconds = (s: number): string => new Date(Date.now() + s * 1000).toISOString();

describe('black box: credentials', () => {
  hooks();

  describe('API keys', () => {
    it('show the raw key once, with mode, scopes and Location', async () => {
      const answer = await api.ask('POST', '/v1/keys', { name: 'ci', mode: 'live' });
      expect(answer.status).to.equal(201);
      const { key, ...rest } = answer.body.data as Json;
      expect(key).to.match(/^svc_live_/);
      expect(rest).to.deep.include({ name: 'ci', mode: 'live', expires_at: null });
      expect(rest['scopes']).to.have.members(allScopes);
      expect(answer.headers.get('location')).to.contain(`/v1/keys/${String(rest['id'])}`);
      const listed = await everyItem(api, '/v1/keys', 1);
      expect(listed.find((k) => k['id'] === rest['id'])).to.deep.equal(rest);
      expect(JSON.stringify(listed)).to.not.contain(String(key).slice(16));
      expect((await as(String(key)).page('/v1/agents')).data).to.be.an('array');
      expect((await mint({ mode: 'test' }))['key']).to.match(/^svc_test_/);
    });

    it('that are revoked are refused at once, also where they were just used', async () => {
      const { key, id } = await mint();
      const theirs = as(String(key));
      await theirs.page('/v1/agents');
      expect(await api.one('DELETE', `/v1/keys/${String(id)}`)).to.deep.equal({ id, deleted: true });
      await everywhere();
      await theirs.refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
      await api.refused('DELETE', `/v1/keys/${String(id)}`, undefined, 'NOT_FOUND');
      expect(ids(await everyItem(api, '/v1/keys', 100))).to.not.include(id);
    });

    it('that are expired are refused within the 2 s of the cache', async () => {
      const end = inSeconds(2);
      const { key } = await mint({ expires_at: end });
      const { key: unused } = await mint({ expires_at: end });
      const theirs = as(String(key));
      await theirs.page('/v1/agents');
      await until(
        () => theirs.ask('GET', '/v1/agents'),
        (a) => a.status === 401,
        Date.parse(end) + 2000 - Date.now(),
      );
      await as(String(unused)).refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
      for (const expires_at of [inSeconds(-1), 'tomorrow', '2030-01-01', 5])
        await api.refused('POST', '/v1/keys', { name: 'x', mode: 'live', expires_at }, 'VALIDATION_ERROR');
    });

    it('cannot mint keys with scopes that they lack', async () => {
      const admin = as(String((await mint({ scopes: ['workspace:admin', 'agent:read'] }))['key']));
      await admin.refused(
        'POST',
        '/v1/keys',
        { name: 'more', mode: 'live', scopes: ['memory:read'] },
        'VALIDATION_ERROR',
      );
      expect((await admin.one('POST', '/v1/keys', { name: 'same', mode: 'live' }, 201))['scopes']).to.have.members([
        'workspace:admin',
        'agent:read',
      ]);
    });
  });

  describe('agent tokens', () => {
    it('are minted with the raw token once, listed as metadata, and revoked', async () => {
      const agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'T' }, 201))['id']);
      const path = `/v1/agent-constellations/${agent}/tokens`;
      const answer = await api.ask('POST', path, {
        name: 'partner',
        scopes: ['agent:spawn', 'agent:read'],
        expires_at: inSeconds(3600),
      });
      expect(answer.status).to.equal(201);
      const { token, ...rest } = answer.body.data as Json;
      expect(token).to.match(/^at_/);
      expect(rest).to.deep.include({ agent_id: agent, name: 'partner', scopes: ['agent:spawn', 'agent:read'] });
      expect(answer.headers.get('location')).to.contain(path);
      const page = await api.page(path);
      expect(page.data).to.deep.equal([rest]);
      expect(page.pagination.total_count).to.equal(1);
      // a token opens its agent's A2A endpoint and nothing of REST
      for (const [method, route] of [
        ['GET', '/v1/agents'],
        ['GET', `/v1/agents/${agent}`],
        ['GET', path],
        ['POST', `/v1/agents/${agent}/message`],
        ['GET', '/v1/usage'],
      ] as const)
        await as(String(token)).refused(
          method,
          route,
          method === 'POST' ? { content: 'x' } : undefined,
          'INSUFFICIENT_SCOPE',
        );
      expect(await api.one('DELETE', `${path}/${String(rest['id'])}`)).to.deep.equal({ id: rest['id'], deleted: true });
      await everywhere();
      await as(String(token)).refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
      await api.refused('DELETE', `${path}/${String(rest['id'])}`, undefined, 'NOT_FOUND');
      expect((await api.page(path)).data).to.deep.equal([]);
    });

    it('end with their agent', async () => {
      const agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'T' }, 201))['id']);
      const { token } = await api.one(
        'POST',
        `/v1/agent-constellations/${agent}/tokens`,
        { name: 'x', scopes: ['agent:read'] },
        201,
      );
      await as(String(token)).refused('GET', '/v1/agents', undefined, 'INSUFFICIENT_SCOPE');
      await api.one('DELETE', `/v1/agents/${agent}`);
      await everywhere();
      await as(String(token)).refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
    });
  });
});
