/**
 * Transports events from a source (an async iterable) to an open connection (a sink): the common part of server-sent
 * events and WebSockets.
 *
 * Invariants
 *  - Pull: the next event is requested when the sink has taken the previous one, so at most one event waits beyond the
 *    connection's own buffer, however slow the reader is.
 *  - A reader that takes nothing for `stallMs` is cut off; other streams are not affected.
 *  - A stream ends for exactly one reason, and its source is then returned at once, even if a request to it is
 *    pending.
 *  - No stream is open for longer than `maxMs`; a connection that does not close within `goodbyeMs` of its end is
 *    destroyed.
 *  - An open stream sends a heartbeat every `heartbeatMs`.
 *  StreamPump.P6 When the sink begins (headers are sent), the source has been asked for its first event, and has
 *     started if it reports when it does (`begun`): a client that sees the stream open misses nothing from then on. If
 *     the source refuses before that, within at least one turn of the event loop, `run` rejects and nothing has been
 *     sent.
 *  StreamPump.P7 One event for very many streams, or very many events, are written over several turns of the event loop
 *     (intake.ts), the streams in turn.
 * A source that fails later ends its stream with the error. The pump holds nothing that could be lost.
 */
import { Linked, LinkedList } from '../../src/base/linked-list.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import { unavailable } from '../../src/domain/shared/errors.js';
import { toHivekeepError } from '../http/error-envelope.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import type { Turns } from '../limits/intake.js';

/** Why a stream ended. `left`: its reader closed the connection. `failed`: its source failed. */
export type End = 'finished' | 'left' | 'slow' | 'time' | 'shutdown' | 'failed';

/** How a stream ended; `error` is set if it failed. */
export interface Ended {
  end: End;
  error?: unknown;
}

export interface Sink<T> {
  /** Returns false if the connection's buffer is full; the handle's `drained` is then called once it is not. */
  write(item: T): boolean;
  /** Sends a heartbeat, which also detects a dead connection. Returns as `write` does. */
  beat(): boolean;
  /**
   * Ends the connection gracefully. Called at most once, with only `destroy` after it, and not if the reader has left.
   */
  finish(end: Exclude<End, 'left'>, error?: unknown): void;
  destroy(): void;
}

/** The callbacks with which a sink informs its stream. */
export interface StreamHandle {
  drained(): void;
  /** The connection is closed, for any reason. */
  closed(): void;
}

export interface PumpOptions {
  clock: Clock;
  heartbeatMs: number;
  maxMs: number;
  stallMs: number;
  goodbyeMs: number;
  /** Maximum number of open streams; further ones are refused with UNAVAILABLE. */
  maxStreams: number;
  turns: Turns;
}

/**
 * A source of events. `begun` resolves when no further event can be missed; if it never does, the source ends or fails.
 */
export type Source<T> = AsyncIterable<T> & { readonly begun?: Promise<void> };

export class Pump {
  private readonly streams = new LinkedList<OpenStream<unknown>>();
  private closed = false;

  constructor(private readonly options: PumpOptions) {}

  get open(): number {
    return this.streams.size;
  }

  /** `begin` opens the connection and may throw to refuse it. Resolves when the stream has ended. */
  async run<T>(source: Source<T>, begin: (handle: StreamHandle) => Sink<T>): Promise<Ended> {
    const iterator = source[Symbol.asyncIterator]();
    try {
      this.admit();
      const first = iterator.next();
      await Promise.race([
        first,
        Promise.all([
          new Promise((resolve) => {
            setImmediate(resolve);
          }),
          source.begun,
        ]),
      ]);
      this.admit(); // checked again, because time has passed
      return await new Promise<Ended>((resolve) => {
        const stream = new OpenStream(iterator, this.options, resolve);
        const sink = begin(stream);
        this.streams.push(stream);
        stream.start(sink, first);
      });
    } catch (error) {
      returnQuietly(iterator);
      throw error;
    }
  }

  /** Ends every stream and refuses new ones. */
  close(): void {
    this.closed = true;
    for (let stream = this.streams.first; stream; stream = this.streams.first) stream.stop('shutdown');
  }

  private admit(): void {
    if (this.closed) throw unavailable('the server is shutting down');
    if (this.open >= this.options.maxStreams) throw unavailable('too many streams are open', { retryAfter: 5 });
  }
}

/** In the pump's list until it has ended. */
class OpenStream<T> extends Linked<OpenStream<unknown>> implements StreamHandle {
  private readonly onEnd: (ended: Ended) => void;
  private sink: Sink<T> | null = null;
  private ended = false;
  private cancelBeat = nothing;
  /** Of the end of its time and, once it has ended, of being destroyed. */
  private cancelEnd = nothing;
  private blockedAt: number | null = null;
  private resume: (() => void) | null = null;

  constructor(
    private readonly iterator: AsyncIterator<T>,
    private readonly options: PumpOptions,
    onEnd: (ended: Ended) => void,
  ) {
    super();
    this.onEnd = onEnd;
  }

  start(sink: Sink<T>, first: Promise<IteratorResult<T>>): void {
    const { clock, maxMs } = this.options;
    this.sink = sink;
    this.cancelEnd = clock.after(maxMs, () => this.stop('time'));
    this.beatLater();
    this.carry(sink, first).catch((error: unknown) => this.stop('failed', error));
  }

  private async carry(sink: Sink<T>, first: Promise<IteratorResult<T>>): Promise<void> {
    for (let next = first; ; next = this.iterator.next()) {
      const step = await next;
      if (this.ended) return;
      if (step.done) {
        this.stop('finished');
        return;
      }
      const { turns } = this.options;
      if (turns.isOver()) {
        await new Promise<void>((goOn) => {
          turns.enter(goOn);
        });
        if (this.ended) return;
      }
      if (!sink.write(step.value)) await this.untilDrained();
      if (this.ended) return;
    }
  }

  private untilDrained(): Promise<void> {
    this.blockedAt ??= this.options.clock.now();
    return new Promise((resolve) => {
      this.resume = resolve;
    });
  }

  drained(): void {
    this.blockedAt = null;
    const resume = this.resume;
    this.resume = null;
    resume?.();
  }

  private beatLater(): void {
    const { clock, heartbeatMs } = this.options;
    this.cancelBeat = clock.after(heartbeatMs, () => {
      this.beatLater();
      this.beat(clock.now());
    });
  }

  private beat(now: number): void {
    if (this.blockedAt !== null && now - this.blockedAt >= this.options.stallMs) this.stop('slow');
    else if (this.blockedAt === null && this.sink?.beat() === false) this.blockedAt = now;
  }

  closed(): void {
    this.stop('left');
    this.cancelEnd();
  }

  stop(end: End, error?: unknown): void {
    if (this.ended) return;
    this.ended = true;
    const { clock, goodbyeMs } = this.options;
    this.list?.remove(this);
    this.cancelBeat();
    this.cancelEnd();
    if (end !== 'left') this.cancelEnd = clock.after(goodbyeMs, () => this.sink?.destroy());
    if (end !== 'finished') returnQuietly(this.iterator);
    this.onEnd({ end, error });
    if (end !== 'left') this.sink?.finish(end, error);
    this.drained(); // wakes the pump loop if it waits for the reader, so that it sees the end
  }
}

const nothing = (): void => undefined;

/** The stream is over, so nobody is left to handle an error of the source. */
function returnQuietly(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().catch(() => undefined);
}

/** Logs how a stream ended if an operator should know: readers that were cut off, and internal errors. */
export function logEnd(log: Pick<Logger, 'debug' | 'warn' | 'error'>, { end, error }: Ended, requestId: string): void {
  if (end === 'slow')
    log.warn(
      { event: 'stream.reader_too_slow', request_id: requestId },
      'closed a stream whose reader did not keep up',
    );
  if (end !== 'failed') return;
  const { code, cause } = toHivekeepError(error);
  if (code === 'INTERNAL_ERROR')
    log.error({ event: 'stream.failed', err: cause ?? error, request_id: requestId }, 'a stream failed');
  else log.debug({ event: 'stream.ended', err: error, request_id: requestId }, 'a stream ended with an error');
}
