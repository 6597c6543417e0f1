/** Bytes out, answers in: for what a proper HTTP client refuses to send. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export class RawClient {
  readonly socket: Socket;
  /** What went wrong on the socket: a reset, a broken pipe. */
  readonly errors: Error[] = [];
  #received = '';
  #closed = false;
  #changed: (() => void)[] = [];

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    const wake = (): void => {
      for (const fn of this.#changed.splice(0)) fn();
    };
    this.socket
      .on('data', (chunk) => {
        this.#received += chunk.toString('utf8');
        wake();
      })
      .on('error', (error) => {
        this.errors.push(error);
      })
      .on('close', () => {
        this.#closed = true;
        wake();
      });
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** The next whole answer, taken off what has arrived; rejects when the connection closes without one. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const taken = this.#take();
      if (taken) return taken;
      if (this.#closed) throw new Error(`closed after: ${JSON.stringify(this.#received.slice(0, 200))}`);
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  /** Waits until what has arrived is like that. */
  async received(like: RegExp): Promise<void> {
    while (!like.test(this.#received) && !this.#closed)
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    if (!like.test(this.#received)) throw new Error(`closed after: ${JSON.stringify(this.#received.slice(0, 200))}`);
  }

  async closed(): Promise<void> {
    while (!this.#closed) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  destroy(): void {
    this.socket.destroy();
  }

  #take(): RawAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [start = '', ...lines] = this.#received.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const rest = this.#received.slice(end + 4);
    if (Buffer.byteLength(rest) < length) return null;
    this.#received = rest.slice(length);
    return { status: Number(start.split(' ')[1]), headers, body: rest.slice(0, length) };
  }
}
