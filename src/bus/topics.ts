/**
 * The listeners of topics and how they are called: shared by the in-process and the Redis bus (invariants
 * InProcessBus.B2-B4 of in-process.ts).
 */
import type { RunTopic } from './port.js';
import type { Logger } from '../telemetry/logger-port.js';

interface Subscription<E> {
  readonly topic: RunTopic | null;
  readonly since: number;
  readonly tell: (events: readonly E[]) => void;
}

/** Subscriptions under one id. A Set keeps insertion order and may change while it is iterated. */
export class Topics<E> {
  private readonly byId = new Map<string, Set<Subscription<E>>>();
  private count = 0;

  constructor(private readonly log: Pick<Logger, 'error'> | undefined) {}

  subscribe(id: string, topic: RunTopic | null, tell: (events: readonly E[]) => void): () => void {
    const subscription: Subscription<E> = { topic, since: ++this.count, tell };
    const here = this.byId.get(id);
    if (here) here.add(subscription);
    else this.byId.set(id, new Set([subscription]));
    return () => {
      const left = this.byId.get(id);
      if (left?.delete(subscription) && left.size === 0) this.byId.delete(id);
    };
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  publish(id: string, topic: RunTopic | null, events: readonly E[]): void {
    const here = this.byId.get(id);
    if (here === undefined) return;
    const until = this.count;
    for (const subscription of here)
      if (subscription.since <= until && isSame(subscription.topic, topic)) this.tell(subscription, events);
  }

  /** Notifies the listeners that events published under this id may have been lost. */
  tellLoss(id: string): void {
    const until = this.count;
    for (const subscription of this.byId.get(id) ?? []) if (subscription.since <= until) this.tell(subscription, []);
  }

  private tell(subscription: Subscription<E>, events: readonly E[]): void {
    try {
      subscription.tell(events);
    } catch (err) {
      this.log?.error({ event: 'bus.listener_failed', err }, 'a listener of the event bus threw');
    }
  }
}

// Runs are keyed by the run's id alone, so that publishing builds no composite key; the other fields are compared.
const isSame = (a: RunTopic | null, b: RunTopic | null): boolean =>
  a === b || (a !== null && b !== null && a.run === b.run && a.agent === b.agent && a.workspace === b.workspace);
