/**
 * What is taken out of a profile (actors/entities/profile.ts): the memories and turns that say it are marked, so that it
 * does not come back from them, and stay as they are otherwise. Said again, it is heeded again.
 */
import type { AgentDraft } from '../agent/agent-draft.js';
import type { RunRecord } from '../run/records.js';
import type { StoredMemory } from './stored-memory.js';

/** What says one thing of a profile. */
export interface Evidence {
  memories: readonly StoredMemory[];
  runs: readonly { run: RunRecord; turns: readonly string[] }[];
}

/** How many of them were marked. */
export function takeOutOfProfile(d: AgentDraft, { memories, runs }: Evidence): number {
  let marked = 0;
  for (const memory of memories) {
    if (memory.unheeded) continue;
    d.put('memory', memory.id, { ...memory, unheeded: true }, false, memory);
    marked++;
  }
  for (const { run, turns } of runs) {
    const before = run.unheeded ?? [];
    const unheeded = [...before, ...turns.filter((id) => !before.includes(id))];
    if (unheeded.length === before.length) continue;
    marked += unheeded.length - before.length;
    if (d.hasRun(run.id)) d.editRun(run.id).record.unheeded = unheeded;
    else d.putRun({ ...run, unheeded }, run);
  }
  return marked;
}
