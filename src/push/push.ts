/**
 * Delivers push notifications: URL guard, permits, connections and one POST (docs/api.md 6.2).
 *
 *  - Connections go only to addresses that the guard returned for this very attempt (guard.ts UrlGuard.G1, pools.ts
 *    PushPools.P2).
 *  - A 2xx status is success, anything else a PushError. Redirects are not followed. At most `maxResponseBytes` of the
 *    response body are read and discarded, so that the connection can be reused.
 *  - An attempt takes at most `timeoutMs` from when it has its permit; a connection whose response is incomplete by
 *    then is closed, and the permit is held until then.
 *  - A push waits only for its own receiver and, round-robin, for permits (lanes.ts).
 *  - Calls of tools have permits of their own, so that a workspace whose tools hang delays no other, and no push.
 *  - Errors and logs contain at most the host: never path, query, token, credentials or body.
 *
 * No state is lost with the process: a push in progress when it ends is sent again by the outbox, so a receiver may see
 * a push twice.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../domain/shared/clock.js';
import { invalid } from '../domain/shared/errors.js';
import type { PushItem } from '../domain/task/push.js';
import type { Logger } from '../telemetry/pino-log.js';
import { traceNow } from '../telemetry/tracing.js';
import { pushFailure, pushHeaders, stopped, timeLimit } from './attempt.js';
import { createGuard, Unresolved } from './guard.js';
import { FairLanes, type Release } from './lanes.js';
import { Pools, type PooledConnection } from './pools.js';
import { PushError, type OutboundAnswer, type OutboundRequest, type Push } from './port.js';
import type { Resolve } from './resolver.js';
import { signatureHeaders } from './signature.js';
import { RefusedUrl, type PushTarget } from './target.js';

export interface PushDeps {
  /** HIVEKEEP_PUSH_ALLOW: `host` or `host:port`. */
  allow: readonly string[];
  resolve: Resolve;
  /** Encodes the body; that of a task in the wire format of the configuration's version. */
  bodyOf: (item: PushItem) => { contentType: string; body: string };
  timeoutMs: number;
  maxResponseBytes: number;
  userAgent: string;
  log: Logger;
  clock: Clock;
  /** Certificates (PEM) to trust instead of Node's own. */
  ca?: string;
}

/**
 * For a process that pushes to many receivers at once: enough for thousands of pushes a second if responses take tens
 * of ms.
 */
const limits = { total: 512, perLane: 64, perSickLane: 4 } as const;
/** A tool may take minutes, and runs that call the same one at once are no fault of it. */
const callLimits = { total: 512, perLane: 256, perSickLane: 16 } as const;
const maxPools = 128;

type Headers = Record<string, string>;

export function createPush(deps: PushDeps): Push {
  const { clock, timeoutMs, log } = deps;
  const guard = createGuard({ allow: deps.allow, resolve: deps.resolve });
  const lanes = new FairLanes(limits);
  const calls = new FairLanes(callLimits);
  const pools = new Pools({ connectTimeoutMs: timeoutMs, maxPools, ...(deps.ca !== undefined && { ca: deps.ca }) });

  /** Rejects with a PushError. The connection is free when the body was read or the signal is aborted. */
  async function send(
    target: PushTarget,
    { method = 'POST', headers, body, maxBytes }: Omit<OutboundRequest, 'url' | 'secret'>,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    let done: PooledConnection['done'] = () => undefined;
    try {
      const addresses = await guard.addresses(target);
      signal.throwIfAborted();
      const connection = pools.take(target.origin, addresses);
      const cut = (): void => {
        done(false);
      };
      signal.addEventListener('abort', cut, { once: true });
      done = (whole) => {
        signal.removeEventListener('abort', cut);
        connection.done(whole);
      };
      const content = body === undefined ? {} : { body };
      const traceparent = traceNow();
      const answer = await connection.client.request({
        method,
        path: target.path,
        headers: traceparent === undefined ? headers : { ...headers, traceparent },
        signal,
        ...content,
      });
      return { status: answer.statusCode, headers: answer.headers, body: upTo(maxBytes, answer.body, done) };
    } catch (error) {
      done(false);
      throw pushFailure(error);
    }
  }

  /** Holds the permit until the answer was read to its end, or is given up. */
  async function post(item: PushItem, target: PushTarget, headers: Headers, signal: AbortSignal): Promise<void> {
    const endTurn = await permit(lanes, item.workspace ?? '', target, signal);
    const limit = timeLimit(clock, timeoutMs, signal);
    const end = (well: boolean): void => {
      limit.end();
      endTurn(well);
    };
    let answer: OutboundAnswer;
    try {
      const { contentType, body } = deps.bodyOf(item);
      const signed = 'event' in item ? signatureHeaders(item.secrets, item.id, clock.now(), body) : {};
      const all = { ...headers, 'content-type': contentType, ...signed };
      answer = await limit.race(send(target, { headers: all, body, maxBytes: deps.maxResponseBytes }, limit.signal));
    } catch (error) {
      end(false);
      throw error;
    }
    readOff(answer.body).then(end, () => {
      end(false);
    });
    if (answer.status < 200 || answer.status > 299) throw new PushError(`the receiver answered ${answer.status}`);
  }

  return {
    async check({ url }, path = 'url') {
      const limit = timeLimit(clock, timeoutMs);
      try {
        await limit.race(guard.addresses(guard.read(url)));
      } catch (error) {
        if (!mayBeTried(error)) throw refusal(error, path);
      } finally {
        limit.end();
      }
    },
    async deliver(item, signal) {
      setMaxListeners(0, signal); // one signal may cancel all pushes of an agent; each attempt removes its own listener
      try {
        const target = guard.read(item.config.url);
        const headers = pushHeaders(item.config, deps.userAgent);
        await post(item, target, headers, signal);
      } catch (error) {
        const failure = pushFailure(error);
        if (failure.final)
          log.warn(
            { event: 'push.refused', push: item.id, ...subjectOf(item), reason: failure.message },
            'a push was refused and will not be retried',
          );
        throw failure;
      }
    },
    async turn(workspace, url, signal) {
      try {
        return await calls.permit(workspace, guard.read(url).origin, signal);
      } catch (error) {
        throw error instanceof RefusedUrl
          ? pushFailure(error)
          : new PushError('other calls of the workspace take all the time that this one had', true, { cause: error });
      }
    },
    async open(_agent, { url, headers, secret, ...request }, signal) {
      const all = { 'user-agent': deps.userAgent, ...headers, ...(secret && { [secret.header]: secret.value }) };
      try {
        return await send(guard.read(url), { ...request, headers: all }, signal);
      } catch (error) {
        throw pushFailure(error);
      }
    },
    close: () => pools.close(),
  };
}

async function* upTo(
  most: number,
  body: AsyncIterable<Buffer>,
  done: PooledConnection['done'],
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let whole = false;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > most) throw new PushError(`the answer is longer than ${most} bytes`);
      yield chunk;
    }
    whole = true;
  } catch (error) {
    throw pushFailure(error);
  } finally {
    done(whole);
  }
}

/** For the log. */
const subjectOf = (item: PushItem): { task: string } | { webhook: string } =>
  'task' in item ? { task: item.task.id } : { webhook: item.webhook };

/**
 * A host that does not resolve, or not in time, breaks no rule: name servers fail, and new names take time to spread.
 * Every delivery resolves it again before it connects.
 */
const mayBeTried = (error: unknown): boolean => error instanceof Unresolved || error instanceof PushError;

function refusal(error: unknown, path: string): Error {
  if (error instanceof RefusedUrl) return invalid({ path, message: error.message });
  return error instanceof Error ? error : new Error('the URL could not be checked', { cause: error });
}

async function permit(
  lanes: FairLanes,
  workspace: string,
  { origin }: PushTarget,
  signal: AbortSignal,
): Promise<Release> {
  try {
    return await lanes.permit(workspace, origin, signal);
  } catch (cause) {
    throw signal.aborted ? stopped() : cause;
  }
}

/** Resolves to true when the body has ended. */
async function readOff(body: OutboundAnswer['body']): Promise<true> {
  for await (const _ of body);
  return true;
}
