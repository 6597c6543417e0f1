/** The commands that every entity takes: those of agents, of hives and of workspaces' desks. */
import type { Documents } from './documents.js';
import type { Draft } from './draft.js';
import type { MemoryPatch } from './inputs.js';
import { changeMemory, expire, forget, remember, type RememberInput, type Surroundings } from './memories.js';
import { type MemoryBatch, rememberAll } from './memory-batch.js';
import type { BatchItem, Memory } from './model.js';
import { showMemory, type StoredMemory } from './stored-memory.js';
import type { QuotaExceeded } from './usage.js';
import { keepVectors } from './vectors.js';
import { eventEnded } from './webhooks.js';

/** Keys or tokens as stored, including the time of their last use. */
export type UsedCredentials = { [K in 'key' | 'token']: { kind: K; credentials: readonly Documents[K][] } }[
  'key' | 'token'];

export const memoryCommands = {
  /** `known`: the memory as it was stored before, if an outbox has delivered it again. */
  remember(
    d: Draft,
    c: { input: RememberInput; known?: StoredMemory | null; full?: QuotaExceeded | null } & Surroundings,
  ): Memory {
    if (c.known) return showMemory(c.known);
    d.noteUse();
    return remember(d, c.input, { agent: d.memoryQuota, full: c.full }, c);
  },
  rememberAll(d: Draft, c: MemoryBatch): BatchItem[] {
    d.noteUse();
    return rememberAll(d, c, d.memoryQuota);
  },
  patchMemory: (d: Draft, c: { memory: StoredMemory; patch: MemoryPatch; full?: QuotaExceeded | null }): Memory =>
    changeMemory(d, c.memory, c.patch, { agent: d.memoryQuota, full: c.full }),
  forget,
  vectors: keepVectors,
  expire,
  eventEnded,
  /** Records when keys or tokens were last used. */
  used(d: Draft, c: UsedCredentials): void {
    for (const credential of c.credentials) d.put(c.kind, credential.id, credential, false);
  },
};
