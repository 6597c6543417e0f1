/**
 * What the service was told in confidence is in none of its lines, however much it is told to log: keys and tokens,
 * also mistyped ones, Idempotency-Keys, what pushes and models are asked with.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { cli } from '../../helpers/cli.js';
import { rpcOf, say, say1, v1 } from '../a2a/support/rpc.js';
import { tell } from './support/answers.js';
import { served, until, type Json } from './support/client.js';

/** None of them looks like a credential of ours: what is masked by its looks would hide a leak. */
const providerKey = 'provider_5d41402abc4b2a76b9719d';
const pushToken = 'pushtoken_7c2a1b9e44';
const pushCredentials = 'pushcredentials_90fe31aa';
const idempotencyKey = 'idempotency_51aa07c3e9';
const urlSecret = 'urlsecret_c0ffee1234';
const basic = 'basicauth_0badf00d';
const cookie = 'cookie_1badb002';

/**
 * A model's server that refuses and repeats the key that it was given, as OpenAI's does; and a receiver that takes
 * nothing.
 */
const startRude = (): Promise<Server> =>
  new Promise((resolve) => {
    const server: Server = createServer((req, res) => {
      req.resume().on('end', () => {
        const given = String(req.headers.authorization);
        if (req.url?.includes('/chat/') === true)
          res.writeHead(401, { 'content-type': 'application/json' }).end(
            JSON.stringify({
              error: {
                message: `Incorrect API key provided: ${given}`,
                type: 'invalid_request_error',
                code: 'invalid_api_key',
              },
            }),
          );
        else res.writeHead(500).end(`${given} ${String(req.headers['x-a2a-notification-token'])}`);
      });
    }).listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });

let rude: Server;
const rudeHost = (): string => `127.0.0.1:${(rude.address() as AddressInfo).port}`;
const { api, as, server, hooks } = served(async () => {
  rude = await startRude();
  return {
    env: {
      HIVEKEEP_LOG_LEVEL: 'trace',
      HIVEKEEP_OPENAI_BASE_URL: `http://${rudeHost()}/v1`,
      HIVEKEEP_OPENAI_API_KEY: providerKey,
      HIVEKEEP_PUSH_ALLOW: rudeHost(),
      HIVEKEEP_PUSH_TRIES: '2',
      HIVEKEEP_PUSH_RETRY_SECONDS: '0.05',
    },
  };
});

describe('black box: what is logged', function suite() {
  this.timeout(60_000);
  hooks();
  after((done) => {
    rude.closeAllConnections();
    rude.close(() => {
      done();
    });
  });

  /** Raw credentials that the service has seen; what they are, and what they say behind their prefix. */
  const secrets = new Map<string, string>(
    Object.entries({ providerKey, pushToken, pushCredentials, idempotencyKey, urlSecret, basic, cookie }),
  );
  const lines = (): string => server().stdout() + server().stderr();

  it('holds lines of requests, faults and pushes, and no secret', async () => {
    secrets.set('the root key', api.key);
    const { key } = await api.one('POST', '/v1/keys', { name: 'k', mode: 'live' }, 201);
    const agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'A' }, 201))['id']);
    const { token } = await api.one(
      'POST',
      `/v1/agent-constellations/${agent}/tokens`,
      { name: 't', scopes: ['agent:read', 'agent:spawn'] },
      201,
    );
    const byHand = await cli(['key', 'create', '--workspace', 'default', '--mode', 'live', '--name', 'by-hand'], {
      ...server().beside,
      HIVEKEEP_LOG_LEVEL: 'trace',
    });
    expect(byHand.stderr).to.not.contain(byHand.stdout.trim());
    for (const [what, raw] of [
      ['a key', key],
      ['a token', token],
      ['a key by the command line', byHand.stdout.trim()],
    ] as const)
      secrets.set(what, String(raw));

    // used well, and mistyped in every place where one may think that they belong
    for (const raw of [key, token, byHand.stdout.trim()].map(String)) {
      await as(raw).ask('GET', '/v1/agents');
      const wrong = `${raw.slice(0, -4)}0000`;
      const path = `${server().url}/v1/agents`;
      for (const header of [wrong, `Bearer ${wrong} ${wrong}`, `Token ${raw}`, `Basic ${basic}`])
        await tell(path, 'GET', header);
      await tell(`${path}?api_key=${raw}&access_token=${urlSecret}`, 'GET', null);
      await tell(`${path}/${raw}`, 'GET', `Bearer ${api.key}`);
      await tell(path, 'GET', `Bearer ${api.key}`, undefined, { cookie: `session=${cookie}`, 'x-api-key': raw });
      await tell(
        `${server().url}/v1/memories`,
        'POST',
        `Bearer ${api.key}`,
        `{"token":"${raw}","authorization":"${basic}`,
      );
      await tell(`${server().url}/v1/${raw}?${urlSecret}`, 'POST', `Bearer ${raw}`, { api_key: raw });
    }
    for (const body of [{ name: 'idempotent' }, { name: 'another' }])
      await api.ask('POST', '/v1/agents/spawn', body, { 'idempotency-key': idempotencyKey });

    // a model that refuses, and repeats the key
    const thinker = String(
      (await api.one('POST', '/v1/agents/spawn', { name: 'T', config: { model: 'openai/any' } }, 201))['id'],
    );
    const failed = await api.ask('POST', `/v1/agents/${thinker}/message`, { content: 'hello' });
    expect(failed.text, 'what the client is told').to.not.contain(providerKey);
    const [run] = (
      await until(
        () => api.page(`/v1/agent-constellations/${thinker}/runs`),
        ({ data }) => data[0]?.['status'] === 'failed',
      )
    ).data;
    expect(JSON.stringify(run), 'the run').to.not.contain(providerKey);

    // pushes that nobody takes, with a token and with credentials, and some that are refused at once
    const rpc = rpcOf(() => server().url, agent, String(token));
    const url = `http://${rudeHost()}/push?secret=${urlSecret}`;
    const { id } = (await rpc.result(
      'message/send',
      say('hello', { configuration: { pushNotificationConfig: { url, token: pushToken } } }),
    )) as { id: string };
    await rpc.result(
      'SendMessage',
      say1('hello', {
        configuration: {
          taskPushNotificationConfig: { url, authentication: { scheme: 'Bearer', credentials: pushCredentials } },
        },
      }),
      v1,
    );
    await rpc.ask('tasks/pushNotificationConfig/set', {
      taskId: id,
      pushNotificationConfig: {
        url: `https://user:${urlSecret}@example.invalid/`,
        token: pushToken,
        authentication: { schemes: ['Bearer'], credentials: pushCredentials },
      },
    });
    await rpc.ask('tasks/pushNotificationConfig/set', {
      taskId: id,
      pushNotificationConfig: { url: `https://127.0.0.1/${urlSecret}`, token: `${pushToken}\r\n` },
    });
    await until(
      () => api.page('/v1/push/dead-letters?page_size=100'),
      ({ data }) => data.length === 4,
    );

    await server().restart();
    await api.one('GET', '/v1/usage');
    const logged = lines();
    // it was told to say much, and has
    for (const said of ['"level":"debug"', '/v1/agents/:id/message', '"route":"unmatched"', '"event":"ready"'])
      expect(logged, said).to.contain(said);
    for (const [what, raw] of secrets)
      expect(
        logged.includes(secretPart(raw)),
        `${what} in: ${logged.split('\n').find((l) => l.includes(secretPart(raw))) ?? ''}`,
      ).to.equal(false);
  });

  it('no object that is shown holds one either', async () => {
    const shown = JSON.stringify(
      await Promise.all(
        ['/v1/agents', '/v1/keys', '/v1/push/dead-letters'].map((path) => api.page(`${path}?page_size=100`)),
      ),
    ) as string & Json;
    for (const [what, raw] of secrets) expect(shown.includes(secretPart(raw)), what).to.equal(false);
  });

  /** Without its prefix, and without its last characters: also a mistyped one must not be there. */
  const secretPart = (raw: string): string => raw.replace(/^(svc_(live|test)_|at_)/, '').slice(0, -4);
});
