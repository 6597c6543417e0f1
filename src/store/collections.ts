/**
 * Defines the lists of each collection, for all adapters: the embedded one generates index entries from it, MongoDB
 * indexes. Every collection has the list 'created', in the order of ids (which contain their creation time, see
 * domain/shared/ids.ts).
 */
import { pairsOf, speakerKeys } from '../domain/memory/facets.js';
import { foldCase } from '../domain/shared/text-forms.js';
import type { Bodies } from '../domain/shared/documents.js';

export type SortValue = string | number;

export interface ListDefinition<B extends object = object> {
  /** Within one entity, or over the whole workspace; `both` defines two lists of one name. */
  scope: 'entity' | 'workspace' | 'both';
  /** The partitions that contain a document; with none it is not in the list. */
  by?(this: void, body: B): readonly string[];
  /**
   * The field whose value is the partition, if it is that simple: an adapter may have it stored for filters already.
   */
  field?: string;
  /** The partition of most documents, of a list without `sort`: an adapter may read it by asking all documents. */
  usual?: string;
  /** Sort values before the id, ascending. Strings compare by UTF-16 code unit; numbers are finite. */
  sort?(this: void, body: B): readonly SortValue[];
}

export interface CollectionDefinition<B extends object = object> {
  /** Listed (list 'created') and found by id over the whole workspace, not only within its entity. */
  global: boolean;
  lists: Readonly<Record<string, ListDefinition<B>>>;
  /** Stays when its entity is deleted. Such a collection has no lists within an entity. */
  outlives?: true;
  /** A globally unique value that finds the document (the hash of a credential). */
  lookup?(this: void, body: B): string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((v): v is string => typeof v === 'string') : [];
/** The value of the field as the only partition; none if the body has no text there. */
const one =
  <F extends string>(field: F) =>
  (body: Partial<Record<F, unknown>>) =>
    typeof body[field] === 'string' ? [text(body[field])] : [];
/** Partitions by the value of a field. */
const byField = <F extends string>(field: F) => ({ field, by: one(field) });
/** How names are compared when agents are listed by name. Heads that were stored earlier may be in lower case instead. */
export const foldedName = foldCase;
const updated: ListDefinition<{ updated_at: string }> = { scope: 'both', sort: (b) => [text(b.updated_at)] };
/** Documents that expire, soonest first. */
const expiring: ListDefinition<{ expires_at: string | null }> = {
  scope: 'entity',
  by: (b) => (b.expires_at ? ['yes'] : []),
  sort: (b) => [text(b.expires_at)],
};
const updatedHere: ListDefinition<{ updated_at: string }> = { ...updated, scope: 'entity' };

/** The partition of the blocks of a subject, or of nobody in particular. */
export const blocksOf = ({ subject }: { subject?: string | null | undefined }): string =>
  subject === undefined || subject === null ? 'all' : `of ${subject}`;

export const collections = {
  // heads: the body is the snapshot
  agent: {
    global: true,
    lists: {
      updated: { ...updated, scope: 'workspace' },
      hive: { scope: 'workspace', by: (b) => texts(b.hives) },
      name: { scope: 'workspace', by: one('name') },
      status: { scope: 'workspace', ...byField('status') },
      names: { scope: 'workspace', sort: (b) => [foldedName(text(b.name))] },
      // active agents whose card everybody may read
      public: {
        scope: 'workspace',
        by: (b) => (b.status === 'active' && b.config.card?.public === true ? ['yes'] : []),
      },
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
      speaker: { scope: 'both', by: (b) => (b.speaker ? speakerKeys(b.speaker) : []) },
      subject: { scope: 'entity', by: one('subject') },
      // each pair of a key and a value, as far as they are indexed (domain/memory/facets.ts)
      metadata: { scope: 'both', by: (b) => pairsOf(b.metadata) },
      sharedBy: { scope: 'entity', by: one('shared_by') },
      // the present memory of a key, by hash (domain/memory/identities.ts)
      identity: { scope: 'entity', by: one('identity') },
      // the memories that have superseded one another
      chain: { scope: 'entity', by: one('chain') },
      // what was learnt from a run
      source: { scope: 'both', by: one('source') },
      // what a run wrote
      run: { scope: 'both', by: one('run_id') },
      expiring,
    },
  },
  message: {
    global: false,
    lists: {
      subject: { scope: 'entity', by: one('subject') },
      // unread first, then newest first within each group, when read ascending
      inbox: {
        scope: 'entity',
        sort: (b) => [b.read_at === null ? 0 : 1, -Date.parse(text(b.created_at))],
      },
      // asked for the last hour only, so what was stored before there was this list need not be in it
      recent: { scope: 'workspace', sort: (b) => [text(b.created_at)] },
    },
  },
  run: {
    global: true,
    lists: {
      updated: updatedHere,
      // the tasks of a conversation named by an A2A client; absent in all other runs
      context: { ...updatedHere, by: one('contextId') },
      status: { scope: 'workspace', ...byField('status'), usual: 'completed' },
      // the runs of a session, and of all runs those that open a session
      session: { scope: 'entity', by: one('sessionId') },
      opening: { scope: 'both', by: (b) => (b.opens === true ? ['yes'] : []) },
      subject: { scope: 'entity', by: one('subject') },
      // the runs of clients that tell a history, by its hash
      chain: { scope: 'entity', by: one('chain') },
      // what a run has asked of other agents
      asked: { scope: 'workspace', by: (b) => (b.parent ? [b.parent.runId] : []) },
      // the runs that hold a file, each file once, though it may have been sent twice
      file: { scope: 'entity', by: (b) => [...new Set(b.files?.map((file) => file.sha256))] },
      // the runs that wait to be put in line to be learnt from; absent in all other runs
      later: { scope: 'entity', by: (b) => (b.later === true ? ['yes'] : []) },
      // the runs that recall finds turns of
      recalled: { scope: 'entity', by: (b) => (b.turns ? ['yes'] : []), usual: 'yes' },
    },
  },
  /** The journal of a run: one document for each step, with its thoughts, its checkpoint and its events. */
  journal: {
    global: false,
    // partitioned by session, then ordered by run and position: one list serves queries by session and by run
    lists: {
      session: { scope: 'entity', by: one('sessionId'), sort: (b) => [text(b.runId), Number(b.firstSeq)] },
    },
  },
  /** The bytes of a file, by their SHA-256 (run/conversation.ts). */
  file: { global: false, lists: {} },
  outbox: { global: false, lists: {} },
  /** Dead-lettered pushes. */
  deadLetter: { global: true, lists: {} },
  token: { global: false, lists: {}, lookup: (b) => text(b.hash) },
  key: { global: false, lists: {}, lookup: (b) => text(b.hash) },
  schedule: { global: false, lists: {} },
  block: {
    global: false,
    lists: {
      made: { scope: 'entity', sort: (b) => [text(b.created_at)] },
      subject: { scope: 'entity', by: (b) => [blocksOf(b)], sort: (b) => [text(b.created_at)] },
    },
  },
  webhook: { global: false, lists: {} },
  /** The audit log; its records outlive the entity that they are about. */
  audit: {
    global: true,
    lists: {
      action: { scope: 'workspace', by: one('action') },
      actor: { scope: 'workspace', by: one('actor') },
      agent: { scope: 'workspace', by: one('agent_id') },
      target: { scope: 'workspace', by: one('target_id') },
    },
    outlives: true,
  },
  /** What an agent used of models on a day, which its id begins with; it outlives the agent. */
  usageDay: { global: true, lists: {}, outlives: true },
  /** What an agent used of models for one subject in a month, which its id begins with; it outlives the agent. */
  subjectUse: {
    global: true,
    lists: { subject: { scope: 'workspace', by: (b) => [`${b.month} ${b.of}`] } },
    outlives: true,
  },
} as const satisfies { [C in keyof Bodies]: CollectionDefinition<Bodies[C]> };

export type CollectionName = keyof Bodies;
/** The names of each collection's lists. */
export type ListNames = {
  [C in CollectionName]: 'created' | (keyof (typeof collections)[C]['lists'] & string);
};
