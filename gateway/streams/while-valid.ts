/**
 * Streams end with the credential that opened them (auth/credential-watch.ts): the source then fails as
 * UNAUTHENTICATED, which each kind of stream reports in its own way: an `error` event, a JSON-RPC error, or close code
 * 1008. An export is cut.
 *
 * Invariants
 *  - Nothing is sent after the credential has ended, even if the source has already produced it.
 *  - `return` of the source is called at that time, even if a call of `next` is pending.
 *  - Otherwise the source is unchanged: same items, same end, same failure.
 * A blocked reader is informed when it reads again, or is cut off like any slow reader; in both cases it gets nothing
 * new.
 */
import type { IncomingMessage } from 'node:http';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { Principal } from '../../src/service.js';
import type { CredentialWatch } from '../auth/credential-watch.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import type { Streams } from './port.js';
import type { Source } from './pump.js';

export function whileValid<T>(source: Source<T>, principal: Principal, watch: CredentialWatch): Source<T> {
  return {
    ...(source.begun && { begun: source.begun }),
    [Symbol.asyncIterator]: () => new Valid(source[Symbol.asyncIterator](), principal, watch),
  };
}

class Valid<T> implements AsyncIterator<T> {
  private readonly unwatch: () => void;
  private revoked = false;
  /** Rejects the pending call of `next`. */
  private fail: ((error: unknown) => void) | null = null;

  constructor(
    private readonly source: AsyncIterator<T>,
    principal: Principal,
    watch: CredentialWatch,
  ) {
    this.unwatch = watch.watch(principal, () => this.end());
  }

  private end(): void {
    this.revoked = true;
    this.fail?.(revoked());
    this.source.return?.().catch(() => undefined);
  }

  next(): Promise<IteratorResult<T>> {
    if (this.revoked) return Promise.reject(revoked());
    return new Promise((resolve, reject) => {
      this.fail = reject;
      this.source.next().then(
        (step) => {
          this.fail = null;
          if (step.done) this.unwatch();
          resolve(step);
        },
        (error: Error) => {
          this.unwatch();
          reject(error);
        },
      );
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.unwatch();
    return this.source.return?.() ?? Promise.resolve({ done: true, value: undefined });
  }
}

const revoked = (): HivekeepError =>
  new HivekeepError('UNAUTHENTICATED', 'the key or token of this stream was revoked or has expired');

/** Ends a source with the credential of its request. */
export function endingWith<T>(
  req: IncomingMessage,
  source: AsyncIterable<T>,
  watch: CredentialWatch,
): AsyncIterable<T> {
  const principal = (req as GatewayRequest).exchange?.principal ?? null;
  return principal === null ? source : whileValid(source, principal, watch);
}

/** Wraps the streams so that they end with the credential of their request, and are counted then. */
export function endingStreams(streams: Streams, watch: CredentialWatch, responder: Pick<Responder, 'count'>): Streams {
  return {
    async frames(req, res, source, frameOf, endings) {
      await streams.frames(req, res, endingWith(req, source, watch), frameOf, endings);
      responder.count(req as GatewayRequest, res.statusCode, 'stream');
    },
    close: () => streams.close(),
  };
}
