/**
 * A process for the tests to kill, to starve of space, or to run beside another. Prints `open`, and a line for each
 * commit that was acknowledged (agent, seq).
 */
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import { StoreError } from '../../../src/store/port.js';
import { commit, entity, memory } from '../../contract/store/fixtures.js';

const [mode = '', dir = ''] = process.argv.slice(2);
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
process.on('unhandledRejection', (error) => {
  say(`unhandled ${String(error)}`);
  process.exit(3);
});

const store = await openLmdbStore({ dir, shared: mode === 'shared' });
say('open');

async function lane(n: number, size: number, most: number): Promise<void> {
  const ref = entity(`agent_${n}_${process.pid}`);
  for (let seq = 1; seq <= most; seq++) {
    const outcome = await store.commit(
      commit(ref, seq, {
        counts: { memories: seq },
        puts: [memory(`mem_${ref.id}_${seq}`, { content: 'x'.repeat(size) })],
      }),
    );
    say(`${outcome} ${ref.id} ${seq}`);
  }
}

if (mode === 'endless') await Promise.all(Array.from({ length: 8 }, (_, n) => lane(n, 300, Infinity)));
if (mode === 'shared') await Promise.all(Array.from({ length: 4 }, (_, n) => lane(n, 300, 50)));
if (mode === 'hold') setInterval(() => undefined, 1000);
if (mode === 'full') {
  let kept = 0;
  try {
    for (;;) {
      await lane(kept, 20_000, 10);
      kept++;
    }
  } catch (error) {
    say(error instanceof StoreError ? `refused ${error.reason} ${error.message}` : `wrong ${String(error)}`);
  }
  // what was acknowledged is still read, and the process goes on
  say(`reads ${store.head(entity(`agent_0_${process.pid}`)) === null ? 'nothing' : 'well'}`);
  await new Promise((done) => {
    setTimeout(done, 50);
  });
  await store.close();
}
if (mode === 'shared') await store.close();
if (mode !== 'hold') process.exit(0);
