/**
 * Translates failures of the store into UNAVAILABLE, as src/service.ts promises. Queries read the store directly, so
 * this is done here for all of them.
 */
import { StoreError } from '../../src/store/port.js';
import { refusalOf, storeUnavailable } from '../entities/outages.js';

const translated = (error: unknown): unknown =>
  refusalOf(error) ?? (error instanceof StoreError ? storeUnavailable(error) : error);
/** For reads that happen after the call that they belong to has returned, as in streams. */
export const rethrowStoreFailure = (error: unknown): never => {
  throw translated(error);
};

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Returns the same calls, with the errors that they throw or reject with translated. */
export function withStoreFailures<T extends object>(calls: T): T {
  const wrapped = Object.entries(calls as Calls).map(([name, call]) => [
    name,
    (...args: never[]) => {
      try {
        const result = call(...args);
        return result instanceof Promise ? result.catch(rethrowStoreFailure) : result;
      } catch (error) {
        throw translated(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}
