/**
 * The supervision tree, on nact: workspace -> hive (where there is one) -> agent -> its runs; the desks of a workspace
 * and of a hive hang under their supervisors like any other entity.
 *
 * nact spawns the nodes, keeps the tree and cascades a stop. No node ever gets a message: nact copies the map of
 * children for each, finds askers by a random id, runs one message per actor and turn, and drops a stopped actor's
 * queue in silence. What carries messages is ours (system.ts). A node stands for one activation of an actor.
 *
 * Invariants
 *  T1 A supervisor lives exactly as long as something is under it.
 *  T2 Different ids have different names, whatever characters they hold.
 *  T3 Stopping a node stops all below it.
 */
import { spawn, start, stop, type Ref } from 'nact';

export interface SupervisionNode {
  readonly ref: Ref<never>;
  readonly parent: Supervisor | undefined;
}

interface Supervisor extends SupervisionNode {
  readonly name: string;
  readonly below: Map<string, Supervisor>;
  /** Supervisors and entities directly under this one. */
  count: number;
}

/** nact allows `[a-z0-9-$_.+!*'(),]`; every other UTF-16 unit, and `$`, becomes `$` and four hex digits, so lone surrogates pass too. */
export const nodeName = (kind: string, id: string): string =>
  `${kind}.${id.replace(/[^\w\-.+!*'(),]/g, (c) => `$${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}`;

/** Never called, as no node is sent anything. */
const silent = (): undefined => undefined;

let systems = 0;

export class SupervisionTree {
  private readonly root: Supervisor;

  constructor(name: string) {
    // nact takes `{ name }`, against its typings, and keeps systems in a global map by name: so names must differ.
    const ref = start({ name: nodeName(name, String(++systems)) } as unknown as string);
    this.root = { ref, parent: undefined, name: '', below: new Map(), count: 1 };
  }

  /** Supervisors are named in the plural, so that a hive's desk and a hive's supervisor can be neighbours. A node for an entity under the workspace's supervisor and, below that, those of `path`; these are made when missing. */
  place(workspace: string, path: readonly string[], kind: string, id: string): SupervisionNode {
    let parent = this.supervisor(this.root, nodeName('workspaces', workspace));
    for (const step of path) parent = this.supervisor(parent, nodeName('hives', step));
    parent.count++;
    try {
      return { ref: spawn(parent.ref, silent, nodeName(kind, id)), parent };
    } catch (error) {
      this.release(parent);
      throw error;
    }
  }

  /** A node directly under another actor's. Throws where one of that name lives. */
  below(node: SupervisionNode, kind: string, id: string): SupervisionNode {
    return { ref: spawn(node.ref, silent, nodeName(kind, id)), parent: undefined };
  }

  /** Stops a node with all below it, and the supervisors that are then empty. */
  remove(node: SupervisionNode): void {
    stop(node.ref);
    if (node.parent) this.release(node.parent);
  }

  stop(): void {
    stop(this.root.ref);
    this.root.below.clear();
  }

  /** The supervisors that live, as paths. */
  supervisors(of: Supervisor = this.root, prefix = ''): string[] {
    return [...of.below.values()].flatMap((s) => [prefix + s.name, ...this.supervisors(s, `${prefix}${s.name}/`)]);
  }

  private supervisor(parent: Supervisor, name: string): Supervisor {
    let found = parent.below.get(name);
    if (!found) {
      found = { ref: spawn(parent.ref, silent, name), parent, name, below: new Map(), count: 0 };
      parent.below.set(name, found);
      parent.count++;
    }
    return found;
  }

  private release(supervisor: Supervisor): void {
    if (--supervisor.count > 0 || !supervisor.parent) return;
    supervisor.parent.below.delete(supervisor.name);
    stop(supervisor.ref);
    this.release(supervisor.parent);
  }
}
