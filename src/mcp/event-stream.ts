/**
 * The JSON-RPC messages of an MCP response that is a stream of server-sent events. The gateway decodes the streams of
 * the MCP library with it and frames them again with its own, so that heartbeats, slow readers, ended credentials and a
 * shutdown are handled as on every other stream; the command line decodes those of the gateway.
 *
 * Invariants
 *  - The messages are those of the stream, all of them and in order.
 *  - Returning the iterator cancels the response at once, even if a read is pending.
 */

/** A JSON-RPC message. */
export type Message = Readonly<Record<string, unknown>>;

export function messagesOf(body: ReadableStream<Uint8Array>): AsyncIterable<Message> {
  return { [Symbol.asyncIterator]: () => new Messages(body.getReader()) };
}

class Messages implements AsyncIterator<Message> {
  private readonly decoder = new TextDecoder();
  private readonly ready: Message[] = [];
  private rest = '';

  constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  async next(): Promise<IteratorResult<Message>> {
    for (;;) {
      const value = this.ready.shift();
      if (value !== undefined) return { done: false, value };
      const read = await this.reader.read();
      if (read.done) return { done: true, value: undefined };
      this.take(this.decoder.decode(read.value, { stream: true }));
    }
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data !== '') this.ready.push(JSON.parse(data) as Message);
    }
  }

  async return(): Promise<IteratorResult<Message>> {
    await this.reader.cancel();
    return { done: true, value: undefined };
  }
}
