/**
 * Passes writes to lmdb: a condition on a head, and operations that take effect together with it or not at all.
 *
 *  - All or nothing: the operations of one write are complete before the first of them is passed to lmdb (everything
 *    that can throw has run), and are in one transaction behind one condition.
 *  - Resolved means flushed: lmdb resolves a write after its transaction is on disk (see environment.ts).
 *  - A failed transaction rejects each of its writes with a StoreError, and none of them has taken effect.
 *  - No write waits for ever: after a failure that leaves lmdb unusable (it then never answers a write),
 *     every later write is refused at once.
 *  - A process beside the server repeats a transaction that lmdb has aborted because of the server's. The
 *     server does not: to it this is a failure of the store like others, which requests and steps outlast, and it is
 *     spared the work of keeping every write until it is flushed.
 *
 * A full store stays readable and accepts writes again when there is room; a corrupt one needs a restart.
 */
import { StoreError } from '../port.js';
import type { Tree, Trees } from './environment.js';
import { toStoreError } from './failures.js';
import { noteSumChange } from './sums.js';
import type { Write } from './write.js';

export interface Writer {
  /** Resolves to false if the condition did not hold. Throws or rejects with a StoreError. */
  write(write: Write): Promise<boolean>;
}

function apply(trees: Trees, { key, head, operations }: Write): void {
  // inside a condition, lmdb's promises settle with it and are not created for each operation
  if (head) void trees.heads.put(key, head.text, head.seq);
  else if (head === null) void trees.heads.remove(key);
  for (const { tree, key: at, value } of operations) {
    const into: Tree = trees[tree];
    if (value === null) void into.remove(at);
    else void into.put(at, value);
  }
}

function conditional(trees: Trees, write: Write): Promise<boolean> {
  const operations = (): void => apply(trees, write);
  return write.expected === 0
    ? trees.heads.ifNoExists(write.key, operations)
    : trees.heads.ifVersion(write.key, write.expected, operations);
}

/** The usual writer: asynchronous, off the main thread, many writes in one transaction. */
export class BatchWriter implements Writer {
  private broken: StoreError | null = null;

  constructor(
    private readonly trees: Trees,
    private readonly dir: string,
  ) {}

  write(write: Write): Promise<boolean> {
    if (this.broken) throw this.broken;
    return conditional(this.trees, write).then(undefined, this.rejected);
  }

  private readonly rejected = async (error: unknown): Promise<never> => {
    throw await this.failed(error);
  };

  private async failed(error: unknown): Promise<StoreError> {
    const failure = toStoreError(await causeOf(error), this.dir);
    if (this.broken) return this.broken;
    try {
      this.trees.root.transactionSync(() => undefined);
    } catch (panic) {
      this.broken = new StoreError(
        'io',
        `The data in ${this.dir} cannot be written any more (${failure.message}) Start the service again: what it has acknowledged is kept.`,
        { cause: panic },
      );
      return this.broken;
    }
    return failure;
  }
}

/**
 * The writer of a process beside the server: one transaction for each write, which is repeated if lmdb aborts it.
 */
export class SharedWriter implements Writer {
  constructor(
    private readonly trees: Trees,
    private readonly dir: string,
  ) {}

  async write(write: Write): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(write);
      } catch (error) {
        const cause = await causeOf(error);
        if (attempt === mostAttempts || !isOvertaken(cause)) throw toStoreError(cause, this.dir);
      }
    }
  }

  private attempt(write: Write): Promise<boolean> {
    // a child transaction is rolled back if an operation throws
    return this.trees.root.childTransaction(() => {
      const { heads } = this.trees;
      if (!(write.expected === 0 ? heads.get(write.key) === undefined : heads.doesExist(write.key, write.expected)))
        return false;
      if (write.counts) noteSumChange(this.trees, write.counts.workspace);
      apply(this.trees, write);
      return true;
    });
  }
}

export const mostAttempts = 5;
/**
 * Under heavy writes of the server, lmdb's list of free pages in this process can be out of date. The transaction is
 * then aborted, and the list is read anew for the next.
 */
const isOvertaken = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  (error.code === -30798 /* MDB_NOTFOUND */ || error.code === -30781); /* MDB_BAD_VALSIZE */

/** lmdb rejects with "Commit failed" and reports the cause by a second promise, whose rejection must be handled. */
export async function causeOf(error: unknown): Promise<unknown> {
  if (typeof error !== 'object' || error === null || !('commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (cause: unknown) => cause,
  );
}
