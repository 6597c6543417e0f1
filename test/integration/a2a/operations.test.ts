/** What each method asks of the service and answers, in every dialect (docs/api.md 2.7-2.10, 4.2; A2A 1.0, 3.1). */
import { expect } from 'chai';
import type { Caller } from '../../../src/service.js';
import type { PushConfig, Task } from '../../../src/domain/task/task.js';
import { notFound } from '../../../src/domain/shared/errors.js';
import { fixtures } from '../../helpers/fake-service.js';
import type { PageRequest } from '../../../src/commands/lists.js';
import { startGateway, type Setup, type TestGateway } from '../../helpers/gateway.js';
import {
  codeOf,
  methodRows,
  path,
  post,
  protoMessage,
  rpc,
  slashMessage,
  type RpcAnswer,
  type Sending,
} from './kit.js';

const timestamp = '2026-11-21T09:00:00.000Z';
const slashTask = {
  kind: 'task',
  id: 'run_1',
  contextId: 'agent_1',
  status: { state: 'completed', timestamp },
  artifacts: [{ artifactId: 'run_1-response', name: 'response', parts: [{ kind: 'text', text: 'tea' }] }],
  history: [{ ...slashMessage, taskId: 'run_1', contextId: 'agent_1' }],
};
const protoTask = {
  id: 'run_1',
  contextId: 'agent_1',
  status: { state: 'TASK_STATE_COMPLETED', timestamp },
  artifacts: [{ artifactId: 'run_1-response', name: 'response', parts: [{ text: 'tea' }] }],
  history: [{ ...protoMessage, taskId: 'run_1', contextId: 'agent_1' }],
};
const without = (task: object, ...fields: string[]): object =>
  Object.fromEntries(Object.entries(task).filter(([name]) => !fields.includes(name)));

describe('A2A: operations', () => {
  let gateway: TestGateway;
  const start = async (setup: Setup = {}): Promise<void> => {
    gateway = await startGateway(setup);
  };
  afterEach(() => gateway.stop());
  const asked = (method: string): readonly unknown[] =>
    gateway.calls.find((call) => call.method === method)?.args ?? [];
  const result = (answer: RpcAnswer): unknown => {
    expect(answer.body, answer.text).not.to.have.property('error');
    return answer.body?.result;
  };

  it('what an agent reads of a message is at most 256 KiB, as over REST, in however many parts it comes', async () => {
    await start();
    const text = (n: number): object => ({ kind: 'text', text: 'x'.repeat(n) });
    const half = 128 * 1024;
    const long = [
      [text(2 * half + 1)],
      [text(half), text(half)], // and a newline between them
      [{ kind: 'data', data: { long: 'x'.repeat(2 * half) } }],
      [{ kind: 'file', file: { mimeType: 'text/plain', bytes: Buffer.alloc(2 * half + 1, 'x').toString('base64') } }],
    ];
    for (const method of ['message/send', 'message/stream'])
      for (const parts of long) {
        const answer = await rpc(gateway, method, { message: { ...slashMessage, parts } });
        expect(codeOf(answer), answer.text).to.equal(-32602);
        expect(answer.text).to.contain('message.parts must be at most 262144 bytes');
      }
    expect([asked('sendTask'), asked('streamTask')]).to.deep.equal([[], []]);
    expect(
      result(await rpc(gateway, 'message/send', { message: { ...slashMessage, parts: [text(2 * half)] } })),
    ).to.be.an('object');
  });

  for (const [header, version] of [
    ['', '0.3'],
    ['0.2', '0.2'],
    ['0.2.5', '0.2'],
    ['0.3', '0.3'],
    ['0.3.0', '0.3'],
    ['1.0', '1.0'],
    ['1.0.1', '1.0'],
  ] as const) {
    it(`A2A-Version "${header}": the method's name decides the dialect, the header the version of push configs`, async () => {
      await start();
      const headers = { 'a2a-version': header };
      expect(result(await rpc(gateway, 'message/send', { message: slashMessage }, { headers }))).to.deep.equal(
        slashTask,
      );
      expect(result(await rpc(gateway, 'SendMessage', { message: protoMessage }, { headers }))).to.deep.equal({
        task: protoTask,
      });
      await rpc(
        gateway,
        'tasks/pushNotificationConfig/set',
        { taskId: 'run_1', pushNotificationConfig: { url: 'https://a.example/' } },
        { headers },
      );
      expect((asked('setPush')[2] as PushConfig).version).to.equal(version === '0.2' ? '0.2' : '0.3');
    });
  }
  it('the version is also taken from the query, where the header says none', async () => {
    await start();
    await rpc(
      gateway,
      'tasks/pushNotificationConfig/set',
      { taskId: 'run_1', pushNotificationConfig: { url: 'https://a.example/' } },
      { at: `${path}?A2A-Version=0.2` },
    );
    expect((asked('setPush')[2] as PushConfig).version).to.equal('0.2');
    expect(codeOf(await rpc(gateway, 'GetTask', { id: 'run_1' }, { at: `${path}?A2A-Version=9.9` }))).to.equal(-32009);
    expect(
      result(
        await rpc(
          gateway,
          'GetTask',
          { id: 'run_1' },
          { at: `${path}?A2A-Version=9.9`, headers: { 'a2a-version': '1.0' } },
        ),
      ),
    ).to.deep.equal(protoTask);
  });

  it('a slash at the end, extensions that we do not know, and another JSON media type change nothing', async () => {
    await start();
    const sendings: Sending[] = [
      { at: `${path}/` },
      { headers: { 'a2a-extensions': 'https://a.example/ext', 'x-a2a-extensions': 'urn:x' } },
      { headers: { 'content-type': 'application/a2a+json' } },
      { headers: { 'content-type': 'application/json; charset=UTF-8' } },
    ];
    for (const sending of sendings)
      expect(result(await rpc(gateway, 'tasks/get', { id: 'run_1' }, sending))).to.deep.equal(slashTask);
  });

  describe('send', () => {
    const waits: readonly [string, object | undefined, string][] = [
      ['message/send', undefined, 'natural'],
      ['message/send', {}, 'natural'],
      ['message/send', { blocking: true }, 'settled'],
      ['message/send', { blocking: false }, 'started'],
      ['SendMessage', undefined, 'settled'],
      ['SendMessage', { returnImmediately: false }, 'settled'],
      ['SendMessage', { returnImmediately: true }, 'started'],
    ];
    for (const [method, configuration, wait] of waits) {
      it(`${method} with ${JSON.stringify(configuration)} answers when it has ${wait}`, async () => {
        await start();
        await rpc(gateway, method, { message: method === 'SendMessage' ? protoMessage : slashMessage, configuration });
        const [caller, agent, input] = asked('sendTask');
        expect(caller).to.include({ credentialId: 'key_test', workspace: 'default' });
        expect(agent).to.equal('agent_1');
        expect(JSON.parse(JSON.stringify(input))).to.deep.equal({
          message: { messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'go' }] },
          wait,
        });
      });
    }

    it('hands over task, context, push config and all kinds of parts', async () => {
      await start();
      const parts = [
        { kind: 'text', text: 'go', metadata: { a: 1 } },
        { kind: 'data', data: { b: [2] } },
        { kind: 'file', file: { bytes: 'Z28=', mimeType: 'text/plain', name: 'go.txt' } },
      ];
      await rpc(gateway, 'message/send', {
        message: { ...slashMessage, parts, taskId: 'run_1', contextId: 'agent_1', metadata: { c: 3 } },
        configuration: {
          acceptedOutputModes: ['text/plain', 'image/png'],
          pushNotificationConfig: { url: 'https://a.example/', token: 't' },
        },
      });
      expect(JSON.parse(JSON.stringify(asked('sendTask')[2]))).to.deep.equal({
        message: {
          messageId: 'm-1',
          role: 'user',
          metadata: { c: 3 },
          parts: [
            { kind: 'text', text: 'go', metadata: { a: 1 } },
            { kind: 'data', data: { b: [2] } },
            { kind: 'file', bytes: 'Z28=', mediaType: 'text/plain', filename: 'go.txt' },
          ],
        },
        taskId: 'run_1',
        contextId: 'agent_1',
        push: { url: 'https://a.example/', token: 't', version: '0.3' },
        wait: 'natural',
      });
    });

    it('historyLength bounds the history of the answer', async () => {
      const history = Array.from({ length: 5 }, (_, i) => ({
        messageId: `m-${i}`,
        role: 'user' as const,
        parts: [{ kind: 'text' as const, text: 'go' }],
      }));
      const task: Task = { ...fixtures.task, history };
      await start({
        service: { sendTask: async () => task },
        commands: { getTask: async () => task, listTasks: async () => ({ items: [task], next: null, total: 1 }) },
      });
      const ids = (shown: unknown): unknown =>
        (shown as { history?: { messageId: string }[] }).history?.map((m) => m.messageId);
      expect(
        ids(result(await rpc(gateway, 'message/send', { message: slashMessage, configuration: { historyLength: 2 } }))),
      ).to.deep.equal(['m-3', 'm-4']);
      expect(
        ids(
          (
            result(
              await rpc(gateway, 'SendMessage', { message: protoMessage, configuration: { historyLength: 1 } }),
            ) as { task: unknown }
          ).task,
        ),
      ).to.deep.equal(['m-4']);
      expect(ids(result(await rpc(gateway, 'tasks/get', { id: 'run_1' })))).to.have.length(5);
      expect(ids(result(await rpc(gateway, 'GetTask', { id: 'run_1', historyLength: 0 })))).to.equal(undefined);
      expect(
        ids((result(await rpc(gateway, 'ListTasks', { historyLength: 3 })) as { tasks: unknown[] }).tasks[0]),
      ).to.have.length(3);
    });
  });

  it('get and cancel answer the task', async () => {
    await start();
    expect(result(await rpc(gateway, 'tasks/get', { id: 'run_1' }))).to.deep.equal(slashTask);
    expect(result(await rpc(gateway, 'GetTask', { id: 'run_1' }))).to.deep.equal(protoTask);
    expect(asked('getTask')[1]).to.deep.equal({ id: 'agent_1', taskId: 'run_1' });
    expect(result(await rpc(gateway, 'tasks/cancel', { id: 'run_1' }))).to.deep.equal({
      ...without(slashTask, 'artifacts'),
      status: { state: 'canceled', timestamp },
    });
    expect(result(await rpc(gateway, 'CancelTask', { id: 'run_1' }))).to.deep.equal({
      ...without(protoTask, 'artifacts'),
      status: { state: 'TASK_STATE_CANCELED', timestamp },
    });
  });

  describe('ListTasks', () => {
    const page = { sort: 'updated_at', order: 'desc', limit: 50 };
    it('lists last changed first, without artifacts unless asked', async () => {
      await start();
      expect(result(await rpc(gateway, 'ListTasks', undefined))).to.deep.equal({
        tasks: [without(protoTask, 'artifacts')],
        nextPageToken: '',
        pageSize: 50,
        totalSize: 1,
      });
      expect(asked('listTasks').slice(1)).to.deep.equal([
        { id: 'agent_1' },
        { contextId: undefined, statuses: undefined, changedSince: undefined, history: true, page },
      ]);
      expect(result(await rpc(gateway, 'ListTasks', { includeArtifacts: true }))).to.deep.include({
        tasks: [protoTask],
      });
    });
    it('pages, and a token of another list is refused', async () => {
      await start({
        commands: {
          listTasks: async (_caller, _target, input) => ({
            items: [fixtures.task],
            next: (input as { page: PageRequest }).page.after ? null : ['t', 7],
            total: 2,
          }),
        },
      });
      const first = result(await rpc(gateway, 'ListTasks', { pageSize: 1, status: 'TASK_STATE_COMPLETED' })) as {
        nextPageToken: string;
      };
      const params = { pageSize: 1, pageToken: first.nextPageToken };
      expect(result(await rpc(gateway, 'ListTasks', { ...params, status: 'TASK_STATE_COMPLETED' }))).to.include({
        nextPageToken: '',
        pageSize: 1,
        totalSize: 2,
      });
      expect(gateway.calls.at(-1)?.args[2]).to.deep.include({ page: { ...page, limit: 1, after: ['t', 7] } });
      expect(codeOf(await rpc(gateway, 'ListTasks', params))).to.equal(-32602);
      expect(
        codeOf(
          await rpc(
            gateway,
            'ListTasks',
            { ...params, status: 'TASK_STATE_COMPLETED' },
            { at: path.replace('agent_1', 'agent_2') },
          ),
        ),
      ).to.equal(-32602);
    });
    it('filters by state and time; what no task can be is an empty page', async () => {
      await start();
      await rpc(gateway, 'ListTasks', {
        status: 'TASK_STATE_FAILED',
        statusTimestampAfter: '2026-11-21T10:00:00+01:00',
        contextId: 'agent_1',
        historyLength: 0,
      });
      expect(asked('listTasks')[2]).to.deep.include({
        contextId: 'agent_1',
        statuses: ['failed', 'timeout'],
        changedSince: '2026-11-21T09:00:00.000Z',
        history: false,
      });
      gateway.calls.length = 0;
      for (const none of [{ status: 'TASK_STATE_REJECTED' }])
        expect(result(await rpc(gateway, 'ListTasks', none))).to.deep.equal({
          tasks: [],
          nextPageToken: '',
          pageSize: 50,
          totalSize: 0,
        });
      expect(asked('listTasks')).to.deep.equal([]);
    });
  });

  describe('push configs', () => {
    const config = (id: string): PushConfig => ({ id, url: `https://a.example/${id}`, version: '0.3' });
    const having = (...ids: string[]): Setup => ({ commands: { listPush: async () => ids.map(config) } });
    const got = async (params: object): Promise<unknown> =>
      (
        result(await rpc(gateway, 'tasks/pushNotificationConfig/get', params)) as {
          pushNotificationConfig: { id: string };
        }
      ).pushNotificationConfig.id;

    it('get, list and delete take the task as taskId, too, as set does', async () => {
      await start(having('run_1'));
      expect(await got({ taskId: 'run_1' })).to.equal('run_1');
      const of = { taskId: 'run_1', pushNotificationConfigId: 'run_1' };
      expect(result(await rpc(gateway, 'tasks/pushNotificationConfig/list', of))).to.have.length(1);
      expect(result(await rpc(gateway, 'tasks/pushNotificationConfig/delete', of))).to.equal(null);
      expect(codeOf(await rpc(gateway, 'tasks/pushNotificationConfig/get', { taskId: 7 }))).to.equal(-32602);
    });

    it('set answers what was registered', async () => {
      await start();
      const given = {
        url: 'https://a.example/',
        token: 't',
        authentication: { schemes: ['Bearer'], credentials: 'c' },
      };
      expect(
        result(
          await rpc(gateway, 'tasks/pushNotificationConfig/set', { taskId: 'run_1', pushNotificationConfig: given }),
        ),
      ).to.deep.equal({ taskId: 'run_1', pushNotificationConfig: { id: 'push_1', ...given } });
      expect(JSON.parse(JSON.stringify(asked('setPush').slice(1)))).to.deep.equal([
        { id: 'agent_1', taskId: 'run_1' },
        { ...given, version: '0.3' },
      ]);
      const flat = {
        taskId: 'run_1',
        id: 'mine',
        url: 'https://a.example/',
        token: 't',
        authentication: { scheme: 'Bearer', credentials: 'c' },
      };
      expect(result(await rpc(gateway, 'CreateTaskPushNotificationConfig', flat))).to.deep.equal(flat);
    });
    it('get finds the one that is named; no name, "default" and the task\'s id mean the one that there is', async () => {
      await start(having('a', 'run_1', 'z'));
      expect(await got({ id: 'run_1', pushNotificationConfigId: 'z' })).to.equal('z');
      for (const id of [undefined, 'run_1'])
        expect(await got({ id: 'run_1', pushNotificationConfigId: id })).to.equal('run_1');
      await gateway.stop();
      await start(having('only'));
      for (const id of [undefined, 'default', 'run_1'])
        expect(await got({ id: 'run_1', pushNotificationConfigId: id })).to.equal('only');
      expect(
        codeOf(
          await rpc(gateway, 'tasks/pushNotificationConfig/get', { id: 'run_1', pushNotificationConfigId: 'other' }),
        ),
      ).to.equal(-32001);
      await gateway.stop();
      await start(having());
      expect(codeOf(await rpc(gateway, 'tasks/pushNotificationConfig/get', { id: 'run_1' }))).to.equal(-32001);
    });
    it('list is a bare array before 1.0, and pages with it', async () => {
      await start(having('c', 'a', 'b'));
      expect(
        (result(await rpc(gateway, 'tasks/pushNotificationConfig/list', { id: 'run_1' })) as object[]).length,
      ).to.equal(3);
      const ids: string[] = [];
      for (let pageToken = ''; ids.length < 4;) {
        const page = result(
          await rpc(gateway, 'ListTaskPushNotificationConfigs', { taskId: 'run_1', pageSize: 2, pageToken }),
        ) as { configs: { id: string }[]; nextPageToken: string };
        ids.push(...page.configs.map(({ id }) => id));
        pageToken = page.nextPageToken;
        if (pageToken === '') break;
      }
      expect(ids).to.deep.equal(['a', 'b', 'c']);
    });
    it('list masks the queries of URLs, get does not', async () => {
      const url = 'https://a.example/hook?key=secret';
      await start({ commands: { listPush: async () => [{ ...config('a'), url }] } });
      for (const [method, params] of [
        ['tasks/pushNotificationConfig/list', { id: 'run_1' }],
        ['ListTaskPushNotificationConfigs', { taskId: 'run_1' }],
      ] as const)
        expect((await rpc(gateway, method, params)).text)
          .to.include('https://a.example/hook?***')
          .and.not.include('secret');
      expect((await rpc(gateway, 'tasks/pushNotificationConfig/get', { id: 'run_1' })).text).to.include(url);
    });
    it('delete of what is not there is done already; of a task that is not there it is an error', async () => {
      await start(having('a'));
      expect(
        result(
          await rpc(gateway, 'tasks/pushNotificationConfig/delete', { id: 'run_1', pushNotificationConfigId: 'a' }),
        ),
      ).to.equal(null);
      expect(asked('deletePush')[1]).to.deep.equal({ id: 'agent_1', taskId: 'run_1', configId: 'a' });
      gateway.calls.length = 0;
      expect(
        result(await rpc(gateway, 'DeleteTaskPushNotificationConfig', { taskId: 'run_1', id: 'gone' })),
      ).to.deep.equal({});
      expect(asked('deletePush')).to.deep.equal([]);
      await gateway.stop();
      await start({
        commands: {
          listPush: async () => [config('a')],
          deletePush: async () => {
            throw notFound('push config', 'a');
          },
        },
      });
      expect(
        result(await rpc(gateway, 'DeleteTaskPushNotificationConfig', { taskId: 'run_1', id: 'a' })),
        'another was faster',
      ).to.deep.equal({});
      await gateway.stop();
      await start({
        commands: {
          listPush: async () => {
            throw notFound('task', 'run_1');
          },
        },
      });
      expect(codeOf(await rpc(gateway, 'DeleteTaskPushNotificationConfig', { taskId: 'run_1', id: 'a' }))).to.equal(
        -32001,
      );
    });
  });

  it('the extended card is the card that its version reads', async () => {
    await start();
    expect(result(await rpc(gateway, 'agent/getAuthenticatedExtendedCard'))).to.include({
      name: 'Ada',
      url: gateway.url + path,
      preferredTransport: 'JSONRPC',
    });
    const strict = result(await rpc(gateway, 'GetExtendedAgentCard')) as { supportedInterfaces: { url: string }[] };
    expect(strict.supportedInterfaces[0]?.url).to.equal(gateway.url + path);
    expect(strict).not.to.have.any.keys('url', 'protocolVersion', 'preferredTransport');
  });

  describe('ids', () => {
    for (const id of ['x', '', '7', 'é\n"', 'a'.repeat(5000), 0, -1, 1.5, 9007199254740991, -9007199254740991, null]) {
      it(`${JSON.stringify(id).slice(0, 30)} is echoed exactly`, async () => {
        await start();
        for (const [method, params] of [
          ['tasks/get', { id: 'run_1' }],
          ['tasks/nope', {}],
        ] as const) {
          expect((await post(gateway, JSON.stringify({ jsonrpc: '2.0', id, method, params }))).text).to.include(
            `"id":${JSON.stringify(id)},`,
          );
        }
      });
    }

    for (const row of methodRows) {
      it(`${row.method} without an id is done and answered by 204`, async () => {
        await start();
        const answer = await post(gateway, JSON.stringify({ jsonrpc: '2.0', method: row.method, params: row.params }));
        expect([
          answer.status,
          answer.text,
          answer.headers.get('content-length'),
          answer.headers.get('content-type'),
        ]).to.deep.equal([204, '', null, null]);
        // nobody reads a stream that was not asked for
        expect(gateway.calls.map((call) => call.method).filter((method) => method !== 'authenticate')).to.deep.equal(
          row.calls.flatMap((call) => (call === 'streamTask' ? ['sendTask'] : call === 'followTask' ? [] : [call])),
        );
      });
    }
    it('without an id, what is refused before it is begun is answered with null, what fails later is not', async () => {
      await start({
        commands: {
          getTask: async () => {
            throw notFound('task', 'x');
          },
        },
      });
      for (const [request, code] of [
        [{ method: 'message/ssend' }, -32601],
        [{ method: 'message/send', params: 'not_a_dict' }, -32602],
        [{ method: 'tasks/resubscribe' }, -32602],
        [{}, -32600],
      ] as const) {
        const answer = await post(gateway, JSON.stringify({ jsonrpc: '2.0', ...request }));
        expect([codeOf(answer), answer.body?.id], JSON.stringify(request)).to.deep.equal([code, null]);
      }
      expect(
        (await post(gateway, JSON.stringify({ jsonrpc: '2.0', method: 'tasks/get', params: { id: 'x' } }))).status,
      ).to.equal(204);
    });
  });

  it('the caller of a token is the token', async () => {
    await start();
    await rpc(gateway, 'message/send', { message: slashMessage }, { credential: 'at_token' });
    expect((asked('sendTask')[0] as Caller).credentialId).to.equal('tok_1');
  });
});
