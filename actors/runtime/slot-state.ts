/**
 * The states of an actor slot (actor-slot.ts), and every allowed change from one to another.
 *
 * | state       | meaning                                                        | leads to |
 * |-------------|----------------------------------------------------------------|----------|
 * | held        | a child whose predecessor of the same address is still ending  | down, halting, gone |
 * | down        | nothing is loaded; messages may wait                           | activating, backoff, gone |
 * | backoff     | after a crash or an outage, until it may start again           | down, gone |
 * | activating  | `activate` is in progress                                      | ready, down, halting, gone |
 * | ready       | loaded, between two messages                                   | handling, retiring, passivating, down, gone |
 * | retiring    | idle: passivates in its next turn unless a message comes first | handling, passivating, down, gone |
 * | handling    | a handler is in progress                                       | ready, down, halting, gone |
 * | passivating | `idle` is called, or `passivate` is in progress                | ready, down, halting, gone |
 * | halting     | a child that was stopped while a method was in progress        | gone |
 * | gone        | removed from the system                                        | |
 */

export type SlotState =
  'held' | 'down' | 'backoff' | 'activating' | 'ready' | 'retiring' | 'handling' | 'passivating' | 'halting' | 'gone';

/** The last column of the table; tests check that they agree. */
export const transitions: Readonly<Record<SlotState, readonly SlotState[]>> = {
  held: ['down', 'halting', 'gone'],
  down: ['activating', 'backoff', 'gone'],
  backoff: ['down', 'gone'],
  activating: ['ready', 'down', 'halting', 'gone'],
  ready: ['handling', 'retiring', 'passivating', 'down', 'gone'],
  retiring: ['handling', 'passivating', 'down', 'gone'],
  handling: ['ready', 'down', 'halting', 'gone'],
  passivating: ['ready', 'down', 'halting', 'gone'],
  halting: ['gone'],
  gone: [],
};
