/**
 * How many requests of a process have models learn at a time, and what they give way to (learner.ts).
 *
 *  LearningPlaces.W1 A run comes first: where a server is known to work on so many requests at a time, a run that asks
 *     it and finds them taken has a request for learning cut off, and none begins there while runs take them all.
 */
import { Semaphore } from '../../../src/base/semaphore.js';

export interface LearningBounds {
  /** Requests for learning in progress, of all agents of the process. */
  atOnce?: number | undefined;
  /** How many requests servers work on at a time, by name, where that is known. */
  servers?: ReadonlyMap<string, number> | undefined;
}

export const usualLearning = 4;

export class LearningPlaces {
  readonly most: number;
  private readonly places: Semaphore;
  private readonly servers: ReadonlyMap<string, number>;
  /** Requests of runs in progress, and those for learning, by server. */
  private readonly runs = new Map<string, number>();
  private readonly learning = new Map<string, Set<() => void>>();

  constructor({ atOnce = usualLearning, servers = new Map() }: LearningBounds = {}) {
    this.most = atOnce;
    this.places = new Semaphore(atOnce);
    this.servers = servers;
  }

  /** As Semaphore.enter. */
  enter(entered: () => void): () => void {
    return this.places.enter(entered);
  }

  /** Whether learning may have to give way at all. */
  get givesWay(): boolean {
    return this.servers.size > 0;
  }

  /** A run is about to ask the server; call what is returned when it has its answer (LearningPlaces.W1). */
  runAsks(server: string): (() => void) | undefined {
    const most = this.servers.get(server);
    if (most === undefined) return undefined;
    const runs = (this.runs.get(server) ?? 0) + 1;
    this.runs.set(server, runs);
    const learning = this.learning.get(server);
    for (const giveWay of [...(learning ?? [])].reverse()) {
      if (runs + (learning?.size ?? 0) <= most) break;
      learning?.delete(giveWay);
      giveWay();
    }
    return () => {
      const left = (this.runs.get(server) ?? 1) - 1;
      if (left > 0) this.runs.set(server, left);
      else this.runs.delete(server);
    };
  }

  /**
   * Null if the server has no room for learning now. Otherwise `giveWay` is called where a run wants it; call what is
   * returned when the request is over.
   */
  learns(server: string, giveWay: () => void): (() => void) | null {
    const most = this.servers.get(server);
    if (most === undefined) return () => undefined;
    const learning = this.learning.get(server) ?? new Set();
    if ((this.runs.get(server) ?? 0) + learning.size >= most) return null;
    this.learning.set(server, learning.add(giveWay));
    return () => {
      learning.delete(giveWay);
    };
  }
}
