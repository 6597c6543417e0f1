/**
 * exchange.ts: whatever is wrong with a request is told in JSON-RPC, with the code of the first thing that is, and
 * nothing is done.
 */
import { expect } from 'chai';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';
import { codeOf, path, post } from './kit.js';
import { malformed } from './malformed-requests.js';

const bodyLimit = 256 * 1024;

describe('A2A: malformed requests', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ config: { bodyLimit } });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const table = malformed(bodyLimit);
  it('are at least 120, each another', () => {
    expect(table.length).to.be.at.least(120);
    expect(new Set(table.map((row) => row.what)).size).to.equal(table.length);
  });

  for (const row of table) {
    it(`${row.what} is ${row.code}`, async () => {
      const answer = await post(gateway, row.body, { headers: row.headers, at: path + (row.query ?? '') });
      expect(codeOf(answer), answer.text).to.equal(row.code);
      expect(answer.headers.get('content-type')).to.match(/^application\/json/);
      expect(answer.body?.id).to.deep.equal(row.id);
      expect(answer.body?.error?.message).to.be.a('string').and.to.have.length.within(1, 1000);
      expect(answer.text).not.to.match(/ at .+:\d+:\d+|node_modules|HivekeepError/);
      expect(gateway.calls.filter((call) => call.method !== 'authenticate')).to.deep.equal([]);
    });
  }

  it('the connection serves the next request', async () => {
    expect((await post(gateway, '{')).status).to.equal(200);
    expect(
      (await post(gateway, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'run_1' } })))
        .body?.result,
    ).to.include({ id: 'run_1' });
  });
});
