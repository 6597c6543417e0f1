/** Reads all that is stored of an entity, of one state: for exports and for a move to another store. */
import { entityPrefix, lastPart, readRecord } from '../keys.js';
import type { AnyDoc, Content, EntityPart, EntityRef } from '../port.js';
import type { Trees } from './environment.js';
import { entryOf } from './entries.js';
import { keysUnder } from './keys.js';
import { scan } from './scan.js';
import type { ReadSnapshots } from './snapshots.js';
import { decodeHead, parseBody } from './values.js';

const inPage = 500;
const pageBytes = 1024 * 1024;

export class WholeEntities {
  constructor(
    private readonly trees: Trees,
    private readonly snapshots: ReadSnapshots,
  ) {}

  /** In one snapshot, however long it takes, so that no entity is changed too often to be read. */
  async *contents(entity: EntityRef): AsyncGenerator<EntityPart> {
    const snapshot = await this.snapshots.hold();
    try {
      const prefix = entityPrefix(entity);
      const stored = this.trees.heads.getEntry(prefix, { transaction: snapshot.transaction });
      if (!stored) return;
      yield { type: 'head', head: decodeHead(entity, stored.version ?? 0, stored.value) };
      const { start, end } = keysUnder(prefix);
      for (let rest: string | null = start; rest !== null;) {
        const from: string = rest;
        const { documents, records }: Content = { documents: [], records: [] };
        let bytes = 0;
        rest = null;
        await scan(this.trees.docs, { start: from, end, order: 'asc' }, snapshot, (key, text) => {
          const kind = key.slice(prefix.length + 1, key.indexOf('\0', prefix.length + 1));
          if (kind.includes(':')) return true; // an entry of a list
          if (kind === '!') records.push({ entity, ...readRecord(lastPart(key), text) });
          else {
            const id = lastPart(key);
            documents.push({ entity, kind, id, body: parseBody(text) } as AnyDoc);
            const entry = kind === 'run' ? entryOf(id, text) : null;
            if (entry) documents.push({ entity, kind: 'journal', id: entry.id, body: entry.body } as AnyDoc);
          }
          bytes += text.length;
          if (documents.length + records.length < inPage && bytes < pageBytes) return true;
          rest = `${key}\0`;
          return false;
        });
        if (bytes > 0) yield { type: 'content', documents, records };
      }
      yield { type: 'end' };
    } finally {
      snapshot.release();
    }
  }
}
