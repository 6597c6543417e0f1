/**
 * Ends streams when the credential that opened them ends: it was revoked through this process, revoked by the command
 * line, or has expired.
 *
 * Invariants
 *  - A credential with open streams is checked every `periodMs`, and at once if it was revoked through this process.
 *    Its streams therefore end within a second.
 *  - Each credential is checked once, however many streams it has. Its period begins with its first stream, so that
 *    the checks of many do not block the event loop together.
 *  - A stream that has ended by itself is forgotten, and a stream is ended at most once.
 *  - If the service cannot answer a check, nothing is ended and the check is repeated.
 */
import type { Clock } from '../../src/domain/shared/clock.js';
import type { Principal, Service } from '../../src/service.js';

interface Watched {
  readonly key: string;
  readonly principal: Principal;
  readonly ends: Set<() => void>;
  /** Of the next check. */
  cancel: () => void;
}

export class CredentialWatch {
  private readonly watched = new Map<string, Watched>();

  constructor(
    private readonly service: Pick<Service, 'stillValid'>,
    private readonly clock: Clock,
    private readonly periodMs = 1000,
  ) {}

  /** The number of credentials with open streams. */
  get size(): number {
    return this.watched.size;
  }

  /** Calls `end` once when the credential is no longer valid. The returned function cancels the watch. */
  watch(principal: Principal, end: () => void): () => void {
    // access tokens of one subject end at different times
    const key = `${principal.workspace}/${principal.credentialId}/${principal.expires_at ?? ''}`;
    let watched = this.watched.get(key);
    if (watched === undefined) {
      watched = { key, principal, ends: new Set(), cancel: () => undefined };
      this.watched.set(key, watched);
      this.checkLater(watched);
    }
    const { ends } = watched;
    const mine = watched;
    const ending = (): void => end();
    ends.add(ending);
    return () => {
      if (!ends.delete(ending) || ends.size > 0 || this.watched.get(key) !== mine) return;
      this.forget(mine);
    };
  }

  /** Call this when a key or token was revoked, or an agent was deleted together with its tokens. */
  revoked(id: string): void {
    for (const watched of [...this.watched.values()]) {
      const { principal } = watched;
      if (principal.credentialId === id || (principal.kind === 'token' && principal.agent === id)) this.check(watched);
    }
  }

  private checkLater(watched: Watched): void {
    watched.cancel();
    watched.cancel = this.clock.after(this.periodMs, () => {
      this.check(watched);
    });
  }

  private forget(watched: Watched): void {
    this.watched.delete(watched.key);
    watched.cancel();
  }

  private check(watched: Watched): void {
    const later = (): void => {
      if (this.watched.get(watched.key) === watched) this.checkLater(watched);
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
    this.forget(watched);
    for (const end of watched.ends) end();
    watched.ends.clear();
  }
}
