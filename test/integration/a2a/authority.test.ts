/** Escalation over the wire, REST and A2A 0.2, 0.3 and 1.0, on the real engine: tokens, hives, gates and senders. */
import { getAgent, spawnAgent } from '../../../src/commands/agents.js';
import { createHive } from '../../../src/commands/hives.js';
import { listTokens } from '../../../src/commands/tokens.js';
import { expect } from 'chai';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import {
  answers,
  call,
  caller,
  does,
  testEngine,
  type Script,
  type TestEngine,
  type TestEngineOptions,
} from '../../helpers/engine.js';
import { hashOf, keyPrincipal } from '../../helpers/fake-service.js';
import type { Scope } from '../../../src/domain/shared/vocabulary.js';
import { rpc, type RpcAnswer } from './kit.js';
import { getRun } from '../../../src/commands/runs.js';

type Json = Record<string, unknown>;

const keys = {
  [rootKey]: keyPrincipal(),
  svc_live_spawner: keyPrincipal(['agent:spawn', 'agent:read']),
  svc_live_hives: keyPrincipal(['hive:read', 'hive:write']),
  svc_live_only_manage: keyPrincipal(['agent:manage']),
  svc_live_only_spawn: keyPrincipal(['agent:spawn']),
  svc_live_manager: keyPrincipal(['agent:spawn', 'agent:read', 'agent:manage']),
  svc_live_own: {
    ...keyPrincipal(['agent:spawn', 'agent:read', 'agent:manage']),
    key: 'oauth_one',
    ownTasks: true as const,
  },
};
const slash = (text: string, taskId?: string): Json => ({
  message: { kind: 'message', role: 'user', messageId: `m-${text}`, parts: [{ kind: 'text', text }], taskId },
});
const proto = (text: string, taskId?: string): Json => ({
  message: { role: 'ROLE_USER', messageId: `m-${text}`, parts: [{ text }], taskId },
});
const dialects = [
  ['0.2', 'message/send', slash, {}],
  ['0.3', 'message/send', slash, { 'A2A-Version': '0.3' }],
  ['1.0', 'SendMessage', proto, { 'A2A-Version': '1.0' }],
] as const;

describe('Authority over the wire', () => {
  let t: TestEngine;
  let gateway: TestGateway;
  let agent: string;
  let hive: string;

  const begin = async (script: Script, config: Json = {}, options: TestEngineOptions = {}): Promise<void> => {
    t = await testEngine(undefined, script, options);
    const { service } = t.engine;
    const byHash = new Map(Object.entries(keys).map(([credential, principal]) => [hashOf(credential), principal]));
    gateway = await startGateway({
      service: { ...service, authenticate: (hash) => byHash.get(hash) ?? service.authenticate(hash) },
    });
    hive = (await service.execute(caller, createHive, {}, { name: 'crew' })).id;
    agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada', hives: [hive], config })).id;
  };
  afterEach(async () => {
    await gateway.stop();
    await t.engine.stop(1000);
  });

  const rest = async (
    method: string,
    path: string,
    body: object,
    key = rootKey,
  ): Promise<{ status: number; body: Json }> => {
    const answer = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const codeOf = ({ body }: { body: Json }): unknown => (body['error'] as Json | undefined)?.['code'];
  const token = async (...scopes: Scope[]): Promise<string> => {
    const { body } = await rest('POST', `/v1/agent-constellations/${agent}/tokens`, { name: 't', scopes });
    return (body['data'] as Json)['token'] as string;
  };
  const a2a = (method: string, params: Json, credential: string, headers = {}): Promise<RpcAnswer> =>
    rpc(gateway, method, params, { at: `/api/v1/a2a/agents/${agent}`, credential, headers });
  const taskIn = (answer: RpcAnswer): Json => {
    const result = answer.body?.result as Json;
    return (result['task'] ?? result) as Json;
  };

  it('a key mints a token only with scopes that it has', async () => {
    await begin(() => answers('ok'));
    const path = `/v1/agent-constellations/${agent}/tokens`;
    const refused = await rest('POST', path, { name: 't', scopes: ['agent:read', 'memory:write'] }, 'svc_live_manager');
    expect([refused.status, codeOf(refused)]).to.deep.equal([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(refused.body)).to.include('memory:write');
    expect((await rest('POST', path, { name: 't', scopes: ['agent:read'] }, 'svc_live_manager')).status).to.equal(201);
    expect(
      (
        await t.engine.service.execute(
          caller,
          listTokens,
          { id: agent },
          { page: { sort: 'created_at', order: 'asc', limit: 10 } },
        )
      ).items,
    ).to.have.length(1);
  });

  it('hives in spawn, PUT and PATCH need hive:write; what was read may be sent back', async () => {
    await begin(() => answers('ok'));
    const other = (await t.engine.service.execute(caller, createHive, {}, { name: 'secrets' })).id;
    for (const [method, path, key] of [
      ['POST', '/v1/agents/spawn', 'svc_live_spawner'],
      ['PUT', `/v1/agents/${agent}`, 'svc_live_manager'],
      ['PATCH', `/v1/agents/${agent}`, 'svc_live_manager'],
    ] as const) {
      const answer = await rest(method, path, { name: 'Eve', hives: [hive, other] }, key);
      expect([method, answer.status, codeOf(answer)]).to.deep.equal([method, 403, 'INSUFFICIENT_SCOPE']);
    }
    expect((await t.engine.service.execute(caller, getAgent, { id: agent }, {})).hives).to.deep.equal([hive]);
    const sameAgain = await rest('PUT', `/v1/agents/${agent}`, { name: 'Eve', hives: [hive] }, 'svc_live_manager');
    expect(sameAgain.status).to.equal(200);
    expect((await rest('PATCH', `/v1/agents/${agent}`, { hives: [hive, other] })).status).to.equal(200);
  });

  it('a peer names a subject only with agent:manage, and a task keeps its own', async () => {
    await begin(() => does(call('ask_human', { question: 'Which one?' })));
    const about = (text: string, subject: unknown, taskId?: string): Json => {
      const { message } = proto(text, taskId) as { message: Json };
      return { message: { ...message, metadata: { 'hivekeep/subject': subject } } };
    };
    const send = async (given: Json, ...more: Scope[]): Promise<RpcAnswer> =>
      a2a('SendMessage', given, await token('agent:spawn', 'agent:read', ...more), { 'A2A-Version': '1.0' });
    expect(JSON.stringify((await send(about('hi', 'ana'))).body)).to.include('agent:manage');
    expect(JSON.stringify((await send(about('hi', 5), 'agent:manage')).body)).to.include('hivekeep/subject');
    const { id } = taskIn(await send(about('hi', 'ana'), 'agent:manage')) as { id: string };
    expect((await t.engine.service.execute(caller, getRun, { id: agent, runId: id })).subject).to.equal('ana');
    expect(JSON.stringify((await send(about('this', 'bo', id), 'agent:manage')).body)).to.include('another subject');
    expect(taskIn(await send(proto('this', id))).id).to.equal(id);
  });

  for (const [version, method, message, headers] of dialects) {
    it(`${version}: a token with a choice of scopes makes its agent do no more; one with agent:* only uses the agent as it is`, async () => {
      await begin((c) =>
        does(
          call('remember', { content: `noted: ${c.run.input}`, type: 'semantic' }),
          call('share_with_hive', { content: 'shared', type: 'semantic', hive_id: hive }),
          call('answer', { content: c.memories.map((m) => m.content).join() || 'nothing known' }),
        ),
      );
      const { service } = t.engine;
      const page = { sort: 'created_at', order: 'asc', limit: 10 } as const;
      await service.createMemory(caller, { type: 'semantic', content: 'the vault opens at noon', agent_id: agent });
      await service.createMemory(caller, { type: 'semantic', content: 'the vault code is 1234', hive_id: hive });
      const written = async (): Promise<number> =>
        (await service.listMemories(caller, { agent_id: agent }, page)).items.length;

      const nothing = await token('agent:spawn', 'hive:write');
      const answer = await a2a(method, message('the vault'), nothing, headers);
      expect(answer.text).to.include('nothing known').and.include('lacks the scope memory:write');
      const reader = await token('agent:spawn', 'memory:read');
      const own = await a2a(method, message('the vault again'), reader, headers);
      expect(own.text).to.include('opens at noon').and.not.include('1234');
      expect(await written()).to.equal(1);

      const minimal = await token('agent:spawn', 'agent:read');
      const full = await a2a(method, message('the vault once more'), minimal, headers);
      expect(full.text).to.include('opens at noon').and.include('1234').and.not.include('lacks the scope');
      expect(await written()).to.equal(2);
    });

    it(`${version}: a gate is decided on with agent:manage only, a question answered with agent:spawn`, async () => {
      await begin(
        (c) =>
          c.run.input === 'ask'
            ? c.humanInputs.length > 0
              ? answers('thanks')
              : does(call('ask_human', { question: 'which?' }))
            : c.transcript.length > 0
              ? answers('done')
              : does(call('remember', { content: 'x', type: 'semantic' })),
        { validation_gate: 'action' },
      );
      const minimal = await token('agent:spawn', 'agent:read');
      const gate = taskIn(await a2a(method, message('note'), minimal, headers))['id'] as string;
      const resume = `/v1/agent-constellations/${agent}/runs/${gate}/resume`;
      for (const refused of [
        await a2a(method, message('approve', gate), minimal, headers),
        await a2a(method, message('no', gate), minimal, headers),
        await a2a(method, message('yes', gate), 'svc_live_spawner', headers),
        await rest('POST', resume, { decision: 'approve' }, 'svc_live_spawner'),
        await rest('POST', resume, { decision: 'reject' }, 'svc_live_spawner'),
      ]) {
        expect([refused.status, codeOf(refused as { body: Json })]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
      }
      const manager = await token('agent:spawn', 'agent:manage');
      const approved = await a2a(method, message('approve', gate), manager, headers);
      expect(approved.text).to.include('done');

      const question = taskIn(await a2a(method, message('ask'), minimal, headers))['id'] as string;
      expect((await a2a(method, message('this one', question), minimal, headers)).text).to.include('thanks');
    });
  }

  for (const [version, method, message, headers] of dialects)
    it(`Sight.S1: ${version}: what a gate holds back is shown to who may decide, and to nobody else`, async () => {
      await begin((c) => answers(c.run.input === 'the code?' ? 'the code is 1234' : 'fine'), {
        validation_gate: 'answer',
      });
      const [stream, get] = version === '1.0' ? ['SendStreamingMessage', 'GetTask'] : ['message/stream', 'tasks/get'];
      const minimal = await token('agent:spawn', 'agent:read');
      const manager = await token('agent:spawn', 'agent:read', 'agent:manage');
      const sent = await a2a(method, message('the code?'), minimal, headers);
      const { id } = taskIn(sent) as { id: string };
      const streamed = async (credential: string): Promise<string> =>
        (await a2a(stream, message('the code?'), credential, headers)).text;
      const as = async (key: string): Promise<Json> => ({
        run: (await rest('GET', `/v1/agent-constellations/${agent}/runs/${id}`, {}, key)).body,
        runs: (await rest('GET', '/v1/runs', {}, key)).body,
        message: (await rest('POST', `/v1/agents/${agent}/message`, { content: 'the code?' }, key)).body,
      });
      const said = JSON.stringify([
        sent.text,
        (await a2a(get, { id }, minimal, headers)).text,
        await streamed(minimal),
        await as('svc_live_spawner'),
      ]);
      expect(said).to.include('this waits for approval').and.not.include('1234');
      const shown = [(await a2a(get, { id }, manager, headers)).text, await streamed(manager)];
      for (const text of shown) expect(text).to.include('approve answer: the code is 1234');
      for (const seen of Object.values(await as('svc_live_manager')))
        expect(JSON.stringify(seen)).to.include('approve answer: the code is 1234');

      await a2a(method, message('no, say nothing', id), manager, headers);
      const after = JSON.stringify([
        (await a2a(get, { id }, minimal, headers)).text,
        (await rest('GET', `/v1/agents/${agent}/sessions`, {}, 'svc_live_spawner')).body,
        (await rest('GET', `/v1/agent-constellations/${agent}/checkpoints`, {}, 'svc_live_spawner')).body,
      ]);
      expect(after).to.include('this waits for approval').and.not.include('1234');
    });

  it('Sight.S3: a model decides at no gate, and is not shown what waits there', async () => {
    await begin(() => answers('the code is 1234'), { validation_gate: 'answer' });
    const { body } = await rest('POST', `/v1/agent-constellations/${agent}/tokens`, {
      name: 'm',
      scopes: ['agent:mcp', 'agent:spawn', 'agent:read', 'agent:manage'],
    });
    const credential = (body['data'] as Json)['token'] as string;
    const tool = async (name: string, given: Json): Promise<Json> => {
      const params = { name, arguments: given };
      const at = `/mcp/agents/${agent}`;
      const accept = { accept: 'application/json, text/event-stream' };
      const { text } = await rpc(gateway, 'tools/call', params, { at, credential, headers: accept });
      expect(text).not.to.include('1234');
      return (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result: Json }).result;
    };
    const asked = await tool('ask_agent', { message: 'the code?' });
    const { id } = asked['structuredContent'] as { id: string };
    expect(asked['content']).to.have.length(2);
    expect(await tool('resume_run', { run_id: id, decision: 'approve' })).to.have.property('isError', true);
    const resumed = await tool('resume_run', { run_id: id, input: 'approve' });
    expect(resumed['structuredContent']).to.include({ status: 'paused' });
    await tool('get_run', { run_id: id });
    await tool('list_runs', {});
    expect((await t.engine.service.execute(caller, getRun, { id: agent, runId: id })).waitingFor?.question).to.include(
      '1234',
    );
  });

  it('Sight.S2: what was recalled is in no answer to those without agent:read', async () => {
    await begin(() => answers('ok'));
    await t.engine.service.createMemory(caller, {
      type: 'semantic',
      content: 'the vault opens at noon',
      agent_id: agent,
    });
    const consulted = async (key: string): Promise<unknown> =>
      (
        (await rest('POST', `/v1/agents/${agent}/message`, { content: 'when does the vault open?' }, key)).body[
          'data'
        ] as Json
      )['memories_consulted'];
    expect(await consulted('svc_live_manager')).to.have.length(1);
    expect(await consulted('svc_live_only_spawn')).to.deep.equal([]);

    const streamed = async (scopes: Scope[], headers: Record<string, string>): Promise<string> =>
      (await a2a('message/stream', slash(`when does it open? ${scopes.join()}`), await token(...scopes), headers)).text;
    t.script(() => ({
      thoughts: [{ thoughtType: 'recall', content: 'the vault opens at noon', found: 3 }],
      calls: [call('answer', { content: 'ok' })],
    }));
    const asks = { 'A2A-Extensions': 'urn:hivekeep:a2a:thoughts:v1' };
    expect(await streamed(['agent:spawn', 'agent:read'], asks)).to.include('opens at noon');
    expect(await streamed(['agent:spawn', 'agent:read'], {}))
      .to.include('step 1 of 10: looked into memory, 3 found')
      .and.not.include('noon');
    expect(await streamed(['agent:spawn'], asks))
      .to.include('step 1 of 10: looked into memory, 3 found')
      .and.not.include('noon');
  });

  for (const [progress, asks, slashTells, protoTells] of [
    ['off', false, 'nothing', 'nothing'],
    ['off', true, 'nothing', 'nothing'],
    ['short', false, 'lines', 'lines'],
    ['short', true, 'lines', 'lines'],
    ['text', false, 'nothing', 'nothing'],
    ['text', true, 'nothing', 'nothing'],
    ['thoughts', false, 'lines', 'lines'],
    ['thoughts', true, 'thoughts', 'thoughts'],
    [undefined, false, 'lines', 'nothing'],
  ] as const)
    it(`progress ${progress ?? 'unset'}${asks ? ', asked for thoughts,' : ''} tells ${slashTells} and, over 1.0, ${protoTells}`, async () => {
      const thoughts = [{ thoughtType: 'action' as const, content: 'I tell Bob', tool: 'send_message' as const }];
      await begin(() => ({ thoughts, calls: [call('answer', { content: 'ok' })] }), { a2a: { progress } });
      const headers = asks ? { 'A2A-Extensions': 'urn:hivekeep:a2a:thoughts:v1' } : {};
      for (const [method, params, tells] of [
        ['message/stream', slash('go'), slashTells],
        ['SendStreamingMessage', proto('go'), protoTells],
      ] as const) {
        const { text } = await a2a(method, params, rootKey, headers);
        expect(text.includes('I tell Bob'), text).to.equal(tells === 'thoughts');
        expect(text.includes('step 1 of 10: calling send_message'), text).to.equal(tells === 'lines');
      }
    });

  it('Sight.S4: what is set for an agent is shown with agent:read, whatever was asked', async () => {
    await begin(() => answers('ok'), { instructions: 'The code is 1234.' });
    for (const [method, path, body, key] of [
      ['GET', `/v1/hives/${hive}/agents`, {}, 'svc_live_hives'],
      ['POST', `/v1/hives/${hive}/agents`, { agent_id: agent }, 'svc_live_hives'],
      ['PATCH', `/v1/agents/${agent}`, {}, 'svc_live_only_manage'],
      ['PUT', `/v1/agents/${agent}`, {}, 'svc_live_only_manage'],
    ] as const) {
      const { status, body: answer } = await rest(method, path, body, key);
      expect(status, path).to.be.oneOf([200, 201]);
      expect(JSON.stringify(answer)).to.include(agent).and.not.include('1234');
      expect(JSON.stringify((await rest(method, path, body)).body)).to.include('1234');
    }
  });

  it('1.0: the context of a task is its conversation, and sending it back goes on with it', async () => {
    await begin((c) => answers(`after ${c.turns.length} turns`));
    const headers = { 'A2A-Version': '1.0' };
    const send = async (text: string, contextId?: string, at = agent): Promise<Json> => {
      const params = { message: { role: 'ROLE_USER', messageId: text, parts: [{ text }], contextId } };
      const sent = await rpc(gateway, 'SendMessage', params, {
        at: `/api/v1/a2a/agents/${at}`,
        credential: rootKey,
        headers,
      });
      return taskIn(sent);
    };
    const first = await send('I am Ana');
    const contextId = first['contextId'] as string;
    expect(contextId).to.match(/^sess_/);
    const second = await send('who am I?', contextId);
    expect(second['contextId']).to.equal(contextId);
    expect(JSON.stringify(second['artifacts'])).to.include('after 2 turns');
    expect((await send('and you?'))['contextId']).to.not.equal(contextId);
    const listed = await a2a('ListTasks', { contextId }, rootKey, headers);
    expect((listed.body?.result as { tasks: Json[] }).tasks.map((t) => t['id'])).to.have.members([
      first['id'],
      second['id'],
    ]);
    const bob = (await t.engine.service.execute(caller, spawnAgent, {}, { name: 'Bob' })).id;
    for (const elsewhere of [contextId, agent])
      expect((await send(`hi ${elsewhere}`, elsewhere, bob))['contextId']).to.equal(elsewhere);
    const old = await a2a('message/send', slash('hello'), rootKey);
    expect(taskIn(old)['contextId']).to.equal(agent);
  });

  for (const [version, method, message, headers] of dialects)
    it(`${version}: OwnTasks.O1 to OwnTasks.O3: a token of its own tasks reaches nothing of others, whatever it names`, async () => {
      const known: string[] = [];
      await begin(
        (c) => {
          known.push([...c.turns, ...c.memories].map(({ content }) => content).join(' | '));
          return /note/.test(c.run.input)
            ? does(call('remember', { content: c.run.input, type: 'semantic' }))
            : /wait/.test(c.run.input) && c.transcript.length === 0 && c.humanInputs.length === 0
              ? does(call('ask_human', { question: 'which?' }))
              : answers('ok');
        },
        { model: 'openai/x', memory: { min_relevance: 0, recall_limit: 20 } },
      );
      const scopes = ['agent:spawn', 'agent:read', 'agent:manage'];
      const mint = async (tasks: string, more: string[] = []): Promise<string> => {
        const body = { name: 't', scopes: [...scopes, ...more], tasks };
        const made = await rest('POST', `/v1/agent-constellations/${agent}/tokens`, body);
        expect(made.status, JSON.stringify(made.body)).to.equal(more.length > 0 ? 400 : 201);
        return (made.body['data'] as Json | undefined)?.['token'] as string;
      };
      await mint('own', ['agent:mcp']);
      const [one, two] = [await mint('own'), await mint('own')];
      const say = async (text: string, by: string, more: Json = {}): Promise<RpcAnswer> => {
        const params = message(text);
        Object.assign(params['message'] as Json, { contextId: 'room', ...more });
        return a2a(method, params, by, headers);
      };
      const first = taskIn(await say('note: the vault of one opens at noon', one));
      // in a context of its own, where nothing that is said in the room answers it
      const apart = { contextId: 'desk' };
      const asked = taskIn(await say('wait for the vault of one', one, apart));
      await say('The vault of the key closes at dusk.', rootKey);
      await t.engine.service.createMemory(caller, {
        type: 'semantic',
        content: 'The vault is for everybody.',
        agent_id: agent,
      });
      known.length = 0;
      await say('when does the vault open?', two, { referenceTaskIds: [first['id']] });
      expect(known[0])
        .to.include('for everybody')
        .and.not.match(/noon|wait for|dusk/);
      await say('when does the vault open, again?', one);
      expect(known[1]).to.include('vault of one').and.include('for everybody').and.not.include('of the key');

      const slashed = version !== '1.0';
      for (const [id, params] of [
        [slashed ? 'tasks/get' : 'GetTask', { id: first['id'] }],
        [slashed ? 'tasks/cancel' : 'CancelTask', { id: asked['id'] }],
        [
          slashed ? 'tasks/pushNotificationConfig/list' : 'ListTaskPushNotificationConfigs',
          slashed ? { id: first['id'] } : { taskId: first['id'] },
        ],
        [slashed ? 'tasks/resubscribe' : 'SubscribeToTask', { id: asked['id'] }],
      ] as const)
        expect((await a2a(id, params, two, headers)).text, id).to.include('-32001');
      expect((await say('red', two, { taskId: asked['id'] })).text).to.include('-32001');
      expect((await a2a(slashed ? 'tasks/get' : 'GetTask', { id: first['id'] }, one, headers)).text).to.include('noon');
      const list = async (by: string, contextId?: string): Promise<number> =>
        ((await a2a('ListTasks', { contextId }, by)).body?.result as { tasks: Json[] }).tasks.length;
      expect([await list(one), await list(two), await list(two, 'room'), await list(rootKey)]).to.deep.equal([
        3, 1, 1, 5,
      ]);
      expect(taskIn(await say('red', one, { ...apart, taskId: asked['id'] })))
        .to.have.nested.property('status.state')
        .that.match(/completed/i);
    });

  it('OwnTasks.O1: runs over REST and MCP are tasks, too', async () => {
    await begin((c) => (/wait/.test(c.run.input) ? does(call('ask_human', { question: 'which?' })) : answers('ok')));
    const own = 'svc_live_own';
    const start = async (input: string, key: string): Promise<{ id: string; sessionId: string }> => {
      const path = `/v1/agent-constellations/${agent}/runs`;
      return (await rest('POST', path, { input, sessionId: 'room' }, key)).body['data'] as never;
    };
    const [theirs, ours] = [await start('wait for theirs', rootKey), await start('wait for ours', own)];
    const tool = async (name: string, args: Json): Promise<string> => {
      const headers = {
        authorization: `Bearer ${own}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      const params = { name, arguments: args };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return (await fetch(`${gateway.url}/mcp/agents/${agent}`, { method: 'POST', headers, body })).text();
    };
    const [at, sessions] = [`/v1/agent-constellations/${agent}`, `/v1/agents/${agent}/sessions`];
    for (const [run, reached] of [
      [theirs, false],
      [ours, true],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', `${at}/runs/${run.id}`, {}],
        ['GET', `${at}/checkpoints?runId=${run.id}`, {}],
        ['POST', `${at}/runs/${run.id}/fork`, { checkpoint: 1 }],
        ['POST', `${at}/runs/${run.id}/resume`, { input: 'red' }],
      ] as const)
        expect([path, (await rest(method, path, body, own)).status < 300]).to.deep.equal([path, reached]);
      expect((await tool('cancel_run', { run_id: run.id })).includes('"status":"cancelled"')).to.equal(reached);
    }
    expect((await rest('GET', `${at}/runs/${theirs.id}`, {})).body).to.have.nested.property('data.status', 'paused');

    expect(await tool('ask_agent', { message: 'a third', wait_seconds: 5 })).to.include('"output":"ok"');
    for (const [path, held] of [
      [`${at}/runs`, 3],
      ['/v1/runs', 3],
      [sessions, 2],
      [`${sessions}/room/turns`, undefined],
    ] as const) {
      const page = (await rest('GET', path, {}, own)).body;
      expect(JSON.stringify(page['data']), path)
        .to.match(/ours|third/)
        .and.not.include('theirs');
      if (held !== undefined) expect(page['data'], JSON.stringify(page)).to.have.length(held);
    }
    const steps = async (key: string, query = ''): Promise<number> =>
      ((await rest('GET', `${at}/checkpoints${query}`, {}, key)).body['data'] as Json[]).length;
    const ofTheirs = await steps(rootKey, '?sessionId=room');
    expect(await steps(own)).to.equal((await steps(rootKey)) - ofTheirs);
    expect([ofTheirs, (await steps(own, '?sessionId=room')) > 1]).to.deep.equal([1, true]);
    expect((await rest('DELETE', `${sessions}/room`, {}, own)).status).to.equal(200);
    expect((await rest('GET', `${sessions}/room/turns`, {})).status).to.equal(200);
  });

  it('what a message refers to (referenceTaskIds) reaches the reasoner as what was said', async () => {
    const known: string[][] = [];
    await begin((c) => {
      known.push(c.memories.map(({ content }) => content));
      return answers(`answer to ${c.run.input}`);
    });
    const { id } = taskIn(await a2a('message/send', slash('zebra'), rootKey));
    const params = slash('and then?');
    Object.assign(params['message'] as Json, { referenceTaskIds: [id, 'run_none'] });
    await a2a('message/send', params, rootKey);
    expect(known[1]).to.deep.equal(['zebra', 'answer to zebra']);
  });

  it('a send that blocks waits as long as the run may take', async () => {
    let go: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    await begin(() => gate.then(() => answers('at last')), { multi_step: true }, { messageWaitMs: 50 });
    const sent = a2a('SendMessage', proto('think'), rootKey);
    await new Promise((resolve) => setTimeout(resolve, 200));
    go?.();
    expect((await sent).text).to.include('at last');
  });

  it('HIVEKEEP_A2A_CONTEXT=session: clients of 0.2 and 0.3 that send the context back go on with the conversation', async () => {
    await begin((c) => answers(`after ${c.turns.length} turns`), {}, { contextOfTask: 'session' });
    const send = async (text: string, contextId?: unknown): Promise<Json> => {
      const params = slash(text);
      Object.assign(params['message'] as Json, { contextId });
      return taskIn(await a2a('message/send', params, rootKey));
    };
    const { contextId } = await send('I am Ana');
    expect(contextId).to.match(/^sess_/);
    const second = await send('who am I?', contextId);
    expect([second['contextId'], JSON.stringify(second['artifacts']).includes('after 2 turns')]).to.deep.equal([
      contextId,
      true,
    ]);
    expect((await send('and you?'))['contextId']).not.to.equal(contextId);
  });

  it("the sender of a mailbox message is the service's to say", async () => {
    await begin(() => answers('ok'), { mailbox: { accept: 'all' } });
    const bob = (await t.engine.service.execute(caller, spawnAgent, {}, { name: 'Bob' })).id;
    const path = `/v1/agent-constellations/${agent}/messages`;
    const from = async (claimed: string | undefined, key: string): Promise<unknown> =>
      ((await rest('POST', path, { content: 'hi', ...(claimed && { from: claimed }) }, key)).body['data'] as Json)[
        'from'
      ];
    expect(await from(bob, 'svc_live_spawner')).to.equal('external');
    expect(await from('the boss', 'svc_live_manager')).to.equal('external');
    expect(await from(undefined, 'svc_live_manager')).to.equal('external');
    expect(await from(bob, 'svc_live_manager')).to.equal(bob);
    await rest('PATCH', `/v1/agents/${agent}`, { config: { mailbox: { accept: 'hive' } } });
    const closed = await rest('POST', path, { content: 'hi', from: bob });
    expect([closed.status, codeOf(closed)]).to.deep.equal([409, 'CONFLICT']);
    await rest('PATCH', `/v1/agents/${bob}`, { hives: [hive] });
    expect((await rest('POST', path, { content: 'hi', from: bob })).status).to.equal(201);
    const wrong = await rest('PATCH', `/v1/agents/${agent}`, { config: { mailbox: { accept: 'friends' } } });
    expect([wrong.status, codeOf(wrong)]).to.deep.equal([400, 'VALIDATION_ERROR']);
  });
});
