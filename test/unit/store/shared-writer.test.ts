/**
 * What a process beside the server does when lmdb aborts its transaction (writer.ts): on real trees, whose transactions
 * fail.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEnvironment, openTrees, type Trees } from '../../../src/store/lmdb/environment.js';
import type { Write } from '../../../src/store/lmdb/write.js';
import { mostAttempts, SharedWriter } from '../../../src/store/lmdb/writer.js';
import { StoreError } from '../../../src/store/port.js';

const notFound = -30798;

describe('the writer of a process beside the server', () => {
  let dir: string;
  let trees: Trees;
  let attempts = 0;
  /** The transactions that lmdb aborts, from the next one on. */
  let aborted = 0;
  let code = notFound;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-writer-'));
    trees = openTrees(openEnvironment(dir, 2 ** 24));
    [attempts, aborted, code] = [0, 0, notFound];
    const { root } = trees;
    const begin = root.childTransaction.bind(root) as (work: () => boolean) => Promise<boolean>;
    // as lmdb does it: everything in the transaction has run, then the commit fails, and the cause is told by a promise
    const transaction = async (work: () => boolean): Promise<boolean> => {
      if (++attempts > aborted) return begin(work);
      const undone = new Error('undone');
      await begin(() => {
        work();
        throw undone;
      }).catch((error: unknown) => {
        if (error !== undone) throw error;
      });
      const commitError = Promise.reject(Object.assign(new Error('lmdb'), { code }));
      throw Object.assign(new Error('Commit failed'), { commitError });
    };
    root.childTransaction = transaction as typeof root.childTransaction;
  });
  afterEach(async () => {
    await trees.root.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const first: Write = {
    key: 'ws\0a\0agent',
    expected: 0,
    head: { text: 'head 1', seq: 1 },
    operations: [{ tree: 'docs', key: 'ws\0a\0agent\0memory\0mem', value: 'one' }],
    counts: { workspace: 'ws', delta: { memories: 1 } },
  };
  const write = (one = first): Promise<boolean> => new SharedWriter(trees, dir).write(one);
  const isNoted = (): boolean => trees.system.doesExist('shared\0ws');

  it('begins the transaction again where its list of free pages was out of date, and everything is done once', async () => {
    aborted = 2;
    expect(await write()).to.equal(true);
    expect(attempts).to.equal(3);
    expect(trees.heads.getEntry(first.key)).to.deep.include({ value: 'head 1', version: 1 });
    expect(isNoted()).to.equal(true);
  });

  it('looks at the head again: where the server has written it meanwhile, nothing is changed', async () => {
    aborted = 1;
    const other = trees.heads.put(first.key, 'by the server', 1);
    expect(await write()).to.equal(false);
    await other;
    expect(trees.heads.get(first.key)).to.equal('by the server');
    expect(isNoted()).to.equal(false);
  });

  it('gives up after some attempts, and nothing is changed', async () => {
    aborted = Infinity;
    expect(await write().catch((error: unknown) => error)).to.be.instanceOf(StoreError);
    expect(attempts).to.equal(mostAttempts);
    expect(trees.heads.get(first.key)).to.equal(undefined);
  });

  it('does not repeat what fails for another reason', async () => {
    [aborted, code] = [1, 28];
    expect(await write().catch((error: unknown) => error)).to.include({ reason: 'full' });
    expect(attempts).to.equal(1);
  });
});
