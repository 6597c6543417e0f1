/** Every route with every scope. The table is written again here, so that a change of the real one shows. */
import { expect } from 'chai';
import { routes } from '../../../gateway/rest/routes.js';
import { scopes, type Scope } from '../../../src/domain/vocabulary.js';
import type { Service } from '../../../src/service.js';
import { fixtures, keyPrincipal } from '../../helpers/fake-service.js';
import { agentToken, startGateway, type TestGateway } from '../../helpers/gateway.js';

interface Expected {
  call: string;
  /** Null: any API key may. */
  scope: Scope | null;
  method: keyof Service;
  status: number;
  data?: object;
  location?: string;
  body?: object | string;
  /** The Content-Type of the body, where it is not JSON. */
  type?: string;
  args: unknown[];
  audited?: boolean;
}
const page = { sort: 'created_at', order: 'desc', limit: 20 };
const constellation = '/v1/agent-constellations/agent_1';
const {
  agent,
  memory,
  run,
  session,
  turn,
  thought,
  checkpoint,
  message,
  schedule,
  toolTry,
  token,
  key,
  hive,
  reply,
  usage,
  usageAlerts,
  webhook,
  importReport,
  me,
  audit,
  deadLetter,
} = fixtures;

/** A row of what answers 200 with this, unless it says otherwise. */
const row = (
  call: string,
  scope: Scope | null,
  method: keyof Service,
  data: object,
  args: unknown[],
  more: Partial<Expected> = {},
): Expected => ({ call, scope, method, status: 200, data, args, ...more });

const table: Expected[] = [
  row('POST /v1/agents/spawn', 'agent:spawn', 'spawnAgent', agent, [{ name: 'Ada' }], {
    status: 201,
    location: '/v1/agents/agent_1',
    body: { name: 'Ada' },
  }),
  row('GET /v1/agents', 'agent:read', 'listAgents', [agent], [{}, page]),
  row('GET /v1/agents/agent_1', 'agent:read', 'getAgent', agent, ['agent_1']),
  row('PUT /v1/agents/agent_1', 'agent:manage', 'replaceAgent', agent, ['agent_1', { status: 'inactive' }], {
    body: { status: 'inactive' },
  }),
  row('PATCH /v1/agents/agent_1', 'agent:manage', 'patchAgent', agent, ['agent_1', { wake_on_message: true }], {
    body: { wake_on_message: true },
  }),
  row('DELETE /v1/agents/agent_1', 'agent:manage', 'deleteAgent', { id: 'agent_1', deleted: true }, ['agent_1'], {
    audited: true,
  }),
  row('POST /v1/agents/agent_1/message', 'agent:spawn', 'messageAgent', reply, ['agent_1', { content: 'hi' }], {
    body: { content: 'hi' },
  }),
  row(`POST ${constellation}/runs`, 'agent:spawn', 'startRun', run, ['agent_1', { input: 'go' }], {
    status: 202,
    location: `${constellation}/runs/run_1`,
    body: { input: 'go' },
  }),
  row('GET /v1/sessions', 'agent:read', 'listSessions', [session], [null, page]),
  row('GET /v1/agents/agent_1/sessions', 'agent:read', 'listSessions', [session], ['agent_1', page]),
  row('GET /v1/agents/agent_1/sessions/sess_1/turns', 'agent:read', 'listTurns', [turn], ['agent_1', 'sess_1', page]),
  row('DELETE /v1/agents/agent_1/sessions/sess_1', 'agent:manage', 'deleteSession', { id: 'sess_1', deleted: true }, [
    'agent_1',
    'sess_1',
  ]),
  row('DELETE /v1/agents/agent_1/subjects/sub_1', 'agent:manage', 'deleteSubject', { id: 'sub_1', deleted: true }, [
    'agent_1',
    'sub_1',
  ]),
  row('GET /v1/runs', 'agent:read', 'listAllRuns', [run], [{}, page]),
  row(`GET ${constellation}/runs`, 'agent:read', 'listRuns', [run], ['agent_1', page]),
  row(`GET ${constellation}/runs/run_1`, 'agent:read', 'getRun', run, ['agent_1', 'run_1']),
  {
    call: `GET ${constellation}/runs/run_1/events`,
    scope: 'agent:read',
    method: 'runUpdates',
    status: 200,
    args: ['agent_1', 'run_1', 0],
  },
  row(
    `POST ${constellation}/runs/run_1/resume`,
    'agent:spawn',
    'resumeRun',
    run,
    ['agent_1', 'run_1', { decision: 'approve' }],
    { status: 202, body: { decision: 'approve' } },
  ),
  row(`GET ${constellation}/files/file_1`, 'agent:read', 'getFile', fixtures.file, ['agent_1', 'file_1']),
  row(`POST ${constellation}/runs/run_1/fork`, 'agent:spawn', 'forkRun', run, ['agent_1', 'run_1', { checkpoint: 1 }], {
    status: 202,
    location: `${constellation}/runs/run_1`,
    body: { checkpoint: 1 },
  }),
  row(`DELETE ${constellation}/runs/run_1`, 'agent:manage', 'deleteRun', { id: 'run_1', deleted: true }, [
    'agent_1',
    'run_1',
  ]),
  row(
    `GET ${constellation}/thoughts`,
    'agent:read',
    'listThoughts',
    [thought],
    ['agent_1', {}, { ...page, limit: 50 }],
  ),
  row(`GET ${constellation}/checkpoints`, 'agent:read', 'listCheckpoints', [checkpoint], ['agent_1', {}, page]),
  row(`POST ${constellation}/messages`, 'agent:spawn', 'sendMessage', message, ['agent_1', { content: 'hi' }], {
    status: 201,
    location: `${constellation}/messages#msg_1`,
    body: { content: 'hi' },
  }),
  row(`GET ${constellation}/messages`, 'agent:read', 'listMessages', [message], ['agent_1', true, page]),
  row('GET /v1/mailbox/traffic', 'agent:read', 'mailboxTraffic', fixtures.traffic, []),
  row(`DELETE ${constellation}/messages/msg_1`, 'agent:manage', 'deleteMessage', { id: 'msg_1', deleted: true }, [
    'agent_1',
    'msg_1',
  ]),
  row(
    'POST /v1/agents/agent_1/schedules',
    'agent:spawn',
    'addSchedule',
    schedule,
    ['agent_1', { cron: '30 9 * * 1-5', input: 'report' }],
    { status: 201, location: '/v1/agents/agent_1/schedules/sched_1', body: { cron: '30 9 * * 1-5', input: 'report' } },
  ),
  row('GET /v1/agents/agent_1/schedules', 'agent:read', 'listSchedules', [schedule], ['agent_1', page]),
  row('GET /v1/agents/agent_1/schedules/sched_1', 'agent:read', 'getSchedule', schedule, ['agent_1', 'sched_1']),
  row(
    'PATCH /v1/agents/agent_1/schedules/sched_1',
    'agent:spawn',
    'pauseSchedule',
    schedule,
    ['agent_1', 'sched_1', { paused: true }],
    { body: { paused: true } },
  ),
  row(
    'DELETE /v1/agents/agent_1/schedules/sched_1',
    'agent:spawn',
    'deleteSchedule',
    { id: 'sched_1', deleted: true },
    ['agent_1', 'sched_1'],
  ),
  row(
    `POST ${constellation}/tokens`,
    'agent:manage',
    'mintToken',
    { ...token, token: 'at_secret' },
    ['agent_1', { name: 'peer', scopes: ['agent:read'] }],
    {
      audited: true,
      status: 201,
      location: `${constellation}/tokens/tok_1`,
      body: { name: 'peer', scopes: ['agent:read'] },
    },
  ),
  row(`GET ${constellation}/tokens`, 'agent:manage', 'listTokens', [token], ['agent_1', page]),
  row(
    `DELETE ${constellation}/tokens/tok_1`,
    'agent:manage',
    'revokeToken',
    { id: 'tok_1', deleted: true },
    ['agent_1', 'tok_1'],
    { audited: true },
  ),
  row('POST /v1/memories', 'memory:write', 'createMemory', memory, [{ type: 'semantic', content: 'tea' }], {
    status: 201,
    location: '/v1/memories/mem_1',
    body: { type: 'semantic', content: 'tea' },
  }),
  row(
    'POST /v1/memories/batch',
    'memory:write',
    'createMemories',
    fixtures.batch,
    [{ memories: [{ type: 'semantic', content: 'tea' }] }],
    { body: { memories: [{ type: 'semantic', content: 'tea' }] } },
  ),
  row('GET /v1/memories', 'memory:read', 'listMemories', [memory], [{}, page]),
  row(
    'POST /v1/memories/search',
    'memory:read',
    'searchMemories',
    [{ ...memory, relevance: 0.5 }],
    [{ query: 'tea' }],
    { body: { query: 'tea' } },
  ),
  row(
    'POST /v1/context',
    'memory:read',
    'promptContext',
    { text: '', tokens: 0, items: [], left_out: 0 },
    [{ agent_id: 'agent_1', max_tokens: 100 }],
    { body: { agent_id: 'agent_1', max_tokens: 100 } },
  ),
  row('GET /v1/memories/mem_1', 'memory:read', 'getMemory', memory, ['mem_1']),
  row('GET /v1/memories/mem_1/history', 'memory:read', 'memoryHistory', [memory], ['mem_1', page]),
  row('PATCH /v1/memories/mem_1', 'memory:write', 'patchMemory', memory, ['mem_1', { content: 'coffee' }], {
    body: { content: 'coffee' },
  }),
  row('DELETE /v1/memories/mem_1', 'memory:write', 'deleteMemory', { id: 'mem_1', deleted: true }, ['mem_1']),
  row('POST /v1/hives', 'hive:write', 'createHive', hive, [{ name: 'crew' }], {
    status: 201,
    location: '/v1/hives/hive_1',
    body: { name: 'crew' },
  }),
  row('GET /v1/hives', 'hive:read', 'listHives', [hive], [page]),
  row('GET /v1/hives/hive_1', 'hive:read', 'getHive', hive, ['hive_1']),
  row('PATCH /v1/hives/hive_1', 'hive:write', 'patchHive', hive, ['hive_1', { name: 'fleet' }], {
    body: { name: 'fleet' },
  }),
  row('DELETE /v1/hives/hive_1', 'hive:write', 'deleteHive', { id: 'hive_1', deleted: true }, ['hive_1']),
  row('GET /v1/hives/hive_1/agents', 'hive:read', 'listMembers', [agent], ['hive_1', page]),
  row('POST /v1/hives/hive_1/agents', 'hive:write', 'joinHive', agent, ['hive_1', 'agent_1'], {
    status: 201,
    location: '/v1/agents/agent_1',
    body: { agent_id: 'agent_1' },
  }),
  row('DELETE /v1/hives/hive_1/agents/agent_1', 'hive:write', 'leaveHive', { id: 'agent_1', deleted: true }, [
    'hive_1',
    'agent_1',
  ]),
  row('GET /v1/hives/hive_1/memories', 'hive:read', 'listShared', [memory], ['hive_1', page]),
  row(
    'POST /v1/hives/hive_1/memories',
    'hive:write',
    'shareMemory',
    memory,
    ['hive_1', { type: 'semantic', content: 'tea', agent_id: 'agent_1' }],
    { status: 201, location: '/v1/memories/mem_1', body: { type: 'semantic', content: 'tea', agent_id: 'agent_1' } },
  ),
  row('GET /v1/me', null, 'me', me, []),
  row('GET /v1/usage', 'usage:read', 'usage', usage, []),
  {
    call: 'GET /v1/usage/alerts',
    scope: 'usage:read',
    method: 'usageAlerts',
    status: 200,
    data: usageAlerts,
    args: [],
  },
  {
    call: 'PUT /v1/usage/alerts',
    scope: 'workspace:admin',
    method: 'setUsageAlerts',
    status: 200,
    data: usageAlerts,
    body: { thresholds: [50, 80] },
    args: [{ thresholds: [50, 80] }],
  },
  row(
    'POST /v1/agents/agent_1/tools/weather/try',
    'agent:manage',
    'tryTool',
    toolTry,
    ['agent_1', 'weather', { arguments: { city: 'Rome' } }],
    { audited: true, body: { arguments: { city: 'Rome' } } },
  ),
  row(
    'POST /v1/webhooks',
    'workspace:admin',
    'addWebhook',
    { ...webhook, secret: 'whsec_secret' },
    [{ url: webhook.url, events: ['run.completed'] }],
    { status: 201, location: '/v1/webhooks/wh_1', body: { url: webhook.url, events: ['run.completed'] } },
  ),
  row('GET /v1/webhooks', 'workspace:admin', 'listWebhooks', [webhook], [page]),
  row('GET /v1/webhooks/wh_1', 'workspace:admin', 'getWebhook', webhook, ['wh_1']),
  row('PATCH /v1/webhooks/wh_1', 'workspace:admin', 'updateWebhook', webhook, ['wh_1', { enabled: false }], {
    body: { enabled: false },
  }),
  row('DELETE /v1/webhooks/wh_1', 'workspace:admin', 'deleteWebhook', { id: 'wh_1', deleted: true }, ['wh_1']),
  row(
    'POST /v1/webhooks/wh_1/rotate',
    'workspace:admin',
    'rotateWebhookSecret',
    { ...webhook, secret: 'whsec_secret' },
    ['wh_1'],
  ),
  row('POST /v1/webhooks/wh_1/test', 'workspace:admin', 'testWebhook', { id: 'out_1', delivered: true, reason: null }, [
    'wh_1',
  ]),
  {
    audited: true,
    call: 'POST /v1/keys',
    scope: 'workspace:admin',
    method: 'mintKey',
    status: 201,
    data: { ...key, key: 'svc_live_secret' },
    location: '/v1/keys/key_1',
    body: { name: 'ci', mode: 'live' },
    args: [{ name: 'ci', mode: 'live' }],
  },
  row('GET /v1/keys', 'workspace:admin', 'listKeys', [key], [page]),
  row('GET /v1/audit', 'workspace:admin', 'listAudit', [audit], [page]),
  row('DELETE /v1/keys/key_1', 'workspace:admin', 'revokeKey', { id: 'key_1', deleted: true }, ['key_1'], {
    audited: true,
  }),
  row('GET /v1/push/dead-letters', 'agent:read', 'listDeadLetters', [deadLetter], [page]),
  {
    call: 'POST /v1/push/dead-letters/psh_1/replay',
    scope: 'agent:manage',
    method: 'replayDeadLetter',
    status: 202,
    data: deadLetter,
    args: ['psh_1'],
  },
  { call: 'GET /v1/export', scope: 'workspace:admin', method: 'exportRecords', status: 200, args: [{}] },
  {
    call: 'POST /v1/import',
    scope: 'workspace:admin',
    method: 'importRecords',
    status: 200,
    data: importReport,
    body: '',
    type: 'application/x-ndjson',
    args: [],
  },
  { call: 'GET /v1/events', scope: 'agent:read', method: 'workspaceEvents', status: 200, args: [] },
];

const credentials = Object.fromEntries(
  [null, ...scopes].flatMap((scope) => [
    [`svc_live_only_${scope}`, keyPrincipal(scope === null ? [] : [scope])],
    [`svc_live_without_${scope}`, keyPrincipal(scopes.filter((other) => other !== scope))],
  ]),
);

describe('gateway: every route', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ credentials });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const ask = (row: Expected, credential: string | null): ReturnType<TestGateway['ask']> => {
    const [method = '', path = ''] = row.call.split(' ');
    return gateway.ask(method, path, row.body, {
      authorization: credential === null ? '' : `Bearer ${credential}`,
      ...(row.type && { 'content-type': row.type }),
    });
  };
  const served = (): TestGateway['calls'] => gateway.calls.filter((call) => call.method !== 'authenticate');

  it('is in this table, once', () => {
    const shape = (call: string): string =>
      call.replace(/agent_1|hive_1|mem_1|key_1|run_1|sess_1|tok_1|psh_1|msg_1|file_1|sched_1|wh_1|weather|sub_1/g, ':');
    const real = routes.map((route) => `${route.method} ${route.path.replace(/:\w+/g, ':')} ${route.scope}`);
    expect(table.map((row) => `${shape(row.call)} ${row.scope}`).sort()).to.deep.equal(real.sort());
  });

  for (const row of table) {
    describe(row.call, () => {
      it(`with ${row.scope ?? 'no scope'} alone makes its one call and answers ${row.status}`, async () => {
        const answer = await ask(row, `svc_live_only_${row.scope}`);
        expect(answer.status, answer.text).to.equal(row.status);
        expect(served().map((call) => call.method)).to.deep.equal([row.method]);
        const [caller, ...args] = served()[0]?.args ?? [];
        const own = row.scope === null ? [] : [row.scope];
        expect(caller).to.deep.equal(row.audited ? { ...keyPrincipal(own), from: '127.0.0.1' } : keyPrincipal(own));
        expect(args.slice(0, row.args.length)).to.deep.equal(row.args);
        expect(answer.headers.get('location')).to.equal(row.location ?? null);
        if (row.data) expect(answer.body.data).to.deep.equal(row.data);
        if (Array.isArray(row.data))
          expect(answer.body.pagination).to.deep.equal({ next_cursor: null, has_more: false, total_count: 1 });
        else expect(answer.body).not.to.have.property('pagination');
      });

      if (row.scope !== null)
        it('with every other scope is 403 and names what is missing', async () => {
          const answer = await ask(row, `svc_live_without_${row.scope}`);
          expect(answer.status).to.equal(403);
          expect(answer.body.error).to.include({ code: 'INSUFFICIENT_SCOPE', status: 403 });
          expect(answer.body.error?.details).to.deep.equal({ required_scope: row.scope });
          expect(answer.headers.get('www-authenticate')).to.equal(
            `Bearer error="insufficient_scope", scope="${row.scope}"`,
          );
          expect(served()).to.deep.equal([]);
        });

      it('without a key is 401, with an agent token 403', async () => {
        const anonymous = await ask(row, null);
        expect(anonymous.status).to.equal(401);
        expect(anonymous.body.error?.code).to.equal('UNAUTHENTICATED');
        expect(anonymous.headers.get('www-authenticate')).to.match(/^Bearer/);
        const token = await ask(row, agentToken);
        expect(token.status).to.equal(403);
        expect(token.body.error?.code).to.equal('INSUFFICIENT_SCOPE');
        expect(served()).to.deep.equal([]);
      });
    });
  }
});
