/**
 * What is listed, and by what. One table for all adapters: an embedded one makes index entries of it, MongoDB indexes.
 * Every collection has the list 'created', in the order of ids (which carry their time, see domain/ids.ts).
 */
type Body = Record<string, unknown>;
export type SortValue = string | number;

export interface ListDefinition {
  /** Within one entity, or over the whole workspace; `both` makes two lists of one name. */
  scope: 'entity' | 'workspace' | 'both';
  /** The partitions in which a document stands; none leaves it out of the list. */
  by?: (body: Body) => readonly string[];
  /** Sort values before the id, ascending. Strings compare by UTF-16 code unit; numbers are finite. */
  sort?: (body: Body) => readonly SortValue[];
}

export interface CollectionDefinition {
  /** Listed (list 'created') and found by id over the whole workspace, not only within its entity. */
  global: boolean;
  lists: Readonly<Record<string, ListDefinition>>;
  /** A value that is unique in the whole store and finds the document (hash of a credential). */
  lookup?: (body: Body) => string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((v): v is string => typeof v === 'string') : [];
const one = (field: string) => (body: Body) => (typeof body[field] === 'string' ? [text(body[field])] : []);
const updated: ListDefinition = { scope: 'both', sort: (b) => [text(b['updated_at'])] };
/** What expires, soonest first. */
const expiring: ListDefinition = {
  scope: 'entity',
  by: (b) => (b['expires_at'] ? ['yes'] : []),
  sort: (b) => [text(b['expires_at'])],
};
const updatedHere: ListDefinition = { ...updated, scope: 'entity' };

export const collections = {
  // heads: the body is the snapshot
  agent: {
    global: true,
    lists: {
      updated: { ...updated, scope: 'workspace' },
      hive: { scope: 'workspace', by: (b: Body) => texts(b['hives']) },
      name: { scope: 'workspace', by: one('name') },
    },
  },
  hive: { global: true, lists: { updated: { ...updated, scope: 'workspace' } } },
  workspace: { global: true, lists: {} },

  // documents
  memory: {
    global: true,
    lists: {
      updated,
      session: { scope: 'both', by: one('sessionId') },
      sharedBy: { scope: 'entity', by: one('shared_by') },
      expiring,
    },
  },
  message: {
    global: false,
    // unread first, and among these as among the read ones newest first, when read ascending
    lists: {
      inbox: {
        scope: 'entity',
        sort: (b: Body) => [b['read_at'] === null ? 0 : 1, -Date.parse(text(b['created_at']))],
      },
    },
  },
  run: {
    global: false,
    lists: {
      updated: updatedHere,
      // the tasks of a conversation that an A2A client named, and in which agent it is; absent in all other runs
      context: { ...updatedHere, by: one('contextId') },
      contextOwner: { scope: 'workspace', by: one('contextId') },
    },
  },
  /** What happened in a run: one document for each step, with its thoughts, its checkpoint and its events. */
  journal: {
    global: false,
    // by session, in it by run, in that by place: one list for what is asked of a session and of a run
    lists: {
      session: { scope: 'entity', by: one('sessionId'), sort: (b: Body) => [text(b['runId']), Number(b['firstSeq'])] },
    },
  },
  outbox: { global: false, lists: {} },
  /** Pushes that were given up. */
  deadLetter: { global: true, lists: {} },
  token: { global: false, lists: {}, lookup: (b: Body) => text(b['hash']) },
  key: { global: false, lists: {}, lookup: (b: Body) => text(b['hash']) },
  /** What was done to keys and tokens; outlives the entity that it is about. */
  audit: { global: true, lists: {} },
} as const satisfies Record<string, CollectionDefinition>;

export type CollectionName = keyof typeof collections;
export type ListName<C extends CollectionName> = 'created' | (keyof (typeof collections)[C]['lists'] & string);
