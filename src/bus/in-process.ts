/**
 * The bus of one process: listeners are called in the turn in which events are published.
 *
 * Invariants
 *  B1 Nobody listens, nothing is allocated: publishing is then one or two map lookups (it stands on the hot path of every commit).
 *  B2 A listener that throws is logged, and the others are still told.
 *  B3 Who has unsubscribed is told nothing more, even in the middle of a delivery; who subscribes in the middle of one is
 *     told from the next on.
 *  B4 What is published to one workspace, agent or run is told to no other.
 * When it fails: it holds nothing that matters. A listener that loses events reads the store (run-events.ts).
 */
import type { RunEvent, WorkspaceEvent } from '../domain/model.js';
import type { Bus, RunTopic } from './port.js';

/** The part of a pino logger that the bus uses. */
export interface BusLog { error(fields: object, message: string): void }

interface Subscription<E> { readonly topic: RunTopic | null; readonly since: number; readonly tell: (events: readonly E[]) => void }

/** Subscriptions by one id. Sets keep their order and may change while they are walked. */
class Topics<E> {
  readonly #byId = new Map<string, Set<Subscription<E>>>();
  readonly #log: BusLog | undefined;
  #count = 0;

  constructor(log: BusLog | undefined) { this.#log = log; }

  subscribe(id: string, topic: RunTopic | null, tell: (events: readonly E[]) => void): () => void {
    const subscription: Subscription<E> = { topic, since: ++this.#count, tell };
    const here = this.#byId.get(id);
    if (here) here.add(subscription);
    else this.#byId.set(id, new Set([subscription]));
    return () => {
      const left = this.#byId.get(id);
      if (left?.delete(subscription) && left.size === 0) this.#byId.delete(id);
    };
  }

  publish(id: string, topic: RunTopic | null, events: readonly E[]): void {
    const here = this.#byId.get(id);
    if (here === undefined || events.length === 0) return;
    const until = this.#count;
    for (const subscription of here) {
      if (subscription.since > until || !isSame(subscription.topic, topic)) continue;
      try {
        subscription.tell(events);
      } catch (err) {
        this.#log?.error({ err }, 'a listener of the event bus threw');
      }
    }
  }
}

// Runs are kept under the run's id alone, so that publishing builds no key; the rest is compared.
const isSame = (a: RunTopic | null, b: RunTopic | null): boolean => a === b || (a !== null && b !== null && a.run === b.run && a.agent === b.agent && a.workspace === b.workspace);

export function createInProcessBus(log?: BusLog): Bus {
  const runs = new Topics<RunEvent>(log), workspaces = new Topics<WorkspaceEvent>(log);
  return {
    publishRun: (topic, events) => runs.publish(topic.run, topic, events),
    publishWorkspace: (workspace, events) => workspaces.publish(workspace, null, events),
    subscribeRun: (topic, listener) => runs.subscribe(topic.run, topic, listener),
    subscribeWorkspace: (workspace, listener) => workspaces.subscribe(workspace, null, listener),
  };
}
