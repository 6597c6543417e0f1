/** Scans of heads: entities with unfinished work, due timers, and all workspaces. */
import { fewestShards } from '../shards.js';
import type { DueHead, EntityRef, Head } from '../port.js';
import { activePrefix, duePrefix, workspacesPrefix } from './entries.js';
import type { Trees } from './environment.js';
import { entityOfKey, numberPart } from '../keys.js';
import { keysUnder } from './keys.js';
import { scan } from './scan.js';
import type { Snapshots } from './snapshots.js';
import { decodeHead } from './values.js';

const pageSize = 256;

export class HeadScans {
  constructor(
    private readonly trees: Trees,
    private readonly snapshots: Snapshots,
  ) {}

  /**
   * The heads of an entity index, in pages. No snapshot is held between pages, so that a slow consumer does not keep
   * lmdb from reusing pages; each head is the newest version.
   */
  async *pages(
    prefix: typeof activePrefix | typeof workspacesPrefix,
    shards?: readonly number[],
  ): AsyncGenerator<Head[]> {
    const { end } = keysUnder(prefix);
    const wanted = within(shards);
    for (let start: string | null = keysUnder(prefix).start; start !== null;) {
      const from: string = start;
      const page: Head[] = [];
      start = null;
      await this.snapshots.with((snapshot) =>
        scan(this.trees.system, { start: from, end, order: 'asc' }, snapshot, (key) => {
          this.collect(page, key.slice(prefix.length + 1), wanted);
          if (page.length < pageSize) return true;
          start = `${key}\0`;
          return false;
        }),
      );
      if (page.length > 0) yield page;
    }
  }

  async due(now: number, limit: number, shards?: readonly number[], from = -Infinity): Promise<DueHead[]> {
    const heads: Head[] = [];
    const wanted = within(shards);
    if (limit < 1) return [];
    const { start } = keysUnder(from === -Infinity ? duePrefix : `${duePrefix}\0${numberPart(from)}`);
    const end = keysUnder(`${duePrefix}\0${numberPart(now)}`).end;
    await this.snapshots.with((snapshot) =>
      scan(this.trees.system, { start, end, order: 'asc' }, snapshot, (key) => {
        this.collect(heads, key.slice(key.indexOf('\0', duePrefix.length + 1) + 1), wanted);
        return heads.length < limit;
      }),
    );
    return heads.map(({ entity, seq, active, due }) => ({ entity, seq, active, due: due ?? now }));
  }

  workspaces(): AsyncGenerator<Head[]> {
    return this.pages(workspacesPrefix);
  }
  active(shards?: readonly number[]): AsyncGenerator<Head[]> {
    return this.pages(activePrefix, shards);
  }

  private collect(heads: Head[], entityKey: string, wanted: (entity: EntityRef) => boolean): void {
    const entity = entityOfKey(entityKey);
    const entry = wanted(entity) ? this.trees.heads.getEntry(entityKey) : undefined;
    if (entry) heads.push(decodeHead(entity, entry.version ?? 0, entry.value));
  }
}

function within(shards: readonly number[] | undefined): (entity: EntityRef) => boolean {
  if (!shards) return () => true;
  const wanted = new Set(shards);
  return (entity) => wanted.has(fewestShards.of(entity));
}
