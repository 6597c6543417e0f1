/** Indexes that are kept between two processes (CachedSpace.K2). */
import { expect } from 'chai';
import fc from 'fast-check';
import type { ImageSource, RecallChange, RecallDocument } from '../../../src/memory/port.js';
import { RecallSnapshots, type SnapshotOptions } from '../../../src/memory/snapshots.js';
import { ask, doc, here, ids, memoryId, pagesOf, recallOver, settle } from './support/fixtures.js';

/** A store of one space: its documents with the commits that wrote them, and an image. */
class Kept implements ImageSource {
  seq = 0;
  readonly written = new Map<string, { seq: number; document: RecallDocument | null }>();
  image: { seq: number; chunks: Uint8Array[] } | null = null;
  discarded = 0;
  built = 0;
  /** Documents that were read because they had changed. */
  read = 0;

  commit(puts: readonly RecallDocument[], removed: readonly string[] = []): void {
    this.seq++;
    for (const document of puts) this.written.set(document.id, { seq: this.seq, document });
    for (const id of removed) this.written.set(id, { seq: this.seq, document: null });
  }

  get documents(): RecallDocument[] {
    return [...this.written.values()].flatMap(({ document }) => document ?? []);
  }

  standing() {
    const { seq, documents } = this;
    const all = () => {
      this.built++;
      return pagesOf(() => documents)(here);
    };
    return Promise.resolve({ seq, documents: documents.length, all });
  }
  prepare = () => Promise.resolve();
  async keep(_space: unknown, seq: number, chunks: readonly Uint8Array[]): Promise<boolean> {
    this.image = { seq, chunks: chunks.map((chunk) => Buffer.from(chunk)) };
    return true;
  }
  async kept() {
    const { image } = this;
    if (!image) return null;
    const changed = [...this.written].filter(([, { seq }]) => seq > image.seq);
    const changes = changed.map(([id, { document }]): RecallChange =>
      document ? { put: document } : { removed: { kind: 'memory', id } },
    );
    return {
      seq: image.seq,
      chunks: pages(...image.chunks),
      changes: () => {
        this.read += changes.length;
        return pages(changes);
      },
      discard: async () => {
        this.discarded++;
        this.image = null;
      },
    };
  }
}

async function* pages<T>(...all: T[]): AsyncGenerator<T> {
  yield* all;
}

describe('snapshots of indexes', () => {
  let kept: Kept;
  let warned: string[];
  beforeEach(() => {
    kept = new Kept();
    warned = [];
  });

  const documents = Array.from({ length: 2500 }, (_, i) =>
    doc(i, `Ana: parade number ${i}${i % 9 === 0 ? ' 東京' : ''}`, {
      sessionId: i % 3 === 0 ? null : `s${i >> 4}`,
      position: i,
      ...(i % 7 === 0 && { validUntil: 5000, expiresAt: 9_000_000_000_000 }),
    }),
  );
  const log = {
    debug: () => undefined,
    warn: (fields: object) => warned.push((fields as { event: string }).event),
  } as unknown as NonNullable<SnapshotOptions['log']>;
  const process = (more: Partial<SnapshotOptions> = {}) =>
    recallOver(
      pagesOf(() => kept.documents),
      { snapshots: new RecallSnapshots({ source: kept, log, ...more }) },
    );
  type Process = ReturnType<typeof process>;
  const queries = ['parade number 1234', '東京 parade', 'Ana', 'number 17 18 19', 'harbour'];
  const answers = (recall: Process) =>
    Promise.all(queries.map(async (query) => recall.search(ask(query, { superseded: true }))));
  const keepAll = (recall: Process) => recall.keep(() => true);
  const commit = (recall: Process, puts: readonly RecallDocument[], removed: readonly string[] = []): void => {
    kept.commit(puts, removed);
    for (const put of puts) recall.put(here, put);
    for (const id of removed) recall.remove(here, 'memory', id);
    recall.committed(here, kept.seq, removed.length > 0);
  };

  it('RecallSnapshots.D1: the next process answers from it as the last one did, and goes on writing', async () => {
    kept.commit(documents);
    const before = process();
    const found = await answers(before);
    await keepAll(before);
    const after = process();
    expect(await answers(after)).to.deep.equal(found);
    expect(kept.built).to.equal(1);
    commit(after, [doc(9000, 'a new harbour')], [memoryId(1234)]);
    expect(ids(await after.search(ask('harbour')))).to.deep.equal([memoryId(9000)]);
    expect(ids(await after.search(ask('1234')))).to.not.include(memoryId(1234));
    expect(after.stats()).to.include({ documents: 2500 });
    expect(warned).to.deep.equal([]);
  });

  it('RecallSnapshots.D1: only what has changed since is read beside it', async () => {
    kept.commit(documents);
    const before = process();
    await answers(before);
    await keepAll(before);
    commit(before, [doc(1, 'the harbour'), doc(9000, 'a new harbour')], [memoryId(2)]);
    const after = process();
    expect(await answers(after)).to.deep.equal(await answers(before));
    expect([kept.built, kept.read]).to.deep.equal([1, 3]);
  });

  it('what is damaged or of another version is not used, and said once', async () => {
    kept.commit(documents);
    const first = process();
    const found = await answers(first);
    await keepAll(first);
    const { chunks = [] } = kept.image ?? {};
    expect(chunks.length).to.be.greaterThan(1);
    const [head = Buffer.alloc(0), ...rest] = chunks;
    const flipped = (chunk: Uint8Array, at: number): Uint8Array => chunk.map((byte, i) => (i === at ? byte ^ 4 : byte));
    const damages: Uint8Array[][] = [
      [],
      [Buffer.from('damaged')],
      [head],
      [...rest],
      [head, ...rest.slice(1)],
      ...[3, 20, 300].map((at) => [flipped(head, at), ...rest]),
      ...[0, 5, 5000].map((at) => [head, ...rest.map((chunk) => flipped(chunk, at))]),
      [head, ...rest.map((chunk) => chunk.subarray(0, -8))],
    ];
    for (const [n, damage] of damages.entries()) {
      kept.image = { seq: kept.seq, chunks: damage };
      const next = process();
      expect(await answers(next), String(n)).to.deep.equal(found);
      expect([kept.built, kept.discarded]).to.deep.equal([n + 2, n + 1]);
      next.drop(here);
      await answers(next);
      expect(warned, 'once').to.deep.equal(Array.from({ length: n + 1 }, () => 'recall.snapshot_unreadable'));
      kept.built--;
    }
  });

  it('RecallSnapshots.D2: no word that was deleted is in one', async () => {
    kept.commit([...documents, doc(8000, 'the password is xylophonist'), doc(8001, 'パスワードは秘密樹木')]);
    const recall = process();
    await answers(recall);
    await keepAll(recall);
    const has = (text: string, encoding: 'latin1' | 'utf16le') =>
      Buffer.concat(kept.image?.chunks ?? []).includes(Buffer.from(text, encoding));
    expect([has('xylophonist', 'latin1'), has('樹木', 'utf16le')]).to.deep.equal([true, true]);
    commit(recall, [], [memoryId(8000), memoryId(8001)]);
    await keepAll(recall);
    expect([has('xylophonist', 'latin1'), has('樹木', 'utf16le')]).to.deep.equal([false, false]);
  });

  it('RecallSnapshots.D3: small ones are not kept, and others when enough has changed, as often as they may', async () => {
    kept.commit(documents.slice(0, 100));
    const small = process();
    await answers(small);
    await keepAll(small);
    expect(kept.image).to.equal(null);
    kept.commit(documents);
    const large = process({ pauseMs: 0 });
    await answers(large);
    const at = async (): Promise<number | undefined> => {
      await settle(200);
      return kept.image?.seq;
    };
    commit(large, [doc(1, 'x')]); // has the store note what changes
    await settle();
    commit(large, [doc(1, 'y')]);
    const first = kept.seq;
    expect(await at()).to.equal(first);
    for (let n = 0; n < 199; n++) commit(large, [doc(n, 'harbour')]);
    expect(await at()).to.equal(first);
    commit(large, [doc(1, 'harbour')]);
    expect(await at()).to.equal(kept.seq);
    commit(large, [], [memoryId(7)]);
    expect(await at(), 'after a deletion there is none').to.equal(kept.seq);
  });

  it('CachedSpace.K2: what is written while it is copied is found, and is not in it', async () => {
    kept.commit(documents);
    const recall = process();
    await answers(recall);
    const keeping = keepAll(recall);
    await settle(1);
    commit(recall, [doc(9000, 'a new harbour')], [memoryId(5)]);
    expect(ids(await recall.search(ask('harbour')))).to.deep.equal([memoryId(9000)]);
    await keeping;
    expect(kept.image?.seq).to.equal(1);
    const after = process();
    expect(await answers(after)).to.deep.equal(await answers(recall));
    expect(kept.read).to.equal(2);
  });

  it('CachedSpace.K2: what is written while it is restored is found', async () => {
    kept.commit(documents);
    const before = process();
    await answers(before);
    await keepAll(before);
    const after = process();
    const searching = after.search(ask('harbour'));
    commit(after, [doc(9000, 'a new harbour')], [memoryId(5)]);
    expect(ids(await searching)).to.deep.equal([memoryId(9000)]);
    expect(after.stats()).to.include({ documents: 2500 });
  });

  it('CachedSpace.K2: an index that lacks a commit with which its entity is loaded is dropped', async () => {
    kept.commit(documents);
    const recall = process();
    await answers(recall);
    recall.loaded(here, 1, false);
    recall.put(here, doc(9000, 'a new harbour'));
    kept.commit([doc(9000, 'a new harbour')]);
    recall.loaded(here, 2, true);
    expect(recall.stats().spaces).to.equal(1);
    kept.commit([doc(9001, 'another harbour')]);
    recall.loaded(here, 3, false);
    expect(recall.stats().spaces).to.equal(0);
    expect(ids(await recall.search(ask('harbour')))).to.have.members([memoryId(9000), memoryId(9001)]);
  });

  it('RecallSnapshots.D1: a snapshot with what has changed is the index of all documents, after any history', async () => {
    const word = fc.constantFrom('harbour', 'parade', 'Ana', 'number', '東京', 'xylophone');
    const change = fc.record({
      n: fc.integer({ min: 0, max: 30 }),
      words: fc.array(word, { maxLength: 6 }),
      session: fc.constantFrom(null, 's1', 's2'),
      ended: fc.boolean(),
      gone: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    });
    const commits = fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(commits, fc.integer({ min: 0, max: 9 }), async (history, keptAt) => {
        kept = new Kept();
        kept.commit([doc(99, 'parade')]);
        const options = { least: 1, leastChanged: 1 };
        const recall = process(options);
        await answers(recall);
        for (const [i, changes] of history.entries()) {
          const last = [...new Map(changes.map((one) => [one.n, one])).values()];
          commit(
            recall,
            last
              .filter(({ gone }) => !gone)
              .map(({ n, words, session, ended }) =>
                doc(n, words.join(' '), { sessionId: session, superseded: ended, ...(ended && { validUntil: 5 }) }),
              ),
            last.filter(({ gone }) => gone).map(({ n }) => memoryId(n)),
          );
          if (i === keptAt) await keepAll(recall);
        }
        const restored = process(options);
        const rebuilt = recallOver(pagesOf(() => kept.documents));
        expect(await answers(restored)).to.deep.equal(await answers(rebuilt));
        expect(restored.stats().documents).to.equal(rebuilt.stats().documents);
        expect(restored.stats().terms).to.equal(rebuilt.stats().terms);
      }),
      { numRuns: 60 },
    );
  });
});
