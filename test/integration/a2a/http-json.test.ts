/** HTTP+JSON of 1.0 (docs/api.md 4.2): the operations of JSON-RPC, found by method and path. */
import { expect } from 'chai';
import { scopeOf } from '../../../gateway/a2a/exchange.js';
import { httpOperations } from '../../../gateway/a2a/http-json.js';
import { notFound } from '../../../src/domain/shared/errors.js';
import type { FollowedTask } from '../../../src/service.js';
import { fixtures, keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { methodRows, path, protoMessage } from './kit.js';

const { task, push } = fixtures;
const nothing: FollowedTask['events'] = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};
const followed: FollowedTask = { task: { ...task, status: 'running' }, events: nothing };
const url = 'https://hooks.example/a';
const bodies = { send: { message: protoMessage }, stream: { message: protoMessage }, setPush: { id: push.id, url } };

describe('A2A: HTTP+JSON', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({
      credentials: { svc_weak: keyPrincipal(['memory:read']) },
      service: {
        sendTask: async () => task,
        streamTask: async () => followed,
        followTask: async () => followed,
      },
      commands: {
        getTask: async (_caller, target) => {
          const { taskId } = target as { taskId: string };
          if (taskId !== task.id) throw notFound('task', taskId);
          return task;
        },
        listTasks: async () => ({ items: [task], next: null, total: 1 }),
        cancelTask: async () => ({ ...task, status: 'cancelled' }),
        setPush: async () => push,
        listPush: async () => [push],
        deletePush: async () => undefined,
      },
    });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const ask = async (method: string, at: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}${path}/${at}`, {
      method,
      headers: { authorization: `Bearer ${rootKey}`, 'content-type': 'application/a2a+json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const called = (): string[] => gateway.calls.map(({ method }) => method).filter((name) => name !== 'authenticate');

  for (const { method, path: template, operation } of httpOperations) {
    const at = template.replace(':task', task.id).replace(':config', push.id);
    const body: unknown = operation in bodies ? bodies[operation as keyof typeof bodies] : undefined;
    it(`${method} ${template} is ${operation}, for ${scopeOf[operation]}`, async () => {
      const row = methodRows.find((each) => each.operation === operation && each.dialect === 'pascal');
      const { status, type, text } = await ask(method, at, body, { 'A2A-Version': '1.0' });
      expect(status, text).to.equal(200);
      expect(called()).to.deep.equal(row?.calls);
      const streams = operation === 'stream' || operation === 'subscribe';
      expect(type).to.match(streams ? /^text\/event-stream/ : /^application\/a2a\+json$/);
      expect(text).not.to.include('jsonrpc');
      if (streams) expect(text).to.match(/data: \{"task":\{"id":/);

      gateway.calls.length = 0;
      expect((await ask(method, at, body, { authorization: 'Bearer svc_weak' })).status).to.equal(403);
      expect(called()).to.deep.equal([]);
    });
  }

  it('takes what a list is asked for from the query', async () => {
    const query = 'contextId=c1&status=TASK_STATE_WORKING&pageSize=7&historyLength=0&includeArtifacts=true';
    const { text } = await ask('GET', `tasks?${query}`);
    expect(JSON.parse(text)).to.deep.include({ pageSize: 7, totalSize: 1, nextPageToken: '' });
    const [, , wanted] = gateway.calls.find(({ method }) => method === 'listTasks')?.args ?? [];
    expect(wanted).to.deep.include({ contextId: 'c1', statuses: ['running'], history: false });
    expect(wanted).to.have.nested.property('page.limit', 7);
  });

  const refusals: [string, string, unknown, Record<string, string>, number, string, string][] = [
    ['GET', 'tasks/run_none', undefined, {}, 404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
    ['POST', 'message:send', '{', {}, 400, 'INVALID_ARGUMENT', 'PARSE_ERROR'],
    ['POST', 'message:send', [], {}, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'],
    ['POST', 'message:stream', {}, {}, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'],
    [
      'POST',
      'message:send',
      bodies.send,
      { 'A2A-Version': '0.3' },
      400,
      'FAILED_PRECONDITION',
      'VERSION_NOT_SUPPORTED',
    ],
    ['GET', 'tasks?pageSize=0', undefined, {}, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'],
    [
      'POST',
      'message:send',
      'x',
      { 'content-type': 'text/plain' },
      400,
      'INVALID_ARGUMENT',
      'CONTENT_TYPE_NOT_SUPPORTED',
    ],
  ];
  for (const [method, at, body, headers, status, name, reason] of refusals)
    it(`answers ${reason} to ${method} ${at} as a google.rpc.Status`, async () => {
      const answer = await ask(method, at, body, headers);
      expect(answer.status, answer.text).to.equal(status);
      expect(answer.type).to.equal('application/a2a+json');
      const { error } = JSON.parse(answer.text) as { error: { code: number; status: string; details: object[] } };
      expect(error).to.include({ code: status, status: name });
      expect(error.details[0]).to.include({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });
      expect(called().filter((call) => call !== 'getTask' && call !== 'getAgent')).to.deep.equal([]);
    });

  const plain: [string, string, Record<string, string>, number, string, string][] = [
    ['POST', 'message:send', { authorization: '' }, 401, 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
    ['GET', 'tasks', { authorization: 'Bearer svc_weak' }, 403, 'PERMISSION_DENIED', 'INSUFFICIENT_SCOPE'],
    ['GET', 'nothing', {}, 404, 'NOT_FOUND', 'NOT_FOUND'],
    ['DELETE', 'tasks', {}, 405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED'],
  ];
  for (const [method, at, headers, status, name, reason] of plain)
    it(`answers ${status} to ${method} ${at} as a google.rpc.Status, too`, async () => {
      const answer = await ask(method, at, undefined, headers);
      expect([answer.status, answer.type], answer.text).to.deep.equal([status, 'application/a2a+json']);
      const { error } = JSON.parse(answer.text) as { error: { details: object[] } };
      expect(error).to.include({ code: status, status: name });
      expect(error.details[0]).to.include({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });
      expect(error.details[1]).to.have.property('requestId').that.matches(/^req_/);
    });

  it('leaves the envelope to JSON-RPC and to cards', async () => {
    for (const [method, at] of [
      ['POST', ''],
      ['GET', '/card'],
      ['GET', '/.well-known/agent-card.json'],
    ] as const) {
      const answer = await fetch(gateway.url + path + at, { method });
      expect(answer.headers.get('content-type'), at).to.equal('application/json; charset=utf-8');
      expect(((await answer.json()) as { error: object }).error).to.include({ code: 'UNAUTHENTICATED', status: 401 });
    }
  });
});
