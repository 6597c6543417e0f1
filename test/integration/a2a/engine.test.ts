/** The endpoint over the real engine: what docs/api.md 3.2, 4.2 andpromise of tasks, in one place with the wire. */
import { patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { call, caller, does, echo, realClock, testEngine, type Script, type TestEngine } from '../../helpers/engine.js';
import { createStreams } from '../../../gateway/streams/streams.js';
import { hashOf, keyPrincipal } from '../../helpers/fake-service.js';
import { scopes } from '../../../src/domain/shared/vocabulary.js';
import { codeOf, eventsIn, rpc, slashMessage, type RpcAnswer, type Sending } from './kit.js';
import { getRun } from '../../../src/commands/runs.js';

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
    agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada', config: { multi_step: multiStep } })).id;
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
  const message = (text: string, more: object = {}): object => ({
    message: { ...slashMessage, messageId: `m-${text}`, parts: [{ kind: 'text', text }], ...more },
  });

  describe('contexts', () => {
    const inContext = (text: string, contextId?: string): object => message(text, contextId ? { contextId } : {});
    const listed = async (contextId?: string): Promise<string[]> => {
      const answer = await ask('ListTasks', contextId === undefined ? {} : { contextId });
      return (answer.body?.result as { tasks: SlashTask[]; totalSize: number }).tasks.map(({ id }) => id);
    };

    it('agents that ask each other as peers go round no longer than those of one workspace (Peers.E5)', async () => {
      await start();
      const gone = (hops: unknown): object => message(`hop ${String(hops)}`, { metadata: { 'hivekeep/hops': hops } });
      const { id } = task(await ask('message/send', gone(3)));
      const stored = await t.store.get({ workspace: 'default', kind: 'agent', id: agent }, 'run', id);
      expect(stored?.body.hops).to.equal(3);
      expect((await ask('message/send', gone(16))).text).to.contain('has gone through 16 agents already');
      expect((await ask('message/send', gone('many'))).text).to.contain('must be a whole number');
    });

    it('one that is handed over stays one conversation, and what the other agent asks is answered in it', async () => {
      await start(({ agent: { name }, run: { input }, transcript, humanInputs }) => {
        const said = input.split('\n')[0] ?? '';
        if (name === 'Ada' && transcript.length === 0) return does(call('hand_off', { agent: 'Bo', reason: 'tea' }));
        if (said === 'black or green?' && humanInputs.length === 0)
          return does(call('ask_human', { question: 'which do you like?' }));
        return does(call('answer', { content: `${name}: ${humanInputs[0]?.input ?? said}` }));
      });
      const { service } = t.engine;
      await service.execute(caller, spawnAgent, {}, { name: 'Bo' });
      await service.execute(caller, patchAgent, { id: agent }, { config: { builtin_tools: ['hand_off'] } });
      const blocking = { configuration: { blocking: true } };
      const first = task(await ask('message/send', { ...inContext('tea', 'ctx'), ...blocking }));
      expect([first.contextId, first.status.state, first.artifacts?.[0]?.parts[0]?.text]).to.deep.equal([
        'ctx',
        'completed',
        'Bo: tea',
      ]);
      const asked = task(await ask('message/send', { ...inContext('black or green?', 'ctx'), ...blocking }));
      expect([asked.status.state, asked.status.message?.parts[0]?.text]).to.deep.equal([
        'input-required',
        'which do you like?',
      ]);
      const answered = task(await ask('message/send', { ...inContext('green', 'ctx'), ...blocking }));
      expect([answered.id, answered.status.state, answered.artifacts?.[0]?.parts[0]?.text]).to.deep.equal([
        asked.id,
        'completed',
        'Bo: green',
      ]);
      expect((await listed('ctx')).sort()).to.deep.equal([first.id, asked.id].sort());
    });

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
        sessions.push((await t.engine.service.execute(caller, getRun, { id: agent, runId: id })).sessionId);
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
      const other = (await t.engine.service.execute(caller, spawnAgent, {}, { name: 'Bob' })).id;
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
      const { id } = await t.engine.service.execute(elsewhere, spawnAgent, {}, { name: 'Eve' });
      const sent = await ask('message/send', inContext('tea', 'ctx-1'), {
        at: `/api/v1/a2a/agents/${id}`,
        credential: 'svc_live_elsewhere',
      });
      expect(task(sent).contextId).to.equal('ctx-1');
    });
  });
});
