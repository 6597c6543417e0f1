/**
 * TaskStream.T1 of task-stream.ts as a property: a reader that is cut anywhere, any number of times, and comes back
 * with the last id that it has, sees every event once.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { protoMessage, slashMessage } from './kit.js';
import { follow, openStream, startLive, until, type Live, type StreamClient } from './live-task.js';
import { turn } from '../../helpers/turn.js';

const dialects = [
  { name: '0.3', send: 'message/stream', message: slashMessage, again: 'tasks/resubscribe' },
  { name: '1.0', send: 'SendStreamingMessage', message: protoMessage, again: 'SubscribeToTask' },
] as const;

/** What happens while the streams are read: one thing a turn of the event loop. */
async function happen(t: Live, thoughts: number, atOnce: number): Promise<void> {
  for (let i = 0; i < thoughts; i++) {
    if (i >= atOnce) await turn();
    t.live.happen({ thought: `thought ${i}` });
  }
  t.live.happen({ answer: 'tea' }, 'completed');
}

/** The ids that a reader gets whose streams are cut after so many frames each; the last one is read to its end. */
async function readThrough(
  open: (last: number | null) => StreamClient,
  cuts: readonly number[],
  end: number,
): Promise<number[]> {
  const seen: number[] = [];
  for (const cut of [...cuts, Infinity]) {
    const last = seen.at(-1) ?? null;
    if (last === end) break;
    const client = open(last);
    await until('frames', () => client.ended || client.seen.length >= cut);
    client.destroy();
    const [first, ...rest] = client.seen;
    // the first frame is the task: with an id only where there was none to come back with
    expect(first === null, `the task's id is ${first}, after ${last}`).to.equal(last !== null);
    seen.push(...[...(first === null ? [] : [first]), ...rest].map(Number));
  }
  return seen;
}

describe('A2A: streams that are followed again', () => {
  for (const { name, send, message, again } of dialects) {
    it(`TaskStream.T1: no gap and no duplicate, wherever they are cut (${name})`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: 12 }),
          fc.integer({ min: 0, max: 12 }),
          fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 6 }),
          async (thoughts, atOnce, cuts) => {
            const t = await startLive();
            try {
              t.live.happen('running');
              const happening = happen(t, thoughts, atOnce);
              const ids = await readThrough(
                (last) => (last === null ? openStream(t, send, { message }) : follow(t, last, again)),
                cuts,
                thoughts + 3,
              );
              await happening;
              expect(ids).to.deep.equal(Array.from({ length: thoughts + 3 }, (_, i) => i + 1));
            } finally {
              await t.stop();
            }
          },
        ),
        { numRuns: 30 },
      );
    });
  }
});
