/**
 * Access tokens of a real authorization server, which the official clients come by themselves (docs/mcp.md): they find it
 * from 401, register, send the person there with PKCE, and come back with a token for the address that they asked.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client as Client1 } from 'mcp-sdk-1/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from 'mcp-sdk-1/client/streamableHttp.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../helpers/authorization-server.js';
import { pythonWith } from '../../helpers/python.js';
import { a2aWorld } from '../a2a/support/world.js';
import { say } from '../a2a/support/rpc.js';
import type { Json } from '../api/support/client.js';

const redirect = 'http://127.0.0.1:1/callback';

/** What a client remembers of an authorization server, and of itself there. */
function person() {
  const kept: {
    client?: Json;
    tokens?: { access_token: string; token_type: string };
    verifier?: string;
    sentTo?: URL;
  } = {};
  const provider = {
    redirectUrl: redirect,
    clientMetadata: {
      client_name: 'assistant',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client as { client_id: string } | undefined,
    saveClientInformation: (said: object) => void (kept.client = said as Json),
    tokens: () => kept.tokens,
    saveTokens: (said: { access_token: string; token_type: string }) => void (kept.tokens = said),
    redirectToAuthorization: (url: URL) => void (kept.sentTo = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  };
  return { kept, provider };
}

describe('OAuth: access tokens of an authorization server', function () {
  this.timeout(60_000);
  let issuer: AuthorizationServer;
  const world = a2aWorld(async () => {
    issuer = await startAuthorizationServer('https://hivekeep.example');
    return {
      HIVEKEEP_OAUTH_ISSUER: issuer.issuer,
      HIVEKEEP_OAUTH_WORKSPACE: 'default',
      HIVEKEEP_OAUTH_AUDIENCE: 'https://hivekeep.example',
      HIVEKEEP_OAUTH_TASKS: 'own',
    };
  });
  const { api, as, quick } = world;
  world.hooks();
  after(() => issuer.close());

  const at = (path: string): URL => new URL(world.server().url + path);
  /** The access token that a client comes to by itself. */
  const tokenFor = async (path: string, scope?: string): Promise<string> => {
    const { kept, provider } = person();
    // by itself it registers for what assistants are told to ask for, and may have nothing else
    if (scope !== undefined)
      kept.client = (await (
        await fetch(`${issuer.issuer}/reg`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(provider.clientMetadata),
        })
      ).json()) as Json;
    const transport = new Transport1(at(path), { authProvider: provider });
    await new Client1({ name: 'test', version: '1' }).connect(transport).then(
      () => expect.fail('it was let in without a token'),
      () => undefined,
    );
    if (scope !== undefined) kept.sentTo!.searchParams.set('scope', scope);
    await transport.finishAuth((await issuer.signIn(kept.sentTo!)).get('code') ?? '');
    return kept.tokens!.access_token;
  };

  it('lets the official clients in by their own sign-in', async () => {
    const agent = await quick();
    for (const path of [`/mcp/agents/${agent}`, '/mcp']) {
      const first = person();
      const transport = (): Transport1 => new Transport1(at(path), { authProvider: first.provider });
      const refused = transport();
      await new Client1({ name: 'test', version: '1' }).connect(refused).catch(() => undefined);
      await refused.finishAuth((await issuer.signIn(first.kept.sentTo!)).get('code') ?? '');
      const sdk1 = new Client1({ name: 'test', version: '1' });
      await sdk1.connect(transport());
      expect((await sdk1.listTools()).tools.map(({ name }) => name))
        .to.include('recall')
        .and.not.include('cancel_run');
      await sdk1.close();

      const second = person();
      const sdk2 = (): StreamableHTTPClientTransport =>
        new StreamableHTTPClientTransport(at(path), { authProvider: second.provider });
      const turnedAway = sdk2();
      await new Client({ name: 'test', version: '1' }).connect(turnedAway).catch(() => undefined);
      await turnedAway.finishAuth(await issuer.signIn(second.kept.sentTo!));
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(sdk2());
      const args = path === '/mcp' ? { agent_id: agent } : {};
      const result = await client.callTool({ name: 'remember', arguments: { ...args, content: 'Mia likes tea' } });
      expect(result.isError ?? false, JSON.stringify(result)).to.equal(false);
      await client.close();
    }
  });

  for (const release of ['2.3.0', '1.30.0'])
    it(`lets Python's mcp ${release} in by its own sign-in`, async function () {
      this.timeout(300_000);
      const found = await pythonWith('mcp', release);
      if ('missing' in found) {
        process.stderr.write(`skipped: ${found.missing}\n`);
        this.skip();
      }
      const script = fileURLToPath(new URL('python/oauth.py', import.meta.url));
      const child = spawn(found.python, [script, at(`/mcp/agents/${await quick()}`).href]);
      let raised = '';
      child.stderr.on('data', (chunk: Buffer) => (raised += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const told: Json[] = [];
      for await (const line of createInterface(child.stdout)) {
        const said = JSON.parse(line) as Json;
        told.push(said);
        if (typeof said['address'] !== 'string') continue;
        const answer = await issuer.signIn(new URL(said['address']));
        child.stdin.write(`${JSON.stringify(Object.fromEntries(answer))}\n`);
      }
      expect(await ended, raised).to.equal(0);
      expect(told.at(-1)?.['tools']).to.include('recall').and.not.include('cancel_run');
    });

  it('takes the token for one agent at its endpoints, and nowhere else', async () => {
    const [agent, other] = [await quick(), await quick()];
    const token = await tokenFor(`/mcp/agents/${agent}`);
    const holder = as(token);
    const send = (to: string): Promise<{ status: number; body: { result?: Json } }> =>
      holder.ask('POST', `/api/v1/a2a/agents/${to}`, {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: { ...say('hello'), configuration: { blocking: true } },
      }) as never;
    const begun = await send(agent);
    expect(begun.body.result, JSON.stringify(begun.body)).to.have.nested.property('status.state', 'completed');
    expect((await send(other)).status).to.equal(404);
    await holder.refused('GET', '/v1/agents', undefined, 'INSUFFICIENT_SCOPE');
    expect((await holder.ask('POST', '/mcp', {})).status).to.equal(403);
  });

  it('has its subject reach only what it began, with tasks: own, whichever token it comes with', async () => {
    const agent = await quick();
    const task = async (key: string, method: string, params: Json): Promise<Json> =>
      (await as(key).ask('POST', `/api/v1/a2a/agents/${agent}`, { jsonrpc: '2.0', id: 1, method, params })).body;
    const [first, second] = [await tokenFor(`/mcp/agents/${agent}`), await tokenFor('/mcp')];
    const ours = await task(first, 'message/send', say('hello'));
    const theirs = await task(api.key, 'message/send', say('hello'));
    const idOf = ({ result }: Json): string => (result as { id: string }).id;
    const own = await as(second).ask('POST', `/v1/agent-constellations/${agent}/runs`, { input: 'hello' });
    expect(own.status, JSON.stringify(own.body)).to.equal(202);
    const { data } = await as(second).page(`/v1/agent-constellations/${agent}/runs`);
    expect(data.map((run) => run['id'])).to.have.members([idOf(ours), (own.body['data'] as Json)['id']]);
    expect(await task(second, 'tasks/get', { id: idOf(ours) })).to.have.nested.property('result.id', idOf(ours));
    expect(await task(second, 'tasks/get', { id: idOf(theirs) })).to.have.nested.property('error.code', -32001);
  });

  it('is a caller with scopes at REST: limits, the audit trail, and what it mints ends with it', async () => {
    const holder = as(await tokenFor('/mcp', 'agent:read workspace:admin'));
    const me = await holder.one('GET', '/v1/me');
    expect(me['scopes']).to.deep.equal(['agent:read', 'workspace:admin']);
    expect(me).to.have.nested.property('key.id', 'oauth_ada');
    await holder.refused('POST', '/v1/agents/spawn', { name: 'x' }, 'INSUFFICIENT_SCOPE');
    const made = await holder.one('POST', '/v1/keys', { name: 'k', mode: 'live', scopes: ['agent:read'] }, 201);
    const { expires_at } = me['key'] as { expires_at: string };
    expect(made).to.have.property('expires_at', expires_at);
    const [newest] = (await api.page('/v1/audit')).data;
    expect(newest).to.include({ action: 'key.created', actor: 'oauth_ada' });
    const answer = await holder.ask('GET', '/v1/agents');
    expect(answer.headers.get('x-ratelimit-limit')).to.match(/^\d+$/);
  });

  it('refuses a token that was changed, and says where a good one is had', async () => {
    const token = await tokenFor('/mcp');
    const [head = '', body = '', signature = ''] = token.split('.');
    const said = JSON.parse(Buffer.from(body, 'base64url').toString()) as Json;
    const more = Buffer.from(JSON.stringify({ ...said, scope: 'workspace:admin' })).toString('base64url');
    const agent = await quick();
    for (const [path, metadata] of [
      ['/v1/agents', ''],
      [`/api/v1/a2a/agents/${agent}/card`, `/api/v1/a2a/agents/${agent}`],
      [`/mcp/agents/${agent}`, `/mcp/agents/${agent}`],
    ] as const) {
      const { status, headers } = await as(`${head}.${more}.${signature}`).ask('GET', path);
      expect(status).to.equal(401);
      const where = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
      const told = (await (await fetch(where ?? 'no metadata')).json()) as Json;
      expect(told).to.include({ resource: world.server().url + metadata });
      expect(told['authorization_servers']).to.deep.equal([issuer.issuer]);
      expect(told['scopes_supported']).to.be.an('array').that.includes('memory:read');
    }
  });
});
