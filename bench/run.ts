/**
 * `npm run bench [word]`: runs each *.bench file in a process of its own (so that heaps and caches do not mix), or only
 * those whose name contains the word.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { print, type Bench } from './harness.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const [flag, file] = process.argv.slice(2);
if (flag === '--one' && file) {
  const { bench } = (await import(pathToFileURL(file).href)) as { bench: Bench };
  process.stdout.write(`\n${bench.name}\n`);
  print(await bench.run());
  process.exit(0);
}
const files = readdirSync(here)
  .filter((f) => /\.bench\.js$/.test(f) && f.includes(flag ?? ''))
  .sort();
let failed = 0;
for (const name of files)
  failed +=
    spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), '--one', join(here, name)], {
      stdio: 'inherit',
    }).status === 0
      ? 0
      : 1;
process.exitCode = failed ? 1 : 0;
