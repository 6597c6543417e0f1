/** A conversation with an agent: what was said in each of its runs, kept up with while somebody looks at it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  path,
  request,
  requestPage,
  type Page,
  type Run,
  type RunDelta,
  type RunEvent,
  type Schema,
} from '../../lib/api.js';
import { ApiError } from '../../lib/errors.js';
import { follow } from '../../lib/stream.js';
import { useQuery } from '../../lib/use-query.js';
import { hasEnded, written } from '../run/journal.js';

type Turn = Schema<'Turn'>;

/** What was said in one run, in order. */
export interface Exchange {
  runId: string;
  at: string;
  said: readonly Turn[];
  /** Known of the newest exchanges; of an earlier one, its page tells what became of it. */
  run: Run | null;
}

export interface Conversation {
  /** Oldest first; null until the conversation is loaded. */
  exchanges: readonly Exchange[] | null;
  error: unknown;
  reload: () => void;
  /** Lists what was said before, too; null where there is no more. */
  older: (() => void) | null;
}

/** Of so many exchanges, the newest, the runs are looked at. */
const runsKnown = 10;
/** Seconds after which is looked for what was said elsewhere. */
const every = 5;

/** Nothing is loaded until `when` is true. */
export function useConversation(agent: string, session: string, when: boolean): Conversation {
  const name = `${agent} ${session}`;
  const [asked, setAsked] = useState({ name, pages: 1 });
  const pages = asked.name === name ? asked.pages : 1;
  const ended = useRef(new Map<string, Run>());
  const load = async (signal: AbortSignal): Promise<{ of: string; exchanges: readonly Exchange[]; more: boolean }> => {
    const { turns, more } = await turnsOf(agent, session, pages, signal);
    const exchanges = exchangesOf(turns);
    const looked = exchanges.slice(-runsKnown);
    const runs = await Promise.all(
      // the newest may have been resumed since it ended
      looked.map(({ runId }, n) => runOf(agent, runId, n < looked.length - 1 ? ended.current : null, signal)),
    );
    for (const run of runs) if (run !== null && hasEnded(run.status)) ended.current.set(run.id, run);
    return {
      of: name,
      exchanges: exchanges.map((exchange) => ({
        ...exchange,
        run: runs.find((run) => run?.id === exchange.runId) ?? null,
      })),
      more,
    };
  };
  const { data, error, reload } = useQuery(`turns ${name} ${pages}`, load, { every, keep: true, when });
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) reload();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
    };
  }, [reload]);
  const mine = data?.of === name ? data : null;
  return {
    exchanges: mine?.exchanges ?? null,
    error,
    reload,
    older: mine?.more
      ? () => {
          setAsked({ name, pages: pages + 1 });
        }
      : null,
  };
}

/** The newest turns, so many pages of them; none of a conversation in which nothing was said yet. */
async function turnsOf(
  agent: string,
  session: string,
  pages: number,
  signal: AbortSignal,
): Promise<{ turns: readonly Turn[]; more: boolean }> {
  const url = path`/v1/agents/${agent}/sessions/${session}/turns`;
  const turns: Turn[] = [];
  let cursor: string | null = null;
  try {
    for (let n = 0; n < pages && (n === 0 || cursor !== null); n++) {
      const page: Page<Turn> = await requestPage<Turn>(url, { page_size: 100, cursor }, signal);
      turns.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { turns: [], more: false };
    throw error;
  }
  return { turns, more: cursor !== null };
}

/** The run as it is, or as it ended; null if it is gone. */
async function runOf(
  agent: string,
  id: string,
  ended: ReadonlyMap<string, Run> | null,
  signal: AbortSignal,
): Promise<Run | null> {
  const before = ended?.get(id);
  if (before !== undefined) return before;
  try {
    return await request<Run>('GET', path`/v1/agent-constellations/${agent}/runs/${id}`, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The turns of a session, newest first, as the exchanges of its runs, oldest first. */
function exchangesOf(turns: readonly Turn[]): readonly Exchange[] {
  const runs = new Map<string, Exchange>();
  for (const turn of turns.toReversed()) {
    const before = runs.get(turn.runId);
    runs.set(turn.runId, {
      runId: turn.runId,
      at: before?.at ?? turn.created_at,
      said: [...(before?.said ?? []), turn],
      run: null,
    });
  }
  return [...runs.values()];
}

export const isAtWork = (run: Run | null): boolean => run?.status === 'running' || run?.status === 'pending';

/** What a run that is at work does. */
export interface Work {
  /** What its model has written of its answer so far. */
  writing: RunDelta | null;
  /** What it has thought last, and at which step. */
  thought: Schema<'Thought'> | null;
}

/** Follows a run until it ends or waits; `settled` is called then. */
export function useWork(agent: string, run: string, settled: () => void): Work {
  const [work, setWork] = useState<Work>({ writing: null, thought: null });
  const done = useRef(settled);
  done.current = settled;
  const tell = useCallback((event: RunEvent | RunDelta) => {
    setWork(({ writing, thought }) => ({
      writing: written(writing, event),
      thought: event.type === 'thought' ? event.thought : thought,
    }));
  }, []);
  useEffect(() => {
    const controller = new AbortController();
    let waiting: (RunEvent | RunDelta)[] = [];
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      for (const event of waiting) {
        tell(event);
        if (event.type === 'status' && event.status !== 'running' && event.status !== 'pending') done.current();
      }
      waiting = [];
    };
    follow({
      path: path`/v1/agent-constellations/${agent}/runs/${run}/events`,
      signal: controller.signal,
      onEvent: ({ data }) => {
        waiting.push(JSON.parse(data) as RunEvent | RunDelta);
        if (frame === 0) frame = requestAnimationFrame(draw);
      },
      onState: () => undefined,
      isLast: ({ data }) => {
        const event = JSON.parse(data) as RunEvent;
        return event.type === 'status' && hasEnded(event.status);
      },
    }).catch(() => {
      // what became of it is looked for at intervals
    });
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
    };
  }, [agent, run, tell]);
  return work;
}
