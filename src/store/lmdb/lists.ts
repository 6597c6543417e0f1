/**
 * Pages and counts of lists.
 *
 *  - A page begins after the given position, in the order of the list's keys. Documents that did not change
 *     are therefore neither repeated nor skipped (Store.P5), whatever happened to the item at that position.
 *  - A page is read from one snapshot (snapshots.ts), so it never shows a part of a commit (Store.P2).
 *  - With `where` or `matches`, a page examines at most `mostExamined` documents, and then returns those
 *     found with the position of the last one examined.
 *  - The usual partition of a list of the workspace has no entries of its own, and the lists 'opening' have few. Their
 *    page or count passes at most `mostPassed` entries of other documents, and then ends likewise: the page with a
 *    position to go on from, the count as a lower bound.
 */
import type { PackedRun } from '../../domain/run/stored-run.js';
import type { ListDefinition, SortValue } from '../collections.js';
import { definitionOf, filterOf, isHeadCollection, isSearched, type UnpagedQuery } from '../list-query.js';
import type { EntityRef, Listed, ListQuery, Page, Position } from '../port.js';
import {
  besideCreated,
  besideSession,
  docKey,
  entryOf,
  isUsual,
  lineIn,
  listPrefix,
  placeInSession,
} from './entries.js';
import type { Tree, Trees } from './environment.js';
import { entityPrefix, lastPart, keyPart, sortPart } from '../keys.js';
import { entityOfCode, opener, keysUnder, unusual } from './keys.js';
import { besideOne, besideOpenings, opensOwnSession, ownRun } from './own-sessions.js';
import { scan, scanTogether, type Beside, type Range } from './scan.js';
import type { Snapshot, ReadSnapshots } from './snapshots.js';
import { headSnapshot, parseBody } from './values.js';

const mostExamined = 10_000;
/** About 30 ms of CPU, in slices. */
const mostPassed = 100_000;

type Body = object;
/** What is listed, before the query says what its body holds. */
type Item = Omit<Listed, 'body'> & { body: Body };
type ItemPage = Omit<Page, 'items'> & { items: Item[] };
/** Whether a query asks for the runs that open a session. */
const isOpening = ({ collection, list }: UnpagedQuery): boolean => collection === 'run' && list === 'opening';

interface Found {
  id: string;
  entity: EntityRef;
  body: Body;
  /** Stored size. */
  bytes: number;
}

/** Where entries of a list are, and how to get from an entry to its document. */
interface Entries {
  tree: Tree;
  /** Whether what is there is in the list; omitted if everything is. */
  holds?(key: string, value: string, snapshot: Snapshot): boolean;
  read(key: string, value: string, snapshot: Snapshot): Found | null;
}

/** The list of a query. */
interface Source extends Entries {
  prefix: string;
  definition: ListDefinition | undefined;
  /** What is not in the list is passed at a small cost, and may be most of what is there. */
  isSparse?: true;
  /** What else holds documents of the list: for journals and for sessions the runs themselves. */
  beside?: readonly (Entries & Beside)[];
}

export class Lists {
  constructor(
    private readonly trees: Trees,
    private readonly snapshots: ReadSnapshots,
    private readonly passes = mostPassed,
  ) {}

  async list(query: ListQuery): Promise<ItemPage> {
    const source = this.source(query);
    const range = rangeOf(source, query);
    const matches = filterOf(query);
    const items: Item[] = [];
    let next: Position | null = null;
    let examined = 0;
    let bytes = 0;
    let skip = query.offset ?? 0;
    const { maxBytes = Infinity } = query;
    let position: Position | null = null;
    let last: Position | null = null;
    if (query.limit < 1) return { items, next };
    await this.snapshots.with((snapshot) =>
      scanList(
        source,
        range,
        snapshot,
        (entries, key, value) => {
          if (items.length === query.limit || bytes >= maxBytes || (isSearched(query) && examined === mostExamined)) {
            next = position;
            return false;
          }
          if (skip > 0 && !matches) {
            skip--;
            return true;
          }
          const found = entries.read(key, value, snapshot);
          if (!found) return true;
          examined++;
          position = positionOf(source.definition, found.body, found.id);
          if (matches && !matches(found.body)) return true;
          if (skip > 0) {
            skip--;
            return true;
          }
          const { id, entity, body } = found;
          // a document that would exceed the size begins the next page
          if (bytes > 0 && bytes + found.bytes > maxBytes) {
            next = last;
            return false;
          }
          bytes += found.bytes;
          last = position;
          items.push({ id, entity, body, position });
          return true;
        },
        this.passing((key) => {
          next = [lastPart(key)];
        }),
      ),
    );
    return { items, next };
  }

  async count(query: UnpagedQuery, limit: number): Promise<{ count: number; exact: boolean }> {
    const source = this.source(query);
    const range = rangeOf(source, { ...query, order: 'asc' });
    const matches = filterOf(query);
    const most = Math.max(limit, mostExamined);
    let count = 0;
    let examined = 0;
    let exact = true;
    await this.snapshots.with((snapshot) =>
      scanList(
        source,
        range,
        snapshot,
        (entries, key, value) => {
          if (count === limit && !matches) {
            exact = false;
            return false;
          }
          if (matches) {
            if (isSearched(query) && examined === most) {
              exact = false;
              return false;
            }
            examined++;
            const found = entries.read(key, value, snapshot);
            if (!found || !matches(found.body)) return true;
            if (count === limit) {
              exact = false;
              return false;
            }
          }
          count++;
          return true;
        },
        this.passing(() => {
          exact = false;
        }),
      ),
    );
    return { count, exact };
  }

  /** Bounds what is passed: `end` is told the last entry that is passed. */
  private passing(end: (key: string) => void): (key: string) => boolean {
    let passed = 0;
    return (key) => {
      if (++passed < this.passes) return true;
      end(key);
      return false;
    };
  }

  private source(query: UnpagedQuery): Source {
    const { workspace, collection, list, entity } = query;
    const definition = definitionOf(query);
    const by = query.by ?? '';
    if (isHeadCollection(collection))
      return {
        tree: this.trees.lists,
        prefix: listPrefix(keyPart(workspace), collection, list, by),
        definition,
        read: this.headReader(workspace),
      };
    if (!entity) {
      if (definition?.usual !== undefined && by === definition.usual)
        return {
          tree: this.trees.lists,
          prefix: listPrefix(keyPart(workspace), collection, 'created', ''),
          definition,
          holds: (_key, value) => !value.startsWith(unusual),
          isSparse: true,
          read: this.pointedReader(workspace, collection),
        };
      const prefix = listPrefix(keyPart(workspace), collection, list, by);
      const read = this.pointedReader(workspace, collection);
      return {
        tree: this.trees.lists,
        prefix,
        definition,
        read,
        ...(isOpening(query) && {
          isSparse: true,
          beside: [
            {
              tree: this.trees.lists,
              ...besideOpenings(prefix, listPrefix(keyPart(workspace), collection, 'created', '')),
              holds: (_key: string, value: string) => value.startsWith(opener, value.startsWith(unusual) ? 1 : 0),
              read,
            },
          ],
        }),
      };
    }
    const own = entityPrefix(entity);
    const { docs } = this.trees;
    const usual = definition?.usual !== undefined && by === definition.usual ? definition : null;
    const readHere: Entries['read'] = (key, value) => ({
      id: lastPart(key),
      entity,
      body: parseBody(value),
      bytes: Buffer.byteLength(value),
    });
    if (!definition || usual)
      return {
        tree: docs,
        prefix: `${own}\0${collection}`,
        definition,
        ...(usual && { holds: (_key, value) => isUsual(usual, parseBody(value)) }),
        read: readHere,
        ...(collection === 'journal' && {
          beside: [
            {
              tree: docs,
              ...besideCreated(own),
              holds: (_key: string, value: string) => lineIn(value) !== '',
              read: (key: string, value: string) => entryFound(entity, lastPart(key), value),
            },
          ],
        }),
      };
    const runOf = (key: string, { transaction }: Snapshot): string =>
      docs.get(docKey(own, 'run', lastPart(key)), { transaction }) ?? '';
    const prefix = listPrefix(own, collection, list, by);
    const opensOwn = (key: string, value: string): boolean =>
      value.includes('"opens":true') && opensOwnSession('run', lastPart(key), parseBody(value) as PackedRun);
    const beside: (Entries & Beside)[] = [];
    const first = list === 'session' ? ownRun(by) : null;
    const firstKey = first === null ? '' : docKey(own, 'run', first);
    if (isOpening(query))
      beside.push({ tree: docs, ...besideOpenings(prefix, `${own}\0run`), holds: opensOwn, read: readHere });
    if (collection === 'run' && first !== null)
      beside.push({
        tree: docs,
        ...besideOne(firstKey, `${prefix}\0${keyPart(first)}`),
        holds: opensOwn,
        read: readHere,
      });
    if (collection === 'journal') {
      beside.push({
        tree: docs,
        ...besideSession(own, by),
        holds: (key, _value, snapshot) => lineIn(runOf(key, snapshot)) !== '',
        read: (key, _value, snapshot) => entryFound(entity, lastPart(key), runOf(key, snapshot)),
      });
      if (first !== null)
        beside.push({
          tree: docs,
          ...besideOne(firstKey, placeInSession(own, by, first)),
          holds: (key, value) => lineIn(value) !== '' && opensOwn(key, value),
          read: (key, value) => entryFound(entity, lastPart(key), value),
        });
    }
    return {
      tree: docs,
      prefix,
      definition,
      ...(beside.length > 0 && { beside }),
      ...(isOpening(query) && { isSparse: true }),
      read: (key, _value, { transaction }) => {
        const id = lastPart(key);
        const text = docs.get(docKey(own, collection, id), { transaction });
        return text === undefined ? null : { id, entity, body: parseBody(text), bytes: Buffer.byteLength(text) };
      },
    };
  }

  private headReader(workspace: string): Source['read'] {
    return (_key, value, { transaction }) => {
      const entity = entityOfCode(workspace, value);
      const text = this.trees.heads.get(entityPrefix(entity), { transaction });
      return text === undefined
        ? null
        : { id: entity.id, entity, body: parseBody(headSnapshot(text)), bytes: Buffer.byteLength(text) };
    };
  }

  private pointedReader(
    workspace: string,
    collection: Exclude<ListQuery['collection'], EntityRef['kind']>,
  ): Source['read'] {
    return (key, value, { transaction }) => {
      const entity = entityOfCode(workspace, value);
      const id = lastPart(key);
      const text = this.trees.docs.get(docKey(entityPrefix(entity), collection, id), { transaction });
      return text === undefined ? null : { id, entity, body: parseBody(text), bytes: Buffer.byteLength(text) };
    };
  }
}

function entryFound(entity: EntityRef, run: string, text: string): Found | null {
  const entry = entryOf(run, text);
  return entry && { ...entry, entity };
}

/** Calls `visit` for what the list holds, in its order, and `passing` for what it does not, until one returns false. */
function scanList(
  source: Source,
  range: Range,
  snapshot: Snapshot,
  visit: (entries: Entries, key: string, value: string) => boolean,
  passing: (key: string) => boolean,
): Promise<void> {
  const { tree, beside } = source;
  const pass = (place: string): boolean => source.isSparse !== true || passing(place);
  const look = (entries: Entries, key: string, value: string, place: string): boolean =>
    entries.holds?.(key, value, snapshot) === false ? pass(place) : visit(entries, key, value);
  if (!beside) return scan(tree, range, snapshot, (key, value) => look(source, key, value, key));
  const own = { tree, range, place: (key: string) => key };
  const others = beside.map((other) => ({ ...other, range: other.within(range) }));
  return scanTogether([own, ...others], snapshot, (lane, key, value) => {
    const other = others[lane - 1];
    if (!other) return look(source, key, value, key);
    const place = other.place(key);
    return place < range.start || place >= range.end || look(other, key, value, place);
  });
}

function rangeOf(source: Source, query: Pick<ListQuery, 'order' | 'after' | 'from' | 'until'>): Range {
  const { order, after, from, until } = query;
  const all = keysUnder(source.prefix);
  const key = (position: Position): string => `${source.prefix}\0${position.map(sortPart).join('\0')}`;
  const start = from ? key(from) : all.start;
  const end = until ? key(until) : all.end;
  if (!after) return { start, end, order };
  return order === 'asc' ? { start: `${key(after)}\0`, end, order } : { start, end: key(after), order };
}

const positionOf = (definition: ListDefinition | undefined, body: Body, id: string): Position => {
  const sort: readonly SortValue[] = definition?.sort?.(body) ?? [];
  return [...sort, id];
};
