/**
 * A server without limits, as a forked child. It sends its port; on every message it sends the longest time, in ms,
 * that its event loop was held since the message before.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startBenchServer } from './bench-server.js';

const server = await startBenchServer(false);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  // the sample that tells of a hold is taken by a timer, after it
  setTimeout(() => {
    process.send?.(delay.max / 1e6);
    delay.reset();
  }, 5);
});
process.send?.(server.port);
process.once('disconnect', () => {
  process.exit(0);
});
