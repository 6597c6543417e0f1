/** Usage alerts as a client and a webhook meet them (docs/api.md 6.5), also through kill -9. */
import { expect } from 'chai';
import type { Tier } from '../../../src/domain/vocabulary.js';
import { verifyWebhook } from '../../../packages/client/src/client.js';
import { usedWorkspace } from '../../helpers/stored.js';
import { type Receiver, startReceiver } from '../a2a/support/receiver.js';
import { type Api, type Json, served, until } from './support/client.js';

let receiver: Receiver;
const { server, as, hooks } = served(async () => {
  receiver = await startReceiver();
  return {
    env: {
      HIVEKEEP_PUSH_ALLOW: receiver.host,
      HIVEKEEP_PUSH_TRIES: '3',
      HIVEKEEP_PUSH_RETRY_SECONDS: '0.05',
    },
  };
});
const path = '/v1/usage/alerts';
const month = 50_000;

/** A workspace with so many memories of this month, and its keys. */
async function workspace(name: string, tier: Tier, used = 0): Promise<{ api: Api; sandbox: Api }> {
  const store = await server().openStore();
  try {
    const key = await usedWorkspace(store, name, tier, used);
    return { api: as(await key('live')), sandbox: as(await key('test')) };
  } finally {
    await store.close();
  }
}
const remember = (api: Api, content: string): Promise<Json> =>
  api.one('POST', '/v1/memories', { type: 'semantic', content }, 201);
const sent = async (api: Api): Promise<Json[]> => (await api.one('GET', path))['sent'] as Json[];
const states = async (api: Api): Promise<unknown[]> => (await sent(api)).map((a) => [a['percent'], a['webhook']]);
const told = (hook: string): unknown[] => receiver.taken(hook).map((d) => (d.body['data'] as Json)['percent']);
const settled = (api: Api, count: number): Promise<unknown[]> =>
  until(
    () => states(api),
    (all) => all.length === count && all.every((a) => (a as string[])[1] !== 'waiting'),
  );

describe('black box: usage alerts', function suite() {
  this.timeout(30_000);
  hooks();
  after(() => receiver.close());

  it('are 80 and 95 % until others are set; what a PUT leaves out stays', async () => {
    const { api } = await workspace('settings', 'team');
    expect(await api.one('GET', path)).to.deep.equal({
      thresholds: [80, 95],
      webhook: null,
      sent: [],
      updated_at: null,
    });
    const set = await api.one('PUT', path, { thresholds: [90, 50] });
    expect(set).to.deep.include({ thresholds: [50, 90], webhook: null });
    const url = receiver.url('/settings?key=1');
    expect(await api.one('PUT', path, { webhook: { url, token: 't0ken' } })).to.deep.include({
      thresholds: [50, 90],
      webhook: { url, has_token: true },
    });
    const reader = as(
      String((await api.one('POST', '/v1/keys', { name: 'r', mode: 'live', scopes: ['usage:read'] }, 201))['key']),
    );
    expect((await reader.one('GET', path))['webhook']).to.deep.equal({
      url: receiver.url('/settings?***'),
      has_token: true,
    });
    await reader.refused('PUT', path, { thresholds: [] }, 'INSUFFICIENT_SCOPE');
    expect(await api.one('PUT', path, { thresholds: [], webhook: null })).to.deep.include({
      thresholds: [],
      webhook: null,
    });
  });

  it('are of the tiers from pro on; free and the sandbox are told so', async () => {
    const { api, sandbox } = await workspace('poor', 'free');
    for (const poor of [api, sandbox]) {
      const error = await poor.refused('GET', path, undefined, 'QUOTA_EXCEEDED');
      expect(error.details).to.deep.include({ scope: 'alerts', limit: 0 });
      await poor.refused('PUT', path, { thresholds: [50] }, 'QUOTA_EXCEEDED');
    }
  });

  it('a webhook that the guard refuses changes nothing, and the error names the field', async () => {
    const { api } = await workspace('guarded', 'pro');
    for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://u:p@example.com/', 'ftp://x', 'nonsense']) {
      const { details } = await api.refused('PUT', path, { thresholds: [1], webhook: { url } }, 'VALIDATION_ERROR');
      expect(details.issues?.[0]?.path, url).to.equal('webhook.url');
    }
    expect(await api.one('GET', path)).to.deep.include({ thresholds: [80, 95], updated_at: null });
  });

  it('reach the webhook once for each threshold, with its token, and are tried again', async () => {
    const hook = '/reached';
    const { api } = await workspace('reached', 'pro', 0.8 * month - 1);
    await api.one('PUT', path, { thresholds: [80, 81], webhook: { url: receiver.url(hook), token: 't0ken' } });
    receiver.answer(hook, 500);
    for (const content of ['one', 'two', 'three']) await remember(api, content);
    expect(await settled(api, 1)).to.deep.equal([[80, 'delivered']]);
    const [first, again] = receiver.tries(hook);
    expect([first?.headers.authorization, again?.body]).to.deep.equal(['Bearer t0ken', first?.body]);
    const { cycle } = await api.one('GET', '/v1/usage');
    expect(first?.body).to.include({ type: 'usage.alert' }).and.have.keys('id', 'type', 'at', 'workspace_id', 'data');
    expect(first?.body['data']).to.deep.include({ percent: 80, limit: month, mode: 'live', cycle });
    // a threshold that usage has passed already is told at once
    await api.one('PUT', path, { thresholds: [50, 80] });
    expect(await settled(api, 2)).to.deep.equal([
      [80, 'delivered'],
      [50, 'delivered'],
    ]);
    expect(told(hook)).to.deep.equal([80, 50]);
  });

  it('are signed with a token that is a secret of Standard Webhooks, which is not sent', async () => {
    const hook = '/signed';
    const token = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { api } = await workspace('signed', 'pro', month);
    await api.refused('PUT', path, { webhook: { url: receiver.url(hook), token: 'whsec_short' } }, 'VALIDATION_ERROR');
    receiver.answer(hook, 500);
    await api.one('PUT', path, { thresholds: [95], webhook: { url: receiver.url(hook), token } });
    expect(await settled(api, 1)).to.deep.equal([[95, 'delivered']]);
    const tries = receiver.tries(hook);
    expect(tries).to.have.lengthOf(2);
    for (const { headers, body } of tries) {
      expect(headers).not.to.have.property('authorization');
      expect(headers['webhook-id']).to.equal(body['id']);
      expect(await verifyWebhook(JSON.stringify(body), headers, token)).to.deep.equal(body);
    }
  });

  it('that no try delivered are said to have failed, and why', async () => {
    const hook = '/failing';
    const { api } = await workspace('failing', 'pro', month);
    receiver.always(hook, 500);
    await api.one('PUT', path, { thresholds: [95], webhook: { url: receiver.url(hook) } });
    expect(await settled(api, 1)).to.deep.equal([[95, 'failed']]);
    expect((await sent(api))[0]!['reason']).to.contain('500');
    expect(receiver.tries(hook)).to.have.lengthOf(3);
  });

  it('that wait go to the webhook that is set by then, with no token of the one before; to none, they end', async () => {
    const { api } = await workspace('moved', 'pro', month);
    receiver.always('/before', 'hang');
    await api.one('PUT', path, { thresholds: [90], webhook: { url: receiver.url('/before'), token: 'secret' } });
    await until(
      async () => receiver.tries('/before').length,
      (n) => n > 0,
    );
    await api.one('PUT', path, { webhook: { url: receiver.url('/after') } });
    const { api: other } = await workspace('dropped', 'pro', month);
    await other.one('PUT', path, { thresholds: [90], webhook: { url: receiver.url('/before') } });
    await other.one('PUT', path, { webhook: null });
    await server().kill('SIGKILL');
    await server().restart();
    expect(await settled(api, 1)).to.deep.equal([[90, 'delivered']]);
    expect(receiver.taken('/after')[0]?.headers.authorization).to.equal(undefined);
    expect(await settled(other, 1)).to.deep.equal([[90, 'none']]);
  });

  it('survive kill -9: what was told is delivered by the next process, once, and not told again', async () => {
    const hook = '/killed';
    const { api } = await workspace('killed', 'pro', month - 10);
    receiver.always(hook, 'hang');
    await api.one('PUT', path, { webhook: { url: receiver.url(hook), token: 't0ken' } });
    await until(
      async () => receiver.tries(hook).length,
      (n) => n > 0,
    );
    expect(await states(api)).to.deep.equal([
      [80, 'waiting'],
      [95, 'waiting'],
    ]);
    await server().kill('SIGKILL');
    receiver.always(hook, null);
    await server().restart();
    expect(await settled(api, 2)).to.deep.equal([
      [80, 'delivered'],
      [95, 'delivered'],
    ]);
    for (const content of ['one', 'two']) await remember(api, content);
    await server().kill('SIGKILL');
    await server().restart();
    await remember(api, 'three');
    expect(await settled(api, 2)).to.have.lengthOf(2);
    expect(told(hook)).to.deep.equal([80, 95]);
    expect(receiver.taken(hook)[0]?.headers.authorization, 'the sealed token opens again').to.equal('Bearer t0ken');
  });
});
