/**
 * The built-in reasoner: deterministic, offline, synchronous. It answers from memory, quotes the memories that it used,
 * and follows instructions in plain English in the input, in mailbox messages and in `config.instructions`
 * (docs/reasoners.md).
 */
import type { Reasoner } from './port.js';
import { Book } from './built-in/book.js';
import { parseOrders } from './built-in/orders.js';
import { parseRequest } from './built-in/request.js';
import { propose } from './built-in/steps.js';

/** `read` parses the text of an input or a message. */
export function createBuiltIn(read = parseRequest): Reasoner {
  // cached, because every step of a run uses the same instructions and the same input
  const orders = new Book(parseOrders);
  const requests = new Book(read);
  return {
    name: 'built-in',
    next: (context) =>
      propose(context, orders.of(context.agent.config.instructions ?? ''), (text) => requests.of(text)),
  };
}
