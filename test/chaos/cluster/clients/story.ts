/**
 * What a reader of an event stream is given over all its connections, whichever gateway it comes back to: it cuts the
 * wire itself now and then, and comes back with Last-Event-ID until the terminal event.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { reason, type Ask, type Gateways, type Json } from './gateways.js';

/**
 * `ids` in the order in which they came; `status` is what the last status event said; `problem` says why it is not at
 * its end.
 */
export interface Story {
  agent: string;
  run: string;
  ids: number[];
  status: string;
  connections: number;
  problem: string | null;
}

export interface Reading {
  /** The request that opens the stream, when `seen` was the last event (null: none yet). */
  open(seen: number | null): Ask;
  /** Takes one frame: the run that it tells of and the status that it brings, where it says one. */
  look(data: Json): { run?: string; status?: string };
}

const quietMs = 4_000;
const retryMs = 50;
const terminal = new Set(['completed', 'failed', 'timeout', 'cancelled', 'canceled']);
export const comingBack = (seen: number | null): Record<string, string> =>
  seen === null ? {} : { 'last-event-id': String(seen) };
export const isTerminal = (status: string): boolean => terminal.has(status);

/** `from`: the last event that counts as seen. `cutAfter`: the client itself goes away after so many frames, once. */
export async function follow(
  gateways: Gateways,
  agent: string,
  run: string,
  reading: Reading,
  from: number | null,
  cutAfter: number | null,
): Promise<Story> {
  const story: Story = { agent, run, ids: [], status: '', connections: 0, problem: 'not begun' };
  for (let gateway = gateways.any(), cut = cutAfter; !gateways.late; gateway = gateways.other(gateway.name)) {
    const ask = reading.open(story.ids.at(-1) ?? from);
    try {
      story.connections++;
      story.problem = await read(
        gateway.url + ask.path,
        { method: ask.method, headers: gateways.headers(ask), body: ask.body && JSON.stringify(ask.body) },
        story,
        reading,
        cut,
      );
      if (story.problem?.startsWith('refused')) return story;
      if (isTerminal(story.status)) return { ...story, problem: null };
    } catch (thrown) {
      story.problem = reason(thrown);
    }
    cut = null;
    await pause(retryMs);
  }
  return story;
}

/** Resolves when the stream has ended, with what is wrong with that. */
async function read(
  url: string,
  init: RequestInit,
  story: Story,
  reading: Reading,
  cutAfter: number | null,
): Promise<string | null> {
  const gone = new AbortController();
  let timer = setTimeout(() => {
    gone.abort();
  }, quietMs);
  let left = cutAfter ?? Infinity;
  try {
    const res = await fetch(url, { ...init, signal: gone.signal });
    if (!res.ok || !res.body)
      return res.status >= 500 || res.status === 429
        ? `${res.status}`
        : `refused with ${res.status} ${await res.text()}`;
    if (!(res.headers.get('content-type') ?? '').startsWith('text/event-stream')) return noStream(await res.text());
    for await (const frame of frames(res.body, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        gone.abort();
      }, quietMs);
    })) {
      if (frame.id !== null) story.ids.push(frame.id);
      const { run, status } = reading.look(frame.data);
      if (run !== undefined) story.run = run;
      if (status !== undefined) story.status = status;
      if (--left <= 0) return 'cut by the client';
    }
    return 'ended before its end';
  } finally {
    clearTimeout(timer);
    gone.abort();
  }
}

/** JSON-RPC may answer an error in place of a stream; an internal one says to try again. */
function noStream(text: string): string {
  const { error } = JSON.parse(text) as { error?: { code: number } };
  return error?.code === -32603 ? text : `refused with ${text}`;
}

async function* frames(
  body: AsyncIterable<Uint8Array>,
  alive: () => void,
): AsyncIterable<{ id: number | null; data: Json }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    alive();
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const field = (name: string): string | undefined =>
        part
          .split('\n')
          .find((l) => l.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      const id = field('id');
      const data = field('data');
      if (data !== undefined) yield { id: id === undefined ? null : Number(id), data: JSON.parse(data) as Json };
    }
  }
}
