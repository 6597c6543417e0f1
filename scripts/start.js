/**
 * `npm start`: builds when it must, then serves in this same process. Two things make its end reliable: `exec` in
 * package.json leaves no shell between npm and the server that would keep a signal to itself, and where npm itself is
 * killed and cannot pass one on, the server notices that its parent is another, and ends as if it had been asked to.
 */
import { build } from './build.js';

const parent = process.ppid;

if (build()) {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
  process.argv.splice(2, 0, 'serve');
  await import('../dist/gateway/main/main.js');
} else {
  process.stderr.write('hivekeep: The build failed; what the compiler says is above.\n');
  process.exitCode = 1;
}
