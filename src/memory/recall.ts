/**
 * Implements recall (port.ts): each memory space has one inverted index, scored by words with its sessions (scorer.ts).
 * Where a query comes with a vector, memories that are close in meaning are put together with those (meaning.ts).
 *
 * Where the promises are kept: Recall.R1 by one index for each space and none that covers several. Recall.R2 by
 * spaces that accept writes while they are built (space-cache.ts CachedSpace.K1, space-index.ts RecallBuild.B2) and by
 * waiting for long documents (space-index.ts SpaceIndex.X1). Recall.R3 by indexes that hold no content. Recall.R4
 * by pieces (SpaceIndex.X1) and slices (RecallBuild.B1). Recall.R5 by the scorer (RecallScorer.C2). Recall.R6 by the
 * filter of hits (offers.ts).
 *
 * If nothing has to be waited for, a search runs in one go and returns no promise. Otherwise spaces are searched one
 * after the other as they become ready, with a few builds running ahead, so that a search over many spaces holds only
 * a few of them in memory.
 *
 * Failure: if a space cannot be built, the searches that wait for it reject with the source's error, and the next
 * search tries again. A space that is dropped while a search waits for it is built again for that search
 * (SpaceCache.K3). All of this state can be lost at any time without losing data.
 */
import { setImmediate } from 'node:timers/promises';
import { type MonotonicClock, waited as passed } from '../domain/shared/clock.js';
import { unavailable } from '../domain/shared/errors.js';
import { type CachedSpace } from './cached-space.js';
import { type CacheStats, SpaceCache } from './space-cache.js';
import type { EventTurn } from './space-index.js';
import { Closeness, putTogether, together } from './meaning.js';
import {
  spaceKey,
  type Recall,
  type MemorySpace,
  type RecallHit,
  type RecallHits,
  type RecallQuery,
  type RecallSource,
} from './port.js';
import { type PreparedQuery, TopHits } from './offers.js';
import { formOf, parseQuery } from './query.js';
import { Scorer } from './scorer.js';
import type { RecallSnapshots } from './snapshots.js';
import type { Logger } from '../telemetry/logger-port.js';
import { memoize } from '../base/memoize.js';

export interface RecallOptions {
  source: RecallSource;
  clock: MonotonicClock;
  /**
   * The estimated memory that all indexes together may take (space-cache.ts SpaceCache.K2). A short memory takes
   * 500 to 800 bytes, and a space 5 KB.
   */
  maxBytes: number;
  log?: Pick<Logger, 'debug' | 'warn'>;
  /** Resolves in a later turn of the event loop; tests may replace it. */
  turn?: EventTurn;
  /** Keeps indexes for a later process. */
  snapshots?: RecallSnapshots;
  /** With other bounds than those of `Candidates`; for measurements. */
  scorer?: Scorer;
}

export interface RecallStats extends CacheStats {
  searches: number;
  /** The number of searches that had to wait for a build or for a long document. */
  waited: number;
}

/** How many spaces are searched in one turn of the event loop. */
const spacesPerTurn = 128;
/** How many missing spaces are built at a time for one search. */
const buildsAhead = 4;
/** How many times a space may be dropped while a search waits for it before the search fails. */
const mostDrops = 20;

/** Many questions have the same other wordings. */
const termsOfOthers = memoize<readonly string[]>(parseQuery, 64);

interface HeldSpace {
  readonly space: MemorySpace;
  readonly entry: CachedSpace;
  /** May be called twice. */
  readonly release: () => void;
}

export function createRecall(options: RecallOptions): Recall & { stats(): RecallStats } {
  const turn = options.turn ?? (() => setImmediate());
  const { source, clock, maxBytes, log, snapshots } = options;
  const cache = new SpaceCache(source, clock, maxBytes, turn, log, snapshots);
  const scorer = options.scorer ?? new Scorer();
  let searches = 0;
  let waited = 0;

  /** Searches all spaces synchronously; returns null if something has to be waited for. */
  function searchNow(spaces: readonly MemorySpace[], asked: PreparedQuery, limit: number): RecallHit[] | null {
    if (spaces.length > spacesPerTurn) return null;
    const found = new Found(scorer, asked, limit);
    for (let i = 0; i < spaces.length; i++) {
      const space = spaces[i] as MemorySpace;
      const entry = cache.use(space);
      if (entry.ready() || !cache.serves(entry, space)) return null;
      found.collect(entry, space, i);
    }
    return found.hits();
  }

  function hold(space: MemorySpace): HeldSpace {
    const entry = cache.use(space);
    return { entry, space, release: cache.hold(entry) };
  }

  async function searchLater(
    spaces: readonly MemorySpace[],
    asked: PreparedQuery,
    { limit, patienceMs }: RecallQuery,
  ): Promise<RecallHits> {
    const found = new Found(scorer, asked, limit);
    const late = patienceMs === undefined ? null : passed(clock, patienceMs).then(() => true as const);
    let partial = false;
    /** Returns false if the space was dropped meanwhile, or turned out to have more than what is asked for. */
    async function searched({ entry, space }: HeldSpace, i: number): Promise<boolean> {
      if (!entry.dropped && (await (late ? Promise.race([entry.ready(), late]) : entry.ready()))) partial = true;
      if (entry.dropped || !cache.serves(entry, space)) return false;
      found.collect(entry, space, i);
      return true;
    }
    const ahead: HeldSpace[] = [];
    const prepare = (space: MemorySpace | undefined): void => {
      if (space) ahead.push(hold(space));
    };
    try {
      for (const space of spaces.slice(0, buildsAhead)) prepare(space);
      for (let i = 0; i < spaces.length; i++) {
        if (i % spacesPerTurn === spacesPerTurn - 1) await turn();
        for (let drops = 0; !(await searched(ahead[0] as HeldSpace, i)); drops++) {
          const { space, release } = ahead[0] as HeldSpace;
          release();
          if (drops === mostDrops) throw unavailable('the index of these memories is being rebuilt too often');
          ahead[0] = hold(space);
        }
        ahead.shift()?.release();
        prepare(spaces[i + buildsAhead]);
      }
    } finally {
      for (const { release } of ahead) release();
    }
    const hits: RecallHits = found.hits();
    if (partial) hits.partial = true;
    return hits;
  }

  return {
    search(query: RecallQuery) {
      searches++;
      const spaces = distinct(query.spaces);
      if (spaces.length === 0 || query.limit < 1) return [];
      const { profile = false } = query;
      const terms = profile ? [] : parseQuery(query.query);
      const asked: PreparedQuery = {
        terms,
        profile,
        also: query.also === undefined ? [] : termsOfOthers(query.also).filter((term) => !terms.includes(term)),
        form: formOf(query.query),
        types: query.types,
        turnsSince: query.turnsSince ?? -Infinity,
        facets: { speaker: query.speaker, sessionId: query.sessionId, pairs: query.pairs ?? [] },
        from: query.from,
        until: query.until,
        asOf: query.asOf,
        superseded: query.superseded ?? false,
        minRelevance: query.minRelevance,
        explain: query.explain ?? false,
        meaning: query.meaning,
        now: query.now,
      };
      const hits = searchNow(spaces, asked, query.limit);
      if (hits) return hits;
      waited++;
      return searchLater(spaces, asked, query);
    },
    isInMemory: (space) => cache.hasAny(space),
    put(space, document) {
      cache.put(space, document);
    },
    remove(space, kind, id) {
      cache.remove(space, kind, id);
    },
    drop(space) {
      cache.drop(space);
    },
    renew(space, part) {
      cache.renew(space, part);
    },
    dropWhere(which) {
      cache.dropWhere(which);
    },
    loaded(space, seq, completes) {
      cache.loaded(space, seq, completes);
    },
    committed(space, seq, lost) {
      cache.committed(space, seq, lost);
    },
    ended(space) {
      cache.ended(space);
    },
    restoring: (space, seq) => cache.restoring(space, seq),
    texts: (space) => cache.texts(space),
    giveTexts(space, table) {
      cache.giveTexts(space, table);
    },
    keep: (which) => cache.keep(which),
    stats: () => ({ ...cache.stats(), searches, waited }),
  };
}

/** What a search finds in its spaces, by words and, if it asks for that, by meaning. */
class Found {
  private readonly byWords: TopHits;
  private readonly byMeaning: TopHits;
  /** By space, what hits by words are compared with. */
  private readonly closeness = new Map<MemorySpace, Closeness>();

  constructor(
    private readonly scorer: Scorer,
    private readonly asked: PreparedQuery,
    private readonly limit: number,
  ) {
    const most = asked.meaning ? Math.max(limit, putTogether) : limit;
    this.byWords = new TopHits(most);
    this.byMeaning = new TopHits(most);
  }

  collect({ index }: CachedSpace, space: MemorySpace, searched: number): void {
    const { asked } = this;
    this.scorer.collect(index, space, searched, asked, this.byWords);
    const { meaning } = asked;
    if (!meaning || !index.documents.vectors) return;
    const closeness = new Closeness(index, meaning);
    closeness.collect(space, searched, asked, this.byMeaning);
    this.closeness.set(space, closeness);
  }

  hits(): RecallHit[] {
    const byWords = this.byWords.hits();
    if (!this.asked.meaning) return byWords;
    const both = byWords.map((hit) => this.closeness.get(hit.space)?.added(hit) ?? hit);
    return together(both, this.byMeaning.hits(), this.limit);
  }
}

function distinct(spaces: readonly MemorySpace[]): readonly MemorySpace[] {
  if (spaces.length < 2) return spaces;
  return [...new Map(spaces.map((space) => [spaceKey(space), space])).values()];
}
