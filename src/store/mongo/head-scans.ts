/** Finds heads by what they are waiting for: work to resume or timers that are due. Also lists all workspaces. */
import type { Filter } from 'mongodb';
import type { DueHead, Head, HeadScope, OpenHead } from '../port.js';
import { encoded, entityId, entityOfId } from './keys.js';
import { headsOf, type MongoConnection } from './connection.js';
import { headFields, readHead, type HeadFields, type StoredHead } from './documents.js';

const pageSize = 256;

export class HeadScans {
  constructor(private readonly connection: MongoConnection) {}

  /** Reads only the fields that are returned, because a head may hold the documents of a whole commit. */
  async *active(shards: readonly number[] | undefined, unfinished: boolean): AsyncGenerator<OpenHead[]> {
    const found = await headsOf(this.connection)
      .find<Pick<StoredHead, '_id' | 's' | 'a'>>(
        { ...(unfinished ? { o: true } : { a: true }), ...within(shards) },
        { projection: { s: 1, a: 1 } },
      )
      .toArray();
    for (let n = 0; n < found.length; n += pageSize)
      yield found.slice(n, n + pageSize).map(({ _id, s, a }) => ({ entity: entityOfId(_id), seq: s, active: a }));
  }
  workspaces(): AsyncGenerator<Head[]> {
    return this.pages({ t: 'workspace', i: { $gte: '' } });
  }

  ofShards({ workspace, kind, after, shards }: HeadScope & { shards: readonly number[] }): AsyncGenerator<Head[]> {
    return this.pages({
      ...(workspace !== undefined && { w: encoded(workspace) }),
      ...(kind && { t: kind }),
      ...(after && { _id: { $gt: entityId(after) } }),
      ...within(shards),
    });
  }

  async due(now: number, limit: number, shards?: readonly number[], from = -Infinity): Promise<DueHead[]> {
    if (limit < 1) return [];
    const found = await headsOf(this.connection)
      .find<Pick<StoredHead, '_id' | 's' | 'a' | 'due'>>(
        { due: { $gte: from, $lte: now }, ...within(shards) },
        { projection: { s: 1, a: 1, due: 1 }, sort: { due: 1 }, limit },
      )
      .toArray();
    return found.map(({ _id, s, a, due = now }) => ({ entity: entityOfId(_id), seq: s, active: a, due }));
  }

  /** Whether the workspace has any head in these shards, also of a deleted entity. */
  async any(workspace: string, shards: readonly number[]): Promise<boolean> {
    const found = await headsOf(this.connection).findOne(
      { w: encoded(workspace), ...within(shards) },
      { projection: { _id: 1 } },
    );
    return found !== null;
  }

  /**
   * Queries the index once for the ids of the heads, then reads the heads page by page, so that no cursor stays open
   * while a caller takes a long time over a page.
   */
  private async *pages(filter: Filter<StoredHead>): AsyncGenerator<Head[]> {
    const ids = (
      await headsOf(this.connection)
        .find(filter, { projection: { _id: 1 } })
        .toArray()
    )
      .map((h) => h._id)
      .sort();
    for (let n = 0; n < ids.length; n += pageSize) {
      const found = await headsOf(this.connection)
        .find<HeadFields>(
          { ...filter, _id: { $in: ids.slice(n, n + pageSize) } },
          { projection: headFields, sort: { _id: 1 } },
        )
        .toArray();
      if (found.length > 0) yield found.map((h) => readHead(h, entityOfId(h._id)));
    }
  }
}

const within = (shards: readonly number[] | undefined): { sh?: { $in: number[] } } =>
  shards ? { sh: { $in: [...shards] } } : {};
