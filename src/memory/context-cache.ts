/**
 * The indexes held in memory, by context. An index is built when first needed and dropped when memory runs short.
 *
 *  - Searches that need a context while it is being built share one build.
 *  ContextCache.K2 A write to a context that is not in memory costs one look-up: a later build reads it from the store.
 *     A write to a context that is being built goes to the index at once, and the build then skips that document
 *     (Recall.R2).
 *  ContextCache.K3 After every change at most `maxBytes` (estimated) are held; the least recently used contexts are
 *     evicted first. A context that a search is waiting for is never evicted, and neither is
 *     the one used last. A context larger than the bound is therefore held alone, which is logged once.
 *  - Contexts that do not fit together are not built in turn, over and over: one that is needed again within
 *    `memoryMs` of its eviction stays until it has not been used for as long, up to twice `maxBytes` in all.
 *  - A failed build leaves nothing behind: the searches that wait for it reject, and the next search builds again.
 *  - `renew` reads one entity's documents again into an index that has those of many. A search waits for it as for a
 *    build. What the entity no longer has stays in the index, for whoever reads the hits to find it gone.
 *  ContextCache.K8 Where snapshots are kept, an index knows up to which commit it has everything: those of its entity
 *     that the store had when it began, and those that were put since. One that lacks a commit with which its entity is
 *     loaded is dropped. Between two commits it is exactly what the last one left, and that is what a snapshot is made
 *     of; what is put while it is copied waits, and so does a search that has to see it.
 *  ContextCache.K5 A search does not answer from a context that was dropped while it waited, nor take it for empty: it
 *     uses the context anew. What is dropped is outdated, and may have been dropped because of a document that the
 *     search is not about.
 *  ContextCache.K6 Most entities have nothing of any subject. Then what is nobody's is all that they have, and one index
 *     serves for both; where there is something of a subject, what is nobody's has an index of its own.
 */
import { TextTable } from '../domain/text-table.js';
import { entityKey, type EntityRef } from '../store/port.js';
import type { MonotonicClock } from '../domain/clock.js';
import { buildIndex, documentKey } from './build.js';
import type { CachedContext } from './cached-context.js';
import { ContextIndex, type Turn } from './context-index.js';
import { contextKey, type RecallContext, type RecallDocument, type RecallSource } from './port.js';
import { isKept, SnapshotWriter } from './snapshot-writer.js';
import type { Snapshots, Taken } from './snapshots.js';
import type { Logger } from '../telemetry/logger-port.js';

export interface CacheStats {
  contexts: number;
  building: number;
  documents: number;
  terms: number;
  /** Estimated size of all indexes, which `maxBytes` bounds. */
  bytes: number;
  /** This and the following are counted since the start of the process. */
  builds: number;
  failedBuilds: number;
  evictions: number;
}

const memoryMs = 60_000;
/** So many bytes are read of what has changed between two turns (build.ts). */
const perTurn = 8192;
const leastTexts = 1000;

export class ContextCache {
  /** In order of use, the least recently used first. */
  private readonly entries = new Map<string, CachedContext>();
  private last: CachedContext | null = null;
  private bytes = 0;
  private builds = 0;
  private failedBuilds = 0;
  private evictions = 0;
  private readonly writer: SnapshotWriter | null;
  private readonly oversized = new Set<string>();
  /** When contexts were evicted lately, the latest at the end. */
  private readonly evictedAt = new Map<string, number>();

  /** By the key of an entity, which of its subjects have a context in memory, null for nobody (ContextCache.K6). */
  private readonly subjects = new Map<string, Set<string | null>>();
  /** Entities that are known to have something of a subject. */
  private readonly divided = new Set<string>();

  constructor(
    private readonly source: RecallSource,
    private readonly clock: MonotonicClock,
    private readonly maxBytes: number,
    private readonly turn: Turn,
    private readonly log: Pick<Logger, 'debug' | 'warn'> | undefined,
    private readonly snapshots?: Snapshots,
  ) {
    this.writer = snapshots
      ? new SnapshotWriter(snapshots, clock, turn, log, (entry) => {
          this.catchUp(entry);
        })
      : null;
  }

  /** Returns the context and marks it as just used. Starts a build if it is not in memory. */
  use(asked: RecallContext): CachedContext {
    const context = this.holding(asked);
    const key = contextKey(context);
    let entry = this.last?.key === key ? this.last : this.entries.get(key);
    if (!entry) entry = this.open(key, context);
    else if (entry !== this.last) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    if (entry.returnedAt !== null) entry.returnedAt = this.clock.elapsed();
    return (this.last = entry);
  }

  /** The context that has what is asked for, and nothing else as far as is known (ContextCache.K6). */
  private holding(asked: RecallContext): RecallContext {
    if (asked.subject !== null) return asked;
    const key = entityKey(asked);
    if (this.divided.has(key)) return asked;
    const whole = this.entries.get(key);
    if (whole?.index.documents.hasSubjects === true) {
      this.divided.add(key);
      return asked;
    }
    if (!whole && this.entries.has(contextKey(asked))) return asked;
    const { workspace, kind, id } = asked;
    return { workspace, kind, id };
  }

  /** Whether the context has nothing beside what is asked for; one that is built may turn out to have (ContextCache.K6). */
  serves(entry: CachedContext, asked: RecallContext): boolean {
    return asked.subject !== null || entry.context.subject === null || !entry.index.documents.hasSubjects;
  }

  /** To the entity's context, and to that of whoever's it is, if they are in memory. */
  put(context: EntityRef, document: RecallDocument): void {
    const key = entityKey(context);
    const subject = document.subject ?? null;
    const whole = this.entries.get(key);
    if (whole) this.putIn(whole, document);
    if (!this.subjects.get(key)?.has(subject)) return;
    const own = this.entries.get(contextKey({ ...context, subject }));
    if (own) this.putIn(own, document);
  }

  private putIn(entry: CachedContext, document: RecallDocument): void {
    if (entry.building) entry.written.add(documentKey(document.kind, document.id));
    this.noteText(entry, document);
    entry.changed++;
    this.change(entry, () => {
      entry.index.put(document);
    });
  }

  /** From all contexts of the entity that are in memory. */
  remove(context: EntityRef, kind: RecallDocument['kind'], id: string): void {
    for (const entry of this.allOf(context)) {
      if (entry.building) entry.written.add(documentKey(kind, id));
      this.change(entry, () => {
        entry.index.remove(kind, id);
      });
    }
  }

  /** What an entity has in memory. */
  private allOf(context: EntityRef): CachedContext[] {
    const whole = this.peek(context);
    return whole ? [whole, ...this.ownOf(context)] : this.ownOf(context);
  }

  /** The contexts of its subjects, and of nobody, that are in memory. */
  private ownOf(context: EntityRef): CachedContext[] {
    const subjects = this.subjects.get(entityKey(context));
    if (!subjects) return [];
    const own = Array.from(subjects, (subject) => this.entries.get(contextKey({ ...context, subject })));
    return own.filter((entry) => entry !== undefined);
  }

  private peek(context: EntityRef): CachedContext | undefined {
    return this.entries.get(entityKey(context));
  }

  private change(entry: CachedContext, work: () => void): void {
    if (entry.deferred) {
      entry.deferred.push(work);
      return;
    }
    work();
    this.account(entry);
  }

  /** Makes the changes that waited. */
  private catchUp(entry: CachedContext): void {
    const { deferred } = entry;
    entry.deferred = null;
    for (const work of deferred ?? []) work();
    this.account(entry);
  }

  /** ContextCache.K8 */
  loaded(context: EntityRef, seq: number, completes: boolean): void {
    // those of subjects know no more than the last commit that was put, and are small
    for (const own of this.ownOf(context))
      if (own.building) own.loadedAt = seq;
      else if (own.seq !== seq && !(completes && own.seq === seq - 1)) this.forget(own);
    const entry = this.snapshots && this.peek(context);
    if (!entry || entry.seq === seq) return;
    if (entry.building) entry.loadedAt = Math.max(entry.loadedAt, seq);
    else if (completes && entry.seq === seq - 1) entry.seq = seq;
    else this.forget(entry);
  }

  /** Everything up to this commit was put. `lost`: it has deleted texts, so that there is no snapshot any more. */
  committed(context: EntityRef, seq: number, lost: boolean): void {
    for (const own of this.ownOf(context)) own.seq = seq;
    const entry = this.snapshots && this.peek(context);
    if (!entry) return;
    entry.seq = Math.max(entry.seq, seq);
    if (lost) entry.kept = false;
    this.writer?.committed(entry);
  }

  ended(context: EntityRef): void {
    const entry = this.peek(context);
    if (entry) this.writer?.ended(entry);
  }

  /** Null if the index is in memory, or would have to be built of all documents. */
  restoring(context: EntityRef, seq: number): Promise<void> | null {
    const entry = this.peek(context);
    if (entry) return entry.building?.catch(() => undefined) ?? null;
    const { snapshots } = this;
    if (!snapshots) return null;
    return snapshots.has(context, seq).then(
      (has) => (has ? this.use(context).building?.catch(() => undefined) : undefined),
      () => undefined, // whoever reads the documents instead has the error
    );
  }

  texts(context: EntityRef): TextTable | null {
    const entry = this.peek(context);
    return entry && !entry.building ? entry.texts : null;
  }

  giveTexts(context: EntityRef, table: TextTable): void {
    const entry = this.snapshots && this.peek(context);
    if (entry && !entry.building) entry.texts ??= table;
  }

  private noteText(entry: CachedContext, { text, id }: RecallDocument): void {
    if (text === undefined || !entry.texts) return;
    entry.texts.add(text, id);
    // most of them have been deleted since
    if (!entry.building && entry.texts.size > 2 * entry.index.documents.count + leastTexts) entry.texts = null;
  }

  private async *noting(
    entry: CachedContext,
    pages: AsyncIterable<RecallDocument[]>,
  ): AsyncGenerator<RecallDocument[]> {
    for await (const page of pages) {
      for (const document of page) this.noteText(entry, document);
      yield page;
    }
  }

  /** Keeps snapshots of these indexes, those used last first, unless they are kept nearly as they are. */
  async keep(which: (context: EntityRef) => boolean): Promise<void> {
    await this.writer?.keep([...this.entries.values()].reverse().filter(({ context }) => which(context)));
  }

  drop(context: EntityRef): void {
    for (const entry of this.allOf(context)) this.forget(entry);
    this.divided.delete(entityKey(context));
  }

  renew(context: EntityRef, part: EntityRef): void {
    const entry = this.entries.get(entityKey(context));
    if (!entry) return;
    entry.outdated.set(entityKey(part), part);
    if (!entry.building) this.fill(entry, () => Promise.resolve());
  }

  dropWhere(which: (context: EntityRef) => boolean): void {
    for (const entry of this.entries.values()) if (which(entry.context)) this.forget(entry);
  }

  /** Null if everything written can be found; otherwise a promise of that, which rejects if the build fails. */
  ready(entry: CachedContext): Promise<void> | null {
    if (entry.copied && entry.deferred && entry.deferred.length > 0)
      return entry.copied.then(() => this.ready(entry) ?? undefined);
    const settled = entry.index.settled();
    if (!entry.building) return settled;
    return settled ? Promise.all([entry.building, settled]).then(() => undefined) : entry.building;
  }

  /** Keeps the context in memory while a search waits for it, until the returned function is called. */
  hold(entry: CachedContext): () => void {
    entry.waiting++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      entry.waiting--;
      this.evict();
    };
  }

  stats(): CacheStats {
    let building = 0;
    let documents = 0;
    let terms = 0;
    for (const entry of this.entries.values()) {
      if (entry.building) building++;
      documents += entry.index.documents.count;
      terms += entry.index.postings.terms;
    }
    const { bytes, builds, failedBuilds, evictions } = this;
    return { contexts: this.entries.size, building, documents, terms, bytes, builds, failedBuilds, evictions };
  }

  private open(key: string, context: RecallContext): CachedContext {
    const entry: CachedContext = {
      key,
      context,
      building: null,
      written: new Set(),
      outdated: new Map(),
      waiting: 0,
      dropped: false,
      bytes: 0,
      seq: -1,
      loadedAt: -1,
      deferred: null,
      copied: null,
      texts: null,
      kept: false,
      changed: 0,
      prepared: false,
      keepAt: 0,
      returnedAt: this.wasEvicted(key) ? this.clock.elapsed() : null,
      index: new ContextIndex(this.turn, () => this.account(entry)),
    };
    this.entries.set(key, entry);
    this.note(context, true);
    this.builds++;
    const { snapshots } = this;
    this.fill(entry, async () => {
      if (snapshots && isKept(context)) return this.begin(entry, snapshots);
      await this.read(entry);
      // what it was loaded with may have come after what was read of it
      if (entry.loadedAt >= 0) this.forget(entry);
    });
    return entry;
  }

  /** Notes that the context of a subject is in memory, or no longer. */
  private note(context: RecallContext, isHere: boolean): void {
    const { subject } = context;
    if (subject === undefined) return;
    const key = entityKey(context);
    const subjects = this.subjects.get(key) ?? new Set();
    if (isHere) this.subjects.set(key, subjects.add(subject));
    else if (subjects.delete(subject) && subjects.size === 0) this.subjects.delete(key);
  }

  private fill(entry: CachedContext, first: () => Promise<void>): void {
    entry.building = this.filled(entry, first);
    // Searches that wait for the build see its failure; if none waits any more, the log still has it.
    entry.building.catch(() => undefined);
  }

  /** Completes a snapshot, or builds the index of all documents (ContextCache.K8). */
  private async begin(entry: CachedContext, snapshots: Snapshots): Promise<void> {
    const { context } = entry;
    entry.deferred = [];
    let taken: Taken | null = null;
    let seq = -1;
    let all: RecallSource;
    try {
      const standing = await snapshots.source.standing(context);
      ({ seq } = standing);
      all = () => standing.all();
      // turns are no documents of their own
      if (standing.documents * 4 >= snapshots.least) taken = await snapshots.take(context, seq, this.turn);
      if (taken) {
        entry.index.restore(taken.image);
        entry.texts = taken.texts && TextTable.of(taken.texts);
        entry.kept = entry.prepared = true;
      } else entry.texts = new TextTable();
    } finally {
      this.catchUp(entry);
    }
    if (taken) await this.complete(entry, taken);
    else await this.read(entry, undefined, all);
    seq = Math.max(seq, taken?.seq ?? -1);
    if (entry.loadedAt > seq) this.forget(entry);
    entry.seq = Math.max(entry.seq, seq);
  }

  private async complete(entry: CachedContext, { changes }: Taken): Promise<void> {
    let work = 0;
    for await (const page of changes) {
      for (const change of page) {
        if (entry.dropped) return;
        if (work > perTurn) {
          this.account(entry);
          await this.turn();
          work = 0;
        }
        entry.changed++;
        if ('removed' in change) {
          const { kind, id } = change.removed;
          if (!entry.written.has(documentKey(kind, id))) entry.index.remove(kind, id);
          work += 64;
          continue;
        }
        const { put } = change;
        work += put.content.length + 64;
        if (entry.written.has(documentKey(put.kind, put.id))) continue;
        this.noteText(entry, put);
        entry.index.put(put);
      }
      await entry.index.settled();
    }
    this.account(entry);
  }

  private read(entry: CachedContext, part?: EntityRef, all: RecallSource = this.source): Promise<void> {
    const { texts } = entry;
    const source: RecallSource =
      texts && !part ? (context) => this.noting(entry, all(context)) : (context) => all(context, part);
    return buildIndex(entry.context, source, entry.index, this.turn, {
      written: entry.written,
      wanted: () => !entry.dropped,
      grown: () => this.account(entry),
    });
  }

  private async filled(entry: CachedContext, first: () => Promise<void>): Promise<void> {
    const began = this.clock.elapsed();
    try {
      await first();
      for (const [key, part] of entry.outdated) {
        entry.outdated.delete(key);
        entry.written.clear(); // the store has what was written before this is read
        await this.read(entry, part);
      }
    } catch (cause) {
      this.failedBuilds++;
      this.log?.warn(
        { event: 'recall.build_failed', context: entry.key, err: cause },
        'the memory index of a context could not be built; the next search tries again',
      );
      this.forget(entry);
      throw cause;
    }
    entry.building = null;
    entry.written.clear();
    this.log?.debug(
      {
        event: 'recall.built',
        context: entry.key,
        documents: entry.index.documents.count,
        ms: this.clock.elapsed() - began,
      },
      'memory index built',
    );
    this.account(entry);
  }

  private account(entry: CachedContext): void {
    if (entry.dropped) return;
    const bytes = entry.index.bytes + (entry.texts?.bytes ?? 0);
    this.bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    if (this.bytes > this.maxBytes) this.evict();
  }

  private evict(): void {
    if (this.bytes <= this.maxBytes) return;
    const now = this.clock.elapsed();
    for (const entry of this.entries.values()) {
      if (entry.waiting > 0 || entry === this.last) continue;
      if (this.bytes <= 2 * this.maxBytes && entry.returnedAt !== null && isRecent(entry.returnedAt, now)) continue;
      this.evictions++;
      this.noteEviction(entry.key, now);
      this.forget(entry);
      if (this.bytes <= this.maxBytes) return;
    }
    const { last } = this;
    if (last === null || last.bytes <= this.maxBytes || this.oversized.has(last.key)) return;
    this.oversized.add(last.key);
    this.log?.warn(
      { event: 'recall.context_too_large', context: last.key, bytes: last.bytes, maxBytes: this.maxBytes },
      'one memory context is larger than the bound of all indexes; it is held alone',
    );
  }

  private noteEviction(key: string, now: number): void {
    this.evictedAt.delete(key);
    this.evictedAt.set(key, now);
    for (const [oldest, at] of this.evictedAt) {
      if (isRecent(at, now)) return;
      this.evictedAt.delete(oldest);
    }
  }

  private wasEvicted(key: string): boolean {
    const at = this.evictedAt.get(key);
    if (at === undefined || !isRecent(at, this.clock.elapsed())) return false;
    this.log?.debug(
      { event: 'recall.built_again', context: key, maxBytes: this.maxBytes },
      'the memory index of a context is built again soon after it was dropped; HIVEKEEP_RECALL_MAX_MB may be too small',
    );
    return true;
  }

  private forget(entry: CachedContext): void {
    if (entry.dropped) return;
    entry.dropped = true;
    this.bytes -= entry.bytes;
    this.entries.delete(entry.key);
    this.note(entry.context, false);
    if (this.last === entry) this.last = null;
    entry.index.discard();
  }
}

const isRecent = (at: number, now: number): boolean => Math.abs(now - at) < memoryMs;
