/**
 * The JSON-RPC messages of an MCP response that is a stream of server-sent events, all of them and in order. The
 * gateway decodes the streams of the MCP library with it and frames them again with its own, so that heartbeats, slow
 * readers, ended credentials and a shutdown are handled as on every other stream; the command line decodes those of the
 * gateway. Returning the iterator cancels the response at once, even if a read is pending.
 */
import { createParser } from 'eventsource-parser';

/** A JSON-RPC message. */
export type JsonRpcMessage = Readonly<Record<string, unknown>>;

export function streamMessages(body: ReadableStream<Uint8Array>): AsyncIterable<JsonRpcMessage> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const ready: JsonRpcMessage[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '') ready.push(JSON.parse(data) as JsonRpcMessage);
    },
  });
  const messages: AsyncIterator<JsonRpcMessage> = {
    async next() {
      for (;;) {
        const value = ready.shift();
        if (value !== undefined) return { done: false, value };
        const read = await reader.read();
        if (read.done) return { done: true, value: undefined };
        parser.feed(decoder.decode(read.value, { stream: true }));
      }
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => messages };
}
