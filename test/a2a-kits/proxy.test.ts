/** The kits' proxy (proxy.ts, KitProxy.P1-P4). */
import { expect } from 'chai';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProxy, type Proxy, type ProxyRules } from './proxy.js';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

describe("the kits' proxy", () => {
  let server: Server;
  let seen: Seen[];
  let answer: (res: ServerResponse) => void;
  let proxies: Proxy[];

  beforeEach(async () => {
    seen = [];
    proxies = [];
    answer = (res) => {
      res.end('{}');
    };
    server = createServer((req, res) => {
      let body = '';
      req
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          body += chunk;
        })
        .on('end', () => {
          seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
          answer(res);
        });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });

  afterEach(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  async function proxied(rules: Partial<ProxyRules> = {}): Promise<string> {
    const proxy = await startProxy({
      target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      agentPath: '/api/v1/a2a/agents/agent_1',
      token: 'svc_test_1',
      anonymous: [],
      ...rules,
    });
    proxies.push(proxy);
    return proxy.origin;
  }

  it('KitProxy.P1 the origin is the agent, cards stand below it, other paths are as they are', async () => {
    const origin = await proxied();
    for (const path of [
      '',
      '/',
      '/.well-known/agent.json',
      '/api/v1/a2a/agents/agent_1/',
      '/api/v1/a2a/agents/agent_1?A2A-Version=1.0',
    ])
      await fetch(origin + path);
    const agent = '/api/v1/a2a/agents/agent_1';
    expect(seen.map((s) => s.url)).to.deep.equal([
      agent,
      agent,
      `${agent}/.well-known/agent.json`,
      `${agent}/`,
      `${agent}?A2A-Version=1.0`,
    ]);
  });

  it('KitProxy.P2 adds the token where there is none, but not in a test of a client without one', async () => {
    const origin = await proxied({ anonymous: ['test_missing'] });
    const begins = (test: string): Promise<unknown> => fetch(`${origin}/__test?${encodeURIComponent(test)}`);
    await fetch(origin, { method: 'POST', body: '{}' });
    await fetch(origin, { headers: { authorization: 'Bearer invalid' } });
    await begins('tests/a.py::test_missing_authentication[a b]');
    await fetch(origin);
    await fetch(`${origin}/.well-known/agent.json`);
    await begins('tests/a.py::test_more');
    await fetch(origin);
    expect(seen.map((s) => s.headers.authorization)).to.deep.equal([
      'Bearer svc_test_1',
      'Bearer invalid',
      undefined,
      'Bearer svc_test_1',
      'Bearer svc_test_1',
    ]);
  });

  it('KitProxy.P3 says the version of a card request that names none', async () => {
    const origin = await proxied({ cardVersion: '1.0' });
    await fetch(`${origin}/.well-known/agent-card.json`);
    await fetch(`${origin}/.well-known/agent-card.json`, { headers: { 'A2A-Version': '0.3' } });
    await fetch(origin, { method: 'POST', body: '{}' });
    expect(seen.map((s) => s.headers['a2a-version'])).to.deep.equal(['1.0', '0.3', undefined]);
  });

  it('KitProxy.P4 passes body, Host, status and headers on as they are', async () => {
    answer = (res) => {
      res.writeHead(401, { 'WWW-Authenticate': 'Bearer', 'Content-Type': 'application/json' }).end('{"no":1}');
    };
    const origin = await proxied();
    const response = await fetch(origin, {
      method: 'POST',
      body: '{"ä":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, response.headers.get('www-authenticate'), await response.text()]).to.deep.equal([
      401,
      'Bearer',
      '{"no":1}',
    ]);
    expect(seen[0]).to.include({ method: 'POST', body: '{"ä":1}' });
    expect(seen[0]?.headers.host).to.equal(new URL(origin).host);
  });

  it('KitProxy.P4 passes a stream on as it arrives, and a reader that goes away is seen by the service', async () => {
    const gone = new Promise<void>((resolve) => {
      answer = (res) => {
        res.on('close', () => {
          resolve();
        });
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write('data: 1\n\n');
      };
    });
    const abort = new AbortController();
    const response = await fetch(await proxied(), { signal: abort.signal });
    const reader = response.body!.getReader();
    const { value } = (await reader.read()) as { value: Uint8Array };
    expect(Buffer.from(value).toString()).to.equal('data: 1\n\n');
    abort.abort();
    await gone;
  });
});
