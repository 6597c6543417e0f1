/** Heartbeats, the time limit, a message that waits, and streams whose server stops (docs/api.md 4.2, 8.5). */
import { expect } from 'chai';
import { setTimeout as wait } from 'node:timers/promises';
import { patient } from '../../helpers/patience.js';
import { until } from '../api/support/client.js';
import { outputOf, say, stateOf } from './support/rpc.js';
import { a2aWorld, onward } from './support/world.js';

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
});
