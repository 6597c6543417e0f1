/** Streams through kill -9: what a reader saw and what it sees after coming back are one story, each event once. */
import { expect } from 'chai';
import { until, type Json } from '../api/support/client.js';
import { outputOf, say, say1, stateOf, v1 } from './support/rpc.js';
import { a2aWorld, onward } from './support/world.js';

const world = a2aWorld();
const { thinking, think, asking } = world;

describe('A2A: streams through kill -9', function suite() {
  this.timeout(20_000);
  world.hooks();

  it('go on after Last-Event-ID: no gap, no double, and no step that was done is done again', async () => {
    const agent = await thinking();
    const rpc = world.rpc(agent);
    const stream = await rpc.stream('message/stream', say('think about it'));
    const ids: (number | null)[] = [];
    const id = String((await stream.frame(() => true)).result['id']);
    await think({ tool: 'remember', arguments: { content: 'the first step', type: 'semantic' } });
    await asking();
    const before = [...stream.frames];
    ids.push(...stream.ids);
    await world.killed();
    await until(
      async () => stream.ended,
      (e) => e !== 'no',
    );
    expect(stream.ended).to.equal('cut');
    expect(stateOf(await rpc.result('tasks/get', { id }))).to.equal('working');
    const again = await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': String(ids.at(-1)) });
    await think(onward);
    await asking();
    await until(
      async () => again.frames.length,
      (n) => n > 1,
    );
    const seen = again.ids.filter((n) => n !== null);
    await world.killed();
    const last = await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': String(seen.at(-1)) });
    await think({ text: 'forty-two' });
    const rest = await last.end();
    ids.push(...seen, ...last.ids.slice(1));
    expect(ids).to.deep.equal(ids.map((_, i) => i + 1));
    expect(rest.at(-1)!.result).to.include({ kind: 'status-update', final: true });
    // and from the first event the same story
    const whole = await (await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': '1' })).end();
    expect(whole.slice(1).map((f) => f.id)).to.deep.equal(ids.slice(1));
    expect(whole.slice(1, before.length).map((f) => f.result)).to.deep.equal(before.slice(1).map((f) => f.result));
    expect(outputOf(await rpc.result('tasks/get', { id }))).to.equal('forty-two');
    const memories = (await world.api.page(`/v1/memories?agent_id=${agent}`)).data.map((m) => m['content']);
    expect(memories.filter((c) => c === 'the first step')).to.have.lengthOf(1);
  });

  it('a task that waited in line, one that asked and one that was cancelled are what they were', async () => {
    const rpc = world.rpc(await thinking());
    const other = world.rpc(await thinking({ max_parallel: 1 }));
    const asked = await rpc.result('message/send', say('which?'));
    const first = await other.result('message/send', say('first'));
    const queued = await other.result('message/send', say('second'));
    const dropped = await other.result('message/send', say('third'));
    await asking(2);
    await until(
      async () => world.thinker().waiting,
      (n) => n === 2,
    );
    // whichever of the two asks first: both are told to ask
    for (let i = 0; i < 2; i++) await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
    for (const [r, t] of [
      [rpc, asked],
      [other, first],
    ] as const)
      await until(
        () => r.result('tasks/get', { id: t['id'] }),
        (x) => stateOf(x) === 'input-required',
      );
    await other.result('tasks/cancel', { id: dropped['id'] });
    await asking(); // the second one has begun
    await world.killed();
    const states = async (): Promise<Json> => ({
      asked: stateOf(await rpc.result('tasks/get', { id: asked['id'] })),
      first: stateOf(await other.result('tasks/get', { id: first['id'] })),
      second: stateOf(await other.result('tasks/get', { id: queued['id'] })),
      dropped: stateOf(await other.result('GetTask', { id: dropped['id'] }, v1)),
    });
    expect(await states()).to.deep.equal({
      asked: 'input-required',
      first: 'input-required',
      second: 'working',
      dropped: 'TASK_STATE_CANCELED',
    });
    await think({ text: 'second is done' });
    await until(states, (s) => s['second'] === 'completed');
    expect(stateOf(await rpc.result('message/send', say('red', { taskId: String(asked['id']) })))).to.equal('working');
    await think({ text: 'red it is' });
    await until(states, (s) => s['asked'] === 'completed');
    await other.refused('tasks/cancel', { id: dropped['id'] }, -32002);
    expect((await other.result('CancelTask', { id: first['id'] }, v1))['status']).to.include({
      state: 'TASK_STATE_CANCELED',
    });
    await other.refused('SendMessage', say1('red', { taskId: String(first['id']) }), -32004, v1);
  });
});
