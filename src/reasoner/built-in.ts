/**
 * The built-in reasoner: deterministic, offline, synchronous. It answers from memory, quotes the memories that it used,
 * and follows instructions in plain English in the input, in mailbox messages and in `config.instructions`
 * (docs/reasoners.md).
 */
import { memoize } from '../base/memoize.js';
import type { Reasoner } from './port.js';
import { parseOrders } from './built-in/orders.js';
import { parseRequest } from './built-in/request.js';
import { propose, usesMemories } from './built-in/steps.js';

/** How many texts of each kind are kept at least. */
const kept = 32;

/** `read` parses the text of an input or a message. */
export function createBuiltIn(read = parseRequest): Reasoner {
  // every step of a run uses the same instructions and the same input
  const orders = memoize(parseOrders, kept, Infinity);
  const requests = memoize(read, kept, Infinity);
  return {
    name: 'built-in',
    usesMemories: (input) => usesMemories(requests(input)),
    next: (context) => propose(context, orders(context.agent.config.instructions ?? ''), requests),
  };
}
