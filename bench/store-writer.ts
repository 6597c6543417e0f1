/**
 * A process of processes.bench.ts: commits to the embedded store in `dir` for a while, 50 at a time, once it reads a
 * line.
 *
 *   node store-writer.js DIR alone|beside FIRST_AGENT
 */
import { once } from 'node:events';
import { openLmdbStore } from '../src/store/lmdb/open.js';
import { mailbox } from './mailbox-commits.js';

const agents = 500;
const inFlight = 50;
const [dir = '', how, first = '0'] = process.argv.slice(2);
const store = await openLmdbStore({ dir, shared: how === 'beside' });
const made = Array.from({ length: agents }, (_, i) => ({ next: mailbox(Number(first) + i), seq: 0 }));
let message = Number(first) * 10_000_000;
const commit = async (one: (typeof made)[number]): Promise<void> => {
  if ((await store.commit(one.next(++one.seq, ++message))) !== 'committed') throw new Error('conflict');
};
await Promise.all(made.map(commit));
process.stdout.write('ready\n');
await once(process.stdin, 'data');

async function during(ms: number): Promise<number> {
  let done = 0;
  let turn = 0;
  const idle = [...made];
  const end = performance.now() + ms;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const one = idle.shift() ?? made[turn++ % agents]!;
      await commit(one);
      done++;
      idle.push(one);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return done;
}

await during(1000);
const before = process.cpuUsage();
const began = performance.now();
const done = await during(5000);
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify({ perSecond: (done / (performance.now() - began)) * 1000, micros: (user + system) / done })}\n`,
);
await store.close();
process.exit(0);
