/**
 * The built-in reasoner: deterministic, offline, synchronous. It answers from memory, quotes what it used, and follows
 * instructions in plain English, in the input, in mailbox messages and in `config.instructions` (docs/reasoners.md).
 */
import type { Reasoner } from './port.js';
import { OrderBook } from './built-in/orders.js';
import { propose } from './built-in/steps.js';

export function createBuiltIn(): Reasoner {
  const book = new OrderBook();
  return { name: 'built-in', next: (context) => propose(context, book.of(context.agent.config.instructions)) };
}
