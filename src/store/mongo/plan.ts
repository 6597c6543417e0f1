/**
 * Turns a commit into what is written: its head, which carries the whole commit, and the documents that are changed
 * after it.
 *
 *  - A commit changes a document once: of several changes the last one counts, and deletes come after puts.
 *  - The changes that a load finishes are derived from the head alone, and equal those that the writer of the commit
 *    would have written.
 *
 * Errors are thrown before anything is written: a RangeError if a key is too long or the commit exceeds what a MongoDB
 * document can hold, and a TypeError if a body is not JSON.
 */
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Commit, DocKind, LoadedHead, Shards } from '../port.js';
import { recordText } from '../keys.js';
import {
  recordCollection,
  listingOf,
  parseBody,
  type MongoBody,
  type HeadChange,
  type HeadRecord,
  type StoredDocument,
  type StoredHead,
} from './documents.js';
import { decoded, documentId, encoded, entityField, entityId } from './keys.js';

/** One guarded write of an apply: it takes effect only if the document is absent or has an older seq. */
export interface GuardedWrite {
  /** The name of the collection. */
  to: string;
  document: StoredDocument;
  /** No such document existed before the commit, so an insert is enough. */
  isNew: boolean;
}

export interface Planned {
  head: StoredHead;
  changes: readonly GuardedWrite[];
  /** Approximate number of bytes sent. */
  bytes: number;
}

/** 16 MiB, less an allowance for what wraps the parts. */
const mostBytes = 16 * 1024 * 1024 - 128 * 1024;
const wrapBytes = 120;

export function plan(commit: Commit, now: number, shards: Shards): Planned {
  const { entity, seq } = commit;
  if (!Number.isSafeInteger(seq) || seq < 1)
    throw new RangeError(`the first commit of an entity has seq 1, not ${seq}`);
  const id = entityId(entity);
  const w = encoded(entity.workspace);
  const e = entityField(entity);
  const b = json(commit.snapshot);
  const changes: GuardedWrite[] = [];
  const ops: HeadChange[] = [];
  const recs: HeadRecord[] = [];
  let bytes = Buffer.byteLength(b) + 500;
  for (const { kind, id: own, text, body, isNew } of finalChanges(commit)) {
    const i = encoded(own);
    const place = { _id: documentId(id, own), w, e, s: seq };
    ops.push(text === null ? { t: kind, i } : { t: kind, i, b: text });
    changes.push({
      to: kind,
      isNew,
      document:
        text === null ? { ...place, dead: new Date(now) } : { ...place, b: text, ...listingOf(kind, own, body) },
    });
    bytes += wrapBytes + place._id.length + (text === null ? 0 : Buffer.byteLength(text));
  }
  for (const record of commit.records) {
    const i = encoded(record.id);
    const text = recordText(record);
    const x = new Date(record.expiresAt);
    recs.push({ i, b: text, x });
    changes.push({
      to: recordCollection,
      isNew: true,
      document: { _id: documentId(id, record.id), w, e, s: seq, b: text, expires: x },
    });
    bytes += wrapBytes + i.length + Buffer.byteLength(text);
  }
  if (bytes > mostBytes)
    throw new RangeError(
      `a commit of ${(bytes / 1024 / 1024).toFixed(1)} MiB is more than a document of MongoDB can hold (16 MiB): write it as several smaller ones`,
    );
  const listing = commit.deleted
    ? { gone: new Date(now), del: true as const }
    : listingOf(entity.kind, entity.id, commit.snapshot);
  const head: StoredHead = {
    _id: id,
    w,
    e,
    t: entity.kind,
    s: seq,
    c: randomUUID(),
    b,
    a: commit.active,
    n: Object.entries(commit.counts).map(([k, v]) => ({ k: encoded(k), v })),
    sh: shards.of(entity),
    o: commit.active || changes.length > 0,
    ...listing,
    ...(commit.due !== null && { due: commit.due }),
    ...(ops.length > 0 && { ops }),
    ...(recs.length > 0 && { recs }),
  };
  return { head, changes, bytes };
}

interface Final {
  kind: DocKind;
  id: string;
  text: string | null;
  body: MongoBody;
  isNew: boolean;
}

/** A document that was new to its first change is new to the commit. */
function finalChanges({ puts, deletes }: Commit): Iterable<Final> {
  const put = ({ kind, id, body, isNew }: Commit['puts'][number]): Final => ({
    kind,
    id,
    text: json(body),
    body,
    isNew,
  });
  if (puts.length + deletes.length <= 1) return [...puts.map(put), ...deletes.map(gone)];
  const last = new Map<string, Final>();
  for (const one of puts) {
    const key = `${one.kind}/${one.id}`;
    const before = last.get(key);
    const after = put(one);
    last.set(key, before ? { ...after, isNew: before.isNew } : after);
  }
  for (const one of deletes) last.set(`${one.kind}/${one.id}`, gone(one));
  return last.values();
}

const gone = ({ kind, id }: { kind: DocKind; id: string }): Final => ({ kind, id, text: null, body: {}, isNew: false });

/** The changes that a head carries. */
export function changesOf(
  { _id, w, e, s, ops = [], recs = [] }: Pick<StoredHead, '_id' | 'w' | 'e' | 's' | 'ops' | 'recs'>,
  now: number,
): GuardedWrite[] {
  return [
    ...ops.map(({ t, i, b }): GuardedWrite => {
      const id = decoded(i);
      const place = { _id: documentId(_id, id), w, e, s };
      return {
        to: t,
        isNew: false,
        document:
          b === undefined ? { ...place, dead: new Date(now) } : { ...place, b, ...listingOf(t, id, parseBody(b)) },
      };
    }),
    ...recs.map(({ i, b, x }): GuardedWrite => ({
      to: recordCollection,
      isNew: false,
      document: { _id: documentId(_id, decoded(i)), w, e, s, b, expires: x },
    })),
  ];
}

type PutAgain = NonNullable<LoadedHead['lastChanges']>['puts'][number];

/** The same changes in the form that a load returns. */
export function lastChangesOf(ops: readonly HeadChange[]): NonNullable<LoadedHead['lastChanges']> {
  const puts: PutAgain[] = [];
  const deletes: { kind: DocKind; id: string }[] = [];
  for (const { t, i, b } of ops) {
    if (b === undefined) deletes.push({ kind: t, id: decoded(i) });
    else puts.push({ kind: t, id: decoded(i), body: parseBody(b) } as PutAgain);
  }
  return { puts, deletes };
}

/** JSON cannot represent undefined, so this throws a TypeError rather than take a missing body for an empty one. */
function json(body: MongoBody): string {
  const text = JSON.stringify(body) as string | undefined;
  if (text === undefined) throw new TypeError('a body must be JSON');
  return text;
}
