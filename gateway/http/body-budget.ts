/**
 * A bound on bytes that wait, in all and by workspace. How much of bodies that are still arriving a process keeps:
 * thousands of slow senders, each within its own limit, must not take its memory.
 *
 * Invariants
 *  BodyBudget.B1 At most `max` bytes are held in all, and half of that by one workspace, so that no one can take it
 *     all.
 *  BodyBudget.B2 What is given back can be taken again; nothing is kept of a workspace that holds nothing.
 * Whole bodies do not count: they are parsed in the turn in which they are complete.
 */
import { HivekeepError } from '../../src/domain/errors.js';

export const defaultBodyBudget = 256 * 1024 * 1024;

export class BodyBudget {
  readonly #max: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(max = defaultBodyBudget) {
    this.#max = max;
  }

  get held(): number {
    return this.#total;
  }

  /** False where there is no room: then nothing is taken. */
  take(workspace: string, bytes: number): boolean {
    if (!this.hasRoom(workspace, bytes)) return false;
    this.add(workspace, bytes);
    return true;
  }

  hasRoom(workspace: string, bytes: number): boolean {
    return (this.#held.get(workspace) ?? 0) + bytes <= this.#max / 2 && this.#total + bytes <= this.#max;
  }

  /** Whether there is room or not. */
  add(workspace: string, bytes: number): void {
    this.#held.set(workspace, (this.#held.get(workspace) ?? 0) + bytes);
    this.#total += bytes;
  }

  give(workspace: string, bytes: number): void {
    const left = (this.#held.get(workspace) ?? 0) - bytes;
    if (left > 0) this.#held.set(workspace, left);
    else this.#held.delete(workspace);
    this.#total -= bytes;
  }
}

export const tooManyBodies = (): HivekeepError =>
  new HivekeepError('UNAVAILABLE', 'too many request bodies are on their way: send them faster, or fewer at a time', {
    retryAfter: 1,
  });
