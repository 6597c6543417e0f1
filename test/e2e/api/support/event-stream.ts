/** A stream of server-sent events of the REST API, as a client reads it: line by line. */
import { until, type Api, type Json } from './client.js';

export interface Frame {
  id: string | null;
  event: string;
  data: Json;
}

export class EventStream {
  readonly frames: Frame[] = [];
  /** Comments, which may come at any place, also inside of an event. */
  heartbeats = 0;
  ended = false;
  #fields: Record<string, string> = {};

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {
    void this.#read();
  }

  static async open(
    api: Pick<Api, 'url' | 'key'>,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<EventStream> {
    const abort = new AbortController();
    return new EventStream(
      await fetch(api.url + path, {
        headers: { authorization: `Bearer ${api.key}`, ...headers },
        signal: abort.signal,
      }),
      abort,
    );
  }

  /** Every frame, once the server has ended the stream. */
  async end(): Promise<Frame[]> {
    await until(
      async () => this.ended,
      (e) => e,
    );
    return this.frames;
  }

  close(): void {
    this.abort.abort();
  }

  async #read(): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of this.response.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#take(line);
      }
    } catch {
      /* aborted */
    }
    this.ended = true;
  }

  #take(line: string): void {
    if (line === '') this.#dispatch();
    else if (line.startsWith(':')) this.heartbeats++;
    else {
      const colon = line.indexOf(': ');
      this.#fields[line.slice(0, colon)] = line.slice(colon + 2);
    }
  }

  #dispatch(): void {
    const { id = null, event = 'message', data } = this.#fields;
    this.#fields = {};
    if (data !== undefined) this.frames.push({ id, event, data: JSON.parse(data) as Json });
  }
}
