/** What commands have to work with, whatever they are about. */
import type { Caller } from '../domain/caller.js';
import type { MonotonicClock } from '../domain/clock.js';
import type { IdSource } from '../domain/ids.js';
import type { McpServers } from '../mcp/port.js';
import type { Push } from '../push/port.js';
import type { RandomBytes } from '../secrets/api-keys.js';
import type { Keyring } from '../secrets/keyring.js';
import type { Store } from '../store/port.js';
import type { Command } from './command.js';

/**
 * Carries out a command, and resolves to what its caller is shown. A change that resolves is durable; one that rejects
 * has thrown a HivekeepError and changed nothing. Inputs have been validated; what depends on the state is checked by
 * the command. Everything is of the caller's workspace: anything in another workspace is NOT_FOUND.
 */
export interface Execute {
  <T, A>(caller: Caller, command: Command<T, undefined, A>, target: NoInfer<T>): Promise<A>;
  <T, I, A>(caller: Caller, command: Command<T, I, A>, target: NoInfer<T>, input: NoInfer<I>): Promise<A>;
}

export interface Services {
  readonly store: Store;
  readonly clock: MonotonicClock;
  readonly ids: IdSource;
  readonly push: Push;
  readonly mcp: McpServers;
  /** Must be the same at every start on this store, and in all processes of a cluster. */
  readonly keyring: Keyring;
  readonly randomBytes: RandomBytes;
  readonly execute: Execute;
}
