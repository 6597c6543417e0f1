/** Usage alerts as a client meets them (docs/api.md 6.5), also through kill -9. */
import { expect } from 'chai';
import type { Tier } from '../../../src/domain/shared/vocabulary.js';
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
describe('black box: usage alerts', function suite() {
  this.timeout(30_000);
  hooks();
  after(() => receiver.close());

  it('are 80 and 95 % until others are set; what a PUT leaves out stays', async () => {
    const { api } = await workspace('settings', 'team');
    expect(await api.one('GET', path)).to.deep.equal({ thresholds: [80, 95], sent: [], updated_at: null });
    expect(await api.one('PUT', path, { thresholds: [90, 50] })).to.deep.include({ thresholds: [50, 90] });
    expect(await api.one('PUT', path, {})).to.deep.include({ thresholds: [50, 90] });
    const reader = as(
      String((await api.one('POST', '/v1/keys', { name: 'r', mode: 'live', scopes: ['usage:read'] }, 201))['key']),
    );
    expect((await reader.one('GET', path))['thresholds']).to.deep.equal([50, 90]);
    await reader.refused('PUT', path, { thresholds: [] }, 'INSUFFICIENT_SCOPE');
    expect(await api.one('PUT', path, { thresholds: [] })).to.deep.include({ thresholds: [] });
  });

  it('are of the tiers from pro on; free and the sandbox are told so', async () => {
    const { api, sandbox } = await workspace('poor', 'free');
    for (const poor of [api, sandbox]) {
      const error = await poor.refused('GET', path, undefined, 'QUOTA_EXCEEDED');
      expect(error.details).to.deep.include({ scope: 'alerts', limit: 0 });
      await poor.refused('PUT', path, { thresholds: [50] }, 'QUOTA_EXCEEDED');
    }
  });

  it('survive kill -9: what was told is not told again, and webhooks hear of each', async () => {
    const hook = '/killed';
    const { api } = await workspace('killed', 'pro', month - 10);
    receiver.always(hook, 'hang');
    await api.one('POST', '/v1/webhooks', { url: receiver.url(hook), events: ['usage.alert'] }, 201);
    // thresholds that usage has passed already are told at once
    await api.one('PUT', path, { thresholds: [80, 95] });
    await until(
      async () => receiver.tries(hook).length,
      (n) => n > 0,
    );
    await server().kill('SIGKILL');
    receiver.always(hook, null);
    await server().restart();
    const told = (): unknown[] => receiver.taken(hook).map((d) => (d.body['data'] as Json)['percent']);
    await until(
      async () => told().length,
      (n) => n === 2,
    );
    for (const content of ['one', 'two']) await remember(api, content);
    await server().kill('SIGKILL');
    await server().restart();
    await remember(api, 'three');
    const { cycle } = await api.one('GET', '/v1/usage');
    const sent = (await api.one('GET', path))['sent'] as Json[];
    expect(sent.map((a) => [a['percent'], a['used']])).to.deep.equal([
      [80, month - 10],
      [95, month - 10],
    ]);
    expect(told()).to.deep.equal([80, 95]);
    expect(receiver.taken(hook)[0]?.body['data']).to.deep.include({ percent: 80, limit: month, mode: 'live', cycle });
  });
});
