/** The actor side of an embedded service as one thing: started over a store, offering the service, stopped by draining. A cluster's form is cluster-engine.ts. */
import type { Service } from '../src/service.js';
import { type Outside, startActors } from './entities/local-actors.js';
import { LocalQuota } from './quota/local-quota.js';
import { recover, watchTimers } from './entities/recovery.js';
import { createService } from './service/index.js';
import type { ServiceContext } from './service/context.js';
import type { ActorStats } from './runtime/system.js';

export interface EngineOptions extends Omit<ServiceContext, 'world'> {
  world: Omit<Outside, 'ask' | 'quota'>;
  /** How long an agent without work stays in memory, ms. */
  idleMs: number;
}

export interface Engine {
  readonly service: Service;
  stats(): ActorStats;
  /** Resolves when all that had work left before this start goes on again. */
  readonly recovered: Promise<number>;
  /** Refuses what is new, commits what is decided, stops steps that do not end within the grace time (they run again after the next start). */
  stop(graceMs: number): Promise<void>;
}

export function startEngine({ world: given, idleMs, ...rest }: EngineOptions): Engine {
  let stopping = false;
  const ask: Outside['ask'] = (address, message) => actors.ask(address, message);
  const outside: Outside = {
    ...given,
    ask,
    quota: new LocalQuota({
      ...given,
      alert: (workspace, usage) => ask({ workspace, kind: 'workspace', id: workspace }, { type: 'alert', usage }),
    }),
  };
  const actors = startActors(outside, { idleMs });
  const stopTimers = watchTimers(outside);
  const recovered = recover(outside, () => stopping);
  recovered.catch((error: unknown) => {
    given.log.error(
      { err: error },
      'not everything that had work left could be loaded; it goes on when it is next asked for, or after the next start',
    );
  });
  return {
    service: createService({ world: { ...outside, stopping: () => stopping }, ...rest }, () =>
      stopping ? { ready: false, reason: 'the service is stopping' } : { ready: true },
    ),
    stats: () => actors.stats(),
    recovered,
    async stop(graceMs) {
      stopping = true;
      stopTimers();
      await actors.stop(graceMs);
    },
  };
}
