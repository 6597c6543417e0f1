/**
 * The built-in reasoner: deterministic, offline, synchronous. It answers from memory, quotes the memories that it used,
 * and follows instructions in plain English in the input, in mailbox messages and in `config.instructions`
 * (docs/reasoners.md).
 */
import type { Reasoner } from './port.js';
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

/** A small cache of parsed texts that are needed again at the next step. */
class Book<T> {
  private readonly known = new Map<string, T>();

  constructor(
    private readonly parse: (text: string) => T,
    private readonly most = 64,
  ) {}

  of(text: string): T {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    const made = this.parse(text);
    if (this.known.size >= this.most) this.known.clear();
    this.known.set(text, made);
    return made;
  }
}
