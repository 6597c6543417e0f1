/**
 * HIVEKEEP_TEST_CLUSTER=1 runs the tests of a server against a cluster (helpers/server.ts): two gateways and two workers
 * over MongoDB and Redis, and a client that comes to another gateway with each request. What the tests expect is the
 * same; what they wait for may take longer, since six processes do what one did.
 */
import { setTimeout as pause } from 'node:timers/promises';
import Mocha from 'mocha';
import { Agent, setGlobalDispatcher } from 'undici';

export const clusterMode = (process.env['HIVEKEEP_TEST_CLUSTER'] ?? '') !== '';

/** How many times as long a test waits before it fails. */
export const patience = clusterMode ? 4 : 1;

/** Where a key or token ends, it is refused at once; another gateway may know it for 2 s more (design, section 4). */
export const elsewhereMs = clusterMode ? 2_000 : 0;
/** When every gateway refuses what has ended now. */
export const everywhere = (): Promise<void> => (clusterMode ? pause(elsewhereMs + 200) : Promise.resolve());

if (clusterMode) {
  // a connection that is kept would stay with one gateway
  setGlobalDispatcher(new Agent({ pipelining: 0 }));
  const { prototype } = Mocha.Runnable;
  const given = Object.getOwnPropertyDescriptor(prototype, 'timeout')?.value as (
    this: Mocha.Runnable,
    ms?: string | number,
  ) => unknown;
  Object.defineProperty(prototype, 'timeout', {
    configurable: true,
    writable: true,
    value(this: Mocha.Runnable, ms?: string | number) {
      return ms === undefined ? given.call(this) : given.call(this, Number(ms) * patience);
    },
  });
}
