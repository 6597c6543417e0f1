/** Who may call what (docs/api.md 5.1, 5.2): every method and card, with every credential. */
import { expect } from 'chai';
import { HivekeepError, notFound } from '../../../src/domain/shared/errors.js';
import { scopes, type Scope } from '../../../src/domain/shared/vocabulary.js';
import type { Caller, FollowedTask } from '../../../src/service.js';
import { fixtures, keyPrincipal, tokenPrincipal } from '../../helpers/fake-service.js';
import { agentToken, rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { methodRows, path, post, rpc, type RpcAnswer } from './kit.js';

const others = (scope: Scope): Scope[] => scopes.filter((other) => other !== scope);
const needed: readonly Scope[] = ['agent:read', 'agent:spawn', 'agent:manage'];
const credentials = {
  svc_live_elsewhere: keyPrincipal(scopes, 'elsewhere'),
  at_other: tokenPrincipal('agent_2'),
  at_nothing: tokenPrincipal('agent_1', ['memory:read']),
  ...Object.fromEntries(
    needed.flatMap((scope) => [
      [`svc_only_${scope}`, keyPrincipal([scope])],
      [`svc_without_${scope}`, keyPrincipal(others(scope))],
      [`at_only_${scope}`, tokenPrincipal('agent_1', [scope])],
      [`at_without_${scope}`, tokenPrincipal('agent_1', others(scope))],
    ]),
  ),
};

/** A service whose agent_1 is in the workspace `default`; elsewhere there is nobody. */
const here = async <T>(caller: Caller, answer: T): Promise<T> => {
  if (caller.workspace !== 'default') throw notFound('agent', 'agent_1');
  return answer;
};

describe('A2A: access', () => {
  let gateway: TestGateway;
  before(async () => {
    const { task, agent, push } = fixtures;
    const nothing: FollowedTask['events'] = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
    };
    const followed: FollowedTask = { task: { ...task, status: 'running' }, events: nothing };
    gateway = await startGateway({
      credentials,
      commands: {
        getAgent: (caller) => here(caller, agent),
        getTask: (caller) => here(caller, task),
        cancelTask: (caller) => here(caller, task),
        listTasks: (caller) => here(caller, { items: [task], next: null, total: 1 }),
        setPush: (caller) => here(caller, push),
        listPush: (caller) => here(caller, [push]),
        deletePush: (caller) => here(caller, undefined),
      },
      service: {
        sendTask: (caller) => here(caller, task),
        streamTask: (caller) => here(caller, followed),
        followTask: (caller) => here(caller, followed),
      },
    });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    gateway.calls.length = 0;
  });
  const served = (): string[] => gateway.calls.map((call) => call.method).filter((method) => method !== 'authenticate');

  const envelope = (answer: RpcAnswer, status: number, code: string): void => {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.body?.error).to.include({ code, status });
    expect(answer.body).not.to.have.property('jsonrpc');
  };
  const refusedFor = (answer: RpcAnswer, scope: Scope): void => {
    envelope(answer, 403, 'INSUFFICIENT_SCOPE');
    expect(answer.headers.get('www-authenticate')).to.equal(`Bearer error="insufficient_scope", scope="${scope}"`);
    expect(served()).to.deep.equal([]);
  };

  for (const { method, scope, params, calls } of methodRows) {
    describe(method, () => {
      const ask = (credential: string | null): Promise<RpcAnswer> => rpc(gateway, method, params, { credential });

      for (const kind of ['svc', 'at']) {
        it(`${kind === 'svc' ? 'a key' : "its own agent's token"} with ${scope} alone is served, with every other scope 403`, async () => {
          const answer = await ask(`${kind}_only_${scope}`);
          expect(answer.status, answer.text).to.equal(200);
          expect(answer.text).to.include('"result":');
          expect(served()).to.deep.equal(calls);
          expect((gateway.calls.find((call) => call.method === calls[0])?.args[0] as Caller).workspace).to.equal(
            'default',
          );
          gateway.calls.length = 0;
          refusedFor(await ask(`${kind}_without_${scope}`), scope);
        });
      }

      it('without a key, or with one that nobody has, is 401', async () => {
        for (const credential of [null, 'svc_live_nobody', 'at_nobody', '', `${rootKey}x`]) {
          const answer = await ask(credential);
          envelope(answer, 401, 'UNAUTHENTICATED');
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer realm="hivekeep"');
        }
        expect(served()).to.deep.equal([]);
      });

      it("another agent's token finds no such agent", async () => {
        const answer = await ask('at_other');
        envelope(answer, 404, 'NOT_FOUND');
        expect(answer.body?.error?.message).to.equal('no agent agent_1');
        expect(served()).to.deep.equal([]);
      });

      it('nor does a key of another workspace', async () => {
        const answer = await ask('svc_live_elsewhere');
        envelope(answer, 404, 'NOT_FOUND');
        expect(answer.body?.error?.message).to.equal('no agent agent_1');
      });
    });
  }

  it('the scope is asked for before the params, and the method before the scope', async () => {
    refusedFor(await rpc(gateway, 'message/send', 'not_a_dict', { credential: 'at_nothing' }), 'agent:spawn');
    const answer = await rpc(gateway, 'message/ssend', undefined, { credential: 'at_nothing' });
    expect([answer.status, answer.body?.error?.code]).to.deep.equal([200, -32601]);
  });

  it('the credential is asked for before everything', async () => {
    for (const body of ['', '{', '[]', 'x'.repeat(2_000_000)])
      envelope(
        await post(gateway, body, { credential: null, headers: { 'content-type': 'text/plain' } }),
        401,
        'UNAUTHENTICATED',
      );
    envelope(await post(gateway, '{', { credential: 'at_other' }), 404, 'NOT_FOUND');
  });

  it("what cannot be an agent's id is no agent's", async () => {
    for (const id of ['a.b', 'a%20b', '%2e%2e', 'a'.repeat(129), '%00', 'agent_1%2fcard'])
      envelope(await post(gateway, '{}', { at: `/api/v1/a2a/agents/${id}` }), 404, 'NOT_FOUND');
    envelope(await post(gateway, '{}', { at: '/api/v1/a2a/agents/%ff' }), 400, 'VALIDATION_ERROR');
    expect(served()).to.deep.equal([]);
  });

  for (const name of ['card', '.well-known/agent.json', '.well-known/agent-card.json']) {
    it(`GET ${name}: the same rules, with agent:read`, async () => {
      const get = async (credential: string | null): Promise<RpcAnswer> => {
        const response = await fetch(`${gateway.url}${path}/${name}`, {
          headers: credential === null ? {} : { authorization: `Bearer ${credential}` },
        });
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          text,
          body: JSON.parse(text) as RpcAnswer['body'],
        };
      };
      for (const credential of ['svc_only_agent:read', 'at_only_agent:read', agentToken])
        expect((await get(credential)).status, credential).to.equal(200);
      gateway.calls.length = 0;
      for (const credential of ['svc_without_agent:read', 'at_without_agent:read', 'at_nothing'])
        refusedFor(await get(credential), 'agent:read');
      for (const credential of [null, 'at_nobody']) envelope(await get(credential), 401, 'UNAUTHENTICATED');
      for (const credential of ['at_other', 'svc_live_elsewhere']) envelope(await get(credential), 404, 'NOT_FOUND');
    });
  }

  it('other methods are 405, other paths 404, and neither says a word without a key', async () => {
    for (const [method, at, allow] of [
      ['PUT', `${path}/`, 'POST, GET, HEAD'],
      ['DELETE', path, 'POST, GET, HEAD'],
      ['OPTIONS', path, 'POST, GET, HEAD'],
      ['POST', `${path}/card`, 'GET, HEAD'],
      ['PATCH', `${path}/.well-known/agent.json`, 'GET, HEAD'],
    ] as const) {
      const answer = await gateway.ask(method, at);
      expect([answer.status, answer.body.error?.code, answer.headers.get('allow')], `${method} ${at}`).to.deep.equal([
        405,
        'METHOD_NOT_ALLOWED',
        allow,
      ]);
      expect((await gateway.ask(method, at, undefined, { authorization: '' })).status).to.equal(401);
    }
    for (const at of ['/api/v1/a2a', '/api/v1/a2a/agents', `${path}/cards`, `${path}/.well-known`, '/api/v1/nothing']) {
      expect((await gateway.ask('GET', at)).status, at).to.equal(404);
      expect((await gateway.ask('GET', at, undefined, { authorization: '' })).status, at).to.equal(401);
    }
  });

  it('plain HTTP where it is not allowed is refused before the credential is read', async () => {
    const open = await startGateway({ config: { plainHttp: false } });
    try {
      envelope(await rpc(open, 'tasks/get', { id: 'run_1' }), 403, 'HTTPS_REQUIRED');
      expect(open.calls).to.deep.equal([]);
    } finally {
      await open.stop();
    }
  });

  it('a limit that is reached is plain HTTP, with Retry-After', async () => {
    const refusal = new HivekeepError('RATE_LIMIT_EXCEEDED', 'slow down', {
      retryAfter: 3,
      details: { limit: 100, window: '60s', retry_after: 3 },
    });
    const nothing = { headers: {} };
    const limited = await startGateway({
      options: {
        limiter: {
          admit: () => ({ headers: { 'X-RateLimit-Remaining': '0' }, refusal }),
          admitSearch: () => ({ headers: {} }),
          admitAddress: () => nothing,
          admitProbe: () => ({ headers: {} }),
          uncounted: () => ({}),
        },
      },
    });
    try {
      const answer = await rpc(limited, 'tasks/get', { id: 'run_1' });
      envelope(answer, 429, 'RATE_LIMIT_EXCEEDED');
      expect([answer.headers.get('retry-after'), answer.headers.get('x-ratelimit-remaining')]).to.deep.equal([
        '3',
        '0',
      ]);
    } finally {
      await limited.stop();
    }
  });
});
