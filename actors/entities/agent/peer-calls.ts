/**
 * Makes the calls of agents elsewhere that are in the outbox of an agent (Peers.E1 to Peers.E4). It holds nothing that
 * is not in the store: after a crash it is filled from there.
 *
 *  AgentPeerCalls.P1 A call is in progress once, from `send` to `forget`, and its outcome is taken once (`take`).
 *  AgentPeerCalls.P2 After `stop` nothing is sent and nothing is reported.
 */
import type { PeerItem, PeerTask } from '../../../src/domain/mailbox/peer-item.js';
import type { EntityRef } from '../../../src/store/port.js';
import type { PeerAnswer, Pushed } from '../../../src/peers/port.js';
import type { EntityDeps } from '../deps.js';
import { tracedSending } from './traced-runs.js';

export interface PeerEvents {
  /** The task of the call is known, and is to be stored. */
  began(item: PeerItem, at: PeerTask): void;
  /** `answer`: null where nobody waits any more. */
  ended(item: PeerItem, answer: PeerAnswer | null): void;
}

/** What is pushed while nobody waits for it counts once. */
class Pushes implements Pushed {
  private waiting: (() => void) | null = null;
  private came = false;

  arrived(): void {
    if (this.waiting) this.waiting();
    else this.came = true;
    this.waiting = null;
  }

  next(): Promise<void> {
    if (this.came) {
      this.came = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }
}

interface Progress {
  item: PeerItem;
  pushes: Pushes;
  abort: AbortController;
  withdrawn: boolean;
  /** Is told whether the task is stored, or that nobody waits any more. */
  stored: ((isWanted: boolean) => void) | null;
}

export class PeerCalls {
  private readonly underWay = new Map<string, Progress>();
  /** The calls whose outcome has been reported but not taken. */
  private readonly over = new Set<string>();
  private stopped = false;

  constructor(
    private readonly deps: EntityDeps,
    private readonly agent: EntityRef,
    private readonly events: PeerEvents,
  ) {}

  /** Makes the call, or goes on with one whose task was stored. */
  send(item: PeerItem, mayBeSent: boolean): void {
    if (this.stopped) return;
    const known = this.underWay.get(item.id);
    if (known) {
      known.item = item;
      known.stored?.(!known.withdrawn);
      return;
    }
    const progress: Progress = {
      item,
      pushes: new Pushes(),
      abort: new AbortController(),
      withdrawn: false,
      stored: null,
    };
    this.underWay.set(item.id, progress);
    void this.make(progress, mayBeSent);
  }

  /** Nobody waits for it any more. A message that is being sent is seen to its task, which is then cancelled. */
  withdraw(id: string): void {
    const progress = this.underWay.get(id);
    if (!progress || progress.withdrawn) return;
    progress.withdrawn = true;
    if (progress.stored) progress.stored(false);
    else if (progress.item.at) progress.abort.abort(new Error('nobody waits for it any more'));
  }

  /** Something was pushed for it. */
  pushed(id: string): void {
    this.underWay.get(id)?.pushes.arrived();
  }

  take(id: string): boolean {
    return this.over.delete(id);
  }

  /** Call this when the document has been removed from the store. */
  forget(id: string): void {
    this.underWay.delete(id);
  }

  stop(): void {
    this.stopped = true;
    for (const { abort } of this.underWay.values()) abort.abort(new Error('the agent does not go on'));
  }

  private async make(progress: Progress, mayBeSent: boolean): Promise<void> {
    const { item, abort, pushes: pushed } = progress;
    const { deps, agent } = this;
    let answer: PeerAnswer | null = null;
    try {
      const call = { agent, item, pushed, mayBeSent, begun: (at: PeerTask) => this.begun(progress, at) };
      answer = await tracedSending('peer', { trace: item.trace, to: item.peer.name }, () =>
        deps.peers.call(call, abort.signal),
      );
    } catch (error) {
      if (this.stopped) return;
      const { at } = progress.item;
      if (progress.withdrawn && at) await deps.peers.cancel(agent, item.peer, at);
      else if (!progress.withdrawn) {
        deps.log.error({ event: 'peer.failed', err: error, call: item.id }, 'the call of a peer failed');
        answer = { ok: false, result: "the call failed for a reason of the service's own; see its log" };
      }
    }
    if (this.stopped) return;
    this.over.add(item.id);
    this.events.ended(progress.item, answer);
  }

  private begun(progress: Progress, at: PeerTask): Promise<boolean> {
    if (progress.withdrawn) return Promise.resolve(false);
    return new Promise((resolve) => {
      progress.stored = (isWanted) => {
        progress.stored = null;
        resolve(isWanted);
      };
      this.events.began(progress.item, at);
    });
  }
}
