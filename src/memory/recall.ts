/**
 * Implements recall (port.ts): each context has one inverted index, scored by words with its sessions (scorer.ts).
 * Where a query comes with a vector, memories that are close in meaning are put together with those (meaning.ts).
 *
 * Where the promises are kept: Recall.R1 by one index for each context and none that spans contexts. Recall.R2 by
 * contexts that accept writes while they are built (cached-context.ts CachedContext.K1, build.ts RecallBuild.B2) and by
 * waiting for long documents (context-index.ts ContextIndex.X2). Recall.R3 by indexes that hold no content. Recall.R4
 * by pieces (ContextIndex.X2) and slices (RecallBuild.B1). Recall.R5 by the scorer (RecallScorer.C2). Recall.R6 by the
 * filter of hits (offers.ts).
 *
 * If nothing has to be waited for, a search runs in one go and returns no promise. Otherwise contexts are searched one
 * after the other as they become ready, with a few builds running ahead, so that a search over many contexts holds only
 * a few of them in memory.
 *
 * Failure: if a context cannot be built, the searches that wait for it reject with the source's error, and the next
 * search tries again. A context that is dropped while a search waits for it is built again for that search
 * (ContextCache.K5). All of this state can be lost at any time without losing data.
 */
import { setImmediate } from 'node:timers/promises';
import type { MonotonicClock } from '../domain/clock.js';
import { unavailable } from '../domain/errors.js';
import { ContextCache, type CacheStats } from './context-cache.js';
import type { CachedContext } from './cached-context.js';
import type { Turn } from './context-index.js';
import { Closeness, putTogether, together } from './meaning.js';
import {
  contextKey,
  type Recall,
  type RecallContext,
  type RecallHit,
  type RecallQuery,
  type RecallSource,
} from './port.js';
import type { Asked } from './offers.js';
import { formOf } from './query-form.js';
import { parseQuery } from './query-terms.js';
import { Scorer } from './scorer.js';
import type { Snapshots } from './snapshots.js';
import { TopHits } from './top-hits.js';
import type { Logger } from '../telemetry/logger-port.js';
import { memoize } from '../base/memoize.js';

export interface RecallOptions {
  source: RecallSource;
  clock: MonotonicClock;
  /**
   * The estimated memory that all indexes together may take (context-cache.ts ContextCache.K3). A short memory takes
   * 500 to 800 bytes, and a context 5 KB.
   */
  maxBytes: number;
  log?: Pick<Logger, 'debug' | 'warn'>;
  /** Resolves in a later turn of the event loop; tests may replace it. */
  turn?: Turn;
  /** Keeps indexes for a later process. */
  snapshots?: Snapshots;
  /** With other bounds than those of `Candidates`; for measurements. */
  scorer?: Scorer;
}

export interface RecallStats extends CacheStats {
  searches: number;
  /** The number of searches that had to wait for a build or for a long document. */
  waited: number;
}

/** How many contexts are searched in one turn of the event loop. */
const contextsPerTurn = 128;
/** How many missing contexts are built at a time for one search. */
const buildsAhead = 4;
/** How many times a context may be dropped while a search waits for it before the search fails. */
const mostDrops = 20;

/** Many questions have the same other wordings. */
const termsOfOthers = memoize<readonly string[]>(parseQuery, 64);

interface HeldContext {
  readonly context: RecallContext;
  readonly entry: CachedContext;
  /** May be called twice. */
  readonly release: () => void;
}

export function createRecall(options: RecallOptions): Recall & { stats(): RecallStats } {
  const turn = options.turn ?? (() => setImmediate());
  const { source, clock, maxBytes, log, snapshots } = options;
  const cache = new ContextCache(source, clock, maxBytes, turn, log, snapshots);
  const scorer = options.scorer ?? new Scorer();
  let searches = 0;
  let waited = 0;

  /** Searches all contexts synchronously; returns null if something has to be waited for. */
  function searchNow(contexts: readonly RecallContext[], asked: Asked, limit: number): RecallHit[] | null {
    if (contexts.length > contextsPerTurn) return null;
    const found = new Found(scorer, asked, limit);
    for (let i = 0; i < contexts.length; i++) {
      const context = contexts[i] as RecallContext;
      const entry = cache.use(context);
      if (entry.ready() || !cache.serves(entry, context)) return null;
      found.collect(entry, context, i);
    }
    return found.hits();
  }

  function hold(context: RecallContext): HeldContext {
    const entry = cache.use(context);
    return { entry, context, release: cache.hold(entry) };
  }

  async function searchLater(contexts: readonly RecallContext[], asked: Asked, limit: number): Promise<RecallHit[]> {
    const found = new Found(scorer, asked, limit);
    /** Returns false if the context was dropped meanwhile, or turned out to have more than what is asked for. */
    async function searched({ entry, context }: HeldContext, i: number): Promise<boolean> {
      if (!entry.dropped) await entry.ready();
      if (entry.dropped || !cache.serves(entry, context)) return false;
      found.collect(entry, context, i);
      return true;
    }
    const ahead: HeldContext[] = [];
    const prepare = (context: RecallContext | undefined): void => {
      if (context) ahead.push(hold(context));
    };
    try {
      for (const context of contexts.slice(0, buildsAhead)) prepare(context);
      for (let i = 0; i < contexts.length; i++) {
        if (i % contextsPerTurn === contextsPerTurn - 1) await turn();
        for (let drops = 0; !(await searched(ahead[0] as HeldContext, i)); drops++) {
          const { context, release } = ahead[0] as HeldContext;
          release();
          if (drops === mostDrops) throw unavailable('the index of these memories is being rebuilt too often');
          ahead[0] = hold(context);
        }
        ahead.shift()?.release();
        prepare(contexts[i + buildsAhead]);
      }
    } finally {
      for (const { release } of ahead) release();
    }
    return found.hits();
  }

  return {
    search(query: RecallQuery) {
      searches++;
      const contexts = distinct(query.contexts);
      if (contexts.length === 0 || query.limit < 1) return [];
      const terms = parseQuery(query.query);
      const asked: Asked = {
        terms,
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
      const hits = searchNow(contexts, asked, query.limit);
      if (hits) return hits;
      waited++;
      return searchLater(contexts, asked, query.limit);
    },
    isInMemory: (context) => cache.hasAny(context),
    put(context, document) {
      cache.put(context, document);
    },
    remove(context, kind, id) {
      cache.remove(context, kind, id);
    },
    drop(context) {
      cache.drop(context);
    },
    renew(context, part) {
      cache.renew(context, part);
    },
    dropWhere(which) {
      cache.dropWhere(which);
    },
    loaded(context, seq, completes) {
      cache.loaded(context, seq, completes);
    },
    committed(context, seq, lost) {
      cache.committed(context, seq, lost);
    },
    ended(context) {
      cache.ended(context);
    },
    restoring: (context, seq) => cache.restoring(context, seq),
    texts: (context) => cache.texts(context),
    giveTexts(context, table) {
      cache.giveTexts(context, table);
    },
    keep: (which) => cache.keep(which),
    stats: () => ({ ...cache.stats(), searches, waited }),
  };
}

/** What a search finds in its contexts, by words and, if it asks for that, by meaning. */
class Found {
  private readonly byWords: TopHits;
  private readonly byMeaning: TopHits;
  /** By context, what hits by words are compared with. */
  private readonly closeness = new Map<RecallContext, Closeness>();

  constructor(
    private readonly scorer: Scorer,
    private readonly asked: Asked,
    private readonly limit: number,
  ) {
    const most = asked.meaning ? Math.max(limit, putTogether) : limit;
    this.byWords = new TopHits(most);
    this.byMeaning = new TopHits(most);
  }

  collect({ index }: CachedContext, context: RecallContext, searched: number): void {
    const { asked } = this;
    this.scorer.collect(index, context, searched, asked, this.byWords);
    const { meaning } = asked;
    if (!meaning || !index.documents.vectors) return;
    const closeness = new Closeness(index, meaning);
    closeness.collect(context, searched, asked, this.byMeaning);
    this.closeness.set(context, closeness);
  }

  hits(): RecallHit[] {
    const byWords = this.byWords.hits();
    if (!this.asked.meaning) return byWords;
    const both = byWords.map((hit) => this.closeness.get(hit.context)?.added(hit) ?? hit);
    return together(both, this.byMeaning.hits(), this.limit);
  }
}

function distinct(contexts: readonly RecallContext[]): readonly RecallContext[] {
  if (contexts.length < 2) return contexts;
  return [...new Map(contexts.map((context) => [contextKey(context), context])).values()];
}
