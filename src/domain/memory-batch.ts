/** Adds many memories by one decision, each with an outcome of its own (docs/api.md 13.7). */
import type { Draft } from './draft.js';
import { HivekeepError } from './errors.js';
import { identityOf, textHash } from './identities.js';
import type { StoredMemory } from './stored-memory.js';
import { remember, type RememberInput, type Surroundings } from './memories.js';
import type { BatchItem } from './model.js';
import type { QuotaExceeded } from './usage.js';

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
