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
  token,
  key,
  hive,
  reply,
  usage,
  usageAlerts,
  importReport,
  me,
  audit,
  deadLetter,
} = fixtures;

const table: Expected[] = [
  {
    call: 'POST /v1/agents/spawn',
    scope: 'agent:spawn',
    method: 'spawnAgent',
    status: 201,
    data: agent,
    location: '/v1/agents/agent_1',
    body: { name: 'Ada' },
    args: [{ name: 'Ada' }],
  },
  { call: 'GET /v1/agents', scope: 'agent:read', method: 'listAgents', status: 200, data: [agent], args: [{}, page] },
  {
    call: 'GET /v1/agents/agent_1',
    scope: 'agent:read',
    method: 'getAgent',
    status: 200,
    data: agent,
    args: ['agent_1'],
  },
  {
    call: 'PUT /v1/agents/agent_1',
    scope: 'agent:manage',
    method: 'replaceAgent',
    status: 200,
    data: agent,
    body: { status: 'inactive' },
    args: ['agent_1', { status: 'inactive' }],
  },
  {
    call: 'PATCH /v1/agents/agent_1',
    scope: 'agent:manage',
    method: 'patchAgent',
    status: 200,
    data: agent,
    body: { wake_on_message: true },
    args: ['agent_1', { wake_on_message: true }],
  },
  {
    audited: true,
    call: 'DELETE /v1/agents/agent_1',
    scope: 'agent:manage',
    method: 'deleteAgent',
    status: 200,
    data: { id: 'agent_1', deleted: true },
    args: ['agent_1'],
  },
  {
    call: 'POST /v1/agents/agent_1/message',
    scope: 'agent:spawn',
    method: 'messageAgent',
    status: 200,
    data: reply,
    body: { content: 'hi' },
    args: ['agent_1', { content: 'hi' }],
  },
  {
    call: `POST ${constellation}/runs`,
    scope: 'agent:spawn',
    method: 'startRun',
    status: 202,
    data: run,
    location: `${constellation}/runs/run_1`,
    body: { input: 'go' },
    args: ['agent_1', { input: 'go' }],
  },
  {
    call: 'GET /v1/sessions',
    scope: 'agent:read',
    method: 'listSessions',
    status: 200,
    data: [session],
    args: [null, page],
  },
  {
    call: 'GET /v1/agents/agent_1/sessions',
    scope: 'agent:read',
    method: 'listSessions',
    status: 200,
    data: [session],
    args: ['agent_1', page],
  },
  {
    call: 'GET /v1/agents/agent_1/sessions/sess_1/turns',
    scope: 'agent:read',
    method: 'listTurns',
    status: 200,
    data: [turn],
    args: ['agent_1', 'sess_1', page],
  },
  {
    call: 'DELETE /v1/agents/agent_1/sessions/sess_1',
    scope: 'agent:manage',
    method: 'deleteSession',
    status: 200,
    data: { id: 'sess_1', deleted: true },
    args: ['agent_1', 'sess_1'],
  },
  { call: 'GET /v1/runs', scope: 'agent:read', method: 'listAllRuns', status: 200, data: [run], args: [{}, page] },
  {
    call: `GET ${constellation}/runs`,
    scope: 'agent:read',
    method: 'listRuns',
    status: 200,
    data: [run],
    args: ['agent_1', page],
  },
  {
    call: `GET ${constellation}/runs/run_1`,
    scope: 'agent:read',
    method: 'getRun',
    status: 200,
    data: run,
    args: ['agent_1', 'run_1'],
  },
  {
    call: `GET ${constellation}/runs/run_1/events`,
    scope: 'agent:read',
    method: 'runUpdates',
    status: 200,
    args: ['agent_1', 'run_1', 0],
  },
  {
    call: `POST ${constellation}/runs/run_1/resume`,
    scope: 'agent:spawn',
    method: 'resumeRun',
    status: 202,
    data: run,
    body: { decision: 'approve' },
    args: ['agent_1', 'run_1', { decision: 'approve' }],
  },
  {
    call: `GET ${constellation}/files/file_1`,
    scope: 'agent:read',
    method: 'getFile',
    status: 200,
    data: fixtures.file,
    args: ['agent_1', 'file_1'],
  },
  {
    call: `POST ${constellation}/runs/run_1/fork`,
    scope: 'agent:spawn',
    method: 'forkRun',
    status: 202,
    data: run,
    location: `${constellation}/runs/run_1`,
    body: { checkpoint: 1 },
    args: ['agent_1', 'run_1', { checkpoint: 1 }],
  },
  {
    call: `DELETE ${constellation}/runs/run_1`,
    scope: 'agent:manage',
    method: 'deleteRun',
    status: 200,
    data: { id: 'run_1', deleted: true },
    args: ['agent_1', 'run_1'],
  },
  {
    call: `GET ${constellation}/thoughts`,
    scope: 'agent:read',
    method: 'listThoughts',
    status: 200,
    data: [thought],
    args: ['agent_1', {}, { ...page, limit: 50 }],
  },
  {
    call: `GET ${constellation}/checkpoints`,
    scope: 'agent:read',
    method: 'listCheckpoints',
    status: 200,
    data: [checkpoint],
    args: ['agent_1', {}, page],
  },
  {
    call: `POST ${constellation}/messages`,
    scope: 'agent:spawn',
    method: 'sendMessage',
    status: 201,
    data: message,
    location: `${constellation}/messages#msg_1`,
    body: { content: 'hi' },
    args: ['agent_1', { content: 'hi' }],
  },
  {
    call: `GET ${constellation}/messages`,
    scope: 'agent:read',
    method: 'listMessages',
    status: 200,
    data: [message],
    args: ['agent_1', true, page],
  },
  {
    call: 'GET /v1/mailbox/traffic',
    scope: 'agent:read',
    method: 'mailboxTraffic',
    status: 200,
    data: fixtures.traffic,
    args: [],
  },
  {
    call: `DELETE ${constellation}/messages/msg_1`,
    scope: 'agent:manage',
    method: 'deleteMessage',
    status: 200,
    data: { id: 'msg_1', deleted: true },
    args: ['agent_1', 'msg_1'],
  },
  {
    call: 'POST /v1/agents/agent_1/schedules',
    scope: 'agent:spawn',
    method: 'addSchedule',
    status: 201,
    data: schedule,
    location: '/v1/agents/agent_1/schedules/sched_1',
    body: { cron: '30 9 * * 1-5', input: 'report' },
    args: ['agent_1', { cron: '30 9 * * 1-5', input: 'report' }],
  },
  {
    call: 'GET /v1/agents/agent_1/schedules',
    scope: 'agent:read',
    method: 'listSchedules',
    status: 200,
    data: [schedule],
    args: ['agent_1', page],
  },
  {
    call: 'GET /v1/agents/agent_1/schedules/sched_1',
    scope: 'agent:read',
    method: 'getSchedule',
    status: 200,
    data: schedule,
    args: ['agent_1', 'sched_1'],
  },
  {
    call: 'PATCH /v1/agents/agent_1/schedules/sched_1',
    scope: 'agent:spawn',
    method: 'pauseSchedule',
    status: 200,
    data: schedule,
    body: { paused: true },
    args: ['agent_1', 'sched_1', { paused: true }],
  },
  {
    call: 'DELETE /v1/agents/agent_1/schedules/sched_1',
    scope: 'agent:spawn',
    method: 'deleteSchedule',
    status: 200,
    data: { id: 'sched_1', deleted: true },
    args: ['agent_1', 'sched_1'],
  },
  {
    audited: true,
    call: `POST ${constellation}/tokens`,
    scope: 'agent:manage',
    method: 'mintToken',
    status: 201,
    data: { ...token, token: 'at_secret' },
    location: `${constellation}/tokens/tok_1`,
    body: { name: 'peer', scopes: ['agent:read'] },
    args: ['agent_1', { name: 'peer', scopes: ['agent:read'] }],
  },
  {
    call: `GET ${constellation}/tokens`,
    scope: 'agent:manage',
    method: 'listTokens',
    status: 200,
    data: [token],
    args: ['agent_1', page],
  },
  {
    audited: true,
    call: `DELETE ${constellation}/tokens/tok_1`,
    scope: 'agent:manage',
    method: 'revokeToken',
    status: 200,
    data: { id: 'tok_1', deleted: true },
    args: ['agent_1', 'tok_1'],
  },
  {
    call: 'POST /v1/memories',
    scope: 'memory:write',
    method: 'createMemory',
    status: 201,
    data: memory,
    location: '/v1/memories/mem_1',
    body: { type: 'semantic', content: 'tea' },
    args: [{ type: 'semantic', content: 'tea' }],
  },
  {
    call: 'POST /v1/memories/batch',
    scope: 'memory:write',
    method: 'createMemories',
    status: 200,
    data: fixtures.batch,
    body: { memories: [{ type: 'semantic', content: 'tea' }] },
    args: [{ memories: [{ type: 'semantic', content: 'tea' }] }],
  },
  {
    call: 'GET /v1/memories',
    scope: 'memory:read',
    method: 'listMemories',
    status: 200,
    data: [memory],
    args: [{}, page],
  },
  {
    call: 'POST /v1/memories/search',
    scope: 'memory:read',
    method: 'searchMemories',
    status: 200,
    data: [{ ...memory, relevance: 0.5 }],
    body: { query: 'tea' },
    args: [{ query: 'tea' }],
  },
  {
    call: 'POST /v1/context',
    scope: 'memory:read',
    method: 'promptContext',
    status: 200,
    data: { text: '', tokens: 0, items: [], left_out: 0 },
    body: { agent_id: 'agent_1', max_tokens: 100 },
    args: [{ agent_id: 'agent_1', max_tokens: 100 }],
  },
  {
    call: 'GET /v1/memories/mem_1',
    scope: 'memory:read',
    method: 'getMemory',
    status: 200,
    data: memory,
    args: ['mem_1'],
  },
  {
    call: 'GET /v1/memories/mem_1/history',
    scope: 'memory:read',
    method: 'memoryHistory',
    status: 200,
    data: [memory],
    args: ['mem_1', page],
  },
  {
    call: 'PATCH /v1/memories/mem_1',
    scope: 'memory:write',
    method: 'patchMemory',
    status: 200,
    data: memory,
    body: { content: 'coffee' },
    args: ['mem_1', { content: 'coffee' }],
  },
  {
    call: 'DELETE /v1/memories/mem_1',
    scope: 'memory:write',
    method: 'deleteMemory',
    status: 200,
    data: { id: 'mem_1', deleted: true },
    args: ['mem_1'],
  },
  {
    call: 'POST /v1/hives',
    scope: 'hive:write',
    method: 'createHive',
    status: 201,
    data: hive,
    location: '/v1/hives/hive_1',
    body: { name: 'crew' },
    args: [{ name: 'crew' }],
  },
  { call: 'GET /v1/hives', scope: 'hive:read', method: 'listHives', status: 200, data: [hive], args: [page] },
  { call: 'GET /v1/hives/hive_1', scope: 'hive:read', method: 'getHive', status: 200, data: hive, args: ['hive_1'] },
  {
    call: 'PATCH /v1/hives/hive_1',
    scope: 'hive:write',
    method: 'patchHive',
    status: 200,
    data: hive,
    body: { name: 'fleet' },
    args: ['hive_1', { name: 'fleet' }],
  },
  {
    call: 'DELETE /v1/hives/hive_1',
    scope: 'hive:write',
    method: 'deleteHive',
    status: 200,
    data: { id: 'hive_1', deleted: true },
    args: ['hive_1'],
  },
  {
    call: 'GET /v1/hives/hive_1/agents',
    scope: 'hive:read',
    method: 'listMembers',
    status: 200,
    data: [agent],
    args: ['hive_1', page],
  },
  {
    call: 'POST /v1/hives/hive_1/agents',
    scope: 'hive:write',
    method: 'joinHive',
    status: 201,
    data: agent,
    location: '/v1/agents/agent_1',
    body: { agent_id: 'agent_1' },
    args: ['hive_1', 'agent_1'],
  },
  {
    call: 'DELETE /v1/hives/hive_1/agents/agent_1',
    scope: 'hive:write',
    method: 'leaveHive',
    status: 200,
    data: { id: 'agent_1', deleted: true },
    args: ['hive_1', 'agent_1'],
  },
  {
    call: 'GET /v1/hives/hive_1/memories',
    scope: 'hive:read',
    method: 'listShared',
    status: 200,
    data: [memory],
    args: ['hive_1', page],
  },
  {
    call: 'POST /v1/hives/hive_1/memories',
    scope: 'hive:write',
    method: 'shareMemory',
    status: 201,
    data: memory,
    location: '/v1/memories/mem_1',
    body: { type: 'semantic', content: 'tea', agent_id: 'agent_1' },
    args: ['hive_1', { type: 'semantic', content: 'tea', agent_id: 'agent_1' }],
  },
  { call: 'GET /v1/me', scope: null, method: 'me', status: 200, data: me, args: [] },
  { call: 'GET /v1/usage', scope: 'usage:read', method: 'usage', status: 200, data: usage, args: [] },
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
    body: { thresholds: [50, 80], webhook: { url: 'https://hooks.example.com/hive', token: 's3cret' } },
    args: [{ thresholds: [50, 80], webhook: { url: 'https://hooks.example.com/hive', token: 's3cret' } }],
  },
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
  { call: 'GET /v1/keys', scope: 'workspace:admin', method: 'listKeys', status: 200, data: [key], args: [page] },
  { call: 'GET /v1/audit', scope: 'workspace:admin', method: 'listAudit', status: 200, data: [audit], args: [page] },
  {
    audited: true,
    call: 'DELETE /v1/keys/key_1',
    scope: 'workspace:admin',
    method: 'revokeKey',
    status: 200,
    data: { id: 'key_1', deleted: true },
    args: ['key_1'],
  },
  {
    call: 'GET /v1/push/dead-letters',
    scope: 'agent:read',
    method: 'listDeadLetters',
    status: 200,
    data: [deadLetter],
    args: [page],
  },
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
      call.replace(/agent_1|hive_1|mem_1|key_1|run_1|sess_1|tok_1|psh_1|msg_1|file_1|sched_1/g, ':');
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
