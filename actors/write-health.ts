/**
 * Whether the store takes writes, for readiness. A commit that failed says that it does not; a commit that took effect, or
 * a trial write, says that it does again. Trial writes go out only while commits fail: a service that is not ready gets
 * no requests, so no commit would ever show that it has recovered.
 */
import type { Clock } from '../src/domain/clock.js';
import type { Store } from '../src/store/port.js';

const trialEveryMs = 2000;

export class WriteHealth {
  #failing = false;
  #stopped = false;
  #cancel = (): void => undefined;

  constructor(
    private readonly store: Pick<Store, 'trialWrite'>,
    private readonly clock: Clock,
  ) {}

  /** Null while writes work. It says nothing of the inside: who asks may be anybody. */
  problem(): string | null {
    return this.#failing ? 'the data store cannot be written' : null;
  }

  /** How a commit ended. A conflict says nothing. */
  committed(outcome: 'committed' | 'conflict' | 'failed'): void {
    if (outcome === 'committed') this.#works();
    else if (outcome === 'failed' && !this.#failing && !this.#stopped) {
      this.#failing = true;
      this.#tryLater();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #works(): void {
    if (!this.#failing) return;
    this.#failing = false;
    this.#cancel();
  }

  #tryLater(): void {
    this.#cancel = this.clock.after(trialEveryMs, () => {
      this.store.trialWrite().then(
        () => this.#works(),
        () => {
          if (this.#failing && !this.#stopped) this.#tryLater();
        },
      );
    });
  }
}
