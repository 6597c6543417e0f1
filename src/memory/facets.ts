/**
 * The filters of a search that the index has lists for: who said it, its session, pairs of its metadata. Pairs and
 * speakers are terms of the index beside the words, with names that no word has, and a session knows its documents.
 *
 *  - A document passes if it has all that is asked for.
 *  - Where one of the filters names at most `few` documents, these are all that a search looks at, however many
 *     the space has.
 */
import type { Documents } from './documents.js';
import type { RecallDocument } from './port.js';
import type { Postings } from './postings.js';
import { nameKey } from '../domain/facets.js';

/** A longer list is searched like a space without a filter. */
const few = 4000;

const pairTerm = (pair: string): string => `\0m${pair}`;
const speakerTerm = (name: string): string => `\0s${name}`;

/** The terms of a document beside its words; `speaker` is in the form of `nameKey`. */
export function facetTerms({ pairs = [] }: Pick<RecallDocument, 'pairs'>, speaker: string | null): string[] {
  const terms = pairs.map(pairTerm);
  if (speaker !== null) terms.push(speakerTerm(speaker));
  return terms;
}

export interface AskedFacets {
  speaker: string | undefined;
  sessionId: string | undefined;
  pairs: readonly string[];
}

export class Facets {
  private readonly terms: readonly number[];
  private readonly session: number | undefined;
  /** No document of the space has all that is asked for. */
  readonly hopeless: boolean;
  readonly filtered: boolean;

  constructor(
    private readonly index: { readonly documents: Documents; readonly postings: Postings },
    { speaker, sessionId, pairs }: AskedFacets,
  ) {
    const names = pairs.map(pairTerm);
    if (speaker !== undefined) names.push(speakerTerm(nameKey(speaker)));
    const terms = names.map((name) => index.postings.find(name));
    this.terms = terms.filter((term) => term !== undefined);
    this.session = sessionId === undefined ? undefined : index.documents.sessions.find(sessionId);
    this.hopeless = this.terms.length < names.length || (sessionId !== undefined && this.session === undefined);
    this.filtered = names.length > 0 || sessionId !== undefined;
  }

  hold(slot: number): boolean {
    if (this.session !== undefined && this.index.documents.sessions.session[slot] !== this.session) return false;
    return this.terms.every((term) => this.index.postings.times(slot, term) > 0);
  }

  /** The documents of the filter that names the fewest, hidden ones included; null if these are many. */
  slots(): number[] | null {
    const { postings, documents } = this.index;
    const [rarest] = [...this.terms].sort((a, b) => postings.frequency(a) - postings.frequency(b));
    const ofTerm = rarest === undefined ? Infinity : postings.frequency(rarest);
    const ofSession = this.session === undefined ? Infinity : documents.sessions.size(this.session);
    if (Math.min(ofTerm, ofSession) > few) return null;
    if (ofSession < ofTerm) return documents.sessions.slotsOf(this.session as number);
    const { list, from, length } = postings.of(rarest as number);
    return Array.from(list.subarray(from, from + length), (posting) => posting >>> 8);
  }
}
