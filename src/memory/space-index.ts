/**
 * The index of one memory space. It puts and removes documents, and reports when everything put so far can be found.
 *
 *  - After any sequence of puts and removes, the index equals one built from the remaining documents.
 *  SpaceIndex.X1 One call does a bounded amount of work (Recall.R4). The call itself indexes a content of at most
 *     `atOnce` characters. A longer content is indexed in pieces, one in each turn of the event loop, and `settled`
 *     says when it is done (Recall.R2). All of the content is indexed, however long it is.
 *  - Of two puts of one document the later one counts, even while the earlier one is still being indexed. The same
 *    holds for a remove.
 *
 * Failure: nothing here can fail except by running out of memory. `discard` stops the work in progress and releases
 * those who wait for it.
 */
import type { RecallChange, RecallDocument } from './port.js';
import { IndexedDocuments, type DocumentsImage, type Kind, facetTerms, traitsOf } from './documents.js';
import { Postings, type PostingsImage } from './postings.js';
import { pieceEnd, tokenize, wordsIn } from './tokenizer.js';
import { alsoFoundBy } from '../english/wordings.js';
import { leadTerms } from './scoring.js';

/** The number of characters that a call indexes itself, and the size of a piece. */
export const atOnce = 4096;
/** Measured heap bytes of an empty index, with room for the headers of its columns. */
const emptyBytes = 5000;

/** What an index is made of, as it is kept. */
export interface IndexImage {
  documents: DocumentsImage;
  postings: PostingsImage;
}

export interface EventTurn {
  /** Resolves in a later turn of the event loop. */
  (): Promise<void>;
}

/** A long document that is being indexed. */
interface Job {
  readonly document: RecallDocument;
  canceled: boolean;
}

export class SpaceIndex {
  readonly documents = new IndexedDocuments();
  readonly postings = new Postings();
  private readonly jobs = new Set<Job>();
  private jobBytes = 0;
  /** Resolves when all jobs so far are done. */
  private done = Promise.resolve();
  private paused: { changes: (() => void)[]; resumed: Promise<void>; resume: () => void } | null = null;

  /** `changed` is called when background work has changed `bytes`. */
  constructor(
    private readonly turn: EventTurn,
    private readonly changed: () => void = () => undefined,
  ) {}

  get bytes(): number {
    return emptyBytes + this.documents.bytes + this.postings.bytes + this.jobBytes;
  }

  /** Null if it cannot be kept as it is. */
  image(): IndexImage | null {
    if (this.jobs.size > 0 || this.documents.vectors !== null) return null;
    return { documents: this.documents.image(), postings: this.postings.image() };
  }

  /** Call this for an empty index only. */
  restore({ documents, postings }: IndexImage): void {
    this.documents.restore(documents);
    this.postings.restore(postings);
  }

  /** From now on changes wait until `resume`, so that the index can be copied or restored. Searches go on. */
  pause(): void {
    let resume = (): void => undefined;
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    this.paused = { changes: [], resumed, resume };
  }

  resume(): void {
    const { paused } = this;
    if (!paused) return;
    this.paused = null;
    for (const change of paused.changes) change();
    this.changed();
    paused.resume();
  }

  put(document: RecallDocument): void {
    if (this.paused) {
      this.paused.changes.push(() => this.put(document));
      return;
    }
    const near = this.takeOut(document.kind, document.id);
    if (document.content.length <= atOnce) this.indexAtOnce(document, near);
    else this.enqueue(document);
  }

  remove(kind: Kind, id: string): void {
    if (this.paused) this.paused.changes.push(() => this.remove(kind, id));
    else this.takeOut(kind, id);
  }

  /** Null if everything put so far can be found; otherwise a promise of that. */
  settled(): Promise<void> | null {
    if (this.paused && this.paused.changes.length > 0)
      return this.paused.resumed.then(() => this.settled() ?? undefined);
    return this.jobs.size > 0 ? this.done : null;
  }

  discard(): void {
    for (const job of this.jobs) job.canceled = true;
    this.paused?.resume();
    this.paused = null;
  }

  /** Removes whatever the index holds of the document. Returns the slot of a neighbour in its session, or -1. */
  private takeOut(kind: Kind, id: string): number {
    for (const job of this.jobs) if (job.document.id === id && job.document.kind === kind) job.canceled = true;
    const slot = this.documents.find(kind, id);
    if (slot === undefined) return -1;
    const { sessions } = this.documents;
    const before = sessions.previous[slot] ?? -1;
    const near = before >= 0 ? before : (sessions.next[slot] ?? -1);
    this.postings.remove(slot);
    this.documents.close(slot);
    return near;
  }

  private indexAtOnce(document: RecallDocument, near: number): void {
    const terms = new Terms(document.speaker);
    terms.add(document.content);
    const also = alsoFoundBy(document.content);
    if (also !== null) terms.add(also);
    this.enter(document, terms, near);
  }

  private enter(document: RecallDocument, terms: Terms, near: number): void {
    const { counts, length } = terms;
    const slot = this.documents.open(document);
    const traits = traitsOf(document.content, document.speaker, document.byAssistant);
    for (const term of facetTerms(document, traits.speaker)) counts.set(term, 1);
    this.documents.publish(slot, document, length, traits, near);
    this.postings.add(slot, counts);
  }

  private enqueue(document: RecallDocument): void {
    const job = { document, canceled: false };
    const bytes = document.content.length * 2;
    this.jobs.add(job);
    this.jobBytes += bytes;
    this.done = this.done.then(async () => {
      await this.indexByPiece(job);
      this.jobs.delete(job);
      this.jobBytes -= bytes;
      this.changed();
    });
  }

  private async indexByPiece(job: Job): Promise<void> {
    const { document } = job;
    const terms = new Terms(document.speaker);
    for (let from = 0; from < document.content.length;) {
      await this.turn();
      if (job.canceled) return;
      const end = pieceEnd(document.content, from, atOnce);
      terms.add(document.content.slice(from, end));
      from = end;
    }
    await this.turn();
    if (!job.canceled) this.enter(document, terms, -1);
  }
}

/** The terms of a document, with how often it has each. */
class Terms {
  readonly counts = new Map<string, number>();
  /** How many words there are, about. */
  private words = 0;

  /** A speaker's name counts as a word of the text, whether it is in its own field or in front of the content. */
  constructor(speaker: string | null) {
    if (speaker !== null) this.add(speaker);
  }

  get length(): number {
    return Math.ceil(this.words);
  }

  /** The first terms count twice (scoring.ts). */
  add(text: string): void {
    tokenize(text, (term) => {
      const times = this.words < leadTerms ? 2 : 1;
      this.words += wordsIn(term);
      this.counts.set(term, (this.counts.get(term) ?? 0) + times);
    });
  }
}

/*
 * Indexes what the store has of a memory space while the process keeps doing its other work: all of its documents, or
 * what has changed since a snapshot.
 *
 *  RecallBuild.B1 Between two turns of the event loop, a build indexes at most `perTurn` characters (each document
 *     counts as 64 more).
 *  RecallBuild.B2 A document that was put or removed since the build began is not taken from the source, because the
 *     write is newer than any page (Recall.R2).
 *  - A build that is no longer wanted ends early, without an error.
 *
 * Failure: an error of the source fails the build. Its index is then incomplete and must be discarded.
 */

const perTurn = 8192;
const perDocument = 64;

export interface BuildControl {
  /** Keys (documentKey) written since the build began. */
  readonly written: ReadonlySet<string>;
  readonly wanted: () => boolean;
  readonly take: (change: RecallChange) => void;
  /** Called after each slice, once `index.bytes` has changed. */
  readonly grown: () => void;
}

export const documentKey = (kind: RecallDocument['kind'], id: string): string => `${kind}/${id}`;

export async function* changesOfDocuments(pages: AsyncIterable<RecallDocument[]>): AsyncGenerator<RecallChange[]> {
  for await (const page of pages) yield page.map((put) => ({ put }));
}

export async function indexPages(
  pages: AsyncIterable<RecallChange[]>,
  index: SpaceIndex,
  turn: EventTurn,
  control: BuildControl,
): Promise<void> {
  for await (const page of pages) {
    let work = Infinity; // reading a page was work, too
    for (const change of page) {
      if (!control.wanted()) return;
      if (work > perTurn) {
        control.grown();
        await turn();
        work = 0;
        if (!control.wanted()) return;
      }
      const { kind, id } = 'put' in change ? change.put : change.removed;
      work += perDocument + ('put' in change ? change.put.content.length : 0);
      if (!control.written.has(documentKey(kind, id))) control.take(change);
    }
    // Long documents are queued in the index; waiting here limits the queue to those of one page.
    await index.settled();
    control.grown();
  }
}
