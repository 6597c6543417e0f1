/** `npm start`: builds when it must, then serves in this same process, so that signals reach the server itself. */
import { build } from './build.js';

if (build()) {
  process.argv.splice(2, 0, 'serve');
  await import('../dist/src/main.js');
} else {
  process.stderr.write('hivekeep: The build failed; what the compiler says is above.\n');
  process.exitCode = 1;
}
