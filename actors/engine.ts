/** The actor side of a process as one thing: started over a store, offering the service, stopped by draining. */
import type { Service } from '../src/service.js';
import { entityKey } from '../src/store/port.js';
import { AgentBehavior } from './agent.js';
import { DeskBehavior } from './desk.js';
import type { Address, Behavior } from './port.js';
import { LocalQuota } from './quota.js';
import { recover, watchTimers } from './recovery.js';
import { createService } from './service/index.js';
import type { ServiceContext } from './service/context.js';
import { type ActorStats, createActorSystem } from './system.js';
import { Waker } from './waker.js';
import type { World } from './world.js';

export interface EngineOptions extends Omit<ServiceContext, 'world'> {
  world: Omit<World, 'ask' | 'wakeLater' | 'stopping' | 'takeBroken' | 'quota'>;
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

export function startEngine({ world: outside, idleMs, ...rest }: EngineOptions): Engine {
  let stopping = false;
  const broken = new Map<string, string>();
  const world: World = {
    ...outside, stopping: () => stopping, ask: (address, message) => system.ask(address, message), wakeLater: (entity) => { waker.later(entity); },
    quota: new LocalQuota({ ...outside, alert: (workspace, usage) => system.ask({ workspace, kind: 'workspace', id: workspace }, { type: 'alert', usage }) }),
    takeBroken: (entity) => {
      const key = entityKey(entity), reason = broken.get(key) ?? null;
      broken.delete(key);
      return reason;
    },
  };
  const waker = new Waker(world.clock, (entity) => world.ask(entity, { type: 'wake' }));
  const system = createActorSystem({
    clock: world.clock, idleMs, behaviorFor: (address) => behaviorFor(world, address),
    parentOf: (_address, behavior) => (behavior instanceof AgentBehavior && behavior.firstHive !== null ? [behavior.firstHive] : []),
    onFault: ({ error, ...fault }) => {
      world.log.error({ err: error, ...fault }, 'an actor crashed');
      const { workspace, kind, id } = fault.address;
      if (kind === 'run') return;
      waker.later({ workspace, kind, id });
      // only agents take it up; kept for others, it would stay for ever
      if (fault.broken && kind === 'agent') broken.set(entityKey({ workspace, kind, id }), `the agent crashed five times within a minute: ${error instanceof Error ? error.message : String(error)}`);
    },
    log: world.log,
  });
  const stopTimers = watchTimers(world);
  const recovered = recover(world, () => stopping);
  recovered.catch((error: unknown) => { world.log.error({ err: error }, 'not everything that had work left could be loaded; it goes on when it is next asked for, or after the next start'); });
  return {
    service: createService({ world, ...rest }, () => (stopping ? { ready: false, reason: 'the service is stopping' } : { ready: true })),
    stats: () => system.stats(), recovered,
    async stop(graceMs) {
      stopping = true;
      stopTimers();
      waker.stop();
      await system.stop({ graceMs });
    },
  };
}

function behaviorFor(world: World, address: Address): Behavior<unknown> {
  switch (address.kind) {
    case 'agent': return new AgentBehavior(world, { ...address, kind: 'agent' });
    case 'hive': case 'workspace': return new DeskBehavior(world, { ...address, kind: address.kind });
    case 'run': throw new Error('a run\'s actor is started by its agent');
    default: return address.kind satisfies never;
  }
}
