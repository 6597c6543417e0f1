/** GET /openapi.json over HTTP; the page that shows it is in test/integration/gateway/pages.test.ts. */
import { expect } from 'chai';
import { createDocument } from '../../../gateway/openapi/document.js';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';

const openapi = '/openapi.json';

describe('documentation over HTTP', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.stop());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(gateway.url + path, { method, headers });

  it('is there without a key', async () => {
    const answer = await get('/openapi.json');
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(await answer.json()).to.deep.equal(JSON.parse(JSON.stringify(createDocument())));
    expect(gateway.counted.map(({ route }) => route)).to.include('/openapi.json');
  });

  it('is not sent again to who has it', async () => {
    const first = await get(openapi);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).to.match(/^"[\w-]{27}"$/);
    for (const header of [etag, `"other", W/${etag}`, '*']) {
      const again = await get(openapi, { 'if-none-match': header });
      expect(again.status, header).to.equal(304);
      expect(await again.text()).to.equal('');
      expect(again.headers.get('etag')).to.equal(etag);
    }
    expect((await get(openapi, { 'if-none-match': '"other"' })).status).to.equal(200);
  });

  it('answers HEAD with its length, and other methods with 405', async () => {
    const whole = (await (await get(openapi)).arrayBuffer()).byteLength;
    const head = await get(openapi, {}, 'HEAD');
    expect(head.status).to.equal(200);
    expect(head.headers.get('content-length')).to.equal(String(whole));
    expect((await get(openapi, {}, 'POST')).status).to.equal(405);
  });

  it('names the public URL where one is set', async () => {
    const elsewhere = await startGateway({ config: { publicUrl: 'https://hive.example' } });
    try {
      expect(await (await fetch(`${elsewhere.url}/openapi.json`)).json()).to.deep.include({
        servers: [{ url: 'https://hive.example' }],
      });
    } finally {
      await elsewhere.stop();
    }
  });

  it('is refused over plain HTTP where everything is', async () => {
    const strict = await startGateway({ config: { plainHttp: false } });
    try {
      expect((await fetch(`${strict.url}/openapi.json`)).status).to.equal(403);
    } finally {
      await strict.stop();
    }
  });
});
