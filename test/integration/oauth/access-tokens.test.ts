/** What is checked of an access token, with keys and an issuer of the test's own (src/oauth/access-tokens.ts). */
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { createAccessTokens, type AccessTokens, type TrustedIssuer } from '../../../src/oauth/access-tokens.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';

const now = Date.UTC(2026, 10, 24);
const seconds = now / 1000;
const minute = 60_000;

describe('access tokens', () => {
  let server: Server;
  let issuer: string;
  let time: number;
  /** What the issuer answers by path, or a status. */
  let answers: Record<string, object | number>;
  let asked: string[];
  let key: CryptoKey;

  const made = async (kid: string): Promise<[CryptoKey, JWK]> => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    return [privateKey, { ...(await exportJWK(publicKey)), kid, alg: 'ES256' }];
  };
  beforeEach(async () => {
    asked = [];
    time = now;
    server = createServer((req, res) => {
      asked.push(req.url ?? '');
      const answer = answers[req.url ?? ''] ?? 404;
      res.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
      res.end(JSON.stringify(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [first, jwk] = await made('first');
    key = first;
    answers = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [jwk] },
    };
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const trust = (more: Partial<TrustedIssuer> = {}): AccessTokens =>
    createAccessTokens(
      {
        issuer,
        jwksUrl: null,
        audience: 'https://hk.example',
        scopeClaim: 'scope',
        workspace: 'default',
        agents: 'all',
        ownTasks: false,
        ...more,
      },
      { clock: { now: () => time }, log: { warn: () => undefined } },
    );
  const usual = () => ({
    iss: issuer,
    aud: 'https://hk.example' as string | string[],
    sub: 'ada',
    iat: seconds - 10,
    exp: seconds + 60,
    scope: 'agent:read memory:read launch:rockets',
  });
  const signed = (claims: object, header: object = {}, by: CryptoKey | Uint8Array = key): Promise<string> =>
    new SignJWT({ ...usual(), ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'first', ...header }).sign(by);

  it('grants what a good one says, of the scopes that there are', async () => {
    expect(await trust().verify(await signed({}))).to.deep.equal({
      workspace: 'default',
      credentialId: 'oauth_ada',
      name: 'ada',
      scopes: ['agent:read', 'memory:read'],
      agents: null,
      ownTasks: false,
      issued_at: new Date(now - 10_000).toISOString(),
      expires_at: new Date(now + 90_000).toISOString(), // when it would be refused
    });
    const { credentialId: hashed } = (await trust().verify(await signed({ sub: 'auth0|ada' })))!;
    expect(hashed).to.match(/^oauth_sha256_[0-9a-f]{64}$/);
  });

  it('refuses every other', async () => {
    const tokens = trust();
    const secret = new TextEncoder().encode(JSON.stringify(answers['/keys']));
    const [stranger] = await made('first');
    const bad: Record<string, string> = {
      'of another issuer': await signed({ iss: 'https://evil.example' }),
      'for another audience': await signed({ aud: 'https://other.example' }),
      'for an audience that begins so': await signed({ aud: 'https://hk.example.evil.example/mcp' }),
      'that has ended': await signed({ exp: seconds - 31 }),
      'that does not end': await signed({ exp: undefined }),
      'that has not begun': await signed({ nbf: seconds + 31 }),
      'of nobody': await signed({ sub: undefined }),
      'of a number': await signed({ sub: 7 as unknown as string }),
      'that is an ID token by its type': await signed({}, { typ: 'logout+jwt' }),
      'signed by a stranger': await signed({}, {}, stranger),
      'signed with a shared secret': await signed({}, { alg: 'HS256' }, secret),
      'not signed': new UnsecuredJWT(usual()).encode(),
      'that is none': 'eyJhIjoxfQ.eyJhIjoxfQ.eyJhIjoxfQ',
    };
    for (const [what, token] of Object.entries(bad)) expect(await tokens.verify(token), what).to.equal(null);
    const late = await tokens.verify(await signed({ exp: seconds - 29 }));
    expect(late?.expires_at, 'within the tolerance, and so is what it opens').to.equal(
      new Date(now + 1_000).toISOString(),
    );
  });

  it('reads workspace, agents and scopes where the operator says, and grants nothing without them', async () => {
    const tokens = trust({ workspace: 'claim:https://x.example/org', agents: 'claim:bots', scopeClaim: 'scp' });
    const claims = { 'https://x.example/org': 'ws_1', bots: ['agent_1', 'agent_2'], scp: ['agent:spawn'] };
    const grant = (await tokens.verify(await signed(claims)))!;
    expect(grant).to.include({ workspace: 'ws_1' });
    expect(grant.scopes).to.deep.equal(['agent:spawn']);
    expect([...grant.agents!]).to.deep.equal(['agent_1', 'agent_2']);
    for (const missing of Object.keys(claims).slice(0, 2))
      expect(await tokens.verify(await signed({ ...claims, [missing]: undefined })), missing).to.equal(null);
  });

  it('opens the agent whose endpoint is the audience, within those that the operator allows', async () => {
    const of = async (aud: string | string[], more: Partial<TrustedIssuer> = {}): Promise<unknown> => {
      const grant = await trust(more).verify(await signed({ aud }));
      return grant && grant.agents && [...grant.agents];
    };
    const [mcp, a2a] = ['https://hk.example/mcp/agents/agent_1', 'https://hk.example/api/v1/a2a/agents/agent_2/'];
    expect(await of([mcp, a2a])).to.deep.equal(['agent_1', 'agent_2']);
    expect(await of([mcp, a2a], { agents: 'agent_2,agent_3' })).to.deep.equal(['agent_2']);
    expect(await of('https://hk.example/', { agents: 'agent_2, agent_3' })).to.deep.equal(['agent_2', 'agent_3']);
    expect((await trust().verify(await signed({ aud: 'https://hk.example/mcp' })))?.agents).to.equal(null);
    expect(await trust({ agents: 'agent_3' }).verify(await signed({ aud: mcp }))).to.equal(null);
  });

  it('asks once for the keys, and not again for each token of a key that there is not', async () => {
    const tokens = trust();
    const [next] = await made('next');
    await Promise.all([tokens.verify(await signed({})), tokens.verify(await signed({ sub: 'eve' }))]);
    for (let n = 0; n < 3; n++) expect(await tokens.verify(await signed({}, { kid: 'next' }, next))).to.equal(null);
    expect(asked).to.deep.equal(['/.well-known/openid-configuration', '/keys']);
  });

  it('takes keys from its own origin, or from where the operator says', async () => {
    answers['/.well-known/openid-configuration'] = { issuer, jwks_uri: 'http://169.254.169.254/keys' };
    const failed = await trust()
      .verify(await signed({}))
      .catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(HivekeepError).with.property('code', 'UNAVAILABLE');
    expect(await trust({ jwksUrl: `${issuer}/keys` }).verify(await signed({}))).to.include({
      credentialId: 'oauth_ada',
    });
    answers['/.well-known/oauth-authorization-server'] = { issuer, jwks_uri: `${issuer}/keys` };
    expect(await trust().verify(await signed({}))).to.include({ credentialId: 'oauth_ada' });
  });

  it('cannot tell while the issuer is away, and can when it is back', async () => {
    const tokens = trust();
    const { '/keys': keys, ...others } = answers;
    answers = { ...others, '/keys': 503 };
    const failed = await tokens.verify(await signed({})).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(HivekeepError).with.property('code', 'UNAVAILABLE');
    answers['/keys'] = keys!;
    expect(await tokens.verify(await signed({}))).to.include({ credentialId: 'oauth_ada' });
  });

  it('goes on with known keys for an hour while the issuer is away, and drops one that the issuer has withdrawn', async () => {
    const tokens = trust();
    const lasting = await signed({ exp: seconds + 3 * 3600 });
    const is = async (): Promise<string> =>
      tokens.verify(lasting).then(
        (grant) => (grant ? 'granted' : 'refused'),
        (error: unknown) => (error as HivekeepError).code,
      );
    expect(await is()).to.equal('granted');
    const { '/keys': keys, ...others } = answers;
    answers = { ...others, '/keys': 503 };
    const before = asked.length;
    time += 10 * minute;
    for (let n = 0; n < 3; n++) expect(await is(), 'the issuer is away').to.equal('granted');
    expect(asked.length - before, 'one try in half a minute').to.equal(1);
    time += 49 * minute;
    expect(await is()).to.equal('granted');
    time += minute;
    expect(await is(), 'an hour after they were read').to.equal('UNAVAILABLE');
    answers['/keys'] = keys!;
    expect(await is()).to.equal('granted');
    answers['/keys'] = { keys: [] };
    time += 9 * minute;
    expect(await is()).to.equal('granted');
    time += minute;
    expect(await is(), 'read again').to.equal('refused');
  });
});
