/**
 * A stream of server-sent events as it comes over the wire: every line is looked at, the socket can be cut, and a
 * reader can stop reading. An event of A2A has `data:` and at most an `id:`; anything else but comments and `retry:`
 * is an error (A2A clients know no event names), and so is a block without data (httpx-sse makes an event of it).
 */
import { expect } from 'chai';
import { request, type IncomingMessage } from 'node:http';
import { until, type Json } from '../../api/support/client.js';

export interface Frame {
  /** From the `id:` line; null where there is none. */
  id: number | null;
  /** The whole JSON-RPC response. */
  rpc: Json;
  result: Json;
}

export class RawStream {
  readonly frames: Frame[] = [];
  readonly comments: string[] = [];
  readonly retries: number[] = [];
  /** `clean`: the response was complete. `cut`: the connection broke before. */
  ended: 'no' | 'clean' | 'cut' = 'no';
  /** Resolves when it has ended, also for who asks later. */
  readonly closed: Promise<void>;
  #rest = '';
  #id: number | null = null;
  #data: string | null = null;

  private constructor(
    readonly response: IncomingMessage,
    private readonly look: (rpc: Json) => void,
  ) {
    response.setEncoding('utf8');
    // an answer that is no stream is for the caller to look at
    const isStream =
      response.statusCode === 200 && (response.headers['content-type'] ?? '').startsWith('text/event-stream');
    response.on('data', (chunk: string) => {
      if (isStream) this.#take(chunk);
    });
    response.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      response.on('close', () => {
        this.ended = response.complete ? 'clean' : 'cut';
        resolve();
      });
    });
  }

  /** Posts and waits for the head of the response. What `look` throws at is an error of the test that runs. */
  static open(
    url: string,
    body: string,
    headers: Record<string, string>,
    look: (rpc: Json) => void = () => undefined,
  ): Promise<RawStream> {
    return new Promise((resolve, reject) => {
      const req = request(
        url,
        {
          method: 'POST',
          agent: false,
          headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
        },
        (response) => {
          resolve(new RawStream(response, look));
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  }

  get ids(): (number | null)[] {
    return this.frames.map((f) => f.id);
  }
  get last(): Frame | undefined {
    return this.frames.at(-1);
  }

  /** The client's side goes away at once. */
  cut(): void {
    this.response.socket.destroy();
  }
  pause(): void {
    this.response.pause();
  }
  resume(): void {
    this.response.resume();
  }

  /** Every frame, once the server has ended the stream. */
  async end(patienceMs?: number): Promise<Frame[]> {
    await until(
      async () => this.ended,
      (e) => e !== 'no',
      patienceMs,
    );
    expect(this.ended, 'how the stream ended').to.equal('clean');
    return this.frames;
  }

  /** Waits until a frame is as wanted, and gives it. */
  async frame(wanted: (frame: Frame) => boolean): Promise<Frame> {
    return (await until(
      async () => this.frames.find(wanted),
      (f) => f !== undefined,
    ))!;
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    const [, name = '', value = ''] =
      /^([a-z]*): ?(.*)$/.exec(line) ?? expect.fail(`not a line of an event stream: ${line}`);
    switch (name) {
      case '':
        this.comments.push(value);
        break;
      case 'retry':
        this.retries.push(Number(value));
        break;
      case 'id':
        this.#id = Number(value);
        break;
      case 'data':
        expect(this.#data, 'one line of data').to.equal(null);
        this.#data = value;
        break;
      default:
        expect.fail(`an A2A client does not know this: ${line}`);
    }
  }

  #dispatch(): void {
    const id = this.#id;
    const data = this.#data ?? expect.fail('a block without data');
    this.#id = this.#data = null;
    const rpc = JSON.parse(data) as Json;
    this.look(rpc);
    this.frames.push({ id, rpc, result: (rpc['result'] ?? {}) as Json });
  }
}
