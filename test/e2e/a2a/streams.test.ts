/** Streams as they come over the wire: order, ids, and coming back with Last-Event-ID (docs/api.md 2.9, 4.2, 6.1). */
import { expect } from 'chai';
import { until, type Json } from '../api/support/client.js';
import { say, say1, stateOf, textOf, v1, type Rpc } from './support/rpc.js';
import type { Frame } from './support/raw-stream.js';
import { a2aWorld, onward } from './support/world.js';

const world = a2aWorld();
const { api, thinking, think, asking } = world;
const kindOf = ({ result }: Frame): string => String(result['kind']);
const status = (result: Json): Json => result['status'] as Json;
const idsFrom = (first: number, frames: readonly unknown[]): number[] => frames.map((_, i) => first + i);

/** A whole run of three steps, streamed. */
async function wholeStream(rpc: Rpc): Promise<{ frames: Frame[]; id: string }> {
  const stream = await rpc.stream('message/stream', say('think about it'));
  for (let step = 0; step < 2; step++) await think(onward);
  await think({ text: 'forty-two' });
  const frames = await stream.end();
  return { frames, id: String(frames[0]!.result['id']) };
}

describe('A2A: streams', () => {
  world.hooks();

  it('come in the order of the spec: the task, updates with what is thought, the artifact, the end; then they close', async () => {
    const agent = await thinking();
    const stream = await world.rpc(agent).stream('message/stream', say('think about it'));
    expect(stream.response.headers).to.include({ 'x-accel-buffering': 'no' });
    expect(stream.response.headers['cache-control']).to.match(/no-cache|no-store/);
    const task = await stream.frame((f) => kindOf(f) === 'task');
    expect(task.result).to.include({ kind: 'task', contextId: agent });
    expect(stateOf(task.result)).to.equal('working');
    expect(task.result).to.not.have.property('artifacts');
    await think(onward);
    await stream.frame((f) => f.result['kind'] === 'status-update' && textOf(status(f.result)['message']) !== '');
    await think({ text: 'forty-two' });
    const frames = await stream.end();
    const [first, ...rest] = frames;
    const id = String(first!.result['id']);
    expect(stream.ids).to.deep.equal(idsFrom(1, frames));
    expect(rest.map(kindOf)).to.deep.equal([
      ...rest.slice(0, -2).map(() => 'status-update'),
      'artifact-update',
      'status-update',
    ]);
    for (const { result } of rest) expect(result).to.include({ taskId: id, contextId: agent });
    const thoughts = (await api.page(`/v1/agent-constellations/${agent}/thoughts?order=asc`)).data;
    const progress = rest.slice(0, -2).map((f) => f.result);
    expect(progress.map((p) => textOf(status(p)['message']))).to.deep.equal(thoughts.map((t) => t['content']));
    for (const p of progress) {
      expect(p['final']).to.equal(false);
      expect(stateOf(p)).to.equal('working');
      expect(status(p)['message']).to.include({ kind: 'message', role: 'agent' });
      expect(status(p)['timestamp']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(rest.at(-2)!.result).to.deep.include({
      kind: 'artifact-update',
      lastChunk: true,
      artifact: { artifactId: `${id}-response`, name: 'response', parts: [{ kind: 'text', text: 'forty-two' }] },
    });
    expect(rest.at(-1)!.result).to.include({ kind: 'status-update', final: true });
    expect(stateOf(rest.at(-1)!.result)).to.equal('completed');
    expect(rest.filter((f) => f.result['final'] === true)).to.have.lengthOf(1);
  });

  for (const [version, method, message, headers] of [
    ['0.3', 'message/stream', say, {}],
    ['1.0', 'SendStreamingMessage', say1, v1],
  ] as const)
    it(`${version}: progress "text" tells the answer while it is written, to callers with agent:read, without an extension`, async () => {
      const agent = await thinking({ a2a: { progress: 'text' } });
      const token = async (...scopes: string[]): Promise<string> =>
        String(
          (await api.one('POST', `/v1/agent-constellations/${agent}/tokens`, { name: 't', scopes }, 201))['token'],
        );
      const chunkOf = ({ result }: Frame): Json | null =>
        result['kind'] === 'artifact-update' ? result : ((result['artifactUpdate'] as Json | undefined) ?? null);
      const streamedTo = async (key: string): Promise<Json[]> => {
        const plain = { 'A2A-Extensions': '', ...headers };
        const stream = await world.rpc(agent, key).stream(method, message('think'), plain);
        await asking();
        world.thinker().write('forty-');
        if (key === reader) await stream.frame((frame) => chunkOf(frame) !== null); // before there is any answer
        await think({ text: 'two' });
        return (await stream.end()).map(chunkOf).filter((chunk) => chunk !== null);
      };
      const reader = await token('agent:spawn', 'agent:read');
      const chunks = await streamedTo(reader);
      expect(textOf(chunks[0]!['artifact'])).to.equal('forty-');
      expect(chunks.slice(0, -1).every((chunk) => chunk['lastChunk'] !== true)).to.equal(true);
      // as clients put chunks together: the last one replaces what came before
      expect(
        chunks.reduce((text, chunk) => (chunk['append'] === true ? text : '') + textOf(chunk['artifact']), ''),
      ).to.equal('forty-two');
      expect(chunks.at(-1)).to.include({ lastChunk: true });
      const told = (await streamedTo(await token('agent:spawn'))).map(({ artifact }) => textOf(artifact));
      expect(told, 'who may not read is told the answer alone').to.deep.equal(['forty-two']);
    });

  it('show a task that waits in line as submitted, and every change after that', async () => {
    const agent = await thinking({ max_parallel: 1 });
    const rpc = world.rpc(agent);
    await rpc.result('message/send', say('first'));
    await asking();
    const stream = await rpc.stream('message/stream', say('second'));
    const task = await stream.frame((f) => kindOf(f) === 'task');
    expect(stateOf(task.result)).to.equal('submitted');
    expect(stateOf(await rpc.result('tasks/get', { id: task.result['id'] }))).to.equal('submitted');
    await think({ text: 'one' });
    await stream.frame((f) => kindOf(f) === 'status-update' && stateOf(f.result) === 'working');
    await think({ text: 'two' });
    const frames = await stream.end();
    expect(stream.ids).to.deep.equal(idsFrom(1, frames));
    const states = frames.map((f) => stateOf(f.result)).filter((s, i, a) => s !== 'undefined' && s !== a[i - 1]);
    expect(states).to.deep.equal(['submitted', 'working', 'completed']);
  });

  it('end where input is required, and another begins with the answer', async () => {
    const agent = await thinking();
    const rpc = world.rpc(agent);
    const stream = await rpc.stream('message/stream', say('which?'));
    await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
    const frames = await stream.end();
    const asked = frames.at(-1)!;
    expect(stateOf(asked.result)).to.equal('input-required');
    expect(asked.result).to.include({ final: true });
    expect(textOf(status(asked.result)['message'])).to.equal('Red or blue?');
    expect(stream.ids).to.deep.equal(idsFrom(1, frames));
    const taskId = String(asked.result['taskId']);
    const follower = await rpc.stream('tasks/resubscribe', { id: taskId });
    expect(stateOf((await follower.frame((f) => kindOf(f) === 'task')).result)).to.equal('input-required');
    const second = await rpc.stream('message/stream', say('red', { taskId }));
    expect(stateOf((await second.frame((f) => kindOf(f) === 'task')).result)).to.equal('working');
    await think({ text: 'red it is' });
    const more = await second.end();
    expect(second.ids).to.deep.equal(idsFrom(asked.id! + 1, more));
    expect(more.at(-1)!.result).to.include({ final: true });
    const followed = await follower.end();
    expect(follower.ids, 'whoever followed the question hears what comes after it').to.deep.equal(
      idsFrom(asked.id!, followed),
    );
    expect(stateOf(followed.at(-1)!.result)).to.equal('completed');
    expect((await rpc.result('tasks/get', { id: taskId }))['artifacts']).to.have.lengthOf(1);
  });

  describe('tasks/resubscribe', () => {
    it('with Last-Event-ID goes on right after it, wherever the stream was cut: no gap, no double', async () => {
      const agent = await thinking();
      const rpc = world.rpc(agent);
      const { frames, id } = await wholeStream(rpc);
      const total = frames.length;
      expect(total).to.be.greaterThan(5);
      for (let last = 1; last < total; last++) {
        const again = await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': String(last) });
        const more = await again.end();
        expect(more[0]!.result, `after ${last}`).to.include({ kind: 'task', id });
        expect(again.ids).to.deep.equal([null, ...idsFrom(last + 1, more.slice(1))]);
        expect(more.slice(1).map((f) => f.result)).to.deep.equal(frames.slice(last).map((f) => f.result));
      }
    });

    it('works for a message that was streamed by another version', async () => {
      const rpc = world.rpc(await thinking());
      const stream = await rpc.stream('SendStreamingMessage', say1('think about it'), v1);
      await think(onward);
      await asking();
      const id = String((stream.frames[0]!.result['task'] as Json)['id']);
      const last = stream.last!.id!;
      stream.cut();
      const again = await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': String(last) });
      await think({ text: 'forty-two' });
      const more = await again.end();
      expect(again.ids.slice(1)).to.deep.equal(idsFrom(last + 1, more.slice(1)));
      expect(more.at(-1)!.result).to.include({ kind: 'status-update', final: true });
    });
  });

  it('end with a final canceled when their agent is deleted', async () => {
    const agent = await thinking();
    const rpc = world.rpc(agent);
    const stream = await rpc.stream('message/stream', say('think for ever'));
    await asking();
    const id = String(stream.frames[0]!.result['id']);
    const other = await rpc.stream('SubscribeToTask', { id }, v1);
    await until(
      async () => other.frames.length,
      (n) => n > 0,
    );
    await api.one('DELETE', `/v1/agents/${agent}`);
    const [frames, more] = [await stream.end(), await other.end()];
    expect(stream.ids).to.deep.equal(idsFrom(1, frames));
    expect([stateOf(frames.at(-1)!.result), frames.at(-1)!.result['final']]).to.deep.equal(['canceled', true]);
    expect(stateOf(more.at(-1)!.result['statusUpdate'] as Json)).to.equal('TASK_STATE_CANCELED');
    expect((await rpc.ask('tasks/get', { id })).status).to.be.oneOf([200, 404]);
  });
});
