/**
 * Every route of the table, every method and card of A2A, and the WebSocket, asked with every sort of credential
 * (docs/api.md 5). Which scope each needs is taken from the table here, which test/unit/docs/api.test.ts compares with
 * docs/api.md 4.1, and for A2A said by hand in test/integration/a2a/access.test.ts.
 */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { methods, type A2aMethod } from '../../../src/a2a/methods.js';
import { idPrefixes } from '../../../src/domain/shared/ids.js';
import type { Scope } from '../../../src/domain/shared/vocabulary.js';
import { cardPaths } from '../../../gateway/a2a/card-routes.js';
import { scopeOf } from '../../../gateway/a2a/exchange.js';
import type { Route } from '../../../gateway/rest/route.js';
import { routes } from '../../../gateway/rest/routes.js';
import { cli } from '../../helpers/cli.js';
import { rpcOfText, tell, type Told } from './support/answers.js';
import { cancelRun, served, until, type Api, type Json } from './support/client.js';
import { startReceiver, type Receiver } from '../a2a/support/receiver.js';
import { makeCredentials, type Credentials } from './support/credentials.js';
import {
  bodyOf,
  differences,
  everything,
  fill,
  parametersOf,
  pathWith,
  rpcParams,
  statusOf,
  type Things,
} from './support/things.js';

const secret = 'the-secret-of-workspace-one';
const theirSecret = 'what-workspace-two-knows';
let receiver: Receiver;
const { api, as, server, hooks } = served(async () => {
  receiver = await startReceiver();
  receiver.always('/gone', 500);
  return {
    env: {
      HIVEKEEP_PUSH_ALLOW: receiver.host,
      HIVEKEEP_PUSH_TRIES: '1',
      HIVEKEEP_ADDRESS_REQUESTS_PER_MINUTE: '100000',
    },
  };
});
let mine: Things;
let other: Api;
let theirs: Things;
let credentials: Credentials;

const gone = (): string => receiver.url('/gone');
const bearer = (credential: string): string => `Bearer ${credential}`;
const name = (route: Route): string => `${route.method} ${route.path}`;

type Verdict = readonly [status: number, code: string];
const nobody: Verdict = [401, 'UNAUTHENTICATED'];
const notAllowed: Verdict = [403, 'INSUFFICIENT_SCOPE'];
const notThere: Verdict = [404, 'NOT_FOUND'];

/** The scopes that the bodies of things.ts need beside that of their route: for hives, a gate, and what is minted. */
const beyond: Readonly<Record<string, readonly Scope[]>> = {
  spawnAgent: ['hive:write'],
  resumeRun: ['agent:manage'],
  mintToken: ['agent:read'],
};
const keyWith = async (scopes: readonly Scope[]): Promise<string> =>
  String((await api.one('POST', '/v1/keys', { name: 'k', mode: 'live', scopes }, 201))['key']);

const allButOne = 'a key with all scopes but the one';
/** Who is refused everywhere: the header, and what is answered by REST and by A2A. */
const refused: readonly [who: string, header: (scope: Scope | null) => string | null, rest: Verdict, a2a: Verdict][] = [
  ['no credential', () => null, nobody, nobody],
  ['an empty header', () => '', nobody, nobody],
  ['a scheme alone', () => 'Bearer', nobody, nobody],
  ['a key without a scheme', () => api.key, nobody, nobody],
  ['a key in another scheme', () => `Basic ${api.key}`, nobody, nobody],
  ['two keys', () => `Bearer ${api.key} ${api.key}`, nobody, nobody],
  ['an unknown key', () => bearer(`svc_live_${'nobody'.repeat(8)}`), nobody, nobody],
  ['an unknown token', () => bearer(`at_${'nobody'.repeat(8)}`), nobody, nobody],
  ['a key and one character', () => bearer(`${api.key}0`), nobody, nobody],
  ['a revoked key', () => bearer(credentials.revoked), nobody, nobody],
  ['an expired key', () => bearer(credentials.expired), nobody, nobody],
  ['a revoked token', () => bearer(credentials.revokedToken), nobody, nobody],
  ['an expired token', () => bearer(credentials.expiredToken), nobody, nobody],
  ['the token of a deleted agent', () => bearer(credentials.tokenOfDeleted), nobody, nobody],
  [allButOne, (scope) => bearer(credentials.allBut.get(scope!)!), notAllowed, notAllowed],
  ['a token of another agent', () => bearer(credentials.tokenOfAnother), notAllowed, notThere],
  ["a token of another workspace's agent", () => bearer(credentials.theirToken), notAllowed, notThere],
];

function expectRefusal(
  what: string,
  { status, code, text, headers }: Told,
  [wanted, wantedCode]: Verdict,
  scope: Scope | null,
  head = false,
): void {
  expect([status, head ? wantedCode : code], `${what}: ${text}`).to.deep.equal([wanted, wantedCode]);
  expect(headers.get('x-request-id'), what).to.match(/^req_/);
  expect(headers.get('x-ratelimit-limit'), what).to.match(/^\d+$/);
  expect(text, what).to.not.contain(secret);
  if (wanted !== 404) expect(headers.get('www-authenticate'), what).to.match(/^Bearer/);
  if (wanted === 403 && !head)
    expect((JSON.parse(text) as { error: { details: Json } }).error.details, what).to.deep.equal({
      ...(scope !== null && { required_scope: scope }),
    });
}

const ask = (
  route: Route,
  authorization: string | null,
  things: Things,
  method: string = route.method,
): Promise<Told> =>
  tell(
    server().url + pathWith(route.path, (kind) => things[kind]),
    method,
    authorization,
    method === 'HEAD' ? undefined : bodyOf(route, things),
    typeOf(route),
  );
const typeOf = (route: Route): Record<string, string> =>
  route.kind === 'upload' ? { 'content-type': 'application/x-ndjson' } : {};

const endpointOf = (agent: string): string => `${server().url}/api/v1/a2a/agents/${agent}`;
function call(
  agent: string,
  method: string,
  { operation, dialect }: A2aMethod,
  authorization: string | null,
  task: string,
  params: Json = rpcParams[operation](task, gone())[dialect],
): Promise<Told> {
  return tell(
    endpointOf(agent),
    'POST',
    authorization,
    { jsonrpc: '2.0', id: 1, method, params },
    { accept: 'application/json, text/event-stream', ...(dialect === 'pascal' && { 'a2a-version': '1.0' }) },
  );
}

/** The WebSocket: the status of the answer to the upgrade; 101 when it opened. */
const upgrade = (authorization: string | null): Promise<number> =>
  new Promise((resolve, reject) => {
    const ws = new WebSocket(
      `${server().url.replace('http', 'ws')}/v1/events`,
      authorization === null ? {} : { headers: { authorization } },
    );
    ws.on('unexpected-response', (_req, res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    });
    ws.on('open', () => {
      ws.terminate();
      resolve(101);
    });
    ws.on('error', reject);
  });

/** Fields that may say anything: they name nobody whom the service would look up. */
const free = new Set(['from', 'reply_to']);

/** The names of the filters by ids, with what they are ids of. */
const filterKinds: Readonly<Record<string, keyof Things>> = { agent_id: 'agent', hive_id: 'hive', runId: 'run' };
const filtersOf = (route: Route): string[] =>
  route.kind === 'stream' ? [] : Object.keys(route.filter).filter((f) => f in filterKinds);

describe('black box: every route and every credential', function suite() {
  this.timeout(60_000);
  hooks();
  before(async () => {
    const env = server().beside;
    expect((await cli(['workspace', 'create', 'second', '--tier', 'enterprise'], env)).code).to.equal(0);
    other = as(
      (
        await cli(['key', 'create', '--workspace', 'second', '--mode', 'live', '--name', theirSecret], env)
      ).stdout.trim(),
    );
    [mine, theirs] = [await fill(api, secret, gone()), await fill(other, theirSecret, gone())];
    credentials = await makeCredentials(api, mine, other, theirs);
  });
  after(async () => {
    await receiver.close();
  });

  describe('refuses, on REST', () => {
    let before: unknown[];
    beforeEach(async () => {
      before = await everything(api, mine);
    });
    afterEach(async () => {
      expect(differences(before, await everything(api, mine)), 'nothing has changed').to.deep.equal([]);
    });

    for (const [who, header, verdict] of [
      ...refused,
      ["the agent's own token", () => bearer(credentials.token), notAllowed, notAllowed] as const,
    ]) {
      it(who, async () => {
        await Promise.all(
          routes
            .filter((route) => route.scope !== null || who !== allButOne)
            .flatMap((route) => [
              ask(route, header(route.scope), mine).then((told) => {
                expectRefusal(name(route), told, verdict, route.scope);
              }),
              ...(route.method === 'GET'
                ? [
                    ask(route, header(route.scope), mine, 'HEAD').then((told) => {
                      expectRefusal(`HEAD ${route.path}`, told, verdict, route.scope, true);
                    }),
                  ]
                : []),
            ]),
        );
        expect(await upgrade(header('agent:read')), 'WebSocket').to.equal(verdict[0]);
      });
    }
  });

  describe('refuses, on A2A', () => {
    let before: unknown[];
    beforeEach(async () => {
      before = await everything(api, mine);
    });
    afterEach(async () => {
      expect(differences(before, await everything(api, mine)), 'nothing has changed').to.deep.equal([]);
    });

    for (const [who, header, , verdict] of [
      ...refused,
      ['a key of another workspace', () => bearer(other.key), notThere, notThere] as const,
      [
        "the agent's own token with all scopes but the one",
        (scope: Scope) => bearer(credentials.tokenAllBut.get(scope)!),
        notAllowed,
        notAllowed,
      ] as const,
    ]) {
      it(who, async () => {
        await Promise.all([
          ...Array.from(methods, async ([method, how]) => {
            const scope = scopeOf[how.operation];
            expectRefusal(method, await call(mine.agent, method, how, header(scope), mine.run), verdict, scope);
          }),
          ...Array.from(cardPaths.keys(), async (card) => {
            expectRefusal(
              card,
              await tell(`${endpointOf(mine.agent)}/${card}`, 'GET', header('agent:read')),
              verdict,
              'agent:read',
            );
          }),
        ]);
      });
    }
  });

  describe('serves', () => {
    for (const route of routes) {
      const more = beyond[route.operationId] ?? [];
      const scope = route.scope ?? 'usage:read'; // null: any will do
      it(`${name(route)} to a key with ${[scope, ...more].join(' and ')} alone`, async () => {
        const things = route.kind === 'write' || route.kind === 'remove' ? await fill(api, secret, gone()) : mine;
        // only a run that has ended can be deleted
        if (route.operationId === 'deleteRun') await cancelRun(api, things.agent, things.run);
        const alone = bearer(credentials.only.get(scope)!);
        if (more.length > 0) {
          const told = await ask(route, alone, things);
          expect([400, 403], `${scope} alone: ${told.text}`).to.include(told.status);
        }
        const key = more.length > 0 ? bearer(await keyWith([scope, ...more])) : alone;
        const told = await ask(route, key, things);
        expect(told.status, told.text).to.equal(statusOf(route));
        if (route.method === 'GET') expect((await ask(route, key, things, 'HEAD')).status, 'HEAD').to.equal(200);
      });
    }

    it('the WebSocket to a key with agent:read alone', async () => {
      expect(await upgrade(bearer(credentials.only.get('agent:read')!))).to.equal(101);
    });

    for (const [method, how] of methods) {
      const scope = scopeOf[how.operation];
      it(`${method} to a key, and to a token of the agent, with ${scope} alone`, async () => {
        for (const credential of [credentials.only, credentials.tokenOnly]) {
          const { run } = await taskOf(mine.agent);
          const told = await call(mine.agent, method, how, bearer(credential.get(scope)!), run);
          expect(told.status, told.text).to.equal(200);
          expect(rpcOfText(told.text), told.text).to.have.property('result');
        }
      });
    }

    for (const card of cardPaths.keys()) {
      it(`${card} to a key, and to a token of the agent, with agent:read alone`, async () => {
        for (const credential of [credentials.only, credentials.tokenOnly])
          expect(
            (await tell(`${endpointOf(mine.agent)}/${card}`, 'GET', bearer(credential.get('agent:read')!))).status,
          ).to.equal(200);
      });
    }
  });

  /** A task that waits for approval, with a push config. */
  async function taskOf(agent: string): Promise<{ run: string }> {
    const told = await call(agent, 'message/send', methods.get('message/send')!, bearer(api.key), '', {
      ...rpcParams.send('', '').slash,
      configuration: { pushNotificationConfig: { url: gone() } },
    });
    const run = (rpcOfText(told.text).result as { id: string }).id;
    await until(
      () => api.one('GET', `/v1/agent-constellations/${agent}/runs/${run}`),
      ({ status }) => status === 'paused',
    );
    return { run };
  }

  describe('shows nothing of a workspace to another', () => {
    let before: unknown[];
    let theirsBefore: unknown[];
    beforeEach(async () => {
      [before, theirsBefore] = [await everything(api, mine), await everything(other, theirs)];
    });
    afterEach(async () => {
      expect(differences(before, await everything(api, mine)), 'nothing of mine has changed').to.deep.equal([]);
      expect(differences(theirsBefore, await everything(other, theirs)), 'nothing of theirs either').to.deep.equal([]);
    });
    const key = (): string => bearer(other.key);
    /** An answer without what is another one's each time, such as ids and the name of a tool. */
    const plain = ({ status, text }: Told): unknown => [
      status,
      text.replaceAll(
        new RegExp(`\\b(?:(req|ring|said|${Object.values(idPrefixes).join('|')})_\\w+|[0-9a-f]{58}\\w{6}\\b)`, 'g'),
        '_',
      ),
    ];

    it('with its ids in paths: as if they had never been', async () => {
      for (const route of routes) {
        // the name of a schedule and the label of a block are their agent's, and say nothing of anybody else
        const names = parametersOf(route.path).flatMap((p) =>
          p.kind === 'scheduleName' || p.kind === 'block' ? [] : [p.name],
        );
        // each way to choose whose id stands where, but for all of them being their own
        for (let choice = 1; choice < 2 ** names.length; choice++) {
          const foreign = new Set(names.filter((_, i) => (choice >> i) & 1));
          const told = await tell(
            server().url + pathWith(route.path, (kind, n) => (foreign.has(n) ? mine : theirs)[kind]),
            route.method,
            key(),
            bodyOf(route, theirs),
          );
          const never = await tell(
            server().url +
              pathWith(route.path, (kind, n) =>
                foreign.has(n) ? mine[kind].replace(/.{6}$/, 'zzzzzz') : theirs[kind],
              ),
            route.method,
            key(),
            bodyOf(route, theirs),
          );
          expectRefusal(`${name(route)} with my ${[...foreign].join(', ')}`, told, notThere, route.scope);
          expect(plain(told), name(route)).to.deep.equal(plain(never));
        }
      }
    });

    it('with its ids in bodies and filters', async () => {
      for (const route of routes.filter(({ kind }) => kind !== 'upload')) {
        const path = server().url + pathWith(route.path, (kind) => theirs[kind]);
        const own = (bodyOf(route, theirs) ?? {}) as Json;
        for (const [field, value] of Object.entries(bodyOf(route, mine) ?? {})) {
          if (JSON.stringify(value) === JSON.stringify(own[field]) || free.has(field)) continue;
          const told = await tell(path, route.method, key(), { ...own, [field]: value });
          if (route.operationId === 'createMemories') {
            // each memory of a batch is refused by itself
            const { data } = JSON.parse(told.text) as { data: { created: number; results: { error: Json }[] } };
            expect(data.created).to.equal(0);
            for (const { error } of data.results) expect(error).to.include({ code: 'NOT_FOUND' });
          } else
            expect([400, 404], `${name(route)} with my ${field}: ${told.status} ${told.text}`).to.include(told.status);
          expect(told.text).to.not.contain(secret);
        }
        for (const filter of filtersOf(route)) {
          const told = await tell(`${path}?${filter}=${mine[filterKinds[filter]!]}`, route.method, key());
          if (told.status !== 404)
            expect(JSON.parse(told.text), `${name(route)}?${filter}`).to.deep.include({ data: [] });
          expect(told.text).to.not.contain(secret);
        }
      }
    });

    it('without ids: each sees its own', async () => {
      for (const route of routes.filter(
        ({ kind, path }) => (kind === 'read' || kind === 'list') && parametersOf(path).length === 0,
      )) {
        expect((await ask(route, bearer(api.key), mine)).text, name(route)).to.not.contain(theirSecret);
        expect((await ask(route, key(), theirs)).text, name(route)).to.not.contain(secret);
      }
      const found = await tell(`${server().url}/v1/memories/search`, 'POST', key(), {
        query: secret.replaceAll('-', ' '),
      });
      expect([found.status, found.text.includes(secret)]).to.deep.equal([200, false]);
    });

    it("its tasks at an agent of one's own: TaskNotFoundError", async () => {
      for (const [method, how] of methods) {
        if (
          how.operation === 'card' ||
          how.operation === 'list' ||
          how.operation === 'send' ||
          how.operation === 'stream'
        )
          continue;
        const told = await call(theirs.agent, method, how, key(), mine.run);
        expect(rpcOfText(told.text).error?.code, `${method}: ${told.text}`).to.equal(-32001);
        expect(told.text).to.not.contain(secret);
      }
      for (const [method, how] of [...methods].filter(
        ([, { operation }]) => operation === 'send' || operation === 'stream',
      )) {
        const { message } = rpcParams[how.operation]('', '')[how.dialect] as { message: Json };
        const told = await call(theirs.agent, method, how, key(), '', { message: { ...message, taskId: mine.run } });
        expect(rpcOfText(told.text).error?.code, `${method}: ${told.text}`).to.equal(-32001);
      }
    });
  });
});
