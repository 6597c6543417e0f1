/** GET /openapi.json and GET /docs over HTTP. */
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { createDocument } from '../../../gateway/openapi/document.js';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';

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
    const page = await get('/docs');
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(gateway.counted.map(({ route }) => route)).to.include.members(['/openapi.json', '/docs']);
  });

  for (const path of ['/openapi.json', '/docs']) {
    it(`${path} is not sent again to who has it`, async () => {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).to.match(/^"[\w-]{27}"$/);
      for (const header of [etag, `"other", W/${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': header });
        expect(again.status, header).to.equal(304);
        expect(await again.text()).to.equal('');
        expect(again.headers.get('etag')).to.equal(etag);
      }
      expect((await get(path, { 'if-none-match': '"other"' })).status).to.equal(200);
    });

    it(`${path} answers HEAD with its length, and other methods with 405`, async () => {
      const whole = (await (await get(path)).arrayBuffer()).byteLength;
      const head = await get(path, {}, 'HEAD');
      expect(head.status).to.equal(200);
      expect(head.headers.get('content-length')).to.equal(String(whole));
      expect((await get(path, {}, 'POST')).status).to.equal(405);
    });
  }

  it('the page may load its own style and nothing else', async () => {
    const page = await get('/docs');
    const policy = page.headers.get('content-security-policy') ?? '';
    const style = /<style>([^]*?)<\/style>/.exec(await page.text())?.[1] ?? '';
    expect(policy)
      .to.include("default-src 'none'")
      .and.include(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(page.headers.get('x-content-type-options')).to.equal('nosniff');
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
    const strict = await startGateway({ config: { loopback: false } });
    try {
      expect((await fetch(`${strict.url}/openapi.json`)).status).to.equal(403);
    } finally {
      await strict.stop();
    }
  });
});
