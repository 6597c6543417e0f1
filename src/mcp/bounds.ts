/**
 * What one answer of a server may be made of. It is counted on the bytes, before anything is parsed: a MiB of the
 * smallest values or messages costs a hundred times what a MiB of text does.
 *
 *  McpBounds.B1 Whatever a server sends, no turn of the event loop is long: an answer has at most `bytes`, each of its
 *     messages at most `elements`, and a stream at most `messages`, of which `slice` bytes are looked at in a turn.
 */
import { jsonSize } from '../base/json-size.js';
import { PushError } from '../push/port.js';

export const most = {
  /** Of one answer: a list, a page of one, or a result with everything that is told before it. */
  bytes: 1024 * 1024,
  /** Values and names of fields in one message. */
  elements: 20_000,
  depth: 64,
  /** Messages, and lines that are none, in the stream of one answer. */
  messages: 4096,
  /** Requests of the server in the stream of one answer; each is answered before the next is read. */
  requests: 32,
  slice: 2048,
} as const;

/** Throws a PushError if the message is more than is parsed. */
export function refuseLarge(message: Buffer): void {
  if (message.length < most.elements) return;
  const { depth, elements } = jsonSize(message, most.depth);
  if (elements > most.elements) throw new PushError(`the answer has more than ${most.elements} values`);
  if (depth > most.depth) throw new PushError(`the answer is nested deeper than ${most.depth} levels`);
}
