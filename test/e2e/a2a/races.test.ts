/**
 * Tasks that several clients act on at once: one of them wins, the others are told (docs/api.md 3.2; a2a.md, "Error
 * codes").
 */
import { expect } from 'chai';
import { until, type Json } from '../api/support/client.js';
import { EventStream } from '../api/support/event-stream.js';
import { outputOf, say, stateOf, textOf, v1, type Rpc } from './support/rpc.js';
import { a2aWorld } from './support/world.js';

const world = a2aWorld();
const { api, thinking, think, asking } = world;

/** What each of many answered: a task's state, or the code of an error. */
const outcomes = (answers: readonly Promise<Response>[]): Promise<(string | number)[]> =>
  Promise.all(
    answers.map(async (answer) => {
      const { result, error } = (await (await answer).json()) as { result?: Json; error?: { code: number } };
      return error ? error.code : stateOf((result!['task'] ?? result) as Json);
    }),
  );
const atOnce = (n: number, ask: (i: number) => Promise<Response>): Promise<(string | number)[]> =>
  outcomes(Array.from({ length: n }, (_, i) => ask(i)));
const begin = async (rpc: Rpc, text: string): Promise<string> =>
  String((await rpc.result('message/send', say(text)))['id']);
const waitsForInput = async (rpc: Rpc): Promise<string> => {
  const id = await begin(rpc, 'which?');
  await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
  await until(
    () => rpc.result('tasks/get', { id }),
    (t) => stateOf(t) === 'input-required',
  );
  return id;
};

describe('A2A: many at once', () => {
  world.hooks();

  it('cancel a task that waits, works or asks: one is told canceled, the others that it has ended', async () => {
    const rpc = world.rpc(await thinking({ max_parallel: 1 }));
    const asks = await waitsForInput(rpc);
    const works = await begin(rpc, 'think');
    const waits = await begin(rpc, 'in line');
    await asking();
    for (const [id, state] of [
      [asks, 'input-required'],
      [waits, 'submitted'],
      [works, 'working'],
    ] as const) {
      expect(stateOf(await rpc.result('tasks/get', { id }))).to.equal(state);
      const told = await atOnce(10, (i) =>
        i % 2 === 0 ? rpc.ask('tasks/cancel', { id }) : rpc.ask('CancelTask', { id }, v1),
      );
      expect(
        told.filter((t) => t === -32002),
        state,
      ).to.have.lengthOf(9);
      expect(told.find((t) => t !== -32002)).to.be.oneOf(['canceled', 'TASK_STATE_CANCELED']);
    }
    await until(
      async () => world.thinker().waiting,
      (n) => n === 0,
    );
    expect(
      (
        await api.page(
          `/v1/agent-constellations/${String((await rpc.result('tasks/get', { id: works }))['contextId'])}/runs`,
        )
      ).data.map((r) => r['status']),
    ).to.deep.equal(['cancelled', 'cancelled', 'cancelled']);
  });

  it('answer a question: one answer is taken, the others are told to wait', async () => {
    const rpc = world.rpc(await thinking());
    const id = await waitsForInput(rpc);
    const told = await atOnce(8, (i) => rpc.ask('message/send', say(`answer ${i}`, { taskId: id })));
    expect(told.filter((t) => t === 'working')).to.have.lengthOf(1);
    expect(told.filter((t) => t === -32004)).to.have.lengthOf(7);
    await think({ text: 'thank you' });
    const done = await until(
      () => rpc.result('tasks/get', { id }),
      (t) => stateOf(t) === 'completed',
    );
    const said = (done['history'] as Json[]).map(textOf);
    expect(said.filter((t) => t.startsWith('answer '))).to.deep.equal([`answer ${told.indexOf('working')}`]);
  });

  it('cancel and answer: whichever comes first, the task is in one state and says so to all', async () => {
    for (let round = 0; round < 5; round++) {
      const agent = await thinking();
      const rpc = world.rpc(agent);
      const id = await waitsForInput(rpc);
      const stream = await EventStream.open(api, `/v1/agent-constellations/${agent}/runs/${id}/events`);
      const [cancelled, answered] = await outcomes(
        round % 2 === 0
          ? [rpc.ask('tasks/cancel', { id }), rpc.ask('message/send', say('red', { taskId: id }))]
          : [rpc.ask('message/send', say('red', { taskId: id })), rpc.ask('tasks/cancel', { id })].reverse(),
      );
      expect([cancelled, answered]).to.satisfy(
        ([c, a]: unknown[]) => c === 'canceled' && (a === 'working' || a === -32600),
        `${String(cancelled)} ${String(answered)}`,
      );
      const frames = await stream.end();
      expect(frames.map((f) => f.id)).to.deep.equal(frames.map((_, i) => String(i + 1)));
      expect(frames.at(-1)!.data).to.include({ type: 'status', status: 'cancelled' });
      const task = await rpc.result('tasks/get', { id });
      expect([stateOf(task), outputOf(task)]).to.deep.equal(['canceled', '']);
    }
  });
});
