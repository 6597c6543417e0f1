/** Reads by key: synchronous, from the newest committed state (Store.P4). */
import type { Documents } from '../../domain/documents.js';
import { readRecord, unexpired } from '../idempotency-record.js';
import type { IdempotencyRecord, DocKind, EntityKind, EntityRef, Head, StoredDoc } from '../port.js';
import { docKey, listPrefix, lookupKey, pointerKey } from './entries.js';
import type { Trees } from './environment.js';
import { entryOf, runAround } from './first-entries.js';
import { entityPrefix, lastPart } from '../keys.js';
import { entityOfCode, keysUnder, recordKey } from './keys.js';
import { decodeHead, parseBody } from './values.js';

export class Reader {
  constructor(private readonly trees: Trees) {}

  head<K extends EntityKind>(entity: EntityRef<K>): Head<K> | null {
    const entry = this.trees.heads.getEntry(entityPrefix(entity));
    return entry ? decodeHead(entity, entry.version ?? 0, entry.value) : null;
  }

  record(entity: EntityRef, id: string, now: number): IdempotencyRecord | null {
    const text = this.trees.docs.get(recordKey(entityPrefix(entity), id));
    return text === undefined ? null : unexpired(readRecord(id, text), now);
  }

  get<K extends DocKind>(entity: EntityRef, kind: K, id: string): StoredDoc<K> | null {
    const text = this.trees.docs.get(docKey(entityPrefix(entity), kind, id));
    return text === undefined
      ? this.inside(entity, kind, id)
      : { entity, kind, id, body: parseBody(text) as Documents[K] };
  }

  /** A document inside another. */
  private inside<K extends DocKind>(entity: EntityRef, kind: K, id: string): StoredDoc<K> | null {
    const run = runAround(kind, id);
    const text = run === null ? undefined : this.trees.docs.get(docKey(entityPrefix(entity), 'run', run));
    const entry = run === null || text === undefined ? null : entryOf(run, text);
    return entry && { entity, kind, id, body: entry.body as Documents[K] };
  }

  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): (StoredDoc<K> | null)[] {
    return ids.map((id) => this.get(entity, kind, id));
  }

  find<K extends DocKind>(workspace: string, kind: K, id: string): StoredDoc<K> | null {
    const code = this.trees.lists.get(pointerKey(workspace, kind, id));
    return code === undefined ? null : this.get(entityOfCode(workspace, code), kind, id);
  }

  newest<K extends DocKind>(entity: EntityRef, kind: K, list: string, by: string): StoredDoc<K> | null {
    const { start, end } = keysUnder(listPrefix(entityPrefix(entity), kind, list, by));
    for (const key of this.trees.docs.getKeys({ start: end, end: start, reverse: true, limit: 1 }))
      return this.get(entity, kind, lastPart(key));
    return null;
  }

  lookup<K extends DocKind>(kind: K, value: string): StoredDoc<K> | null {
    const text = this.trees.system.get(lookupKey(kind, value));
    if (text === undefined) return null;
    const [workspace, code, id] = JSON.parse(text) as [string, string, string];
    return this.get(entityOfCode(workspace, code), kind, id);
  }
}
