/**
 * Ends streams when the credential that opened them ends: it was revoked through this process, revoked by the command
 * line, or has expired.
 *
 * Invariants
 *  - A credential with open streams is checked every `periodMs`, and at once if it was revoked through this process.
 *    Its streams therefore end within a second.
 *  - Each credential is checked once, however many streams it has. Checks are spread over time, so that many of them
 *    do not block the event loop together.
 *  - A stream that has ended by itself is forgotten, and a stream is ended at most once.
 *  - If the service cannot answer a check, nothing is ended and the check is repeated.
 */
import type { Clock } from '../../src/domain/clock.js';
import type { Principal, Service } from '../../src/service.js';
import { Deadline, DeadlineQueue } from '../streams/deadline-queue.js';

class Watched extends Deadline<Watched> {
  readonly ends = new Set<() => void>();

  constructor(
    readonly key: string,
    readonly principal: Principal,
  ) {
    super();
  }
}

export class CredentialWatch {
  private readonly watched = new Map<string, Watched>();
  private readonly due: DeadlineQueue<Watched>;

  constructor(
    private readonly service: Pick<Service, 'stillValid'>,
    clock: Clock,
    periodMs = 1000,
  ) {
    this.due = new DeadlineQueue(clock, periodMs, (watched) => {
      this.check(watched);
    });
  }

  /** The number of credentials with open streams. */
  get size(): number {
    return this.watched.size;
  }

  /** Calls `end` once when the credential is no longer valid. The returned function cancels the watch. */
  watch(principal: Principal, end: () => void): () => void {
    // access tokens of one subject end at different times
    const key = `${principal.workspace}/${principal.key}/${principal.expires_at ?? ''}`;
    let watched = this.watched.get(key);
    if (watched === undefined) {
      watched = new Watched(key, principal);
      this.watched.set(key, watched);
      this.due.add(watched);
    }
    const { ends } = watched;
    const mine = watched;
    const ending = (): void => end();
    ends.add(ending);
    return () => {
      if (!ends.delete(ending) || ends.size > 0 || this.watched.get(key) !== mine) return;
      this.watched.delete(key);
      this.due.delete(mine);
    };
  }

  /** Call this when a key or token was revoked, or an agent was deleted together with its tokens. */
  revoked(id: string): void {
    for (const watched of [...this.watched.values()]) {
      const { principal } = watched;
      if (principal.key === id || (principal.kind === 'token' && principal.agent === id)) this.check(watched);
    }
  }

  private check(watched: Watched): void {
    const later = (): void => {
      if (this.watched.get(watched.key) === watched) this.due.add(watched);
    };
    const settle = (valid: boolean): void => {
      if (valid) later();
      else this.end(watched);
    };
    try {
      const answer = this.service.stillValid(watched.principal);
      if (answer instanceof Promise) answer.then(settle, later);
      else settle(answer);
    } catch {
      later();
    }
  }

  private end(watched: Watched): void {
    if (this.watched.get(watched.key) !== watched) return;
    this.watched.delete(watched.key);
    this.due.delete(watched);
    for (const end of watched.ends) end();
    watched.ends.clear();
  }
}
