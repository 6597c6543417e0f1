/** Pushes of agents elsewhere as they reach the gateway (PeerPushes.H1): who sends them, how many, and how large. */
import { expect } from 'chai';
import { request } from 'node:http';
import { notFound } from '../../../src/domain/shared/errors.js';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';

describe('gateway: pushes of peers', () => {
  const taken: string[] = [];
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({
      service: {
        takePeerPush: async (push: string, token: string) => {
          if (token !== 'right') throw notFound('push', 'of this address and token');
          taken.push(push);
        },
      },
    });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    taken.length = 0;
  });

  const push = (headers: Record<string, string>, body = '{}'): Promise<Response> =>
    fetch(`${gateway.url}/a2a/pushes/abc`, { method: 'POST', headers, body });

  it('need the token of the push and no credential', async () => {
    const answer = await push({ 'x-a2a-notification-token': 'right', 'content-type': 'application/json' });
    expect([answer.status, await answer.json(), taken]).to.deep.equal([202, {}, ['abc']]);
    for (const headers of [{}, { 'x-a2a-notification-token': 'wrong' }, { authorization: 'Bearer right' }])
      expect((await push(headers as Record<string, string>)).status).to.equal(404);
    expect((await fetch(`${gateway.url}/a2a/pushes/abc`)).status).to.equal(405);
    expect(taken).to.deep.equal(['abc']);
  });

  it('are taken before their body is there, which nobody reads: 20 MB, no JSON, or one that never ends', async () => {
    const twenty = await push({ 'x-a2a-notification-token': 'right' }, 'x'.repeat(20 * 1024 * 1024)).then(
      ({ status }) => status,
      () => 'cut',
    );
    expect(twenty).to.be.oneOf([202, 'cut']);
    expect(taken).to.deep.equal(['abc']);
    const status = await new Promise((resolve, reject) => {
      const headers = { 'x-a2a-notification-token': 'right', 'transfer-encoding': 'chunked' };
      const endless = request(`${gateway.url}/a2a/pushes/def`, { method: 'POST', headers });
      endless.on('error', reject).on('response', (response) => {
        resolve(response.statusCode);
        endless.destroy();
      });
      endless.write('{"task":');
    });
    expect([status, taken]).to.deep.equal([202, ['abc', 'def']]);
  });
});
