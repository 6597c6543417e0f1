/**
 * Makes or restores a backup in a process for the tests to kill: prints `at N` when it has copied N bytes, and at the
 * step named last it waits for its end instead of going on.
 */
import { backUp, restore } from '../../../src/store/lmdb/backup.js';

const [mode = '', from = '', to = '', halt = ''] = process.argv.slice(2);
let step = 0;
const options = {
  chunk: 8192,
  progress: async (bytes: number): Promise<void> => {
    if (++step !== Number(halt)) return;
    process.stdout.write(`at ${bytes}\n`);
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
};
await (mode === 'backup' ? backUp(from, to, options) : restore(from, to, options));
process.stdout.write('done\n');
