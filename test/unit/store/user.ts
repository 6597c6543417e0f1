/**
 * A process for tests with damaged files: opens the store, reads what it can and writes enough to use free pages again.
 * Exit code 0: used to the end; 3: refused or failed with a sentence, which is on standard output; 4: anything else.
 */
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import { StoreError } from '../../../src/store/port.js';
import { commit, entity, memory } from '../../contract/store/fixtures.js';

const [dir = '', agents = '0'] = process.argv.slice(2);
try {
  const store = await openLmdbStore({ dir });
  for (let i = 0; i < Number(agents); i++) {
    const agent = entity(`agent_${i}`);
    const head = await store.head(agent);
    for (let k = 0; k < 20; k++) await store.get(agent, 'memory', `mem_${i}_${k}`);
    await store.commit(
      commit(agent, (head?.seq ?? 0) + 1, { puts: [memory(`mem_new_${i}`, { content: 'y'.repeat(9000) })] }),
    );
  }
  await store.close();
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : 'no error');
  process.exitCode = error instanceof StoreError ? 3 : 4;
}
