/** The commands that every entity takes: those of agents, of hives and of workspaces' desks. */
import type { Draft } from '../shared/draft.js';
import { HivekeepError } from '../shared/errors.js';
import { identityOf, textHash } from './identities.js';
import { type StoredMemory, showMemory } from './stored-memory.js';
import { type RememberInput, type Surroundings, changeMemory, expire, forget, remember } from './memories.js';
import type { BatchItem, Memory } from '../model/model.js';
import type { QuotaExceeded } from '../workspace/usage.js';
import type { Documents } from '../shared/documents.js';
import type { MemoryPatch } from '../shared/inputs.js';
import { keepVectors } from './vectors.js';
import { eventEnded } from '../workspace/webhooks.js';

/* Adds many memories by one decision, each with an outcome of its own (docs/api.md 13.7). */

/** Memories that are added by one decision. */
export interface MemoryBatch {
  inputs: readonly RememberInput[];
  /** What had to be looked up for each, but for its position. */
  around: readonly Surroundings[];
  /** The next position of each session that they name. */
  positions: Readonly<Record<string, number>>;
  /** How many long-term memories have a reservation in the workspace's month; null if that is unlimited. */
  room: number | null;
  full: QuotaExceeded | null;
}

export const failedItem = ({ code, message, details }: HivekeepError): BatchItem => ({
  memory: null,
  error: { code, message, details },
});

/**
 * Adds each memory that the quotas allow, in order, so that a later one may repeat or supersede an earlier one. One
 * that is refused takes no place from those behind it.
 */
export function rememberAll(d: Draft, batch: MemoryBatch, agent: number | null): BatchItem[] {
  const { inputs, around, positions, room, full } = batch;
  const next = new Map(Object.entries(positions));
  const written = new Written(d);
  const counted = d.counts['lasting'] ?? 0;
  return inputs.map((input, i) => {
    const { sessionId } = input;
    const position = sessionId === undefined ? undefined : next.get(sessionId);
    const { candidates = [] } = around[i] ?? {};
    const left = (room ?? Infinity) - ((d.counts['lasting'] ?? 0) - counted);
    try {
      const memory = remember(
        d,
        input,
        { agent, full: left > 0 ? null : full },
        { position, candidates: written.candidates(input, candidates) },
      );
      if (sessionId !== undefined) next.set(sessionId, (position ?? 0) + 1);
      return { memory, error: null };
    } catch (error) {
      if (error instanceof HivekeepError) return failedItem(error);
      throw error;
    }
  });
}

/** What a decision has written so far, as the candidates of its next statement. */
class Written {
  private readonly memories = new Map<string, StoredMemory>();
  /** Ids of memories, by their keys' and their texts' hashes. */
  private readonly ids = new Map<string | number, string>();
  private read = 0;

  constructor(private readonly d: Draft) {}

  candidates(input: RememberInput, found: readonly StoredMemory[]): StoredMemory[] {
    this.catchUp();
    const all = new Map(found.map((memory) => [memory.id, this.memories.get(memory.id) ?? memory]));
    for (const key of [textHash(input), identityOf(input)]) {
      const memory = key === null ? undefined : this.memories.get(this.ids.get(key) ?? '');
      if (memory) all.set(memory.id, memory);
    }
    return [...all.values()];
  }

  private catchUp(): void {
    for (const { kind, body: memory } of this.d.puts.slice(this.read)) {
      if (kind !== 'memory') continue;
      this.memories.set(memory.id, memory);
      const text = textHash(memory);
      if (text !== null && !memory.superseded_by) this.ids.set(text, memory.id);
      if (memory.identity) this.ids.set(memory.identity, memory.id);
    }
    this.read = this.d.puts.length;
  }
}

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
