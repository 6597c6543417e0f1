/** The service's errors in JSON-RPC (docs/api.md 7.2; A2A 1.0, 5.4 and 9.5), and in which form: JSON or an event. */
import { expect } from 'chai';
import { errorCodes, HivekeepError, invalid, notFound, unavailable } from '../../../src/domain/shared/errors.js';
import type { Service } from '../../../src/service.js';
import { toRpcError } from '../../../gateway/a2a/errors.js';
import type { Answers } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from '../gateway/raw-client.js';
import {
  codeOf,
  eventsIn,
  methodRows,
  path,
  protoMessage,
  rpc,
  slashMessage,
  type RpcAnswer,
  type Sending,
} from './kit.js';

const resumable = (status: string): HivekeepError =>
  new HivekeepError('RUN_NOT_RESUMABLE', `task run_1 does not wait for input: it is ${status}`, {
    details: { status },
  });

describe('A2A: errors', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());
  /** A service whose every call about tasks throws. */
  const failing = async (error: Error): Promise<void> => {
    const fail = async (): Promise<never> => {
      throw error;
    };
    const service: Partial<Service> = { sendTask: fail, streamTask: fail, followTask: fail };
    const commands: Answers = {
      getTask: fail,
      listTasks: fail,
      cancelTask: fail,
      setPush: fail,
      listPush: fail,
      deletePush: fail,
    };
    gateway = await startGateway({ service, commands });
  };

  const cases: readonly [string, Error, string, number, RegExp][] = [
    ['an unknown task', notFound('task', 'run_1'), 'tasks/get', -32001, /no task run_1/],
    ['an unknown task', notFound('task', 'run_1'), 'message/send', -32001, /no task run_1/],
    [
      'a task that is over',
      new HivekeepError('CONFLICT', 'run run_1 is completed already'),
      'tasks/cancel',
      -32002,
      /completed already/,
    ],
    [
      'a task that is over',
      new HivekeepError('CONFLICT', 'run run_1 is completed already'),
      'CancelTask',
      -32002,
      /completed already/,
    ],
    [
      'a conflict elsewhere',
      new HivekeepError('CONFLICT', 'a task has at most 10 push configs'),
      'tasks/pushNotificationConfig/set',
      -32004,
      /at most 10/,
    ],
    ...(['completed', 'failed', 'timeout', 'cancelled'] as const).flatMap(
      (status): [string, Error, string, number, RegExp][] => [
        [`a message to a task that is ${status}`, resumable(status), 'message/send', -32600, /does not wait/],
        [`a message to a task that is ${status}`, resumable(status), 'SendMessage', -32004, /does not wait/],
      ],
    ),
    ...(['pending', 'running'] as const).flatMap((status): [string, Error, string, number, RegExp][] => [
      [`a message to a task that is ${status}`, resumable(status), 'message/send', -32004, /wait until it has ended/],
      [`a message to a task that is ${status}`, resumable(status), 'SendMessage', -32004, /wait until it has ended/],
    ]),
    [
      'an inactive agent',
      new HivekeepError('AGENT_INACTIVE', 'agent agent_1 is inactive'),
      'message/send',
      -32004,
      /agent_1 is inactive/,
    ],
    [
      'a push url that the guard refuses',
      invalid({ path: 'url', message: 'must be https' }),
      'tasks/pushNotificationConfig/set',
      -32602,
      /url: must be https/,
    ],
    [
      'a push url that the guard refuses',
      invalid({ path: 'url', message: 'must be https' }),
      'message/send',
      -32602,
      /url: must be https/,
    ],
    [
      'a busy agent',
      new HivekeepError('AGENT_BUSY', '100 runs are already waiting', { retryAfter: 2 }),
      'message/send',
      -32051,
      /try again in 2 s/,
    ],
    ['a fault of ours', new TypeError('cannot read x of undefined'), 'tasks/get', -32603, /internal error occurred/],
  ];
  for (const [what, error, method, code, message] of cases) {
    it(`${what}: ${method} is ${code}`, async () => {
      await failing(error);
      const row = methodRows.find((known) => known.method === method)!;
      const answer = await rpc(gateway, method, row.params);
      expect(codeOf(answer)).to.equal(code);
      expect(answer.body?.id).to.equal(7);
      expect(answer.body?.error?.message).to.match(message);
      // the header is for 429 and 503 (docs/api.md 8.3); a message may tell the time as well
      expect(answer.headers.get('retry-after')).to.equal(null);
    });
  }

  for (const method of ['GetTask', 'message/send', 'message/stream'])
    it(`while the store is away ${method} is 503 with Retry-After, in the envelope`, async () => {
      await failing(unavailable('the store is away', { retryAfter: 5 }));
      const row = methodRows.find((known) => known.method === method)!;
      const answer = await rpc(gateway, method, row.params);
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '5']);
      expect((JSON.parse(answer.text) as { error: { code: string } }).error.code).to.equal('UNAVAILABLE');
    });

  it('every code of the service has its own, in every version', async () => {
    gateway = await startGateway();
    const allowed = [-32600, -32601, -32602, -32603, -32001, -32002, -32004, -32005, -32009, -32050, -32051];
    for (const code of errorCodes)
      for (const version of ['0.2', '0.3', '1.0'] as const)
        for (const { operation } of methodRows) {
          expect(allowed, code).to.include(toRpcError(new HivekeepError(code, 'x'), { operation, version }).code);
        }
  });

  it("a fault of ours is logged with the request's id and told without its words", async () => {
    await failing(new TypeError('cannot read x of undefined'));
    const answer = await rpc(gateway, 'tasks/get', { id: 'run_1' }, { headers: { 'x-request-id': 'mine-1' } });
    expect(answer.text).not.to.include('undefined');
    expect(gateway.errors).to.have.length(1);
    expect(gateway.errors[0]).to.include({
      request_id: answer.headers.get('x-request-id'),
      client_request_id: 'mine-1',
      operation: 'get',
    });
    expect((gateway.errors[0] as { err: Error }).err.message).to.equal('cannot read x of undefined');
  });

  it('1.0 explains by ErrorInfo and field violations, 0.3 by code and message alone', async () => {
    await failing(notFound('task', 'run_1'));
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'TASK_NOT_FOUND',
      domain: 'a2a-protocol.org',
    };
    expect((await rpc(gateway, 'GetTask', { id: 'run_1' })).body?.error).to.deep.include({
      code: -32001,
      data: [info],
    });
    expect((await rpc(gateway, 'tasks/get', { id: 'run_1' })).body?.error).to.have.all.keys('code', 'message');
    const violations = (await rpc(gateway, 'GetTask', { id: 7 })).body?.error?.data as {
      fieldViolations: { field: string }[];
    }[];
    expect(violations[0]?.fieldViolations[0]?.field).to.equal('id');
    // before the method is known, the header says who asks
    const refused = async (sending: Sending): Promise<unknown> =>
      (await rpc(gateway, 'GetTask', {}, { ...sending, headers: { ...sending.headers, 'content-type': 'text/plain' } }))
        .body?.error?.data;
    expect(await refused({ headers: { 'a2a-version': '1.0' } })).to.deep.equal([
      { ...info, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
    ]);
    expect(await refused({})).to.equal(undefined);
    expect((await rpc(gateway, 'GetTask', {}, { headers: { 'a2a-version': '99.0' } })).body?.error?.data).to.deep.equal(
      [{ ...info, reason: 'VERSION_NOT_SUPPORTED' }],
    );
  });

  it('that it is the agent which is not there is plain HTTP', async () => {
    const fail = async (): Promise<never> => {
      throw notFound('agent', 'agent_1');
    };
    gateway = await startGateway({
      service: { sendTask: fail, streamTask: fail, followTask: fail },
      commands: { getAgent: fail, getTask: fail },
    });
    for (const [method, params] of [
      ['message/send', { message: slashMessage }],
      ['tasks/get', { id: 'run_1' }],
      ['tasks/resubscribe', { id: 'run_1' }],
      ['GetExtendedAgentCard', {}],
      ['SendStreamingMessage', { message: protoMessage }],
    ] as const) {
      const answer = await rpc(gateway, method, params, { headers: { accept: 'text/event-stream' } });
      expect([answer.status, answer.body?.error?.code], method).to.deep.equal([404, 'NOT_FOUND']);
    }
  });

  describe('of stream calls', () => {
    const bad = { message: { ...slashMessage, parts: [] } };
    /** Which calls are refused how: an event is what clients of 0.2 and 0.3 read where they asked for a stream. */
    const forms: readonly [string, object, string | null, 'json' | 'event', number][] = [
      ['message/stream', bad, null, 'json', -32602],
      ['message/stream', bad, '*/*', 'json', -32602],
      ['message/stream', bad, 'application/json', 'json', -32602],
      ['message/stream', bad, 'text/event-stream', 'event', -32602],
      ['message/stream', bad, 'application/json, text/event-stream', 'event', -32602],
      ['message/stream', { message: slashMessage }, '*/*', 'json', -32001],
      ['message/stream', { message: slashMessage }, 'text/event-stream;q=1', 'event', -32001],
      ['tasks/resubscribe', { id: 'run_x' }, null, 'event', -32001],
      ['tasks/resubscribe', { id: 'run_x' }, '*/*', 'event', -32001],
      ['tasks/resubscribe', { id: 'run_x' }, 'text/event-stream', 'event', -32001],
      ['tasks/resubscribe', { id: 'run_x' }, 'application/json', 'json', -32001],
      ['tasks/resubscribe', {}, 'text/event-stream', 'event', -32602],
      ['SendStreamingMessage', { message: protoMessage }, 'text/event-stream', 'json', -32001],
      ['SubscribeToTask', { id: 'run_x' }, 'text/event-stream', 'json', -32001],
      ['SubscribeToTask', {}, '*/*', 'json', -32602],
      ['tasks/get', { id: 'run_x' }, 'text/event-stream', 'json', -32001],
    ];
    /** fetch always sends an Accept header. */
    const withoutAccept = async (method: string, params: object): Promise<RpcAnswer> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
      const client = new RawClient(gateway.port).send(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const answer = await client.answer();
      client.destroy();
      return {
        status: answer.status,
        headers: new Headers(answer.headers),
        text: answer.body,
        body: answer.body.startsWith('{') ? (JSON.parse(answer.body) as RpcAnswer['body']) : undefined,
      };
    };
    for (const [method, params, accept, form, code] of forms) {
      it(`${method} ${code}, Accept ${accept}: ${form}`, async () => {
        await failing(notFound('task', 'run_x'));
        const answer =
          accept === null
            ? await withoutAccept(method, params)
            : await rpc(gateway, method, params, { headers: { accept } });
        expect(answer.status).to.equal(200);
        expect(answer.headers.get('content-type')).to.match(
          form === 'json' ? /^application\/json/ : /^text\/event-stream/,
        );
        if (form === 'json') {
          expect(codeOf(answer)).to.equal(code);
          return;
        }
        const events = eventsIn(answer.text);
        expect(events).to.have.length(1);
        expect(events[0]).to.not.have.property('id');
        expect(events[0]?.data).to.deep.include({ jsonrpc: '2.0', id: 7 });
        expect(events[0]?.data.error?.code).to.equal(code);
      });
    }
  });

  it('a body that is too long is answered whole, though nobody reads it', async () => {
    gateway = await startGateway({ config: { bodyLimit: 1000 } });
    const answer = await rpc(gateway, 'tasks/get', { id: 'x'.repeat(3_000_000) });
    expect(codeOf(answer)).to.equal(-32600);
    expect(answer.body?.error?.message).to.include('1000 bytes');
    expect(
      (await gateway.ask('POST', path, { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'run_1' } })).status,
    ).to.equal(200);
  });
});
