/** A store in front of another one, whose server is away again and again. */
import { StoreError, type Commit, type Store } from '../../src/store/port.js';

export interface Troubles {
  store: Store;
  /** How often something failed. */
  outages(): number;
  /** How many commits took effect although their answer was lost. */
  lost(): number;
}

/**
 * Calls, and items of what is read in parts, fail as if the server were away, with a gap between two outages that
 * grows, so that however much is repeated after one, all is done in the end. Of the commits that fail every other one
 * takes effect before.
 */
export function troubled(inner: Store): Troubles {
  let calls = 0;
  let next = 3;
  let gap = 3;
  let outages = 0;
  let lost = 0;
  let failing = 0;
  const isBad = (): boolean => {
    if (++calls < next) return false;
    gap++;
    next = calls + gap;
    return true;
  };
  const away = (): StoreError => {
    outages++;
    return new StoreError('io', 'The server does not answer.', { away: true });
  };
  const commit = async (one: Commit): Promise<'committed' | 'conflict'> => {
    if (!isBad()) return inner.commit(one);
    if (failing++ % 2 === 1) throw away();
    await inner.commit(one);
    lost++;
    outages++;
    throw new StoreError('unknown', 'The answer to a commit was lost.');
  };
  async function* items<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const item of source) {
      if (isBad()) throw away();
      yield item;
    }
    if (isBad()) throw away();
  }
  const inParts = new Set(['allHeads', 'contents', 'activeHeads', 'workspaces']);
  const untroubled = new Set(['release', 'close', 'endMigration', 'command', 'commit']);
  const store = new Proxy(inner, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (name === 'commit') return commit;
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...args: unknown[]) => unknown;
      if (untroubled.has(String(name))) return call;
      if (inParts.has(String(name))) return (...args: unknown[]) => items(call(...args) as AsyncIterable<unknown>);
      return async (...args: unknown[]) => {
        if (isBad()) throw away();
        return call(...args);
      };
    },
  });
  return { store, outages: () => outages, lost: () => lost };
}
