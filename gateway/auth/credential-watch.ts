/**
 * Ends what a credential keeps open when the credential itself ends: revoked here, revoked by the command line beside
 * this server, or expired.
 *
 * Invariants
 *  CredentialWatch.W1 A credential with something open is asked about every `periodMs`; one that was revoked here, at
 *     once. So what it holds ends within a second, however the credential ended.
 *  CredentialWatch.W2 One question for each credential, however many streams it has; each at its own time, so that many
 *     of them do not stop the event loop together.
 *  CredentialWatch.W3 What has ended by itself is not kept; what is ended here is ended once.
 *  CredentialWatch.W4 When the service cannot say, nothing ends: it is asked again.
 */
import type { Clock } from '../../src/domain/clock.js';
import type { Principal, Service } from '../../src/service.js';
import { DeadlineQueue } from '../streams/deadline-queue.js';

interface Watched {
  readonly key: string;
  readonly principal: Principal;
  readonly ends: Set<() => void>;
}

export class CredentialWatch {
  readonly #service: Pick<Service, 'stillValid'>;
  readonly #watched = new Map<string, Watched>();
  readonly #due: DeadlineQueue<Watched>;

  constructor(service: Pick<Service, 'stillValid'>, clock: Clock, periodMs = 1000) {
    this.#service = service;
    this.#due = new DeadlineQueue(clock, periodMs, (watched) => {
      this.#check(watched);
    });
  }

  /** Credentials with something open. */
  get size(): number {
    return this.#watched.size;
  }

  /** Calls `end` once when the credential is not valid any more. The returned function says that there is nothing left to end. */
  watch(principal: Principal, end: () => void): () => void {
    const key = `${principal.workspace}/${principal.key}`;
    let watched = this.#watched.get(key);
    if (watched === undefined) {
      watched = { key, principal, ends: new Set() };
      this.#watched.set(key, watched);
      this.#due.add(watched);
    }
    const { ends } = watched;
    const mine = watched;
    const ending = (): void => end();
    ends.add(ending);
    return () => {
      if (!ends.delete(ending) || ends.size > 0 || this.#watched.get(key) !== mine) return;
      this.#watched.delete(key);
      this.#due.delete(mine);
    };
  }

  /** A key or a token has just been revoked; or an agent deleted, and its tokens with it. */
  revoked(id: string): void {
    for (const watched of [...this.#watched.values()]) {
      const { principal } = watched;
      if (principal.key === id || (principal.kind === 'token' && principal.agent === id)) this.#check(watched);
    }
  }

  #check(watched: Watched): void {
    const later = (): void => {
      if (this.#watched.get(watched.key) === watched) this.#due.add(watched);
    };
    const settle = (valid: boolean): void => {
      if (valid) later();
      else this.#end(watched);
    };
    try {
      const answer = this.#service.stillValid(watched.principal);
      if (answer instanceof Promise) answer.then(settle, later);
      else settle(answer);
    } catch {
      later();
    }
  }

  #end(watched: Watched): void {
    if (this.#watched.get(watched.key) !== watched) return;
    this.#watched.delete(watched.key);
    this.#due.delete(watched);
    for (const end of watched.ends) end();
    watched.ends.clear();
  }
}
