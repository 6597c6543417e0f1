/**
 * A child of an activation: work beside the messages of its actor, with a node of its own in the supervision tree. It
 * begins in a turn that the scheduler gives it, and is over when its promise has settled or when it is stopped,
 * whichever comes first.
 */
import type { Address, Child, Work } from './port.js';
import { type Lane, Runnable } from './scheduler.js';

/** What a child tells the activation that it belongs to. */
export interface ChildParent {
  childFailed(child: ChildAtWork, error: unknown): void;
  childGone(child: ChildAtWork): void;
}

export class ChildAtWork extends Runnable implements Child {
  private state: 'new' | 'begun' | 'over' = 'new';

  constructor(
    readonly address: Address,
    readonly lane: Lane,
    private readonly work: Work,
    private readonly parent: ChildParent,
  ) {
    super();
  }

  get ready(): boolean {
    return this.state === 'new';
  }

  run(): number {
    if (!this.ready) return 0;
    this.state = 'begun';
    void this.workItOff();
    return 1;
  }

  stop(reason: string): void {
    if (!this.end()) return;
    this.work.stop(reason);
  }

  private async workItOff(): Promise<void> {
    try {
      await this.work.begin();
    } catch (error) {
      if (this.state === 'begun') this.parent.childFailed(this, error);
    }
    this.end();
  }

  /** False if it was over already. */
  private end(): boolean {
    if (this.state === 'over') return false;
    this.state = 'over';
    this.parent.childGone(this);
    return true;
  }
}
