/** Indexes that are kept between two processes. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Snapshots } from '../../../src/memory/snapshots.js';
import { ask, doc, here, ids, memoryId, pagesOf, recallOver } from './support/fixtures.js';

describe('snapshots of indexes', () => {
  let folder: string;
  let seq: number;
  let built: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hivekeep-snapshots-'));
    seq = 7;
    built = 0;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const documents = Array.from({ length: 2500 }, (_, i) =>
    doc(i, `Ana: parade number ${i}${i % 9 === 0 ? ' 東京' : ''}`, {
      sessionId: i % 3 === 0 ? null : `s${i >> 4}`,
      position: i,
    }),
  );
  const process = (of = documents) =>
    recallOver(
      pagesOf(() => {
        built++;
        return of;
      }),
      { snapshots: new Snapshots({ folder, seqOf: () => Promise.resolve(seq), maxBytes: 1e9 }) },
    );
  const queries = ['parade number 1234', '東京 parade', 'Ana', 'number 17 18 19'];
  const answers = async (recall: ReturnType<typeof process>) =>
    Promise.all(queries.map(async (query) => recall.search(ask(query))));

  it('the next process answers from it as the last one did, and goes on writing', async () => {
    const before = process();
    before.put(here, doc(1, 'x'));
    const found = await answers(before);
    await before.keep();
    const after = process();
    expect(await answers(after)).to.deep.equal(found);
    expect(built).to.equal(1);
    expect(readdirSync(folder), 'it is read once').to.deep.equal([]);
    after.put(here, doc(9000, 'a new harbour'));
    after.remove(here, 'memory', memoryId(1234));
    expect(ids(await after.search(ask('harbour')))).to.deep.equal([memoryId(9000)]);
    expect(ids(await after.search(ask('1234')))).to.not.include(memoryId(1234));
    expect(after.stats()).to.include({ documents: 2500 });
  });

  it('one that is outdated or damaged is not used', async () => {
    const first = process();
    await answers(first);
    await first.keep();
    seq++;
    await answers(process());
    expect(built).to.equal(2);
    const second = process();
    await answers(second);
    await second.keep();
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'damaged');
    await answers(process());
    expect(built).to.equal(4);
  });

  it('a write to an index that is not in memory, and a drop, remove it', async () => {
    for (const change of [
      (recall: ReturnType<typeof process>) => {
        recall.remove(here, 'memory', memoryId(1));
      },
      (recall: ReturnType<typeof process>) => {
        recall.drop(here);
      },
    ]) {
      const recall = process();
      await answers(recall);
      await recall.keep();
      expect(readdirSync(folder)).to.have.length(1);
      change(process());
      expect(readdirSync(folder)).to.deep.equal([]);
    }
  });

  it('small ones are not kept', async () => {
    const recall = process(documents.slice(0, 100));
    await answers(recall);
    await recall.keep();
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
