/**
 * Keeps the text tables of entities that have left memory, so that the texts of a large one are not read anew at each
 * of its activations. One is shared by all entities of the process.
 *
 *  KeptTexts.T1 A table is taken only at the sequence number that it was kept at: if anybody has written the entity
 *     since, it is built anew. A table is taken once.
 */
import { type EntityRef, entityKey } from '../../src/store/port.js';
import type { TextTable } from '../../src/domain/text-table.js';
import type { TextTables } from '../../src/memory/port.js';

/** Smaller ones are read with one page of a list. */
const fewest = 256;

/** The table of an entity in memory; null while it is not complete. */
export interface HoldsTexts {
  readonly complete: TextTable | null;
}

export class KeptTexts implements TextTables {
  private readonly kept = new Map<string, { seq: number; table: TextTable }>();
  private readonly inUse = new Map<string, HoldsTexts>();
  private bytes = 0;

  constructor(private readonly mostBytes = 32 * 1024 * 1024) {}

  /** The entity has taken its table, or has made one. */
  using(entity: EntityRef, holder: HoldsTexts): void {
    this.inUse.set(entityKey(entity), holder);
  }

  ended(entity: EntityRef, holder: HoldsTexts): void {
    const key = entityKey(entity);
    if (this.inUse.get(key) === holder) this.inUse.delete(key);
  }

  /** The texts of all memories up to this commit, and perhaps others. */
  of(entity: EntityRef, seq: number): TextTable | null {
    const key = entityKey(entity);
    const kept = this.kept.get(key);
    return this.inUse.get(key)?.complete ?? (kept?.seq === seq ? kept.table : null);
  }

  keep(entity: EntityRef, seq: number, table: TextTable): void {
    if (table.size < fewest || table.bytes > this.mostBytes) return;
    const key = entityKey(entity);
    if (this.inUse.get(key)?.complete) return;
    this.remove(key);
    this.kept.set(key, { seq, table });
    this.bytes += table.bytes;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.mostBytes) return;
      this.remove(oldest);
    }
  }

  take(entity: EntityRef, seq: number): TextTable | null {
    const found = this.remove(entityKey(entity));
    return found?.seq === seq ? found.table : null;
  }

  private remove(key: string): { seq: number; table: TextTable } | undefined {
    const found = this.kept.get(key);
    this.kept.delete(key);
    this.bytes -= found?.table.bytes ?? 0;
    return found;
  }
}
