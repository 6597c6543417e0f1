/** What the clients did and were told: the side of the evidence that the service has no hand in. */
import type { Story } from './clients/story.js';

/**
 * `agent`: a made one, which may be deleted. `task`: an A2A message. `hops`: mail that agents pass on. `share`: a run
 * that shares something with a hive.
 */
export const kinds = ['agent', 'memory', 'message', 'run', 'mail', 'hops', 'task', 'share'] as const;
export type Kind = (typeof kinds)[number];

export interface Entry {
  kind: Kind;
  /** In no other entry: by it, what the service made of this one is found. */
  unique: string;
  /** Who it is for; null for a memory of the workspace and for an agent. */
  agent: string | null;
  /** What was acknowledged: a memory's, run's, message's or agent's id. Null until then. */
  id: string | null;
  /** How often it was sent until it was answered. */
  tries: number;
  deleted: 'no' | 'asked' | 'acknowledged';
  /** Of mail that is passed on: everyone who is to receive it, the first included. */
  path: string[];
}

/** Where the pushes of a task are to arrive. */
export interface Push {
  agent: string;
  run: string;
  path: string;
}

export class Ledger {
  readonly entries: Entry[] = [];
  readonly stories: Story[] = [];
  readonly pushes: Push[] = [];
  /**
   * What no fault excuses, seen by a client at once: refused, answered otherwise when asked again, not read after it
   * was written.
   */
  readonly problems: string[] = [];
  /** How often something was looked at, by what: shows that a check was not idle. */
  readonly looks: Record<string, number> = {};

  begin(kind: Kind, unique: string, agent: string | null, path: string[] = []): Entry {
    const entry: Entry = { kind, unique, agent, id: null, tries: 0, deleted: 'no', path };
    this.entries.push(entry);
    return entry;
  }

  looked(at: string): void {
    this.looks[at] = (this.looks[at] ?? 0) + 1;
  }
}
