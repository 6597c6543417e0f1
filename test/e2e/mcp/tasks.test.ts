/** Runs as tasks of the official extension (docs/mcp.md): its own client, and requests as they are on the wire. */
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { cancelRun, type Json, until } from '../api/support/client.js';
import { connect, type Connection } from './support/clients.js';
import { ableClient, ask, clientInfo, resultOf, revision, tasksExtension } from './support/wire.js';
import { mcpWorld } from './support/world.js';

const world = mcpWorld();
const { api, think, asking, at, mint, opened } = world;

describe('MCP: runs as tasks', function () {
  this.timeout(30_000);
  world.hooks();

  const begin = (to: Connection): Promise<Json> =>
    resultOf(to, 'tools/call', { name: 'start_run', arguments: { input: 'Think' } });
  const got = (to: Connection, { taskId }: Json, capabilities?: object): Promise<Json> =>
    resultOf(to, 'tasks/get', { taskId }, capabilities);
  const over = (to: Connection, task: Json, capabilities?: object): Promise<Json> =>
    until(
      () => got(to, task, capabilities),
      ({ status }) => status !== 'working',
    );

  /** A session of the extension's own client; `answers` are what the human says, one by one. */
  async function session(to: Connection, answers: Json[] = []): Promise<TaskEnabledSession> {
    const client: Client = await opened(connect(to));
    const made = createTaskSessionFromClient(client, {
      endpointId: to.url,
      onInputRequest: () => Promise.resolve(answers.shift() as never),
      v2RequestFraming: { protocolVersion: revision, clientInfo, clientCapabilities: ableClient },
      async rawDispatch(request) {
        const { method, params } = request as unknown as { method: string; params: Json };
        const { result, error } = await ask(to, method, params);
        return error ? { kind: 'error', error: error as never } : { kind: 'result', result: result as never };
      },
    });
    return opened(made);
  }

  it('ask the human each question once, and are followed to their end by the client of the extension', async () => {
    const tasks = await session(at(await world.thinking()), [
      { action: 'accept', content: { answer: 'blue' } },
      { action: 'decline' },
    ]);
    const execution = await tasks.callTool('start_run', { input: 'Paint it' });
    await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
    await think({ tool: 'ask_human', arguments: { question: 'Light or dark?' } });
    expect(world.thinker().asked.at(-1)).to.include('blue');
    await think({ text: 'It is blue.' });
    expect(world.thinker().asked.at(-1)).to.include('declines to answer');
    const { outcome } = await execution.settle();
    expect((resultFromTaskOutcome(outcome) as { structuredContent: Json }).structuredContent).to.include({
      output: 'It is blue.',
    });
  });

  it('are announced to whoever may start runs, and made only for clients that know them (McpTasks.T1)', async () => {
    const agent = await world.thinking();
    const announced = async (key?: string): Promise<unknown> =>
      ((await resultOf(at(agent, key), 'server/discover', {}))['capabilities'] as Json)['extensions'];
    expect(await announced()).to.deep.equal({ [tasksExtension]: {} });
    expect(await announced(await mint(agent, ['agent:mcp', 'agent:read']))).to.equal(undefined);
    const call = { name: 'start_run', arguments: { input: 'Think' } };
    const plain = await resultOf(at(agent), 'tools/call', call, {});
    expect(plain).to.include({ resultType: 'complete' });
    const run = plain['structuredContent'] as Json;
    expect(run['status']).to.be.oneOf(['pending', 'running']);
    await cancelRun(api, agent, String(run['id']));
    const task = await begin(at(agent));
    expect(task).to.include({ resultType: 'task', status: 'working', ttlMs: null });
    const { error } = await ask(at(agent), 'tasks/get', { taskId: task['taskId'] }, {});
    expect(error).to.include({ code: -32021 });
    expect((error as { data: Json }).data).to.deep.equal({
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    });
    const listening = await ask(
      at(agent),
      'subscriptions/listen',
      { notifications: { taskIds: [task['taskId']] } },
      {},
    );
    expect(listening.error).to.deep.include({ code: -32021, data: (error as Json)['data'] });
  });

  it('are found after a restart, and by the same id at both endpoints', async () => {
    const agent = await world.thinking();
    const task = await begin(at(agent));
    await asking();
    await world.killed();
    expect(await got(at(agent), task)).to.include({ resultType: 'complete', status: 'working' });
    await think({ text: 'still here' });
    const now = await over(at(null), task);
    expect((now['result'] as { structuredContent: Json }).structuredContent).to.include({ output: 'still here' });
  });

  it('are not there for anybody else', async () => {
    const agent = await world.thinking();
    const other = await world.quick();
    const task = await begin(at(agent));
    const test = String((await api.one('POST', '/v1/keys', { name: 't', mode: 'test' }, 201))['key']);
    const taskId = String(task['taskId']);
    for (const [to, id] of [
      [at(other), taskId],
      [at(null, test), taskId],
      [at(agent), `${taskId.slice(0, -2)}AA`],
      [at(agent), 'run_1'],
    ] as const)
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
        expect((await ask(to, method, { taskId: id, inputResponses: {} })).error, id).to.include({ code: -32602 });
    const reader = at(agent, await mint(agent, ['agent:mcp', 'agent:read']));
    expect((await ask(reader, 'tasks/get', { taskId })).error).to.include({ code: 'INSUFFICIENT_SCOPE' });
    const starter = at(agent, await mint(agent, ['agent:mcp', 'agent:spawn']));
    expect(await got(starter, task)).to.include({ status: 'working' });
    expect((await ask(starter, 'tasks/cancel', { taskId })).error).to.include({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('are cancelled, as often as one likes', async () => {
    const to = at(await world.thinking());
    const task = await begin(to);
    for (let n = 0; n < 2; n++)
      expect(Object.keys(await resultOf(to, 'tasks/cancel', { taskId: task['taskId'] }))).to.have.members([
        '_meta',
        'resultType',
      ]);
    expect(await got(to, task))
      .to.include({ status: 'cancelled' })
      .and.not.to.have.property('result');
  });

  it('take an answer to the question that is open, and no other', async () => {
    const to = at(await world.thinking());
    const task = await begin(to);
    const waits = (capabilities?: object): Promise<Json> => over(to, task, capabilities);
    const answer = (key: string, said: string): Promise<Json> =>
      resultOf(to, 'tasks/update', {
        taskId: task['taskId'],
        inputResponses: { [key]: { action: 'accept', content: { answer: said } } },
      });
    await think({ tool: 'ask_human', arguments: { question: 'First?' } });
    const first = Object.keys((await waits())['inputRequests'] as Json)[0]!;
    await answer('nobody', 'nothing');
    expect(await waits()).to.include({ status: 'input_required' });
    await answer(first, 'one');
    await think({ tool: 'ask_human', arguments: { question: 'Second?' } });
    const second = Object.keys((await waits())['inputRequests'] as Json)[0]!;
    expect(second).to.not.equal(first);
    await answer(first, 'one');
    expect(await waits()).to.include({ status: 'input_required' });
    // a client that cannot ask its user gets the question as its result, for resume_run
    const told = await waits({ extensions: { [tasksExtension]: {} } });
    expect(told).to.include({ status: 'completed' });
    expect((told['result'] as { structuredContent: Json }).structuredContent).to.include({ status: 'paused' });
  });

  it('do not take the answer to one question for that to another (McpRuns.M4)', async () => {
    const agent = await world.thinking();
    const call = { name: 'ask_agent', arguments: { message: 'Paint it' } };
    const capabilities = { elicitation: { form: {} } };
    const asking = resultOf(at(agent), 'tools/call', call, capabilities);
    await think({ tool: 'ask_human', arguments: { question: 'Which colour?' } });
    const { requestState } = await asking;
    const [run] = (await api.page(`/v1/agent-constellations/${agent}/runs`)).data;
    await api.one('POST', `/v1/agent-constellations/${agent}/runs/${String(run!['id'])}/resume`, { input: 'red' }, 202);
    await think({ tool: 'ask_human', arguments: { question: 'Delete the old one?' } });
    const inputResponses = { answer: { action: 'accept', content: { answer: 'blue' } } };
    const late = await resultOf(at(agent), 'tools/call', { ...call, requestState, inputResponses }, capabilities);
    expect(late).to.include({ resultType: 'input_required' });
    expect(JSON.stringify(late['inputRequests'])).to.include('Delete the old one?');
  });

  it('that fail are results that say so', async () => {
    const to = at(await world.thinking());
    const task = await begin(to);
    await think({ refuses: 'this model does not exist' });
    const now = await over(to, task);
    expect(now).to.include({ status: 'completed' });
    expect(now['result']).to.include({ isError: true });
  });
});
