/**
 * Records when keys and tokens were last used, in the background.
 *
 *  - Requests never wait for this: the cost is one map look-up each time the gateway resolves a credential, which it
 *    does at most once a second for each.
 *  - A credential is written at most once a minute, even across restarts: the stored value is read before it is
 *    written.
 *  - A use is stored at most `flushMs` later, unless a use in the preceding minute was stored.
 * Uses that were not written when the process ends, or the store fails, are lost; the next use is recorded.
 */
import { keyDesk } from '../../src/commands/entities.js';
import type { Principal } from '../../src/service.js';
import { entityKey, type EntityRef } from '../../src/store/port.js';
import type { LastUse } from '../entities/memory-operations.js';
import { agentRef } from '../../src/commands/entities.js';
import { type ServiceDeps } from './context.js';

const everyMs = 60_000;
const flushMs = 1000;
/**
 * The number of recently used credentials to remember. Above it the oldest entries are dropped, and once a minute
 * relies on the stored values alone.
 */
const maxNoted = 10_000;

interface Pending {
  entity: EntityRef;
  kind: 'key' | 'token';
  uses: Map<string, number>;
}

export class LastUseRecorder {
  private readonly noted = new Map<string, number>();
  private pending = new Map<string, Pending>();
  private armed = false;

  constructor(private readonly deps: ServiceDeps) {}

  note(principal: Exclude<Principal, { kind: 'access' }>): void {
    const { credentialId: id } = principal;
    const now = this.deps.clock.now();
    const before = this.noted.get(id);
    if (before !== undefined && now - before < everyMs && now >= before) return;
    this.noted.delete(id);
    if (this.noted.size >= maxNoted)
      for (const oldest of this.noted.keys()) {
        this.noted.delete(oldest);
        break;
      }
    this.noted.set(id, now);
    const entity = principal.kind === 'key' ? keyDesk(principal) : agentRef(principal, principal.agent);
    const at = entityKey(entity);
    const known = this.pending.get(at);
    if (known) known.uses.set(id, now);
    else this.pending.set(at, { entity, kind: principal.kind, uses: new Map([[id, now]]) });
    if (this.armed) return;
    this.armed = true;
    this.deps.clock.after(flushMs, () => {
      this.flush();
    });
  }

  private flush(): void {
    const due = [...this.pending.values()];
    this.pending = new Map();
    this.armed = false;
    if (this.deps.stopping()) return;
    for (const one of due)
      this.write(one).catch((error: unknown) => {
        this.deps.log.warn(
          { event: 'last_use.failed', err: error, entity: one.entity },
          'the last use of keys or tokens could not be stored',
        );
      });
  }

  private async write({ entity, kind, uses: noted }: Pending): Promise<void> {
    const all: LastUse[] = Array.from(noted, ([id, at]) => ({ id, at }));
    const stored = await this.deps.store.getMany(
      entity,
      kind,
      all.map(({ id }) => id),
    );
    const uses = all.filter(({ at }, i) => isDue(stored[i]?.body, at));
    if (uses.length > 0) await this.deps.ask(entity, { type: 'used', uses });
  }
}

/** Returns false for a credential that was revoked meanwhile, or whose stored time is less than a minute old. */
function isDue(stored: { last_used_at: string | null } | undefined, at: number): boolean {
  if (!stored) return false;
  return stored.last_used_at === null || Math.abs(at - Date.parse(stored.last_used_at)) >= everyMs;
}
