/** The key that asks: GET /v1/me (docs/api.md 2.14). */
import { expect } from 'chai';
import { served } from './support/client.js';

const { api, as, hooks } = served();

describe('black box: GET /v1/me', () => {
  hooks();

  it('tells a key of its workspace, mode, tier, scopes and limits, and needs no scope', async () => {
    const expires_at = '2099-01-31T12:00:00.000Z';
    const key = await api.one(
      'POST',
      '/v1/keys',
      { name: 'ci', mode: 'live', scopes: ['usage:read'], expires_at },
      201,
    );
    const me = await as(String(key['key'])).one('GET', '/v1/me');
    const { limits, workspace, ...rest } = me;
    expect(workspace).to.include({ id: 'default', name: 'default' });
    expect(rest).to.deep.equal({
      mode: 'live',
      tier: 'enterprise',
      key: { id: key['id'], name: 'ci', hint: key['hint'], expires_at, created_at: key['created_at'] },
      scopes: ['usage:read'],
      model_servers: [],
    });
    expect(limits).to.deep.equal({
      requests_per_minute: 1_000_000,
      request_burst: 1_500_000,
      searches_per_minute: 500_000,
      concurrent_requests: 10_000,
      memories_per_month: null,
      storage_bytes: null,
      api_keys: 10_000,
      mailbox_messages_per_minute: null,
    });
  });

  it('tells a test key that it works in the sandbox of its workspace, with the limits of the sandbox', async () => {
    const { key } = await api.one('POST', '/v1/keys', { name: 'try', mode: 'test' }, 201);
    const me = await as(String(key)).one('GET', '/v1/me');
    expect(me).to.deep.include({ mode: 'test', tier: 'sandbox' });
    expect(me['workspace']).to.include({ id: 'default', name: 'default' });
    expect(me['limits']).to.include({ requests_per_minute: 50, memories_per_month: 100 });
  });

  it('shows no secret', async () => {
    expect((await api.ask('GET', '/v1/me')).text).to.not.contain(api.key.slice(16));
  });
});
