/** The pages for browsers over HTTP, and the exchange of a sign-in code (gateway/pages/). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { RedeemCode } from '../../../gateway/options.js';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';

describe('gateway: pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hivekeep-pages-'));
  let gateway: TestGateway;
  before(async () => {
    mkdirSync(join(folder, 'console/assets'), { recursive: true });
    const put = (name: string, content: string | Buffer): void => writeFileSync(join(folder, 'console', name), content);
    put('index.html', '<!doctype html>');
    put('favicon.svg', '<svg/>');
    put('assets/app-ABC.js', 'run()'.repeat(100));
    put('assets/app-ABC.js.gz', gzipSync('run()'.repeat(100)));
    mkdirSync(join(folder, 'docs/assets'), { recursive: true });
    writeFileSync(join(folder, 'docs/index.html'), '<!doctype html><title>API</title>');
    writeFileSync(join(folder, 'docs/assets/docs-ABC.js'), 'show()');
    writeFileSync(join(folder, 'secret.html'), 'not below console');
    gateway = await startGateway({ config: { pagesFolder: folder } });
  });
  after(async () => {
    await gateway.stop();
    rmSync(folder, { recursive: true });
  });
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(gateway.url + path, { headers, redirect: 'manual' });

  it('sends a browser from / to the console, and programs a 404', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.get('location')]).to.deep.equal([303, '/console']);
    expect(browser.headers.get('vary')).to.equal('Accept');
    const program = await get('/', { accept: 'application/json' });
    expect(program.status).to.equal(404);
    expect(await program.json()).to.have.nested.property('error.code', 'NOT_FOUND');
  });

  it('Pages.P1: the console may run its own files only', async () => {
    const policy = (await get('/console')).headers.get('content-security-policy') ?? '';
    expect(policy)
      .to.include("default-src 'none'")
      .and.include("frame-ancestors 'none'")
      .and.include("script-src 'self'");
    expect(policy).to.include("require-trusted-types-for 'script'").and.not.include('unsafe');
    // the images of runs, which it asks for with its key
    expect(policy).to.include("img-src 'self' blob:;");
  });

  it('Pages.P1: the page of the API may run its own files only, and show the images in its styles', async () => {
    const page = await get('/docs');
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy'))
      .to.include("script-src 'self';")
      .and.include("style-src 'self';")
      .and.include("img-src 'self' data:;")
      .and.not.include('unsafe');
    expect(await (await get('/docs/assets/docs-ABC.js')).text()).to.equal('show()');
    expect((await get('/docs/assets/old.js')).status).to.equal(404);
    expect((await fetch(`${gateway.url}/docs`, { method: 'POST' })).status).to.equal(405);
  });

  it('assets are kept for good, pages are revalidated', async () => {
    const asset = await get('/console/assets/app-ABC.js');
    expect(asset.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    const page = await get('/console');
    expect(page.headers.get('cache-control')).to.equal('public, no-cache');
    const again = await get('/console', { 'if-none-match': page.headers.get('etag') ?? '' });
    expect(again.status).to.equal(304);
  });

  it('is compressed for clients that take it', async () => {
    const plain = await get('/console/assets/app-ABC.js', { 'accept-encoding': 'identity' });
    const compressed = await get('/console/assets/app-ABC.js', { 'accept-encoding': 'br, gzip' });
    const refused = await get('/console/assets/app-ABC.js', { 'accept-encoding': 'gzip;q=0, identity' });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    expect(compressed.headers.get('content-encoding')).to.equal('gzip');
    expect(refused.headers.get('content-encoding')).to.equal(null);
    expect(compressed.headers.get('etag')).not.to.equal(plain.headers.get('etag'));
    expect(await compressed.text()).to.equal(await plain.text());
  });

  it('any other path below is the console, and a missing asset is 404', async () => {
    for (const path of ['/console/agents/agent_1', '/console/', '/console/agents/%2e%2e'])
      expect(await (await get(path)).text(), path).to.equal('<!doctype html>');
    expect((await get('/console/assets/old.js')).status).to.equal(404);
    expect((await get('/console/assets/..%2findex.html')).status).to.equal(404);
    expect(await rawGet(gateway.port, '/console/assets/../../secret.html')).not.to.include('not below');
    expect((await get('/favicon.ico')).headers.get('content-type')).to.equal('image/svg+xml');
    expect(gateway.counted.map(({ route }) => route)).to.include('/console/*rest');
  });

  it('works below the path of a public URL', async () => {
    const index = join(folder, 'base/console/index.html');
    mkdirSync(join(index, '..'), { recursive: true });
    writeFileSync(index, '<script src="/console/assets/a.js"></script><a href="https://elsewhere.example">');
    const below = await startGateway({
      config: { pagesFolder: join(folder, 'base'), publicUrl: 'https://hive.example/base' },
    });
    try {
      const page = await fetch(`${below.url}/console`);
      expect(await page.text())
        .to.include('src="/base/console/assets/a.js"')
        .and.include('"https://elsewhere');
      const start = await fetch(below.url, { headers: { accept: 'text/html' }, redirect: 'manual' });
      expect(start.headers.get('location')).to.equal('/base/console');
    } finally {
      await below.stop();
    }
  });

  it('says so where the pages have not been built', async () => {
    const bare = await startGateway({ config: { pagesFolder: join(folder, 'nothing') } });
    try {
      const answer = await fetch(`${bare.url}/console`);
      expect(answer.status).to.equal(404);
      expect(await answer.text()).to.include('npm run build');
    } finally {
      await bare.stop();
    }
  });
});

describe('gateway: the exchange of a sign-in code', () => {
  const signedIn = { id: 'key_1', key: 'svc_live_made', expires_at: '2026-05-12T22:00:00.000Z' };
  let asked: [string, string][];
  const redeemCode: RedeemCode = async (code, from) => {
    asked.push([code, from]);
    return code === 'good' ? signedIn : null;
  };
  let gateway: TestGateway;
  beforeEach(async () => {
    asked = [];
    gateway = await startGateway({ config: { trustedProxies: ['loopback'] }, options: { redeemCode } });
  });
  afterEach(() => gateway.stop());
  const https = { 'x-forwarded-proto': 'https' };
  const post = (
    body: unknown,
    { headers = https, url = gateway.url }: { headers?: Record<string, string>; url?: string } = {},
  ): Promise<Response> =>
    fetch(`${url}/console/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('answers a good code with its key, and the answer is not kept by caches', async () => {
    const answer = await post({ code: 'good' });
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.deep.equal({ data: signedIn });
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  });

  it('answers any other code with 401, and a code in the URL not at all', async () => {
    expect((await post({ code: 'bad' })).status).to.equal(401);
    expect((await post({})).status).to.equal(400);
    expect((await fetch(`${gateway.url}/console/sign-in?code=good`, { headers: https })).status).to.equal(405);
    expect(asked).to.deep.equal([['bad', '127.0.0.1']]);
  });

  it('SignIn.S1: without TLS asks for a loopback address, whoever a client says that it is', async () => {
    const plain = await startGateway({ options: { redeemCode } });
    try {
      expect((await post({ code: 'good' }, { headers: {}, url: plain.url })).status).to.equal(200);
      const spoofed = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
      const bound = await startGateway({ config: { plainHttp: false }, options: { redeemCode } });
      try {
        expect((await post({ code: 'good' }, { headers: spoofed, url: bound.url })).status).to.equal(403);
      } finally {
        await bound.stop();
      }
    } finally {
      await plain.stop();
    }
    expect(asked).to.have.length(1);
  });

  it('SignIn.S2: a page of another origin cannot redeem a code', async () => {
    expect((await post({ code: 'good' }, { headers: { ...https, origin: 'https://evil.example' } })).status).to.equal(
      401,
    );
    const own = `https://127.0.0.1:${gateway.port}`;
    expect((await post({ code: 'good' }, { headers: { ...https, origin: own } })).status).to.equal(200);
    expect(asked).to.have.length(1);
  });

  it('SignIn.S2: nor can one that has rebound its own name to this machine', async () => {
    const plain = await startGateway({ options: { redeemCode } });
    const statusAt = async (host: string): Promise<number> => {
      const body = JSON.stringify({ code: 'good' });
      const head = `POST /console/sign-in HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nConnection: close\r\n`;
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      return (await new RawClient(plain.port).send(head + type + body).answer()).status;
    };
    try {
      expect(await statusAt(`evil.example:${plain.port}`)).to.equal(401);
      expect(asked).to.deep.equal([]);
      for (const name of ['localhost', '127.0.0.1', '[::1]'])
        expect(await statusAt(`${name}:${plain.port}`), name).to.equal(200);
    } finally {
      await plain.stop();
    }
  });

  it('SignIn.S3: nothing of a code or key is logged', async () => {
    await post({ code: 'good' });
    await post({ code: 'bad' });
    expect(JSON.stringify([gateway.counted, gateway.errors]))
      .not.to.include('good')
      .and.not.include('svc_live_made');
  });

  it('is 401 where no link was made', async () => {
    const none = await startGateway();
    try {
      expect((await post({ code: 'good' }, { headers: {}, url: none.url })).status).to.equal(401);
    } finally {
      await none.stop();
    }
  });
});

/** fetch would normalise the path. */
function rawGet(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}
