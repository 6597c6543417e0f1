/**
 * The answering side of transport.bench.ts, a process of its own: `node transport-echo.js batched|group URL`. Its first
 * line names it.
 */
import { openLane, type LaneKind } from './transport-lanes.js';

const [kind, url] = process.argv.slice(2);
const lane = openLane(kind as LaneKind, url ?? '');
await lane.start((from, message) => {
  lane.send(from, message);
});
process.stdout.write(`${lane.self}\n`);
