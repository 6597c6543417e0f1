/**
 * Filters the documents of one memory space on their way to the hits. A document must be relevant enough, pass the
 * filters of the search (type, speaker, session, metadata, time), not have expired (Recall.R5), and be so at the time
 * that is asked for (Recall.R6). The best of them are kept in order.
 */
import { compareAge } from '../domain/shared/ids.js';
import { asideType, turnType } from '../domain/run/conversation.js';
import type { EntityRef } from '../store/port.js';
import type { SpaceIndex } from './space-index.js';
import { type AskedFacets, type IndexedDocuments, Facets } from './documents.js';
import type { QueryForm } from './query.js';
import { type Shares, lengthNorm, ranks, saturation, sessionB, sessionK1, sessionShare } from './scoring.js';
import type { Meaning, RecallHit, RecallKind } from './port.js';
import { noFloats, noIntegers, withRoom } from './columns.js';

/** A query in the form that is put to every space. */
export interface PreparedQuery {
  terms: readonly string[];
  /** Asks for what a profile keeps, whatever the terms are. */
  profile: boolean;
  /** Terms of other wordings of the query. */
  also: readonly string[];
  form: QueryForm;
  types: readonly string[] | undefined;
  turnsSince: number;
  facets: AskedFacets;
  from: number | undefined;
  until: number | undefined;
  /** Only what had been said by this time, in ms, and was so then. */
  asOf: number | undefined;
  /** Also what is no longer so. */
  superseded: boolean;
  minRelevance: number;
  explain: boolean;
  meaning: Meaning | undefined;
  now: number;
}

export class Offers {
  /** The rank of the lowest relevance that is accepted. */
  readonly least: number;
  private readonly types: readonly number[] | undefined;
  /** The type of asides, where they are not to be found; -1 otherwise. */
  private readonly aside: number;
  private readonly facets: Facets;
  private readonly documents: IndexedDocuments;
  private readonly from: number;
  private readonly until: number;
  /** Whether the search is for some documents only, by their type, speaker, session, metadata or time. */
  readonly filtered: boolean;
  /** True if no document of the space can pass. */
  readonly hopeless: boolean;

  /** `searched` is the space's place in the search order, which breaks ties between spaces. */
  constructor(
    index: SpaceIndex,
    private readonly space: EntityRef,
    private readonly searched: number,
    private readonly asked: PreparedQuery,
    private readonly top: TopHits,
  ) {
    const documents = (this.documents = index.documents);
    this.least = Math.ceil(asked.minRelevance * ranks - 1e-6);
    const types = asked.types?.includes(turnType) ? [...asked.types, asideType] : asked.types;
    this.types = types?.map((type) => documents.typeNumber(type)).filter((type) => type !== undefined);
    this.aside = types ? -1 : (documents.typeNumber(asideType) ?? -1);
    this.facets = new Facets(index, asked.facets);
    this.from = asked.from ?? -Infinity;
    this.until = asked.until ?? Infinity;
    this.filtered =
      [asked.types, asked.from, asked.until, asked.asOf].some((filter) => filter !== undefined) ||
      this.facets.filtered ||
      asked.turnsSince !== -Infinity;
    this.hopeless = this.types?.length === 0 || this.facets.hopeless;
  }

  /** Whether a document with this score and time could be among the best. */
  admits(score: number, time: number): boolean {
    return this.top.admits(score, time);
  }

  /** `score` and `relevance` are in ten-thousandths. Returns true if the document was accepted. */
  offer(slot: number, score: number, relevance: number, shares: () => Shares): boolean {
    const { documents, top } = this;
    const time = documents.times[slot] as number;
    if (relevance < this.least || !top.admits(score, time) || !this.passes(slot)) return false;
    top.offer({
      score,
      relevance,
      shares: this.asked.explain ? shares() : undefined,
      time,
      id: documents.id(slot),
      kind: documents.kind(slot),
      space: this.space,
      searched: this.searched,
    });
    return true;
  }

  /** Whether the document is one that the search is for. */
  passes(slot: number): boolean {
    const { documents } = this;
    const { expiry, said, type } = documents;
    if (this.types && !this.types.includes(type[slot] as number)) return false;
    if (this.aside >= 0 && type[slot] === this.aside) return false;
    const { now, asOf, superseded } = this.asked;
    if ((expiry[slot] as number) <= now) return false;
    const end = documents.endOf(slot);
    if (asOf !== undefined ? Math.abs(end) <= asOf || (said[slot] as number) > asOf : !superseded && end <= now)
      return false;
    if ((documents.times[slot] as number) < this.asked.turnsSince && documents.kind(slot) === 'turn') return false;
    const at = said[slot] as number;
    return at >= this.from && at < this.until && (!this.facets.filtered || this.facets.hold(slot));
  }

  /** All documents that may pass, where a filter names few; else null. */
  few(): number[] | null {
    return this.facets.filtered ? this.facets.slots() : null;
  }
}

interface Entry {
  /** In ten-thousandths (scoring.ts), like `relevance`. */
  score: number;
  relevance: number;
  shares: Shares | undefined;
  time: number;
  id: string;
  kind: RecallKind;
  space: EntityRef;
  searched: number;
}

/**
 * Keeps the best `limit` of the hits that are offered, in order: by score, then the newer document comes first, then the
 * space that was searched first. An offer that is not among the best costs one comparison.
 */
export class TopHits {
  /** The best first. */
  private readonly best: Entry[] = [];

  constructor(private readonly limit: number) {}

  /**
   * Whether a document with this score and time could be among the best. Callers check it to avoid creating an entry.
   */
  admits(score: number, time: number): boolean {
    const worst = this.best[this.limit - 1];
    return worst === undefined || score > worst.score || (score === worst.score && time >= worst.time);
  }

  offer(entry: Entry): void {
    const { best } = this;
    let low = 0;
    for (let high = best.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (isBetter(entry, best[middle] as Entry)) high = middle;
      else low = middle + 1;
    }
    if (low === this.limit) return;
    best.splice(low, 0, entry);
    if (best.length > this.limit) best.pop();
  }

  hits(): RecallHit[] {
    return this.best.map(({ space, kind, id, score, relevance, shares }) => ({
      space,
      kind,
      id,
      relevance: relevance / ranks,
      score: score / ranks,
      ...(shares && { shares }),
    }));
  }
}

function isBetter(a: Entry, b: Entry): boolean {
  if (a.score !== b.score) return a.score > b.score;
  const age = compareAge(a.id, b.id);
  return age !== 0 ? age > 0 : a.searched < b.searched;
}

/*
 * Scratch of a search: what the terms of a query earn the documents, and the parts of sessions, that it has to do with.
 * A search that touches few documents of a large space costs only those, because clearing goes by row.
 */

/** A row for each document, found by the document's slot. */
export class Rows {
  /** By slot: the row of the document; 0 if it has none. */
  of = noIntegers;
  /** By row, from 1: the document. */
  slots = noIntegers;
  /** By row: the sums of what the terms earn the document itself, and its window. */
  own = noFloats;
  near = noFloats;
  /** By row: what the window has of the present term. */
  said = noFloats;
  count = 0;

  /** `bound`: all slots are below it. */
  reserve(bound: number): void {
    this.of = withRoom(this.of, bound, 64, 0);
  }

  /** A new row of zeros for a document that has none. */
  add(slot: number): number {
    const row = ++this.count;
    if (row >= this.slots.length)
      for (const name of ['slots', 'own', 'near', 'said'] as const)
        (this[name] as Int32Array | Float64Array) = withRoom(this[name], row, 256, 0);
    this.slots[row] = slot;
    this.own[row] = this.near[row] = 0;
    return (this.of[slot] = row);
  }

  clear(): void {
    for (let row = 1; row <= this.count; row++) this.of[this.slots[row] as number] = 0;
    this.count = 0;
  }
}

/** What the terms of a query earn the parts of sessions, each as one document (sessions.ts). */
export class Parts {
  private documents: IndexedDocuments | null = null;
  private average = 1;
  /** By part: its score, and how often it has the present term. */
  private scores = noFloats;
  private said = noIntegers;
  /** Parts that have the present term, and those that have a score. */
  private saying = noIntegers;
  private count = 0;
  private scored = noIntegers;
  private scoredCount = 0;

  reserve(documents: IndexedDocuments): void {
    const { sessions, totalLength } = documents;
    this.documents = documents;
    this.average = Math.max(1, totalLength / Math.max(1, sessions.count));
    this.scores = withRoom(this.scores, sessions.partBound, 16, 0);
    this.said = withRoom(this.said, sessions.partBound, 16, 0);
  }

  /** A document of the part, which is -1 for none, has the present term so often. */
  say(part: number, times: number): void {
    if (part < 0) return;
    const before = this.said[part] as number;
    if (before === 0) {
      this.saying = withRoom(this.saying, this.count, 256, 0);
      this.saying[this.count++] = part;
    }
    this.said[part] = before + times;
  }

  /** The present term has been read. */
  next(weight: number): void {
    const { documents, scores, said } = this;
    for (let i = 0; i < this.count; i++) {
      const part = this.saying[i] as number;
      const length = documents?.sessions.partLength[part] as number;
      const norm = lengthNorm(length, this.average, sessionK1, sessionB);
      if (scores[part] === 0) {
        this.scored = withRoom(this.scored, this.scoredCount, 256, 0);
        this.scored[this.scoredCount++] = part;
      }
      scores[part] = (scores[part] as number) + weight * saturation(said[part] as number, norm, sessionK1);
      said[part] = 0;
    }
    this.count = 0;
  }

  /**
   * What its session earns a document, and as far as it is long, what it earns itself. A document without a session is
   * one by itself.
   */
  score(slot: number, own: number): number {
    const part = this.documents?.sessions.part[slot] as number;
    if (part < 0) return own;
    const share = sessionShare(this.documents?.lengths[slot] as number);
    return share * (this.scores[part] as number) + (1 - share) * own;
  }

  clear(): void {
    for (let i = 0; i < this.scoredCount; i++) this.scores[this.scored[i] as number] = 0;
    this.scoredCount = 0;
    this.documents = null;
  }
}
