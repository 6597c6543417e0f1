/**
 * Bounds the bytes held for pending work, in total and by workspace. One use is request bodies that are still arriving:
 * thousands of slow senders, each within its own limit, must not exhaust the memory of the process.
 *
 * Invariants
 *  - At most `max` bytes are held in total, and at most half of that by one workspace, so that no workspace can take
 *    everything.
 *  - Released bytes become available again, and nothing is kept for a workspace that holds none.
 * Complete bodies do not count, because they are parsed in the same turn of the event loop.
 */
import { HivekeepError } from '../../src/domain/errors.js';

export const defaultBodyBudget = 256 * 1024 * 1024;

export class BodyBudget {
  private readonly byWorkspace = new Map<string, number>();
  private total = 0;

  constructor(private readonly max = defaultBodyBudget) {}

  get held(): number {
    return this.total;
  }

  /** Returns false, and reserves nothing, if there is no room. */
  take(workspace: string, bytes: number): boolean {
    if (!this.hasRoom(workspace, bytes)) return false;
    this.add(workspace, bytes);
    return true;
  }

  hasRoom(workspace: string, bytes: number): boolean {
    return (this.byWorkspace.get(workspace) ?? 0) + bytes <= this.max / 2 && this.total + bytes <= this.max;
  }

  /** Reserves the bytes even if there is no room. */
  add(workspace: string, bytes: number): void {
    this.byWorkspace.set(workspace, (this.byWorkspace.get(workspace) ?? 0) + bytes);
    this.total += bytes;
  }

  give(workspace: string, bytes: number): void {
    const left = (this.byWorkspace.get(workspace) ?? 0) - bytes;
    if (left > 0) this.byWorkspace.set(workspace, left);
    else this.byWorkspace.delete(workspace);
    this.total -= bytes;
  }
}

export const tooManyBodies = (): HivekeepError =>
  new HivekeepError('UNAVAILABLE', 'too many request bodies are being received: send them faster, or fewer at a time', {
    retryAfter: 1,
  });
