/**
 * The event bus of a single process: listeners are called in the turn in which events are published.
 *
 * Invariants
 *  - Publishing without listeners allocates nothing and costs one or two map look-ups, because it is on the hot path
 *    of every commit.
 *  InProcessBus.B2 A listener that throws is logged, and the other listeners are still called.
 *  InProcessBus.B3 A listener that has unsubscribed is not called again, even in the middle of a delivery; one that
 *     subscribes in the middle of a delivery is called from the next one on.
 *  InProcessBus.B4 Events published to one workspace, agent or run are delivered to listeners of that one only.
 * On failure nothing is lost for good: a listener that misses events reads the store (run-events.ts).
 */
import type { Bus } from './port.js';
import { Topics } from './topics.js';
import type { Logger } from '../telemetry/logger-port.js';

export function createInProcessBus(log?: Pick<Logger, 'error'>): Bus {
  const topics = new Topics(log);
  return {
    publish: (channel, topic, events) => {
      if (events.length > 0) topics.publish(channel, topic, events);
    },
    publishText: (topic, piece) => topics.publish('text', topic, [piece]),
    subscribe: (channel, topic, listener) => topics.subscribe(channel, topic, listener),
  };
}
