/**
 * A message counts once: the same messageId from the same caller with the same content is the same task, whatever
 * happened in between.
 */
import { expect } from 'chai';
import { until, type Json } from '../api/support/client.js';
import { freshId, say, say1, stateOf, v1, type Rpc } from './support/rpc.js';
import { a2aWorld } from './support/world.js';

const world = a2aWorld();
const { api, thinking, quick, think, asking } = world;
const idOf = (task: Json): string => String(task['id']);
const runsOf = async (agent: string): Promise<Json[]> =>
  (await api.page(`/v1/agent-constellations/${agent}/runs`)).data;
const send = (rpc: Rpc, text: string, messageId: string): Promise<Json> =>
  rpc.result('message/send', say(text, { messageId }));

describe('A2A: messages that are sent again', () => {
  world.hooks();

  it('in another version too, and as a stream', async () => {
    const agent = await quick();
    const rpc = world.rpc(agent);
    const messageId = freshId();
    const first = await send(rpc, 'hello', messageId);
    const second = (await rpc.result('SendMessage', say1('hello', { messageId }), v1))['task'] as Json;
    expect(idOf(second)).to.equal(idOf(first));
    const third = await (await rpc.stream('message/stream', say('hello', { messageId }))).end();
    expect(idOf(third[0]!.result)).to.equal(idOf(first));
    expect(third.at(-1)!.result).to.include({ kind: 'status-update', final: true });
    const fourth = await (await rpc.stream('SendStreamingMessage', say1('hello', { messageId }), v1)).end();
    expect(idOf(fourth[0]!.result['task'] as Json)).to.equal(idOf(first));
    expect(fourth.map((f) => f.id)).to.deep.equal(third.map((f) => f.id));
    expect(await runsOf(agent)).to.have.lengthOf(1);
  });

  it('ten at once are one task, in every mixture of versions', async () => {
    for (const make of [quick, thinking]) {
      const agent = await make();
      const rpc = world.rpc(agent);
      const messageId = freshId();
      const answers = Array.from({ length: 10 }, (_, i) =>
        i % 2 === 0
          ? rpc.result('message/send', say('hello', { messageId, configuration: { blocking: false } }))
          : rpc
              .result('SendMessage', say1('hello', { messageId, configuration: { returnImmediately: true } }), v1)
              .then((r) => r['task'] as Json),
      );
      const ids = new Set((await Promise.all(answers)).map(idOf));
      expect([...ids]).to.have.lengthOf(1);
      expect((await runsOf(agent)).map((r) => r['id'])).to.deep.equal([...ids]);
      if (make === thinking) await think({ text: 'done' });
    }
  });

  it('to a task that waits for input count once as well', async () => {
    const agent = await thinking();
    const rpc = world.rpc(agent);
    const messageId = freshId();
    const task = await send(rpc, 'which?', freshId());
    await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
    await until(
      () => rpc.result('tasks/get', { id: idOf(task) }),
      (t) => stateOf(t) === 'input-required',
    );
    const reply = say('red', { messageId, taskId: idOf(task) });
    for (let i = 0; i < 3; i++) expect(idOf(await rpc.result('message/send', reply))).to.equal(idOf(task));
    await think({ text: 'red it is' });
    const done = await until(
      () => rpc.result('tasks/get', { id: idOf(task) }),
      (t) => stateOf(t) === 'completed',
    );
    expect((done['history'] as Json[]).filter((m) => m['messageId'] === messageId)).to.have.lengthOf(1);
    expect(idOf(await rpc.result('message/send', reply))).to.equal(idOf(task));
    await rpc.refused('message/send', say('blue', { taskId: idOf(task) }), -32600);
    expect(await runsOf(agent)).to.have.lengthOf(1);
  });

  it('after kill -9 answer the task that there was, or become it: never two', async function killed() {
    this.timeout(20_000);
    const agent = await thinking();
    const rpc = world.rpc(agent);
    const acknowledged = freshId();
    const first = await send(rpc, 'think', acknowledged);
    await asking();
    const racing = Array.from({ length: 10 }, () => freshId());
    const answers = racing.map((messageId) => send(rpc, `race ${messageId}`, messageId).then(idOf, () => null));
    await Promise.all([world.killed(), ...answers]);
    const known = await Promise.all(answers);
    expect(idOf(await send(rpc, 'think', acknowledged))).to.equal(idOf(first));
    for (const [i, messageId] of racing.entries()) {
      const id = idOf(await send(rpc, `race ${messageId}`, messageId));
      if (known[i] != null) expect(id).to.equal(known[i]);
    }
    const runs = await runsOf(agent);
    expect(runs.map((r) => r['input'])).to.have.members(['think', ...racing.map((m) => `race ${m}`)]);
    for (let i = 0; i < runs.length; i++) await think({ text: `answer ${i}` });
    await until(
      () => runsOf(agent),
      (all) => all.every((r) => r['status'] === 'completed'),
    );
  });
});
