/**
 * A server for limits.bench.ts; prints its port.
 *
 *   node limits-server.js on | off      off: the same server without any limits
 */
import { startBenchServer } from './bench-server.js';

const server = await startBenchServer(process.argv[2] !== 'off');
process.stdout.write(`${server.port}\n`);
process.once('SIGTERM', () => {
  const end = (): void => {
    process.exit(0);
  };
  server.stop().then(end, end);
});
