/** The JSON messages of an answer that is a stream of server-sent events, within the bounds of McpBounds.B1. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PushError } from '../push/port.js';
import { most, refuseLarge } from './bounds.js';

/** A message of JSON-RPC, as far as it is looked at. */
export interface StreamMessage {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown } | undefined;
  result?: unknown;
  error?: unknown;
}

/** The messages of one answer, over all the streams that it comes in. */
export class AnswerStream {
  /** Of the last event that has one: where the stream can be gone on with. */
  lastId: string | undefined;
  /** What the server asks to wait before that. */
  retryMs = 0;
  private seen = 0;
  private bytes = 0;

  /** Throws a PushError beyond the bounds. What is no message is counted and left out. */
  async *messagesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<{ text: string; message: StreamMessage }> {
    const decoder = new TextDecoder();
    const ready: EventSourceMessage[] = [];
    const parser = createParser({
      onEvent: (event) => {
        ready.push(event);
      },
      onRetry: (ms) => {
        this.retryMs = ms;
      },
      onError: () => {
        this.seen++;
      },
    });
    for await (const chunk of body) {
      this.bytes += chunk.length;
      if (this.bytes > most.bytes) throw new PushError(`the answer is longer than ${most.bytes} bytes`);
      for (let start = 0; start < chunk.length; start += most.slice) {
        if (start > 0) await nextTurn();
        parser.feed(decoder.decode(chunk.subarray(start, start + most.slice), { stream: true }));
        for (const { id, data } of ready.splice(0)) {
          this.seen++;
          if (id !== undefined) this.lastId = id;
          const message = data === '' ? null : read(data);
          if (message) yield { text: data, message };
        }
        if (this.seen > most.messages) throw new PushError(`the answer has more than ${most.messages} messages`);
      }
    }
  }
}

function read(data: string): StreamMessage | null {
  if (data.length >= most.elements) refuseLarge(Buffer.from(data));
  try {
    const message = JSON.parse(data) as unknown;
    return typeof message === 'object' && message !== null ? message : null;
  } catch {
    return null;
  }
}
