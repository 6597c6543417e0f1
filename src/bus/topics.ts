/**
 * The listeners of topics and how they are called: shared by the in-process and the Redis bus (invariants
 * InProcessBus.B2-B4 of in-process.ts).
 */
import type { BusEvents, Channel, Listener, RunTopic, Topic } from './port.js';
import type { Logger } from '../telemetry/logger-port.js';

interface Subscription {
  readonly topic: Topic;
  readonly since: number;
  tell(events: readonly unknown[]): void;
}

/** By what listeners are found: the run's id alone, so that publishing builds no composite key; or the workspace's. */
export const idOf = ({ run, workspace }: Pick<RunTopic, 'workspace'> & Partial<RunTopic>): string => run ?? workspace;

const isSame = (a: Partial<RunTopic>, b: Partial<RunTopic>): boolean =>
  a === b || (a.run === b.run && a.agent === b.agent && a.workspace === b.workspace);

export class Topics {
  /** Subscriptions by id. A Set keeps insertion order and may change while it is iterated. */
  private readonly listening: Readonly<Record<Channel, Map<string, Set<Subscription>>>> = {
    run: new Map(),
    text: new Map(),
    dismissal: new Map(),
    workspace: new Map(),
  };
  private count = 0;

  constructor(private readonly log: Pick<Logger, 'error'> | undefined) {}

  subscribe<C extends Channel>(channel: C, topic: Topic<C>, tell: Listener<C>): () => void {
    const byId = this.listening[channel];
    const id = idOf(topic);
    const subscription: Subscription = { topic, since: ++this.count, tell };
    const here = byId.get(id);
    if (here) here.add(subscription);
    else byId.set(id, new Set([subscription]));
    return () => {
      const left = byId.get(id);
      if (left?.delete(subscription) && left.size === 0) byId.delete(id);
    };
  }

  /** Returns whether anybody listens under this id. */
  publish<C extends Channel>(channel: C, topic: Topic<C>, events: readonly BusEvents[C][]): boolean {
    const here = this.listening[channel].get(idOf(topic));
    if (here === undefined) return false;
    const until = this.count;
    for (const subscription of here)
      if (subscription.since <= until && isSame(subscription.topic, topic)) this.tell(subscription, events);
    return true;
  }

  /** Notifies the listeners that events published under this id may have been lost. */
  tellLoss(channel: Channel, id: string): void {
    const until = this.count;
    for (const subscription of this.listening[channel].get(id) ?? [])
      if (subscription.since <= until) this.tell(subscription, []);
  }

  /** Calls a listener; one that throws is logged. */
  tell(listener: Pick<Subscription, 'tell'>, events: readonly unknown[]): void {
    try {
      listener.tell(events);
    } catch (err) {
      this.log?.error({ event: 'bus.listener_failed', err }, 'a listener of the event bus threw');
    }
  }
}
