/**
 * Makes the vectors of memories beside their writes, and those of queries. Everything here can fail or be away without
 * consequence but that recall finds by words only.
 *
 *  - A write never waits for a vector. What waits for one is bounded; what is left out or lost with the
 *     process is found again when the index of its memory space is built.
 *  - A query waits a moment for its vector, and after several failures for a while not at all; the log says so once.
 *    Whoever searches is told that it went by words only.
 *  - A vector is used only where it was made by the present model, of the present content.
 *  - One that another model made is left alone while a process with that model lives, as in a rolling update: the two
 *    would make each other's anew, again and again.
 */
import type { StoredMemory } from '../domain/memory/stored-memory.js';
import { type Backoff, type MonotonicClock, backoffMs } from '../domain/shared/clock.js';
import { contentHash, type MadeVector, modelOfVector, packed, quantized, vectorOf } from '../domain/memory/vectors.js';
import type { Meaning, Recall } from '../memory/port.js';
import { entityKey, type EntityRef } from '../store/port.js';
import type { Logger } from '../telemetry/logger-port.js';
import { type Embedder, TextsRefused } from './port.js';

/** Characters of the texts that wait for their vectors: some 100,000 short memories. */
const mostWaiting = 32 * 1024 * 1024;
/** An answer is read in one turn of the event loop: 16 vectors of 3,072 numbers are a megabyte of JSON. */
const batch = 16;
const longestText = 8000;
const longestQuery = 2000;
const queryMs = 1000;
const restMs = 10_000;
/** In a row, of queries that did not wait beside each other. */
const failuresBeforeRest = 3;
/** How often is looked whether the processes of other models still live, ms. */
const othersMs = 30_000;
const retry: Backoff = { firstMs: 1000, longestMs: 60_000 };
const queriesKept = 500;
/** They have nothing to do with one another: how close they are all the same is the baseline of a model. */
const unrelated = [
  'The ferry to the island leaves at noon.',
  'My password was changed last week.',
  'Bread needs flour, water and salt.',
  'The committee elected a new treasurer.',
  'Her cat sleeps on the radiator.',
  'Interest rates rose by half a percent.',
];

interface Wanted {
  entity: EntityRef;
  id: string;
  /** A hash of the content, and as much of it as the vector is made of. */
  of: string;
  text: string;
}
export type KeepVectors = (entity: EntityRef, made: readonly MadeVector[]) => Promise<unknown>;

export class Vectors {
  private readonly waiting = new Map<string, Wanted>();
  /** Those that have a vector of a model that is in use elsewhere. */
  private readonly left = new Map<string, Wanted & { model: string }>();
  /** Of both. */
  private waitingSize = 0;
  private readonly queries = new Map<string, readonly number[]>();
  private readonly abort = new AbortController();
  private keep: KeepVectors | null = null;
  private isInUse: (model: string) => boolean = () => false;
  private looksAgain = false;
  private baseline: number | null = null;
  private baselineComing: Promise<number> | null = null;
  private working = false;
  /** In a row. */
  private failures = 0;
  /** Of queries, in a row. */
  private unanswered = 0;
  private failedAt = -Infinity;
  private restsUntil = -Infinity;

  constructor(private readonly parts: { embedder: Embedder; clock: MonotonicClock; log: Pick<Logger, 'warn'> }) {}

  /** What makes the vectors of this process. */
  get model(): string {
    return this.parts.embedder.model;
  }

  /** From now on vectors are made, and given to `keep`. `isInUse`: whether a process with another model lives. */
  begin(keep: KeepVectors, isInUse: (model: string) => boolean = () => false): void {
    this.keep = keep;
    this.isInUse = isInUse;
    this.wake();
  }

  stop(): void {
    this.abort.abort();
    this.waiting.clear();
    this.left.clear();
    this.waitingSize = 0;
  }

  /** The vector of a stored memory; without one, it is going to be made. */
  of(entity: EntityRef, memory: StoredMemory): Int8Array | null {
    const vector = vectorOf(memory, this.parts.embedder.model);
    if (vector) return vector;
    const { id, content } = memory;
    const wanted = { entity, id, of: contentHash(content), text: content.slice(0, longestText) };
    const key = `${entityKey(entity)} ${id}`;
    const model = modelOfVector(memory);
    if (model !== null && this.isInUse(model)) this.leave(key, { ...wanted, model });
    else this.putIn(key, wanted);
    this.wake();
    return null;
  }

  private leave(key: string, wanted: Wanted & { model: string }): void {
    if (this.left.has(key) || this.waitingSize >= mostWaiting || this.abort.signal.aborted) return;
    this.left.set(key, wanted);
    this.waitingSize += wanted.text.length;
    this.lookAgain();
  }

  private lookAgain(): void {
    if (this.looksAgain) return;
    this.looksAgain = true;
    this.parts.clock.after(othersMs, () => {
      this.looksAgain = false;
      const used = new Set([...new Set([...this.left.values()].map(({ model }) => model))].filter(this.isInUse));
      for (const [key, wanted] of this.left) {
        if (used.has(wanted.model)) continue;
        this.left.delete(key);
        this.waitingSize -= wanted.text.length;
        this.putIn(key, wanted);
      }
      if (this.left.size > 0) this.lookAgain();
      this.wake();
    });
  }

  private putIn(key: string, wanted: Wanted): void {
    if (this.waitingSize >= mostWaiting || this.abort.signal.aborted) return;
    this.takeOut(key);
    this.waiting.set(key, wanted);
    this.waitingSize += wanted.text.length;
  }

  private takeOut(key: string): void {
    this.waitingSize -= this.waiting.get(key)?.text.length ?? 0;
    this.waiting.delete(key);
  }

  private wake(): void {
    if (this.working || !this.keep || this.waiting.size === 0) return;
    this.working = true;
    void this.work(this.keep);
  }

  /** Never rejects. */
  private async work(keep: KeepVectors): Promise<void> {
    const { clock, log } = this.parts;
    await Promise.resolve(); // so that what is written together is asked for together
    while (this.waiting.size > 0) {
      const wanted = firstOf(this.waiting, batch);
      for (const [key] of wanted) this.takeOut(key);
      try {
        const made = await this.made(wanted.map(([, each]) => each));
        // a server that takes no text at all is set wrong, and the texts are not to blame
        if (made.length === 0) await this.parts.embedder.embed(unrelated, 'passage', this.abort.signal);
        this.failures = 0;
        for (const key of new Set(made.map(({ entity }) => entityKey(entity)))) {
          const group = made.filter(({ entity }) => entityKey(entity) === key);
          const [first] = group;
          if (!first) continue;
          // what was deleted meanwhile needs none, and after an outage it is made with the next index
          await keep(
            first.entity,
            group.map(({ vector }) => vector),
          ).catch(() => undefined);
        }
      } catch (error) {
        if (this.abort.signal.aborted) return;
        for (const [key, each] of wanted) if (!this.waiting.has(key)) this.putIn(key, each);
        if (++this.failures === 1)
          log.warn(
            { event: 'embeddings.failed', err: error },
            'The server of embeddings failed; memories are found by their words until it answers.',
          );
        clock.after(backoffMs(retry, this.failures), () => {
          this.working = false;
          this.wake();
        });
        return;
      }
    }
    this.working = false;
  }

  /** Their vectors; one that the server refuses goes without, and holds up no other. */
  private async made(wanted: readonly Wanted[]): Promise<{ entity: EntityRef; vector: MadeVector }[]> {
    const { embedder } = this.parts;
    try {
      const texts = wanted.map(({ text }) => text);
      const vectors = await embedder.embed(texts, 'passage', this.abort.signal);
      return wanted.map(({ entity, id, of }, i) => ({
        entity,
        vector: { id, model: embedder.model, of, data: packed(vectors[i] ?? []) },
      }));
    } catch (error) {
      if (!(error instanceof TextsRefused)) throw error;
      if (wanted.length === 1) return [];
      const half = Math.ceil(wanted.length / 2);
      return [...(await this.made(wanted.slice(0, half))), ...(await this.made(wanted.slice(half)))];
    }
  }

  /** What a query means; null if the server does not say so in time. */
  async ofQuery(text: string): Promise<Meaning | null> {
    const { embedder, clock } = this.parts;
    const query = text.slice(0, longestQuery);
    const known = this.queries.get(query);
    if (known && this.baseline !== null) return { vector: known, baseline: this.baseline };
    if (clock.elapsed() < this.restsUntil || this.abort.signal.aborted) return null;
    const began = clock.elapsed();
    const late = new AbortController();
    const cancel = clock.after(queryMs, () => {
      late.abort();
    });
    try {
      const signal = AbortSignal.any([late.signal, this.abort.signal]);
      // apart from the query, whose text alone the server may refuse
      const baseline = this.baseline ?? (await this.comingBaseline(signal));
      const [vector = []] = await embedder.embed([query], 'query', signal);
      this.unanswered = 0;
      if (this.queries.size >= queriesKept) this.queries.delete(this.queries.keys().next().value ?? '');
      const meaning = [...quantized(vector)];
      this.queries.set(query, meaning);
      return { vector: meaning, baseline };
    } catch (error) {
      // a text that the server does not take says nothing about those of others
      if (!(error instanceof TextsRefused) || this.baseline === null) this.failed(error, began);
      return null;
    } finally {
      cancel();
    }
  }

  /** Queries that wait beside each other fail together, and count as one. */
  private failed(error: unknown, began: number): void {
    const { clock, log } = this.parts;
    if (this.abort.signal.aborted || began < this.failedAt) return;
    this.failedAt = clock.elapsed();
    if (++this.unanswered < failuresBeforeRest) return;
    this.restsUntil = this.failedAt + restMs;
    // of a server that makes no vectors of memories either, the log has told
    if (this.unanswered === failuresBeforeRest && this.failures === 0)
      log.warn(
        { event: 'embeddings.failed', err: error },
        `The server of embeddings gave no vector of a query, ${failuresBeforeRest} times in a row; searches go by words, and ask it again every ${restMs / 1000} s.`,
      );
  }

  /** Queries that come together ask for it once. */
  private comingBaseline(signal: AbortSignal): Promise<number> {
    const { embedder } = this.parts;
    this.baselineComing ??= Promise.all([
      embedder.embed(unrelated, 'passage', signal),
      embedder.byRole === true && embedder.embed(unrelated, 'query', signal),
    ])
      .then(([passages, queries]) => (this.baseline = meanCosine(queries || passages, passages)))
      .finally(() => (this.baselineComing = null));
    return this.baselineComing;
  }
}

function firstOf<K, V>(map: ReadonlyMap<K, V>, most: number): [K, V][] {
  const out: [K, V][] = [];
  for (const entry of map) if (out.push(entry) >= most) break;
  return out;
}

/** How close each query is to the passages that are not its own. At most .9, so that there is room above it. */
function meanCosine(queries: readonly (readonly number[])[], passages: readonly (readonly number[])[]): number {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
  let sum = 0;
  let pairs = 0;
  for (const [i, a] of queries.entries())
    for (const [k, b] of passages.entries()) {
      if (i === k) continue;
      sum += dot(a, b) / (Math.sqrt(dot(a, a) * dot(b, b)) || 1);
      pairs++;
    }
  return Math.min(0.9, Math.max(0, sum / Math.max(1, pairs)));
}

/** Searches by meaning as well as by words. The hits say where the meaning of the query was not known. */
export const searchingByMeaning = (recall: Recall, vectors: Vectors): Recall => ({
  ...recall,
  search: (query) => {
    if (query.query.trim() === '') return recall.search(query);
    return vectors.ofQuery(query.query).then(async (meaning) => {
      if (meaning !== null) return recall.search({ ...query, meaning });
      return Object.assign(await recall.search(query), { wordsOnly: true as const });
    });
  },
});
