/**
 * Runs entity actors on a store: all actors of an embedded service, or those of one shard in a cluster. They are loaded
 * when they receive a message, woken again when a failure interrupts work of their own, and drained when they are
 * stopped.
 */
import { entityKey } from '../../src/store/port.js';
import { AgentActor } from './agent/agent.js';
import { WorkspaceEntityActor } from './workspace-entity/workspace-entity.js';
import type { Address, Behavior } from '../runtime/port.js';
import { type ActorStats, ActorSystem } from '../runtime/system.js';
import type { Scheduler } from '../runtime/scheduler.js';
import { outageOf } from './outages.js';
import { RecallIndexes, vectorSource } from './recall-indexes.js';
import { Waker } from './waker.js';
import type { EntityDeps } from './deps.js';
import type { GivenUp } from './local-deps.js';

/** The dependencies that the host provides; `startActors` adds the rest. */
export type HostDeps = Omit<EntityDeps, 'indexes' | 'wakeLater' | 'stopping' | 'takeGivenUp' | 'giveUp'>;

export interface LocalActors {
  /** Resolves or rejects with the answer of the actor (system.ts). */
  readonly ask: (address: Address, message: unknown) => Promise<unknown>;
  /** False after `stop`: every ask is then refused before it has had any effect. */
  readonly accepting: boolean;
  stats(): ActorStats;
  /**
   * Commits all decisions, and aborts steps that do not end within the grace time (they run again after the next load).
   * Resolves with true if everything drained in time.
   */
  stop(graceMs: number): Promise<boolean>;
}

export function startActors(
  hostDeps: HostDeps,
  { idleMs, scheduler }: { idleMs: number; scheduler?: Scheduler },
): LocalActors {
  let stopping = false;
  const givenUp = new Map<string, GivenUp>();
  const waker = new Waker(hostDeps.clock, (entity) => system.ask(entity, { type: 'wake' }));
  const deps: EntityDeps = {
    ...hostDeps,
    indexes: new RecallIndexes(hostDeps.recall, vectorSource(hostDeps.vectors)),
    stopping: () => stopping,
    wakeLater: (entity, progressed) => {
      waker.later(entity, progressed);
    },
    takeGivenUp: (entity) => {
      const key = entityKey(entity);
      const work = givenUp.get(key) ?? null;
      givenUp.delete(key);
      return work;
    },
    giveUp: (entity, work) => {
      givenUp.set(entityKey(entity), work);
    },
  };
  const system = new ActorSystem({
    clock: deps.clock,
    idleMs,
    behaviorFor: (address) => behaviorFor(deps, address),
    ...(scheduler && { scheduler }),
    onFault: ({ error, ...fault }) => {
      deps.log.error({ event: 'actor.crashed', err: error, ...fault }, 'an actor crashed');
      const { workspace, kind, id } = fault.address;
      if (kind === 'run') return;
      waker.later({ workspace, kind, id });
      // only agents take this reason; kept for other entities, it would never be removed
      if (fault.broken && kind === 'agent')
        givenUp.set(entityKey({ workspace, kind, id }), {
          reason: {
            code: 'crashed',
            message: `the agent crashed five times within a minute: ${error instanceof Error ? error.message : String(error)}`,
          },
        });
    },
    outageOf,
    onOutage: ({ workspace, kind, id }, error) => {
      deps.log.warn(
        { event: 'actor.outage', err: error, entity: { workspace, kind, id } },
        'an outage interrupted an entity; it is loaded again',
      );
      if (kind !== 'run') waker.later({ workspace, kind, id });
    },
    log: deps.log,
  });
  return {
    ask: system.ask,
    get accepting() {
      return system.accepting;
    },
    stats: () => system.stats(),
    stop(graceMs) {
      stopping = true;
      waker.stop();
      return system.stop({ graceMs });
    },
  };
}

function behaviorFor(deps: EntityDeps, address: Address): Behavior<unknown> {
  switch (address.kind) {
    case 'agent':
      return new AgentActor(deps, { ...address, kind: 'agent' });
    case 'hive':
    case 'workspace':
      return new WorkspaceEntityActor(deps, { ...address, kind: address.kind });
    case 'run':
      throw new Error("a run's actor is started by its agent");
    default:
      return address.kind satisfies never;
  }
}
