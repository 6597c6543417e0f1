/** A source that lasts as long as a credential (streams/while-valid.ts). */
import { expect } from 'chai';
import { CredentialWatch } from '../../../gateway/auth/credential-watch.js';
import { whileValid } from '../../../gateway/streams/while-valid.js';
import { keyPrincipal } from '../../helpers/fake-service.js';
import { ManualClock } from '../bus/support.js';

/** Gives what it has; then waits until it is returned. */
class Source implements AsyncIterator<number> {
  returned = 0;
  constructor(
    readonly ready: number[],
    readonly last: 'wait' | 'end' | Error = 'wait',
  ) {}
  next(): Promise<IteratorResult<number>> {
    const value = this.ready.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.last === 'wait') return new Promise(() => undefined);
    return this.last === 'end' ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(this.last);
  }
  return(): Promise<IteratorResult<number>> {
    this.returned++;
    return Promise.resolve({ done: true, value: undefined });
  }
}

function given(source: Source) {
  let valid = true;
  const clock = new ManualClock();
  const watch = new CredentialWatch({ stillValid: () => valid }, clock, 1000);
  const iterator = whileValid({ [Symbol.asyncIterator]: () => source }, keyPrincipal(), watch)[Symbol.asyncIterator]();
  return {
    watch,
    iterator,
    revoke: () => {
      valid = false;
      watch.revoked('key_test');
    },
  };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return expect.fail('did not reject');
}

describe('a source while its credential is valid', () => {
  it('one that is being asked fails at once and is returned', async () => {
    const source = new Source([1]);
    const { watch, iterator, revoke } = given(source);
    expect(await iterator.next()).to.deep.equal({ done: false, value: 1 });
    const waiting = failure(iterator.next());
    revoke();
    expect(await waiting).to.have.property('code', 'UNAUTHENTICATED');
    expect([source.returned, watch.size]).to.deep.equal([1, 0]);
  });

  it('what it has already is not given out', async () => {
    const source = new Source([1, 2]);
    const { iterator, revoke } = given(source);
    await iterator.next();
    revoke();
    expect(await failure(iterator.next())).to.have.property('code', 'UNAUTHENTICATED');
    expect(source.ready).to.deep.equal([2]);
  });

  it("items, end and failure are the source's own, and nothing is watched after them", async () => {
    const ended = given(new Source([1, 2], 'end'));
    const seen: number[] = [];
    for (let step = await ended.iterator.next(); !step.done; step = await ended.iterator.next()) seen.push(step.value);
    expect([seen, ended.watch.size]).to.deep.equal([[1, 2], 0]);
    const bug = new Error('bug');
    const failed = given(new Source([], bug));
    expect(await failure(failed.iterator.next())).to.equal(bug);
    expect(failed.watch.size).to.equal(0);
  });

  it('a reader that leaves returns it, and is not watched any more', async () => {
    const source = new Source([]);
    const { watch, iterator } = given(source);
    expect(watch.size).to.equal(1);
    await iterator.return?.();
    expect([source.returned, watch.size]).to.deep.equal([1, 0]);
  });
});
