/** Reads all that is stored of entities, of one state each: for exports and for a move to another store. */
import type {
  IdempotencyRecord,
  DocKind,
  EntityKind,
  EntityPart,
  EntityRef,
  Head,
  HeadScope,
  StoredDoc,
} from '../port.js';
import type { Trees } from './environment.js';
import { fewestShards } from '../shards.js';
import { entryOf } from './first-entries.js';
import { entityOfKey, entityPrefix, keyPart, lastPart } from '../keys.js';
import { keysUnder } from './keys.js';
import { scan } from './scan.js';
import type { Snapshots } from './snapshots.js';
import { decodeHead, parseBody } from './values.js';

const headsInPage = 256;
const inPage = 500;
const pageBytes = 1024 * 1024;
const kindCodes: Readonly<Record<EntityKind, string>> = { agent: 'a', hive: 'h', workspace: 'w' };

export class WholeEntities {
  constructor(
    private readonly trees: Trees,
    private readonly snapshots: Snapshots,
  ) {}

  /** No snapshot is held between pages. */
  async *heads({ workspace, kind, after, shards }: HeadScope = {}): AsyncGenerator<Head[]> {
    const scope = workspace === undefined ? null : keyPart(workspace);
    const range =
      scope === null ? { start: '\x01', end: '\uffff' } : keysUnder(kind ? `${scope}\0${kindCodes[kind]}` : scope);
    for (let start: string | null = after ? `${entityPrefix(after)}\0` : range.start; start !== null;) {
      const from: string = start;
      const page: Head[] = [];
      start = null;
      await this.snapshots.with((snapshot) =>
        scan(this.trees.heads, { start: from, end: range.end, order: 'asc' }, snapshot, (key, text) => {
          const entry = this.trees.heads.getEntry(key, { transaction: snapshot.transaction });
          const entity = entityOfKey(key);
          if (shards && !shards.includes(fewestShards.of(entity))) return true;
          page.push(decodeHead(entity, entry?.version ?? 0, text));
          if (page.length < headsInPage) return true;
          start = `${key}\0`;
          return false;
        }),
      );
      if (page.length > 0) yield page;
    }
  }

  /** In one snapshot, however long it takes, so that no entity is changed too often to be read. */
  async *contents(entity: EntityRef): AsyncGenerator<EntityPart> {
    const snapshot = await this.snapshots.holdSlowly();
    try {
      const prefix = entityPrefix(entity);
      const stored = this.trees.heads.getEntry(prefix, { transaction: snapshot.transaction });
      if (!stored) return;
      yield { type: 'head', head: decodeHead(entity, stored.version ?? 0, stored.value) };
      const { start, end } = keysUnder(prefix);
      let documents: StoredDoc[] = [];
      let records: IdempotencyRecord[] = [];
      for (let rest: string | null = start; rest !== null;) {
        const from: string = rest;
        let bytes = 0;
        rest = null;
        await scan(this.trees.docs, { start: from, end, order: 'asc' }, snapshot, (key, text) => {
          const kind = key.slice(prefix.length + 1, key.indexOf('\0', prefix.length + 1));
          if (kind.includes(':')) return true; // an entry of a list
          if (kind === '!') records.push(record(lastPart(key), text));
          else {
            const id = lastPart(key);
            documents.push({ entity, kind: kind as DocKind, id, body: parseBody(text) });
            const entry = kind === 'run' ? entryOf(id, text) : null;
            if (entry) documents.push({ entity, kind: 'journal', id: entry.id, body: entry.body });
          }
          bytes += text.length;
          if (documents.length + records.length < inPage && bytes < pageBytes) return true;
          rest = `${key}\0`;
          return false;
        });
        if (documents.length > 0) yield { type: 'documents', documents };
        if (records.length > 0) yield { type: 'records', records };
        documents = [];
        records = [];
      }
      yield { type: 'end' };
    } finally {
      snapshot.release();
    }
  }
}

function record(id: string, text: string): IdempotencyRecord {
  const [bodyHash, expiresAt, result] = JSON.parse(text) as [string, number, unknown];
  return { id, bodyHash, expiresAt, result };
}
