/**
 * HIVEKEEP_TEST_CLUSTER=1 runs the tests of a server against a cluster (helpers/server.ts): two gateways and two
 * workers over MongoDB and Redis, and a client that comes to another gateway with each request. What the tests expect
 * is the same; what they wait for may take longer, since six processes do what one did.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, setGlobalDispatcher } from 'undici';

export const clusterMode = (process.env['HIVEKEEP_TEST_CLUSTER'] ?? '') !== '';

/** Where a key or token ends, it is refused at once; another gateway may know it for 2 s more. */
export const elsewhereMs = clusterMode ? 2_000 : 0;
/** When every gateway refuses what has ended now. */
export const everywhere = (): Promise<void> => (clusterMode ? pause(elsewhereMs + 200) : Promise.resolve());

if (clusterMode) {
  // a connection that is kept would stay with one gateway
  setGlobalDispatcher(new Agent({ pipelining: 0 }));
}
