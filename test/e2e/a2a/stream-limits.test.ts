/**
 * What ends or keeps a stream that its task does not: heartbeats, the time limit, readers that leave or do not read, a
 * stop of the server (docs/api.md 4.2, 8.5).
 */
import { expect } from 'chai';
import { setTimeout as wait } from 'node:timers/promises';
import { startScriptedOpenAi, type ScriptedOpenAi } from '../../helpers/scripted-openai.js';
import { until } from '../api/support/client.js';
import { outputOf, say, stateOf } from './support/rpc.js';
import { a2aWorld, onward } from './support/world.js';
import { patient } from '../../helpers/patience.js';

describe('A2A: limits of streams', () => {
  describe('heartbeats and the time limit', () => {
    const world = a2aWorld({
      HIVEKEEP_HEARTBEAT_SECONDS: '0.1',
      HIVEKEEP_STREAM_MAX_SECONDS: '1',
      HIVEKEEP_MESSAGE_WAIT_SECONDS: '0.3',
    });
    const { thinking, think, asking } = world;
    world.hooks();

    it('come as comments, and the stream ends at its limit in good order; the task goes on, and so does a reader that comes back', async () => {
      const rpc = world.rpc(await thinking());
      const opened = performance.now();
      const stream = await rpc.stream('message/stream', say('think about it'));
      await asking();
      const frames = await stream.end();
      expect(performance.now() - opened).to.be.within(900, patient(5000));
      expect(stream.comments.length).to.be.within(2, 14);
      expect(frames).to.have.lengthOf(2);
      expect(frames[1]!.result).to.deep.include({ final: false, metadata: { 'hivekeep/closed': 'age' } });
      const id = String(frames[0]!.result['id']);
      expect(stateOf(await rpc.result('tasks/get', { id }))).to.equal('working');
      await think(onward);
      await asking();
      const again = await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': '1' });
      await think({ text: 'forty-two' });
      const more = await again.end();
      expect(again.ids).to.deep.equal([null, ...more.slice(1).map((_, i) => i + 2)]);
      expect(more.at(-1)!.result).to.include({ final: true });
    });

    it('a message that waits for its task is answered when that has ended, longer than messages over REST wait', async () => {
      const rpc = world.rpc(await thinking());
      const task = rpc.result('message/send', say('think', { configuration: { blocking: true } }));
      await asking();
      await wait(1000);
      await think({ text: 'forty-two' });
      expect(stateOf(await task)).to.equal('completed');
    });

    it('a reader that leaves does not end the run', async () => {
      const rpc = world.rpc(await thinking());
      const stream = await rpc.stream('message/stream', say('think about it'));
      await until(
        async () => stream.frames.length,
        (n) => n === 1,
      );
      await asking();
      stream.cut();
      await wait(150); // a heartbeat, with which the server would notice
      expect(world.thinker().waiting).to.equal(1);
      await think({ text: 'forty-two' });
      const task = await until(
        () => rpc.result('tasks/get', { id: stream.frames[0]!.result['id'] }),
        (t) => stateOf(t) === 'completed',
      );
      expect(outputOf(task)).to.equal('forty-two');
    });
  });

  describe('a server that stops', () => {
    const world = a2aWorld();
    world.hooks();

    it('ends its streams in good order and says when to come back; the run goes on after the start, and so does the reader', async () => {
      const rpc = world.rpc(await world.thinking());
      const stream = await rpc.stream('message/stream', say('think about it'));
      await world.think(onward);
      await world.asking();
      await until(
        async () => stream.frames.length,
        (n) => n > 1,
      );
      await world.server().kill('SIGTERM');
      const frames = await stream.end();
      const [first] = frames;
      expect(frames.some((f) => f.result['final'] === true)).to.equal(false);
      expect(stream.retries.at(-1)).to.be.greaterThan(0);
      await world.server().restart();
      const id = String(first!.result['id']);
      const again = await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': String(stream.last!.id) });
      await world.think({ text: 'forty-two' });
      const more = await again.end();
      expect([...stream.ids, ...again.ids.slice(1)]).to.deep.equal(
        Array.from({ length: frames.length + more.length - 1 }, (_, i) => i + 1),
      );
      expect(more.at(-1)!.result).to.include({ final: true });
      expect(outputOf(await rpc.result('tasks/get', { id }))).to.equal('forty-two');
    });
  });

  describe('a reader that does not read', () => {
    let model: ScriptedOpenAi;
    // a reader may take nothing for as long as a heartbeat
    const world = a2aWorld(async () => {
      model = await startScriptedOpenAi();
      return { HIVEKEEP_HEARTBEAT_SECONDS: '0.6', HIVEKEEP_OPENAI_BASE_URL: model.baseUrl };
    });
    world.hooks();
    after(async () => {
      await model.close();
    });

    it('is cut while another goes on, and finds what it missed when it comes back', async function slow() {
      this.timeout(20_000);
      // more than the buffers of the sockets between them hold
      const steps = 48;
      const said = 'x'.repeat(250_000);
      const rpc = world.rpc(await world.thinking({ max_steps: steps + 1 }));
      model.queue({ waitMs: 200, then: { calls: [{ name: 'recall', arguments: { query: 'x' } }] } });
      for (let step = 1; step < steps; step++)
        model.queue({ text: said, calls: [{ name: 'recall', arguments: { query: 'x' } }] });
      model.queue({ text: 'that was much' });
      const stalled = await rpc.stream('message/stream', say('say much'));
      await until(
        async () => stalled.frames.length,
        (n) => n === 1,
      );
      const id = String(stalled.frames[0]!.result['id']);
      const brisk = await rpc.stream('tasks/resubscribe', { id });
      stalled.pause();
      const everything = await brisk.end(15_000);
      expect(everything.at(-1)!.result).to.include({ final: true });
      // the log says when; a reader that does not read cannot see it
      await until(
        async () => world.server().stderr(),
        (log) => log.includes('did not keep up'),
      );
      expect(
        world
          .server()
          .stderr()
          .match(/did not keep up/g),
      ).to.have.lengthOf(1);
      stalled.resume();
      await until(
        async () => stalled.ended,
        (e) => e !== 'no',
      );
      expect(stalled.ended).to.equal('cut');
      expect(stalled.last!.id).to.be.lessThan(everything.at(-1)!.id!);
      const back = await rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': String(stalled.last!.id) });
      const rest = await back.end(15_000);
      expect([...stalled.ids, ...back.ids.slice(1)]).to.deep.equal(
        Array.from({ length: everything.at(-1)!.id! }, (_, i) => i + 1),
      );
      expect(rest.at(-1)!.result).to.include({ final: true });
    });
  });
});
