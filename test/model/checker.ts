/**
 * An explicit-state model checker: it walks every order in which the parts of a protocol may act, breadth first, so
 * that a counterexample is a shortest one.
 *
 * A state is plain JSON. A step is whatever one process, the network or the clock does at once; between any two steps
 * any other may come, so a process that is paused for long is simply one that is not chosen. Ages count up to a bound
 * from which on they make no difference, so the states are finitely many.
 *
 *  - Every state that can be reached is looked at once; one that breaks an invariant is not gone on from.
 *  - `goal` is broken where a state is reached from which all work can no more be finished, whatever happens:
 *     a deadlock, a wake-up that got lost, a loop without a way out.
 *  - A counterexample names its processes the same from its first step to its last, also where `canonical`
 *     swaps them.
 *
 * When it fails: more than `limit` states throw. What a model leaves out is not shown; each says what that is.
 */
import { hash } from 'node:crypto';

export interface Invariant<S> {
  readonly text: string;
  holds(state: S): boolean;
}

/** Adds a step that is possible now: what it is called, and what it does to a copy of the state. */
export type Can<S> = (label: string, change: (next: S) => void) => void;

export interface Model<S> {
  readonly start: S;
  steps(state: S, can: Can<S>): void;
  readonly invariants: Readonly<Record<string, Invariant<S>>>;
  /** All work is done. */
  finished(state: S): boolean;
  /** One form for all states that differ only in which of several equal processes is which. May change its argument. */
  canonical?(state: S): S;
}

export interface Result {
  readonly states: number;
  /** Of every broken invariant the shortest way to where it breaks. */
  readonly broken: ReadonlyMap<string, readonly string[]>;
}

export const goal = 'goal';

/** Explores all states; with `until` only as many as it takes to break that invariant. */
export function explore<S>(model: Model<S>, until?: string, limit = 6e6): Result {
  const canonical = (state: S) => model.canonical?.(state) ?? state;
  const ids = new Map<string, number>();
  const parents: number[] = [];
  const ends: boolean[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const broken = new Map<string, number>();
  let layer: [number, S][] = [];
  let next: [number, S][] = [];

  const visit = (state: S, parent: number) => {
    const key = keyOf(state);
    let id = ids.get(key);
    if (id === undefined) {
      ids.set(key, (id = ids.size));
      parents.push(parent);
      const bad = Object.keys(model.invariants).filter((name) => !model.invariants[name]!.holds(state));
      for (const name of bad) if (!broken.has(name)) broken.set(name, id);
      ends.push(bad.length > 0 || model.finished(state));
      if (bad.length === 0) next.push([id, state]);
    }
    if (parent >= 0) {
      from.push(parent);
      to.push(id);
    }
  };

  visit(canonical(copy(model.start)), -1);
  while (next.length > 0 && !(until !== undefined && broken.has(until))) {
    [layer, next] = [next, []];
    for (const [id, state] of layer)
      model.steps(state, (_label, change) => {
        visit(canonical(changed(state, change)), id);
      });
    if (ids.size > limit) throw new Error(`More than ${limit} states.`);
  }
  if (next.length === 0) {
    const stuck = firstWithoutEnd(ends, from, to);
    if (stuck >= 0) broken.set(goal, stuck);
  }
  const keys = [...ids.keys()];
  return {
    states: ids.size,
    broken: new Map(
      [...broken].map(([name, id]) => [
        name,
        labels(
          model,
          wayTo(id, parents).map((at) => keys[at]!),
        ),
      ]),
    ),
  };
}

const keyOf = (state: unknown): string => hash('md5', JSON.stringify(state), 'base64');

function changed<S>(state: S, change: (next: S) => void): S {
  const next = copy(state);
  change(next);
  return next;
}

function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy) as T;
  const out: Record<string, unknown> = {};
  for (const key in value) out[key] = copy(value[key]);
  return out as T;
}

function wayTo(id: number, parents: readonly number[]): number[] {
  const way: number[] = [];
  for (let at = id; at > 0; at = parents[at]!) way.unshift(at);
  return way;
}

/**
 * Walks the way once more without `canonical`: at each step there is one whose canonical form is the next of the way.
 */
function labels<S>(model: Model<S>, way: readonly string[]): string[] {
  let state = copy(model.start);
  return way.map((key) => {
    const found: [string, S][] = [];
    model.steps(state, (label, change) => {
      const next = changed(state, change);
      if (found.length === 0 && keyOf(model.canonical?.(copy(next)) ?? next) === key) found.push([label, next]);
    });
    state = found[0]![1];
    return found[0]![0];
  });
}

/**
 * The first state from which no end is reached, by walking all steps backwards from the ends; -1 where there is none.
 */
function firstWithoutEnd(ends: readonly boolean[], from: readonly number[], to: readonly number[]): number {
  const first = new Int32Array(ends.length + 1);
  const before = new Int32Array(from.length);
  for (const id of to) first[id + 1]!++;
  for (let i = 0; i < ends.length; i++) first[i + 1]! += first[i]!;
  const fill = first.slice();
  for (let i = 0; i < to.length; i++) before[fill[to[i]!]!++] = from[i]!;
  const reaches = ends.slice();
  const todo = ends.flatMap((end, id) => (end ? [id] : []));
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    for (const earlier of before.subarray(first[id], first[id + 1]))
      if (!reaches[earlier]) {
        reaches[earlier] = true;
        todo.push(earlier);
      }
  }
  return reaches.indexOf(false);
}
