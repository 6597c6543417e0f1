/**
 * The index of one context. It puts and removes documents, and reports when everything put so far can be found.
 *
 *  ContextIndex.X1 After any sequence of puts and removes, the index equals one built from the remaining documents.
 *  ContextIndex.X2 One call does a bounded amount of work (Recall.R4). The call itself indexes a content of at most
 *     `atOnce` characters. A longer content is indexed in pieces, one in each turn of the event loop, and `settled`
 *     says when it is done (Recall.R2). All of the content is indexed, however long it is.
 *  ContextIndex.X3 Of two puts of one document the later one counts, even while the earlier one is still being indexed.
 *     The same holds for a remove.
 *
 * Failure: nothing here can fail except by running out of memory. `discard` stops the work in progress and releases
 * those who wait for it.
 */
import type { RecallDocument } from './port.js';
import { Documents, type Kind } from './documents.js';
import { Postings } from './postings.js';
import { Repeats } from './repeats.js';
import { pieceEnd, tokenize } from './tokenizer.js';
import { alsoFoundBy } from './wordings.js';
import { traitsOf } from './traits.js';

/** The number of characters that a call indexes itself, and the size of a piece. */
export const atOnce = 4096;
/** Measured heap bytes of an empty index, with room for the headers of its columns. */
const emptyBytes = 5000;
/** How many terms of a long document are entered in one turn. */
const termsAtOnce = 1024;

export interface Turn {
  /** Resolves in a later turn of the event loop. */
  (): Promise<void>;
}

/** A long document that is being indexed. */
interface Job {
  readonly document: RecallDocument;
  readonly ticket: number;
  canceled: boolean;
}

export class ContextIndex {
  readonly documents = new Documents();
  readonly postings = new Postings();
  readonly repeats = new Repeats(this.documents, this.postings);
  private jobs: Job[] = [];
  private jobBytes = 0;
  private lastTicket = 0;
  private waiting: { ticket: number; resolve: () => void }[] = [];
  private discarded = false;

  /** `changed` is called when background work has changed `bytes`. */
  constructor(
    private readonly turn: Turn,
    private readonly changed: () => void = () => undefined,
  ) {}

  get bytes(): number {
    return emptyBytes + this.documents.bytes + this.postings.bytes + this.repeats.bytes + this.jobBytes;
  }

  put(document: RecallDocument): void {
    const near = this.takeOut(document.kind, document.id);
    if (document.content.length <= atOnce) this.indexAtOnce(document, near);
    else this.enqueue(document);
  }

  remove(kind: Kind, id: string): void {
    this.takeOut(kind, id);
  }

  /** Null if everything put so far can be found; otherwise a promise of that. */
  settled(): Promise<void> | null {
    if (this.jobs.length === 0) return null;
    return new Promise((resolve) => this.waiting.push({ ticket: this.lastTicket, resolve }));
  }

  discard(): void {
    this.discarded = true;
    this.jobs = [];
    this.jobBytes = 0;
    this.release();
  }

  /** Removes whatever the index holds of the document. Returns the slot of a neighbour in its session, or -1. */
  private takeOut(kind: Kind, id: string): number {
    for (const job of this.jobs) if (job.document.id === id && job.document.kind === kind) job.canceled = true;
    const slot = this.documents.find(kind, id);
    if (slot === undefined) return -1;
    const { sessions } = this.documents;
    const before = sessions.previous[slot] ?? -1;
    const near = before >= 0 ? before : (sessions.next[slot] ?? -1);
    this.repeats.leave(slot);
    for (const term of this.documents.termsOf(slot)) this.postings.remove(term, slot);
    this.documents.close(slot);
    return near;
  }

  private indexAtOnce(document: RecallDocument, near: number): void {
    const counts = new Map<string, number>();
    const also = alsoFoundBy(document.content);
    let length = countSpeaker(document, counts) + count(document.content, counts);
    if (also !== null) length += count(also, counts);
    this.enter(document, counts, length, near);
  }

  private enter(document: RecallDocument, counts: ReadonlyMap<string, number>, length: number, near: number): void {
    const slot = this.documents.open(document);
    const terms: number[] = [];
    for (const name of counts.keys()) terms.push(this.postings.take(name));
    this.publish(slot, document, length, near);
    if (this.repeats.join(slot, terms, counts)) return;
    let i = 0;
    for (const times of counts.values()) this.postings.insert(terms[i++] as number, slot, times);
    this.documents.setTerms(slot, terms.slice());
    this.repeats.note(slot);
  }

  private publish(slot: number, document: RecallDocument, length: number, near: number): void {
    // a document that was alone in this session gets a neighbour now (RecallRepeats.E1)
    const neighbour = this.documents.sessions.only(document.sessionId);
    if (neighbour >= 0) this.repeats.leave(neighbour);
    this.documents.publish(slot, document, length, traitsOf(document.content, document.speaker), near);
  }

  private enqueue(document: RecallDocument): void {
    this.jobs.push({ document, ticket: ++this.lastTicket, canceled: false });
    this.jobBytes += document.content.length * 2;
    if (this.jobs.length === 1) void this.work();
  }

  /** Indexes the queued documents one after the other. Never rejects. */
  private async work(): Promise<void> {
    for (let job = this.jobs[0]; job && !this.discarded; job = this.jobs[0]) {
      await this.indexByPiece(job);
      if (this.discarded) return;
      this.jobs.shift();
      this.jobBytes -= job.document.content.length * 2;
      this.changed();
      this.release();
    }
  }

  private async indexByPiece(job: Job): Promise<void> {
    const { document } = job;
    const counts = new Map<string, number>();
    let length = countSpeaker(document, counts);
    for (let from = 0; from < document.content.length;) {
      await this.turn();
      if (job.canceled || this.discarded) return;
      const end = pieceEnd(document.content, from, atOnce);
      length += count(document.content.slice(from, end), counts);
      from = end;
    }
    if (counts.size < termsAtOnce) {
      this.enter(document, counts, length, -1);
      return;
    }
    const slot = this.documents.open(document);
    const terms: number[] = [];
    this.documents.setTerms(slot, terms);
    for (const [name, times] of counts) {
      if (terms.length % termsAtOnce === termsAtOnce - 1) await this.turn();
      // A remove in the meantime has freed the slot and taken out the terms that `terms` held by then.
      if (job.canceled || this.discarded) return;
      const term = this.postings.take(name);
      this.postings.insert(term, slot, times);
      terms.push(term);
    }
    this.documents.setTerms(slot, terms.slice());
    this.publish(slot, document, length, -1);
  }

  private release(): void {
    const done = this.jobs[0] ? this.jobs[0].ticket - 1 : this.lastTicket;
    const isFree = (w: { ticket: number }): boolean => this.discarded || w.ticket <= done;
    const free = this.waiting.filter(isFree);
    this.waiting = this.waiting.filter((w) => !isFree(w));
    for (const waiter of free) waiter.resolve();
  }
}

/** A speaker's name counts as a word of the text, whether it is in its own field or in front of the content. */
function countSpeaker({ speaker }: RecallDocument, counts: Map<string, number>): number {
  return speaker === null ? 0 : count(speaker, counts);
}

/** Adds the terms of the text to `counts` and returns how many there were. */
function count(text: string, counts: Map<string, number>): number {
  let length = 0;
  tokenize(text, (term) => {
    length++;
    counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return length;
}
