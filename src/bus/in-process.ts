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
import type { RunEvent, WorkspaceEvent } from '../domain/model.js';
import type { Bus, Dismissal, TextPiece } from './port.js';
import { Topics } from './topics.js';
import type { Logger } from '../telemetry/logger-port.js';

export function createInProcessBus(log?: Pick<Logger, 'error'>): Bus {
  const runs = new Topics<RunEvent>(log);
  const workspaces = new Topics<WorkspaceEvent>(log);
  const texts = new Topics<TextPiece>(log);
  const dismissals = new Topics<Dismissal>(log);
  return {
    publishRun: (topic, events) => {
      if (events.length > 0) runs.publish(topic.run, topic, events);
    },
    publishWorkspace: (workspace, events) => {
      if (events.length > 0) workspaces.publish(workspace, null, events);
    },
    publishText: (topic, piece) => {
      if (!texts.has(topic.run)) return false;
      texts.publish(topic.run, topic, [piece]);
      return true;
    },
    publishDismissal: (topic, dismissal) => {
      dismissals.publish(topic.run, topic, [dismissal]);
    },
    subscribeDismissals: (topic, listener) => dismissals.subscribe(topic.run, topic, listener),
    subscribeText: (topic, listener) => texts.subscribe(topic.run, topic, listener),
    subscribeRun: (topic, listener) => runs.subscribe(topic.run, topic, listener),
    subscribeWorkspace: (workspace, listener) => workspaces.subscribe(workspace, null, listener),
  };
}
