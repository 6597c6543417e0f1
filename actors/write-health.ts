/**
 * Tracks whether the store accepts writes, for the readiness check. After a failed commit the service is not ready; a
 * successful commit or trial write makes it ready again. Trial writes are made only while commits fail, because a
 * service that is not ready gets no requests, so no commit would show that the store has recovered.
 */
import type { Clock } from '../src/domain/shared/clock.js';
import type { Store } from '../src/store/port.js';

const trialEveryMs = 2000;

export class WriteHealth {
  private failing = false;
  private stopped = false;
  private cancel = (): void => undefined;

  constructor(
    private readonly store: Pick<Store, 'trialWrite'>,
    private readonly clock: Clock,
  ) {}

  /** Returns null while writes succeed. The text reveals no internals, because anybody may ask for it. */
  problem(): string | null {
    return this.failing ? 'the data store cannot be written' : null;
  }

  /** Call this with the outcome of each commit. A conflict does not change the state. */
  committed(outcome: 'committed' | 'conflict' | 'failed'): void {
    if (outcome === 'committed') this.works();
    else if (outcome === 'failed' && !this.failing && !this.stopped) {
      this.failing = true;
      this.tryLater();
    }
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  private works(): void {
    if (!this.failing) return;
    this.failing = false;
    this.cancel();
  }

  private tryLater(): void {
    this.cancel = this.clock.after(trialEveryMs, () => {
      this.store.trialWrite().then(
        () => this.works(),
        () => {
          if (this.failing && !this.stopped) this.tryLater();
        },
      );
    });
  }
}
