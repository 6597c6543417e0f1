/**
 * The bus of one process: listeners are called in the turn in which events are published.
 *
 * Invariants
 *  InProcessBus.B1 Nobody listens, nothing is allocated: publishing is then one or two map lookups (it stands on the
 *     hot path of every commit).
 *  InProcessBus.B2 A listener that throws is logged, and the others are still told.
 *  InProcessBus.B3 Who has unsubscribed is told nothing more, even in the middle of a delivery; who subscribes in the
 *     middle of one is told from the next on.
 *  InProcessBus.B4 What is published to one workspace, agent or run is told to no other.
 * When it fails: it holds nothing that matters. A listener that loses events reads the store (run-events.ts).
 */
import type { RunEvent, WorkspaceEvent } from '../domain/model.js';
import type { Bus } from './port.js';
import { Topics } from './topics.js';
import type { Logger } from '../telemetry/logger.js';

export function createInProcessBus(log?: Pick<Logger, 'error'>): Bus {
  const runs = new Topics<RunEvent>(log);
  const workspaces = new Topics<WorkspaceEvent>(log);
  return {
    publishRun: (topic, events) => {
      if (events.length > 0) runs.publish(topic.run, topic, events);
    },
    publishWorkspace: (workspace, events) => {
      if (events.length > 0) workspaces.publish(workspace, null, events);
    },
    subscribeRun: (topic, listener) => runs.subscribe(topic.run, topic, listener),
    subscribeWorkspace: (workspace, listener) => workspaces.subscribe(workspace, null, listener),
  };
}
