/**
 * A client of the service over HTTP, as strangers write them: requests, pages, and event streams taken up again where
 * they broke.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Target {
  readonly url: string;
  readonly key: string;
}

export type Thing = Record<string, unknown> & { id: string };

/** `unknown`: no answer, or one that says that it is not known; it may have taken effect. */
export type Outcome = { kind: 'done'; data: Thing } | { kind: 'refused'; status: number } | { kind: 'unknown' };

const headers = (target: Target): Record<string, string> => ({
  authorization: `Bearer ${target.key}`,
  'content-type': 'application/json',
});

export async function post(target: Target, path: string, body: object): Promise<Outcome> {
  try {
    const res = await fetch(target.url + path, {
      method: 'POST',
      headers: headers(target),
      body: JSON.stringify(body),
    });
    const text = await res.text();
    if (res.ok) return { kind: 'done', data: (JSON.parse(text) as { data: Thing }).data };
    return res.status >= 500 ? { kind: 'unknown' } : { kind: 'refused', status: res.status };
  } catch {
    return { kind: 'unknown' };
  }
}

export async function get(target: Target, path: string): Promise<Thing> {
  const res = await fetch(target.url + path, { headers: headers(target) });
  if (!res.ok) throw new Error(`GET ${path} is ${res.status}: ${await res.text()}`);
  return ((await res.json()) as { data: Thing }).data;
}

/** Posts until it is answered; what is sent again under the same key takes effect once. */
export async function insist(target: Target, path: string, body: object, key: string): Promise<Thing> {
  for (;;) {
    const response = await fetch(target.url + path, {
      method: 'POST',
      headers: { ...headers(target), 'idempotency-key': encodeURIComponent(key) },
      body: JSON.stringify(body),
    }).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as { data?: Thing } | null | undefined;
    if (response?.ok && answer?.data) return answer.data;
    if (response && response.status < 500 && response.status !== 429 && response.status !== 409)
      throw new Error(`${path}: ${response.status}: ${JSON.stringify(answer)}`);
    await pause(100);
  }
}

/** The run when it has ended; null if that takes too long. `met` is shown what it is meanwhile. */
export async function ended(
  target: Target,
  agent: string,
  id: string,
  { everyMs, patienceMs, met }: { everyMs: number; patienceMs: number; met?: (run: Thing) => Promise<void> },
): Promise<Thing | null> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(everyMs)) {
    const run = await get(target, `/v1/agent-constellations/${agent}/runs/${id}`).catch(() => null);
    if (run === null) continue;
    if (!['pending', 'running', 'paused'].includes(String(run['status']))) return run;
    await met?.(run);
  }
  return null;
}

export interface Listing {
  items: Thing[];
  total: number;
}

export async function listAll(target: Target, path: string): Promise<Listing> {
  const items: Thing[] = [];
  for (let cursor = '', total = 0; ;) {
    const res = await fetch(`${target.url}${path}${path.includes('?') ? '&' : '?'}page_size=100&order=asc${cursor}`, {
      headers: headers(target),
    });
    if (!res.ok) throw new Error(`GET ${path} is ${res.status}: ${await res.text()}`);
    const page = (await res.json()) as {
      data: Thing[];
      pagination: { next_cursor: string | null; has_more: boolean; total_count: number };
    };
    items.push(...page.data);
    total = page.pagination.total_count;
    if (!page.pagination.has_more) return { items, total };
    cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor ?? '')}`;
  }
}

/** Reads a run's events until the stream ends by itself, coming back with Last-Event-ID after every break. */
export async function followRun(
  target: Target,
  path: string,
  patienceMs: number,
): Promise<{ seqs: number[]; last: string }> {
  const seqs: number[] = [];
  const end = Date.now() + patienceMs;
  for (let last = ''; Date.now() < end;) {
    try {
      const res = await fetch(target.url + path, {
        headers: { ...headers(target), ...(seqs.length > 0 && { 'last-event-id': String(seqs.at(-1)) }) },
      });
      if (!res.ok || !res.body) throw new Error(`${path} is ${res.status}`);
      for await (const { id, data } of frames(res.body)) {
        if (id !== null) seqs.push(id);
        const event = JSON.parse(data) as { type?: string; status?: string };
        if (event.type === 'status') last = event.status ?? '';
      }
      if (['completed', 'failed', 'timeout', 'cancelled'].includes(last)) return { seqs, last };
    } catch {
      /* the service is away: again */
    }
    await pause(20);
  }
  throw new Error(`the stream ${path} did not end; it has ${seqs.join()}`);
}

async function* frames(body: AsyncIterable<Uint8Array>): AsyncIterable<{ id: number | null; data: string }> {
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const chunk of body) {
    buffer += decoder.decode(chunk, { stream: true });
    for (let at = buffer.indexOf('\n\n'); at >= 0; at = buffer.indexOf('\n\n')) {
      const lines = buffer.slice(0, at).split('\n');
      const field = (name: string): string | undefined =>
        lines
          .find((l) => l.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      buffer = buffer.slice(at + 2);
      const id = field('id');
      const data = field('data');
      if (data !== undefined) yield { id: id === undefined ? null : Number(id), data };
    }
  }
}
