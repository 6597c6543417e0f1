import type { SpaceIndex } from './space-index.js';
import type { Documents } from './documents.js';
import type { Offers } from './offers.js';
import type { WeighedQuery } from './query-terms.js';

/** One search of one space. */
export interface Search {
  readonly index: SpaceIndex;
  readonly documents: Documents;
  readonly query: WeighedQuery;
  readonly now: number;
  /** The mean length of a document. */
  readonly average: number;
  readonly offers: Offers;
}
