/**
 * Keeps the text tables of entities that have left memory, so that the texts of a large one are not read anew at each
 * of its activations. One is shared by all entities of the process.
 *
 *  KeptTexts.T1 A table is taken only at the sequence number that it was kept at: if anybody has written the entity
 *     since, it is built anew. A table is taken once.
 */
import { type EntityRef, entityKey } from '../../src/store/port.js';
import type { TextTable } from '../../src/domain/memory/identities.js';

/** Smaller ones are read with one page of a list. */
const fewest = 256;

export class KeptTexts {
  private readonly kept = new Map<string, { seq: number; table: TextTable }>();
  private bytes = 0;

  constructor(private readonly mostBytes = 16 * 1024 * 1024) {}

  keep(entity: EntityRef, seq: number, table: TextTable): void {
    if (table.size < fewest || table.bytes > this.mostBytes) return;
    const key = entityKey(entity);
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
