/** The endpoint over the real engine: what docs/api.md 3.2, 4.2 andpromise of tasks, in one place with the wire. */
import { expect } from 'chai';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import {
  answers,
  call,
  caller,
  does,
  echo,
  eventually,
  realClock,
  testEngine,
  type Script,
  type TestEngine,
} from '../../helpers/engine.js';
import { createStreams } from '../../../gateway/streams/streams.js';
import { hashOf, keyPrincipal } from '../../helpers/fake-service.js';
import { scopes } from '../../../src/domain/vocabulary.js';
import { codeOf, eventsIn, protoMessage, rpc, slashMessage, type RpcAnswer, type Sending } from './kit.js';

interface SlashTask {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: { text: string }[] }[];
  history?: { messageId: string }[];
}

describe('A2A over the engine', () => {
  let t: TestEngine;
  let gateway: TestGateway;
  let path: string;
  let agent: string;
  const start = async (script: Script = echo, multiStep = false): Promise<void> => {
    t = await testEngine(undefined, script);
    const { service } = t.engine;
    const known = { [rootKey]: keyPrincipal(), svc_live_elsewhere: keyPrincipal(scopes, 'elsewhere') };
    const byHash = new Map(Object.entries(known).map(([credential, principal]) => [hashOf(credential), principal]));
    gateway = await startGateway({
      service: { ...service, authenticate: (hash) => byHash.get(hash) ?? service.authenticate(hash) },
      options: {
        streams: createStreams({
          clock: realClock,
          log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
        }),
      },
    });
    agent = (await service.spawnAgent(caller, { name: 'Ada', config: { multi_step: multiStep } })).id;
    path = `/api/v1/a2a/agents/${agent}`;
  };
  afterEach(async () => {
    await gateway.stop();
    await t.engine.stop(1000);
  });
  const ask = (method: string, params: unknown, sending: Sending = {}): Promise<RpcAnswer> =>
    rpc(gateway, method, params, { at: path, ...sending });
  const task = (answer: RpcAnswer): SlashTask => {
    expect(answer.body, answer.text).not.to.have.property('error');
    return answer.body?.result as SlashTask;
  };
  const state = async (id: string): Promise<string> => task(await ask('tasks/get', { id })).status.state;
  const message = (text: string, more: object = {}): object => ({
    message: { ...slashMessage, messageId: `m-${text}`, parts: [{ kind: 'text', text }], ...more },
  });

  it('an agent that is not multi-step answers a task that is completed; get and 1.0 show the same', async () => {
    await start();
    const sent = task(await ask('message/send', message('tea')));
    expect(sent).to.deep.include({ contextId: agent }).and.have.nested.property('status.state', 'completed');
    expect(sent.id).to.match(/^run_/);
    expect(sent.artifacts?.[0]?.parts[0]?.text).to.equal('tea');
    expect(task(await ask('tasks/get', { id: sent.id }))).to.deep.equal(sent);
    expect(((await ask('GetTask', { id: sent.id })).body?.result as SlashTask).status.state).to.equal(
      'TASK_STATE_COMPLETED',
    );
    const listed = (await ask('ListTasks', {})).body?.result as { tasks: { id: string }[]; totalSize: number };
    expect([listed.tasks.map(({ id }) => id), listed.totalSize]).to.deep.equal([[sent.id], 1]);
  });

  it('a multi-step one answers at once and is polled; 1.0 waits', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await start(async (context) => {
      if (context.run.input === 'slow') await held;
      return answers('done');
    }, true);
    const sent = task(await ask('message/send', message('slow')));
    expect(sent.status.state).to.be.oneOf(['working', 'submitted']);
    expect(sent).not.to.have.property('artifacts');
    release();
    await eventually(async () => (await state(sent.id)) === 'completed', 'the end');
    expect(
      (
        (await ask('SendMessage', { message: { ...protoMessage, messageId: 'm-2' } })).body?.result as {
          task: SlashTask;
        }
      ).task.status.state,
    ).to.equal('TASK_STATE_COMPLETED');
  });

  it('the same message is the same task, in every version; other content is another', async () => {
    await start();
    const first = task(await ask('message/send', message('tea')));
    expect(task(await ask('message/send', message('tea'))).id).to.equal(first.id);
    const proto = (
      await ask('SendMessage', { message: { role: 'ROLE_USER', messageId: 'm-tea', parts: [{ text: 'tea' }] } })
    ).body?.result as { task: SlashTask };
    expect(proto.task.id).to.equal(first.id);
    expect(
      task(await ask('message/send', message('tea', { parts: [{ kind: 'text', text: 'coffee' }] }))).id,
    ).not.to.equal(first.id);
    expect((await ask('message/stream', message('tea'), { headers: { accept: 'text/event-stream' } })).text)
      .to.include(`"id":"${first.id}"`)
      .and.include('"final":true');
  });

  describe('contexts', () => {
    const inContext = (text: string, contextId?: string): object => message(text, contextId ? { contextId } : {});
    const listed = async (contextId?: string): Promise<string[]> => {
      const answer = await ask('ListTasks', contextId === undefined ? {} : { contextId });
      return (answer.body?.result as { tasks: SlashTask[]; totalSize: number }).tasks.map(({ id }) => id);
    };

    it('a contextId that the client made is a conversation of its own, which comes back on its tasks', async () => {
      await start();
      const first = task(await ask('message/send', inContext('tea', 'ctx-1')));
      const second = task(await ask('message/send', inContext('more tea', 'ctx-1')));
      const other = task(await ask('message/send', inContext('coffee', 'ctx-2')));
      const plain = task(await ask('message/send', inContext('water')));
      const byId = task(await ask('message/send', inContext('milk', agent)));
      expect([first, second, other, plain, byId].map(({ contextId }) => contextId)).to.deep.equal([
        'ctx-1',
        'ctx-1',
        'ctx-2',
        agent,
        agent,
      ]);
      expect(task(await ask('tasks/get', { id: first.id })).contextId).to.equal('ctx-1');
      const sessions = [];
      for (const { id } of [first, second, other])
        sessions.push((await t.engine.service.getRun(caller, agent, id)).sessionId);
      expect(sessions).to.deep.equal(['ctx-1', 'ctx-1', 'ctx-2']);
      expect(await listed('ctx-1')).to.deep.equal([second.id, first.id]);
      expect(await listed('ctx-2')).to.deep.equal([other.id]);
      expect(await listed(agent)).to.deep.equal([byId.id, plain.id]);
      expect(await listed('ctx-3')).to.deep.equal([]);
      expect(await listed()).to.have.length(5);
      const stream = await ask('message/stream', inContext('juice', 'ctx-2'), {
        headers: { accept: 'text/event-stream' },
      });
      for (const { data } of eventsIn(stream.text)) expect(data.result).to.include({ contextId: 'ctx-2' });
    });

    it('the same message in another context is another task', async () => {
      await start();
      const one = task(await ask('message/send', inContext('tea', 'ctx-1')));
      expect(task(await ask('message/send', inContext('tea', 'ctx-1'))).id).to.equal(one.id);
      expect(task(await ask('message/send', inContext('tea', 'ctx-2'))).id).not.to.equal(one.id);
    });

    it("another agent's id and a context in use there are conversations here, too; a context that is not the task's is -32602", async () => {
      await start(() => does(call('ask_human', { question: 'Which one?' })));
      const asks = { configuration: { blocking: true } };
      const mine = task(await ask('message/send', { ...inContext('tea', 'ctx-1'), ...asks }));
      const other = (await t.engine.service.spawnAgent(caller, { name: 'Bob' })).id;
      const toOther = { at: `/api/v1/a2a/agents/${other}` };
      const elsewhere = task(await ask('message/send', { ...inContext('b', 'ctx-1'), ...asks }, toOther));
      expect(elsewhere).to.include({ contextId: 'ctx-1' }).and.not.include({ id: mine.id });
      const named = task(await ask('message/send', { ...inContext('a', other), ...asks }));
      expect(named.contextId).to.equal(other);
      for (const contextId of ['ctx-2', agent]) {
        const refused = await ask('message/send', message('red', { taskId: mine.id, contextId }));
        expect(codeOf(refused)).to.equal(-32602);
        // which contextId it has is told by its version, which no decision knows
        expect(refused.text).to.include(`must be the contextId of task ${mine.id}, or be left out`);
      }
      const toTask = message('red', { taskId: mine.id, contextId: 'ctx-1' });
      expect(task(await ask('message/send', { ...toTask, ...asks })).contextId).to.equal('ctx-1');
      expect(await listed('ctx-1')).to.deep.equal([mine.id]);
    });

    it('a context of another workspace is nobody here', async () => {
      await start();
      await ask('message/send', inContext('tea', 'ctx-1'));
      const elsewhere = { ...caller, workspace: 'elsewhere' };
      const { id } = await t.engine.service.spawnAgent(elsewhere, { name: 'Eve' });
      const sent = await ask('message/send', inContext('tea', 'ctx-1'), {
        at: `/api/v1/a2a/agents/${id}`,
        credential: 'svc_live_elsewhere',
      });
      expect(task(sent).contextId).to.equal('ctx-1');
    });
  });

  it('a task that waits for input goes on with a message that names it, streams included', async () => {
    await start(
      (context) =>
        context.run.input === 'ask' && context.step === 1
          ? does(call('ask_human', { question: 'Which one?' }))
          : answers('this one'),
      true,
    );
    const sent = task(await ask('message/send', { ...message('ask'), configuration: { blocking: true } }));
    expect(sent.status).to.include({ state: 'input-required' });
    expect(sent.status.message?.parts[0]?.text).to.equal('Which one?');
    const stream = await ask('message/stream', message('the left', { taskId: sent.id }), {
      headers: { accept: 'text/event-stream' },
    });
    const events = eventsIn(stream.text);
    const ids = events.map(({ id }) => Number(id));
    expect(events[0]?.data.result).to.include({ kind: 'task', id: sent.id });
    expect(events.at(-1)?.data.result).to.deep.include({ kind: 'status-update', final: true });
    expect(ids).to.deep.equal(ids.map((_, i) => (ids[0] ?? 0) + i));
    expect(task(await ask('tasks/get', { id: sent.id })).history?.map(({ messageId }) => messageId)).to.include.members(
      ['m-ask', 'm-the left'],
    );
    expect(codeOf(await ask('message/send', message('more', { taskId: sent.id })))).to.equal(-32600);
    expect(
      codeOf(await ask('SendMessage', { message: { ...protoMessage, messageId: 'm-4', taskId: sent.id } })),
    ).to.equal(-32004);
  });

  it('cancel ends a task that is not over, and its stream; twice is -32002', async () => {
    await start(() => new Promise(() => undefined), true);
    const sent = task(await ask('message/send', message('forever')));
    expect(codeOf(await ask('message/send', message('wait', { taskId: sent.id })))).to.equal(-32004);
    const stream = ask('tasks/resubscribe', { id: sent.id });
    await eventually(async () => gateway.calls.some(({ method }) => method === 'followTask'), 'the stream');
    expect(task(await ask('tasks/cancel', { id: sent.id })).status.state).to.equal('canceled');
    expect(eventsIn((await stream).text).at(-1)?.data.result)
      .to.deep.include({ kind: 'status-update', final: true })
      .and.have.nested.property('status.state', 'canceled');
    expect(codeOf(await ask('tasks/cancel', { id: sent.id }))).to.equal(-32002);
    expect(codeOf(await ask('CancelTask', { id: sent.id }))).to.equal(-32002);
  });

  it('what is not there: a task is -32001, an agent is 404, in this workspace and from another', async () => {
    await start();
    const sent = task(await ask('message/send', message('tea')));
    const other = (await t.engine.service.spawnAgent(caller, { name: 'Bob' })).id;
    for (const [method, params] of [
      ['tasks/get', { id: 'run_nope' }],
      ['tasks/cancel', { id: 'run_nope' }],
      ['message/send', message('x', { taskId: 'run_nope' })],
      [
        'tasks/pushNotificationConfig/set',
        { taskId: 'run_nope', pushNotificationConfig: { url: 'https://a.example/' } },
      ],
      ['tasks/pushNotificationConfig/list', { id: 'run_nope' }],
      ['SubscribeToTask', { id: 'run_nope' }],
    ] as const) {
      expect(codeOf(await ask(method, params)), method).to.equal(-32001);
    }
    expect(
      codeOf(await ask('tasks/get', { id: sent.id }, { at: path.replace(agent, other) })),
      "another agent's task",
    ).to.equal(-32001);
    for (const sending of [{ credential: 'svc_live_elsewhere' }, { at: path.replace(agent, 'agent_nope') }]) {
      for (const [method, params] of [
        ['tasks/get', { id: sent.id }],
        ['message/send', message('tea')],
        ['ListTasks', {}],
        ['GetExtendedAgentCard', {}],
      ] as const)
        expect((await ask(method, params, sending)).status, method).to.equal(404);
    }
  });

  it('an inactive agent says so with -32004, and goes on showing its tasks', async () => {
    await start();
    const sent = task(await ask('message/send', message('tea')));
    await t.engine.service.patchAgent(caller, agent, { status: 'inactive' });
    const refused = await ask('message/send', message('more'));
    expect(codeOf(refused)).to.equal(-32004);
    expect(refused.body?.error?.message).to.include('inactive');
    expect(await state(sent.id)).to.equal('completed');
  });

  it('push configs are kept with their task, and replaced by id', async () => {
    await start();
    const { id } = task(await ask('message/send', message('tea')));
    const config = (n: number): object => ({
      taskId: id,
      pushNotificationConfig: { id: 'mine', url: `https://a.example/${n}` },
    });
    await ask('tasks/pushNotificationConfig/set', config(1));
    await ask('tasks/pushNotificationConfig/set', config(2));
    expect((await ask('tasks/pushNotificationConfig/list', { id })).body?.result).to.deep.equal([
      { taskId: id, pushNotificationConfig: { id: 'mine', url: 'https://a.example/2' } },
    ]);
    expect((await ask('GetTaskPushNotificationConfig', { taskId: id, id: 'mine' })).body?.result).to.include({
      taskId: id,
      id: 'mine',
      url: 'https://a.example/2',
    });
    for (let i = 0; i < 2; i++)
      expect((await ask('DeleteTaskPushNotificationConfig', { taskId: id, id: 'mine' })).body?.result).to.deep.equal(
        {},
      );
    expect(codeOf(await ask('tasks/pushNotificationConfig/get', { id }))).to.equal(-32001);
  });

  it('a token that was minted opens this agent alone, for its scopes alone, until it is revoked', async () => {
    await start();
    const { token, secret } = await t.engine.service.mintToken(caller, agent, { name: 'peer', scopes: ['agent:read'] });
    const other = (await t.engine.service.spawnAgent(caller, { name: 'Bob' })).id;
    const card = async (id: string): Promise<number> =>
      (await fetch(`${gateway.url}/api/v1/a2a/agents/${id}/card`, { headers: { authorization: `Bearer ${secret}` } }))
        .status;
    expect([await card(agent), await card(other)]).to.deep.equal([200, 404]);
    expect((await ask('message/send', message('tea'), { credential: secret })).status).to.equal(403);
    expect((await gateway.ask('DELETE', `/v1/agent-constellations/${agent}/tokens/${token.id}`)).status).to.equal(200);
    expect(await card(agent)).to.equal(401);
  });
});
