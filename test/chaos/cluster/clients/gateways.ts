/**
 * A client that knows several gateways and does not give up: every request goes out again, with the same
 * Idempotency-Key, at another gateway, until it is answered. An answer is any status that says what has become of the
 * request; not one that says to try again (429, 5xx, or 409 because the first is still in progress).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../random.js';

export interface Gateway {
  readonly name: string;
  readonly url: string;
}

export interface Ask {
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** Names the command; for POST. */
  key?: string;
}

export type Json = Record<string, unknown>;

/** `tries`: how many requests it took. `by`: the gateway that answered. */
export interface Answer {
  status: number;
  body: Json;
  tries: number;
  by: string;
}

const attemptMs = 4_000;
const retryMs = 60;

export class Gateways {
  /** Why requests were sent again, and how often. */
  readonly retries = new Map<string, number>();
  /** The longest time that a request took until it was answered (ms). */
  longestMs = 0;
  /** Until when unanswered requests are sent again (ms); moved on by who knows that all is healed. */
  patienceEnd = Infinity;

  constructor(
    readonly all: readonly Gateway[],
    readonly key: string,
    private readonly random: Random,
  ) {}

  any(): Gateway {
    return this.random.pick(this.all);
  }
  other(than: string): Gateway {
    return this.random.pick(
      this.all.filter((g) => g.name !== than).length > 0 ? this.all.filter((g) => g.name !== than) : this.all,
    );
  }
  get late(): boolean {
    return Date.now() > this.patienceEnd;
  }

  headers({ body, headers = {}, key }: Ask): Record<string, string> {
    return {
      authorization: `Bearer ${this.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    };
  }

  /** Throws Unanswered when patience has ended. `first`: the gateway that is asked first. */
  async ask(what: Ask, first: Gateway = this.any()): Promise<Answer> {
    const begun = Date.now();
    let problem = 'not tried';
    for (let gateway = first, tries = 1; !this.late; gateway = this.other(gateway.name), tries++) {
      try {
        const answer = await once(gateway, what, this.headers(what));
        if (!again(answer)) {
          this.longestMs = Math.max(this.longestMs, Date.now() - begun);
          return { ...answer, tries, by: gateway.name };
        }
        problem = `${answer.status} ${errorOf(answer.body)}`;
      } catch (thrown) {
        problem = reason(thrown);
      }
      this.retries.set(problem, (this.retries.get(problem) ?? 0) + 1);
      await pause(retryMs * Math.min(tries, 10));
    }
    throw new Unanswered(`${what.method} ${what.path} was never answered: ${problem}`);
  }

  /** The data of a 2xx answer. */
  async data(what: Ask, first?: Gateway): Promise<Json> {
    const answer = await this.ask(what, first);
    if (answer.status >= 300)
      throw new Error(`${what.method} ${what.path} is ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body['data'] as Json;
  }

  /** All pages, each from any gateway. */
  async list(path: string): Promise<{ items: Json[]; total: number }> {
    const items: Json[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await this.ask({
        method: 'GET',
        path: `${path}${path.includes('?') ? '&' : '?'}page_size=100&order=asc${cursor}`,
      });
      if (status !== 200) throw new Error(`GET ${path} is ${status}: ${JSON.stringify(body)}`);
      const {
        next_cursor: next,
        has_more: more,
        total_count: total,
      } = body['pagination'] as { next_cursor: string | null; has_more: boolean; total_count: number };
      items.push(...(body['data'] as Json[]));
      if (!more) return { items, total };
      cursor = `&cursor=${encodeURIComponent(next ?? '')}`;
    }
  }
}

export class Unanswered extends Error {}

async function once(
  gateway: Gateway,
  { method, path, body }: Ask,
  headers: Record<string, string>,
): Promise<{ status: number; body: Json }> {
  const res = await fetch(gateway.url + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(attemptMs),
  });
  const text = await res.text();
  return { status: res.status, body: text === '' ? {} : (JSON.parse(text) as Json) };
}

/** What says to try again: it may have taken effect or not. JSON-RPC says so with an internal error. */
function again({ status, body }: { status: number; body: Json }): boolean {
  const { code, message } = errorIn(body);
  return status >= 500 || status === 429 || (status === 409 && /in progress/.test(message ?? '')) || code === -32603;
}

const errorIn = (body: Json): { code?: string | number; message?: string } => body['error'] ?? {};
const errorOf = (body: Json): string =>
  `${errorIn(body).code ?? ''}: ${errorIn(body).message ?? JSON.stringify(body)}`
    .replace(/\b[a-z]+_[0-9A-Za-z]{10,}/g, '...')
    .slice(0, 200);

export const reason = (thrown: unknown): string => {
  const { name, message, cause } = thrown as Error;
  return `${name}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`;
};
