/** What a run does as it does it: its record, its events as they stream, and the checkpoints of its steps. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { path, request, requestPage, type Checkpoint, type Run, type RunDelta, type RunEvent } from '../../lib/api.js';
import { follow, type StreamState } from '../../lib/stream.js';
import { useQuery, type Loaded } from '../../lib/use-query.js';

export interface Journal {
  run: Loaded<Run>;
  events: readonly RunEvent[];
  /** What the model has written of its answer so far. */
  writing: RunDelta | null;
  checkpoints: readonly Checkpoint[];
  stream: StreamState;
  problem: unknown;
}

const final = new Set(['completed', 'failed', 'timeout', 'cancelled']);
export const hasEnded = (status: Run['status']): boolean => final.has(status);

/** So many events are drawn in one frame: a long journal then never holds up the page. */
const perFrame = 100;

const nothing = { events: [], writing: null, stream: 'connecting', problem: null } as const;

/** What is being written after an event: text goes on or begins anew, and is over when its step is. */
export function written(before: RunDelta | null, event: RunEvent | RunDelta): RunDelta | null {
  if (event.type === 'delta')
    return { ...event, text: event.append ? `${before?.text ?? ''}${event.text}` : event.text };
  if (event.type === 'thought') return before !== null && before.step <= event.thought.step ? null : before;
  return null;
}

export function useJournal(agent: string, id: string): Journal {
  const url = path`/v1/agent-constellations/${agent}/runs/${id}`;
  const run = useQuery(url, (signal) => request<Run>('GET', url, { signal }), { keep: false });
  const [told, setTold] = useState<Pick<Journal, 'events' | 'writing' | 'stream' | 'problem'>>(nothing);
  // A run that is resumed after its end goes on with the same journal.
  const [round, setRound] = useState(0);
  const status = run.data?.status;
  useEffect(() => {
    setTold(nothing);
    const controller = new AbortController();
    let waiting: (RunEvent | RunDelta)[] = [];
    let now: StreamState = 'connecting';
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const next = waiting.splice(0, perFrame);
      // Whoever reads that all was told must find all of it on the page.
      const stream = waiting.length > 0 && now === 'ended' ? 'live' : now;
      const events = next.filter((event) => event.type !== 'delta');
      setTold((before) => ({
        ...before,
        events: events.length > 0 ? [...before.events, ...events] : before.events,
        writing: next.reduce(written, before.writing),
        stream,
      }));
      if (events.some(({ type }) => type !== 'thought')) run.reload();
      if (waiting.length > 0) frame = requestAnimationFrame(draw);
    };
    follow({
      path: `${url}/events`,
      signal: controller.signal,
      onEvent: ({ data }) => {
        waiting.push(JSON.parse(data) as RunEvent | RunDelta);
        if (frame === 0) frame = requestAnimationFrame(draw);
      },
      onState: (stream) => {
        now = stream;
        if (frame === 0) frame = requestAnimationFrame(draw);
      },
      isLast: ({ data }) => {
        const event = JSON.parse(data) as RunEvent;
        return event.type === 'status' && hasEnded(event.status);
      },
    }).catch((problem: unknown) => {
      setTold((before) => ({ ...before, problem }));
    });
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
      waiting = [];
    };
  }, [url, round]);
  const { stream } = told;
  // The record may lag behind the stream. Once both have told of an end, another end, or none, is that of a resumed
  // run.
  const settled = useRef<string | null>(null);
  const endedAt = run.data?.ended_at;
  useEffect(() => {
    if (stream !== 'ended' || status === undefined) return;
    if (settled.current === null) {
      if (hasEnded(status)) settled.current = endedAt ?? null;
    } else if (settled.current !== endedAt) {
      settled.current = null;
      setRound((n) => n + 1);
    }
  }, [status, endedAt, stream]);
  const steps = run.data?.steps ?? 0;
  const checkpoints = useQuery(
    `checkpoints ${id} ${Math.max(steps, lastStep(told.events))}`,
    (signal) => allCheckpoints(agent, id, signal),
    { keep: true, when: run.data !== null },
  );
  return { run, ...told, checkpoints: checkpoints.data ?? [] };
}

/** The step that the newest event tells of, which may be ahead of the run's record; 0 before the first. */
export const lastStep = (events: readonly RunEvent[]): number =>
  events.reduce((last, event) => (event.type === 'thought' ? Math.max(last, event.thought.step) : last), 0);

async function allCheckpoints(agent: string, runId: string, signal: AbortSignal): Promise<Checkpoint[]> {
  const all: Checkpoint[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: Checkpoint[]; pagination: { next_cursor: string | null } } = await requestPage<Checkpoint>(
      path`/v1/agent-constellations/${agent}/checkpoints`,
      { runId, page_size: 100, order: 'asc', cursor },
      signal,
    );
    all.push(...page.data);
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  return all;
}
