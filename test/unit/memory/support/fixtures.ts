import { encodeTime } from '../../../../src/domain/shared/ids.js';
import type { Recall, RecallDocument, RecallHit, RecallQuery, RecallSource } from '../../../../src/memory/port.js';
import { createRecall, type RecallOptions } from '../../../../src/memory/recall.js';
import type { EntityRef } from '../../../../src/store/port.js';
import { turn } from '../../../helpers/turn.js';

export const agent = (id: string, workspace = 'w'): EntityRef => ({ workspace, kind: 'agent', id });
export const here = agent('a1');

export const memoryId = (n: number): string => `mem_${encodeTime(1_700_000_000_000 + n)}${'0'.repeat(16)}`;

export function doc(n: number, content: string, more: Partial<RecallDocument> = {}): RecallDocument {
  return {
    kind: 'memory',
    id: memoryId(n),
    type: 'episodic',
    content,
    sessionId: null,
    position: null,
    expiresAt: null,
    occurredAt: null,
    speaker: null,
    validUntil: null,
    importance: null,
    ...more,
  };
}

export function ask(query: string, more: Partial<RecallQuery> = {}): RecallQuery {
  return { query, spaces: [here], limit: 10, minRelevance: 0, now: 1000, ...more };
}

/** A store whose pages are given out one at a time, when the test says so. */
export class HandedSource {
  readonly began: EntityRef[] = [];
  private waiting: ((page: RecallDocument[] | null | Error) => void)[] = [];

  readonly read: RecallSource = (space) => {
    this.began.push(space);
    return this.pages();
  };

  private async *pages(): AsyncGenerator<RecallDocument[]> {
    for (;;) {
      const page = await new Promise<RecallDocument[] | null | Error>((resolve) => this.waiting.push(resolve));
      if (page instanceof Error) throw page;
      if (page === null) return;
      yield page;
    }
  }

  /** Gives the build that has waited longest its next page: null ends it, an error fails it. */
  async give(page: RecallDocument[] | null | Error): Promise<void> {
    await turn(); // a build may have been asked for just now
    const next = this.waiting.shift();
    if (!next) throw new Error('no build is waiting for a page');
    next(page);
    await settle();
  }
}

/** Lets everything go on that waits for nothing but turns. */
export async function settle(turns = 30): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

export const pagesOf = (documents: (space: EntityRef) => readonly RecallDocument[]): RecallSource =>
  async function* (space) {
    yield [...documents(space)];
  };

export const recallOver = (source: RecallSource, more: Partial<RecallOptions> = {}) =>
  createRecall({
    source,
    clock: { now: () => 0, elapsed: () => 0, after: () => () => undefined },
    maxBytes: 1e9,
    ...more,
  });

/** The hits of a search that must answer at once. */
export function now(hits: RecallHit[] | Promise<RecallHit[]>): RecallHit[] {
  if (!Array.isArray(hits)) throw new Error('expected an answer at once');
  return hits;
}

/** A recall with these documents in `here`, in memory. */
export async function loaded(
  documents: readonly RecallDocument[],
  more: Partial<RecallOptions> = {},
): Promise<Recall & ReturnType<typeof createRecall>> {
  const recall = recallOver(
    pagesOf((c) => (c.id === here.id ? documents : [])),
    more,
  );
  await recall.search(ask('x'));
  return recall;
}

export const ids = (hits: readonly RecallHit[]): string[] => hits.map((h) => h.id);
