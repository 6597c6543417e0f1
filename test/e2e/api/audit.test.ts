/**
 * The audit (docs/api.md 2.14): each route that changes something leaves a record of who has asked for it. A route that
 * is added has to be put into the table below, and is tried by it.
 */
import { expect } from 'chai';
import type { AuditAction } from '../../../src/domain/shared/vocabulary.js';
import { routes } from '../../../gateway/rest/routes.js';
import type { Route } from '../../../gateway/rest/route.js';
import { cli } from '../../helpers/cli.js';
import { rpcOf, say, say1 } from '../a2a/support/rpc.js';
import { startReceiver, type Receiver } from '../a2a/support/receiver.js';
import { tell } from './support/answers.js';
import { cancelRun, everyItem, served, until, type Api, type Json } from './support/client.js';
import { bodyOf, fill, pathWith, statusOf, type Things } from './support/things.js';

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

/** What the record of each route says; null for what is said to agents, which their runs tell, for new memories, which tell of
 * themselves, and for what changes nothing. */
const actions: Readonly<Record<string, AuditAction | null>> = {
  spawnAgent: 'agent.created',
  replaceAgent: 'agent.updated',
  patchAgent: 'agent.updated',
  deleteAgent: 'agent.deleted',
  messageAgent: null,
  startRun: null,
  sendMessage: null,
  testWebhook: null,
  tryTool: 'tool.called',
  createSchedule: 'schedule.created',
  setSchedule: 'schedule.updated',
  runSchedule: 'schedule.started',
  pauseSchedule: 'schedule.updated',
  deleteSchedule: 'schedule.deleted',
  resumeRun: 'run.approved',
  forkRun: 'run.forked',
  deleteRun: 'run.deleted',
  deleteMessage: 'message.deleted',
  deleteSession: 'session.deleted',
  deleteSubject: 'subject.deleted',
  mintToken: 'token.created',
  revokeToken: 'token.revoked',
  createKey: 'key.created',
  revokeKey: 'key.revoked',
  setModelBudget: 'budget.updated',
  setBlock: 'block.updated',
  patchBlock: 'block.updated',
  deleteBlock: 'block.deleted',
  rejectProfileEntry: 'profile.updated',
  createMemory: null,
  createMemories: null,
  patchMemory: 'memory.updated',
  deleteMemory: 'memory.deleted',
  createHive: 'hive.created',
  updateHive: 'hive.updated',
  deleteHive: 'hive.deleted',
  joinHive: 'hive.joined',
  leaveHive: 'hive.left',
  shareMemory: 'memory.shared',
  replayDeadLetter: 'push.replayed',
  setUsageAlerts: 'alerts.updated',
  createWebhook: 'webhook.created',
  updateWebhook: 'webhook.updated',
  rotateWebhookSecret: 'webhook.updated',
  deleteWebhook: 'webhook.deleted',
  exportRecords: 'workspace.exported',
  importRecords: 'workspace.imported',
};

/** Things that a route removes are there for those that come before it. */
const last = ['deleteRun', 'deleteSubject', 'deleteSession', 'leaveHive', 'deleteHive', 'deleteAgent'];
const inOrder = (all: readonly Route[]): Route[] =>
  [...all].sort(
    (a, b) =>
      Number(a.kind === 'remove') - Number(b.kind === 'remove') ||
      last.indexOf(a.operationId) - last.indexOf(b.operationId),
  );

const gone = (): string => receiver.url('/gone');
const acts = ({ kind }: Route): boolean => ['write', 'remove', 'upload', 'download'].includes(kind);

let carla: Api;
let things: Things;
let keyId: string;
/** What Carla has done, newest first. */
const done = (filter = ''): Promise<Json[]> => everyItem(api, `/v1/audit?actor=${keyId}${filter}`, 100);

async function paused(agent: string): Promise<string> {
  const task = await rpcOf(() => api.url, agent, api.key).result('message/send', say('work on it'));
  const id = String(task['id']);
  await until(
    () => api.one('GET', `/v1/agent-constellations/${agent}/runs/${id}`),
    ({ status }) => status === 'paused',
  );
  return id;
}

describe('black box: the audit', function suite() {
  this.timeout(60_000);
  hooks();
  before(async () => {
    const made = await api.one('POST', '/v1/keys', { name: 'Carla', mode: 'live' }, 201);
    keyId = String(made['id']);
    carla = as(String(made['key']));
    things = await fill(api, 'what it is about', gone());
  });
  after(async () => {
    await receiver.close();
  });

  it('is asked of every route that changes something', () => {
    expect(Object.keys(actions)).to.have.members(routes.filter(acts).map(({ operationId }) => operationId));
  });

  for (const route of inOrder(routes.filter(acts))) {
    const action = actions[route.operationId];
    it(`${action === null ? 'is not told of' : 'tells who has asked for'} ${route.method} ${route.path}`, async () => {
      if (['deleteRun', 'deleteSession'].includes(route.operationId))
        things = await fill(api, `what is deleted by ${route.operationId}`, gone());
      // only a run that has ended can be deleted
      if (route.operationId === 'deleteRun') await cancelRun(api, things.agent, things.run);
      const before = (await done()).length;
      const told = await tell(
        server().url + pathWith(route.path, (kind) => things[kind]),
        route.method,
        `Bearer ${carla.key}`,
        bodyOf(route, things),
        route.kind === 'upload' ? { 'content-type': 'application/x-ndjson' } : {},
      );
      expect(told.status, told.text).to.equal(statusOf(route));
      const all = await done();
      const records = all.slice(0, all.length - before);
      if (action === null) {
        expect(records).to.deep.equal([]);
        return;
      }
      const record = records.find((one) => one['action'] === action);
      expect(record, JSON.stringify(records)).to.include({
        actor: keyId,
        actor_name: 'Carla',
        from: '127.0.0.1',
        request_id: told.headers.get('x-request-id'),
      });
      // one request, one record; of a batch each agent and hive has its own, and an agent's tokens end with it
      const others = records.filter((one) => one !== record && one['action'] !== 'token.revoked');
      expect(others).to.have.length(route.operationId === 'createMemories' ? 1 : 0);
    });
  }

  it('says what was changed: its id, its name, the fields that were given and how many things there were', async () => {
    const things = await fill(api, 'a secret value', gone());
    const of = (target: string, action: AuditAction): Promise<Json[]> => done(`&target_id=${target}&action=${action}`);
    await carla.one('PATCH', `/v1/agents/${things.agent}`, {
      description: 'a secret value',
      config: { instructions: 'a secret value', model: null },
    });
    expect((await of(things.agent, 'agent.updated'))[0]).to.include({ agent_id: things.agent, name: 'a secret value' });
    expect((await of(things.agent, 'agent.updated'))[0]!['fields']).to.have.members([
      'description',
      'config.instructions',
      'config.model',
    ]);
    await carla.one('PATCH', `/v1/memories/${things.memory}`, { content: 'corrected' });
    const [changed] = await of(things.memory, 'memory.updated');
    expect(changed).to.include({ agent_id: things.agent, name: '' });
    expect(changed!['fields']).to.deep.equal(['content']);
    expect(JSON.stringify(changed)).to.not.include('corrected');
    await carla.one('DELETE', `/v1/agents/${things.agent}/subjects/${things.subject}`);
    expect((await of(things.subject, 'subject.deleted'))[0]).to.include({ count: 1, agent_id: things.agent });
    await carla.one('DELETE', `/v1/hives/${things.hive}/agents/${things.agent}`);
    expect((await of(things.hive, 'hive.left'))[0]).to.include({ agent_id: things.agent });
  });

  it('has who approved, rejected and answered, with the words, by REST, A2A 0.3 and 1.0', async () => {
    const agent = String(
      (await api.one('POST', '/v1/agents/spawn', { name: 'Ada', config: { validation_gate: 'answer' } }, 201))['id'],
    );
    const of = (run: string): Promise<Json[]> => done(`&target_id=${run}`);
    const rest = await paused(agent);
    await carla.one(
      'POST',
      `/v1/agent-constellations/${agent}/runs/${rest}/resume`,
      {
        decision: 'reject',
        input: 'not like that',
      },
      202,
    );
    expect((await of(rest))[0]).to.include({ action: 'run.rejected', words: 'not like that', agent_id: agent });
    const v03 = await paused(agent);
    const rpc = rpcOf(() => api.url, agent, carla.key);
    await rpc.result('message/send', say('approve', { taskId: v03 }));
    expect((await of(v03))[0]).to.include({ action: 'run.approved', actor_name: 'Carla', from: '127.0.0.1' });
    const v1 = await paused(agent);
    const answer = await tell(
      `${api.url}/api/v1/a2a/agents/${agent}`,
      'POST',
      `Bearer ${carla.key}`,
      { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: say1('reject: too early', { taskId: v1 }) },
      { 'a2a-version': '1.0' },
    );
    expect((await of(v1))[0], answer.text).to.include({
      action: 'run.rejected',
      request_id: answer.headers.get('x-request-id'),
    });
    const events = await everyEvent(agent, rest);
    expect(events.find((event) => event['decision'])?.['decision']).to.deep.equal({
      decision: 'reject',
      by: { id: keyId, name: 'Carla' },
      words: 'not like that',
    });
    const left = await paused(agent);
    await rpc.result('tasks/cancel', { id: left });
    expect((await of(left))[0]).to.include({ action: 'run.cancelled', from: '127.0.0.1' });
  });

  it('has what is done by tools of MCP', async () => {
    const agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'Bea' }, 201))['id']);
    const { id } = await api.one('POST', '/v1/memories', { type: 'semantic', content: 'Red.', agent_id: agent }, 201);
    const told = await tell(
      `${api.url}/mcp`,
      'POST',
      `Bearer ${carla.key}`,
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'forget', arguments: { memory_id: id } },
      },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    );
    expect(told.status, told.text).to.equal(200);
    const [record] = await until(
      () => done(`&agent_id=${agent}`),
      (records) => records.length > 0,
    );
    expect(record, told.text).to.include({
      action: 'memory.deleted',
      target_id: id,
      actor_name: 'Carla',
      from: '127.0.0.1',
      request_id: told.headers.get('x-request-id'),
    });
  });

  it('is found by actor, action, agent, thing and time, by pages, and as lines on the command line', async () => {
    const agent = String((await carla.one('POST', '/v1/agents/spawn', { name: 'Eva' }, 201))['id']);
    const since = new Date().toISOString();
    for (const name of ['E1', 'E2', 'E3']) await carla.one('PATCH', `/v1/agents/${agent}`, { name });
    await api.one('PATCH', `/v1/agents/${agent}`, { name: 'E4' });
    const names = async (query: string, size = 100): Promise<unknown[]> =>
      (await everyItem(api, `/v1/audit?${query}`, size)).map((record) => record['name']);
    for (const size of [2, 100]) {
      expect(await names(`agent_id=${agent}`, size)).to.deep.equal(['E4', 'E3', 'E2', 'E1', 'Eva']);
      expect(await names(`agent_id=${agent}&actor=${keyId}`, size)).to.deep.equal(['E3', 'E2', 'E1', 'Eva']);
      expect(await names(`target_id=${agent}&action=agent.created`, size)).to.deep.equal(['Eva']);
      expect(await names(`actor=${keyId}&created_after=${since}`, size)).to.deep.equal(['E3', 'E2', 'E1']);
      expect(await names(`action=agent.created&agent_id=${agent}&created_before=${since}`, size)).to.deep.equal([
        'Eva',
      ]);
    }
    await api.refused('GET', '/v1/audit?action=agent.eaten', undefined, 'VALIDATION_ERROR');
    const { beside } = server();
    const lines = await cli(['audit', 'list', '--workspace', 'default', '--agent', agent, '--lines'], beside);
    const records = lines.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(records).to.deep.equal(await everyItem(api, `/v1/audit?agent_id=${agent}`, 100));
    const late = ['--since', '2999-01-01T00:00:00Z', '--actor', keyId, '--action', 'agent.updated', '--lines'];
    expect((await cli(['audit', 'list', '--workspace', 'default', ...late], beside)).stdout).to.equal('');
    const wrong = await cli(['audit', 'list', '--workspace', 'default', '--since', 'soon'], beside);
    expect(wrong).to.include({ code: 1 });
    expect(wrong.stderr).to.match(/^hivekeep: --since .*\n$/);
  });

  it('is told to webhooks that ask for it', async () => {
    await api.one('POST', '/v1/webhooks', { url: receiver.url('/siem'), events: ['audit.recorded'] }, 201);
    const { id } = await carla.one('POST', '/v1/agents/spawn', { name: 'Fay' }, 201);
    await carla.one('DELETE', `/v1/agents/${String(id)}`);
    const bodies = await until(
      () =>
        Promise.resolve(
          receiver
            .taken('/siem')
            .map(({ body }) => body)
            .filter((body) => (body['data'] as Json)['agent_id'] === id),
        ),
      (all) => all.some((body) => (body['data'] as Json)['action'] === 'agent.deleted'),
    );
    expect(bodies.map((body) => [body['type'], (body['data'] as Json)['action']])).to.deep.include.members([
      ['audit.recorded', 'agent.created'],
      ['audit.recorded', 'agent.deleted'],
    ]);
    expect(bodies[0]!['data']).to.include({ actor: keyId, actor_name: 'Carla' });
  });
});

async function everyEvent(agent: string, run: string): Promise<Json[]> {
  const told = await fetch(`${api.url}/v1/agent-constellations/${agent}/runs/${run}/events`, {
    headers: { authorization: `Bearer ${api.key}` },
  });
  const reader = told.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('"reject"')) {
    const { value, done: ended } = await reader.read();
    if (ended) break;
    text += value;
  }
  await reader.cancel();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Json);
}
