/** Scans of heads: all of them, entities with unfinished work, due timers, and all workspaces. */
import { fewestShards } from '../shards.js';
import type { DueHead, Head, HeadScope } from '../port.js';
import { activePrefix, duePrefix, workspacesPrefix } from './entries.js';
import type { Tree, Trees } from './environment.js';
import { entityOfKey, entityPrefix, keyPart, kindCodes, numberPart } from '../keys.js';
import { keysUnder } from './keys.js';
import { scan } from './scan.js';
import type { ReadSnapshots } from './snapshots.js';
import { decodeHead } from './values.js';

const pageSize = 256;

export class HeadScans {
  constructor(
    private readonly trees: Trees,
    private readonly snapshots: ReadSnapshots,
  ) {}

  all({ workspace, kind, after, shards }: HeadScope = {}): AsyncGenerator<Head[]> {
    const scope = workspace === undefined ? null : keyPart(workspace);
    const range =
      scope === null ? { start: '\x01', end: '\uffff' } : keysUnder(kind ? `${scope}\0${kindCodes[kind]}` : scope);
    const start = after ? `${entityPrefix(after)}\0` : range.start;
    return this.pages(this.trees.heads, { start, end: range.end }, (key) => key, shards);
  }
  workspaces(): AsyncGenerator<Head[]> {
    return this.index(workspacesPrefix);
  }
  active(shards?: readonly number[]): AsyncGenerator<Head[]> {
    return this.index(activePrefix, shards);
  }

  async due(now: number, limit: number, shards?: readonly number[], from = -Infinity): Promise<DueHead[]> {
    const { start } = keysUnder(from === -Infinity ? duePrefix : `${duePrefix}\0${numberPart(from)}`);
    const { end } = keysUnder(`${duePrefix}\0${numberPart(now)}`);
    const entityKey = (key: string): string => key.slice(key.indexOf('\0', duePrefix.length + 1) + 1);
    if (limit < 1) return [];
    for await (const heads of this.pages(this.trees.system, { start, end }, entityKey, shards, limit))
      return heads.map(({ entity, seq, active, due }) => ({ entity, seq, active, due: due ?? now }));
    return [];
  }

  private index(prefix: string, shards?: readonly number[]): AsyncGenerator<Head[]> {
    return this.pages(this.trees.system, keysUnder(prefix), (key) => key.slice(prefix.length + 1), shards);
  }

  /**
   * The heads of the entities that a range of keys names. No snapshot is held between pages, so that a slow consumer
   * does not keep lmdb from reusing pages; each head is the newest version.
   */
  private async *pages(
    tree: Tree,
    { start, end }: { start: string; end: string },
    entityKey: (key: string) => string,
    shards?: readonly number[],
    size = pageSize,
  ): AsyncGenerator<Head[]> {
    const wanted = shards && new Set(shards);
    for (let rest: string | null = start; rest !== null;) {
      const from: string = rest;
      const page: Head[] = [];
      rest = null;
      await this.snapshots.with((snapshot) =>
        scan(tree, { start: from, end, order: 'asc' }, snapshot, (key) => {
          const entity = entityOfKey(entityKey(key));
          if (wanted && !wanted.has(fewestShards.of(entity))) return true;
          const entry = this.trees.heads.getEntry(entityKey(key));
          if (entry) page.push(decodeHead(entity, entry.version ?? 0, entry.value));
          if (page.length < size) return true;
          rest = `${key}\0`;
          return false;
        }),
      );
      if (page.length > 0) yield page;
    }
  }
}
