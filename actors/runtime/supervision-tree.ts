/**
 * The supervision tree, built on nact: workspace -> hive (if there is one) -> agent -> its runs. The actor of a hive
 * and the actor of a workspace (its desk) are under their supervisors like any other entity.
 *
 * nact spawns the nodes, knows the tree and cascades stops. No message of an actor passes through it, because of the
 * defects that docs/nact.md lists; the runtime has its own queues for those (system.ts). A node represents one
 * activation of an actor. The only message that a node understands asks for the nodes under it.
 *
 * Invariants
 *  Tree.T1 A supervisor lives exactly as long as something is under it.
 *  Tree.T2 Different ids have different names, whatever characters they contain.
 *  Tree.T3 Stopping a node stops everything below it, and nothing else.
 */
import { type ActorContext, dispatch, type Ref, spawn, start, stop } from 'nact';

export interface SupervisionNode {
  readonly ref: Ref<Inspection>;
  readonly parent: Supervisor | undefined;
}

interface Supervisor extends SupervisionNode {
  readonly name: string;
  readonly below: Map<string, Supervisor>;
  /** Supervisors and entities directly under this one. */
  count: number;
}

/**
 * nact allows `[a-z0-9-$_.+!*'(),]` in names. Every other UTF-16 unit, and `$` itself, becomes `$` and four hex digits,
 * so that lone surrogates pass too.
 */
export const nodeName = (kind: string, id: string): string =>
  `${kind}.${id.replace(/[^\w\-.+!*'(),]/g, (c) => `$${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}`;

/** Asks a node which nodes are under it, by name. */
interface Inspection {
  answer(children: ReadonlyMap<string, Ref<Inspection>>): void;
}

const answerInspection = (_state: undefined, inspection: Inspection, { children }: Context): undefined => {
  inspection.answer(children);
  return undefined;
};
type Context = Pick<ActorContext<Inspection, Ref<Inspection>>, 'children'>;

let systems = 0;

export class SupervisionTree {
  private readonly root: Supervisor;

  constructor(name: string) {
    // contrary to its typings, nact takes `{ name }`; it keeps systems in a global map by name, so names must differ
    const ref = start({ name: nodeName(name, String(++systems)) } as unknown as string);
    this.root = { ref, parent: undefined, name: '', below: new Map(), count: 1 };
  }

  /**
   * Adds a node for an entity under the supervisor of its workspace and, below that, the supervisors of `path`, which
   * are created if they are missing. Supervisors have plural names, so that the desk of a hive and the supervisor of
   * that hive can be siblings.
   */
  place(workspace: string, path: readonly string[], kind: string, id: string): SupervisionNode {
    let parent = this.supervisor(this.root, nodeName('workspaces', workspace));
    for (const step of path) parent = this.supervisor(parent, nodeName('hives', step));
    parent.count++;
    try {
      return { ref: spawn(parent.ref, answerInspection, nodeName(kind, id)), parent };
    } catch (error) {
      this.release(parent);
      throw error;
    }
  }

  /** Adds a node directly under the node of another actor. Throws if one of that name exists. */
  below(node: SupervisionNode, kind: string, id: string): SupervisionNode {
    return { ref: spawn(node.ref, answerInspection, nodeName(kind, id)), parent: undefined };
  }

  /** Stops a node with everything below it, and the supervisors that become empty. */
  remove(node: SupervisionNode): void {
    stop(node.ref);
    if (node.parent) this.release(node.parent);
  }

  stop(): void {
    stop(this.root.ref);
    this.root.below.clear();
  }

  /**
   * Returns the names of the nodes directly under a node, as nact knows them, for inspection and tests. `path` leads to
   * the node from the root: `workspaces.ID`, then `hives.ID`, `agent.ID` or `run.ID`. Empty if there is no such node.
   */
  async children(...path: readonly string[]): Promise<string[]> {
    const [first = '', ...rest] = path;
    let node = this.root.below.get(first)?.ref;
    let under: ReadonlyMap<string, Ref<Inspection>> = new Map();
    for (const name of [...rest, null]) {
      if (!node) return [];
      const asked = node;
      under = await new Promise((answer) => {
        dispatch(asked, { answer });
      });
      if (name !== null) node = under.get(name);
    }
    return [...under.keys()];
  }

  /** The paths of the living supervisors. */
  supervisors(of: Supervisor = this.root, prefix = ''): string[] {
    return [...of.below.values()].flatMap((s) => [prefix + s.name, ...this.supervisors(s, `${prefix}${s.name}/`)]);
  }

  private supervisor(parent: Supervisor, name: string): Supervisor {
    let found = parent.below.get(name);
    if (!found) {
      found = { ref: spawn(parent.ref, answerInspection, name), parent, name, below: new Map(), count: 0 };
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
