/**
 * Loads data for a component: tried again while the service is away, and again at intervals where that is asked for.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { requestPage, type Page, type Query } from './api.js';
import { ApiError, isTemporary } from './errors.js';

export interface Loaded<T> {
  data: T | null;
  error: unknown;
  loading: boolean;
  reload: () => void;
  /** Changes the data here, before the service is asked again. */
  mutate: (change: (data: T) => T) => void;
}

export interface QueryOptions {
  /** Seconds between loads; none by default. */
  every?: number;
  /** Shows the earlier data while others are loaded. */
  keep?: boolean;
  /** Nothing is loaded until this is true. */
  when?: boolean;
}

const pauses = [1000, 2000, 4000, 8000, 15_000];

/** `name` says what is loaded: another name is other data. */
export function useQuery<T>(
  name: string,
  load: (signal: AbortSignal) => Promise<T>,
  { every, keep = false, when = true }: QueryOptions = {},
): Loaded<T> {
  const [state, setState] = useState<{ name: string; data: T | null; error: unknown; loading: boolean }>({
    name,
    data: null,
    error: null,
    loading: true,
  });
  const [round, setRound] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  useEffect(() => {
    if (!when) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    setState((before) => ({
      name,
      data: before.name === name || keep ? before.data : null,
      error: before.name === name ? before.error : null,
      loading: true,
    }));
    const attempt = async (): Promise<void> => {
      try {
        const data = await loader.current(controller.signal);
        if (controller.signal.aborted) return;
        failures = 0;
        setState({ name, data, error: null, loading: false });
        if (every !== undefined) again(every * 1000);
      } catch (error) {
        if (controller.signal.aborted) return;
        setState((before) => ({ ...before, error, loading: false }));
        if (isTemporary(error)) {
          const told = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
          again(Math.max(told, pauses[Math.min(failures++, pauses.length - 1)] ?? 15_000));
        }
      }
    };
    const again = (ms: number): void => {
      timer = setTimeout(() => {
        if (document.hidden) again(ms);
        else void attempt();
      }, ms);
    };
    void attempt();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [name, round, when, every, keep]);
  const reload = useCallback(() => {
    setRound((n) => n + 1);
  }, []);
  const mutate = useCallback((change: (data: T) => T) => {
    setState((before) => (before.data === null ? before : { ...before, data: change(before.data) }));
  }, []);
  const fresh = state.name === name || keep;
  return {
    data: fresh ? state.data : null,
    error: state.name === name ? state.error : null,
    loading: !fresh || state.loading,
    reload,
    mutate,
  };
}

export interface Paged<T> extends Loaded<Page<T>> {
  items: readonly T[];
  total: number;
  /** From 1. */
  pageNumber: number;
  previous: (() => void) | null;
  next: (() => void) | null;
}

/** A list, one page at a time. Another path or query begins at its first page. */
export function useList<T>(path: string, query: Query = {}, options: QueryOptions = {}): Paged<T> {
  const name = `${path}?${JSON.stringify(query)}`;
  const [trail, setTrail] = useState<{ name: string; cursors: readonly string[] }>({ name, cursors: [] });
  const cursors = trail.name === name ? trail.cursors : [];
  const cursor = cursors.at(-1);
  const loaded = useQuery(
    `${name}#${cursor ?? ''}`,
    (signal) => requestPage<T>(path, { page_size: 25, ...query, cursor }, signal),
    { keep: true, ...options },
  );
  const page = loaded.data;
  const following = page?.pagination.has_more ? page.pagination.next_cursor : null;
  return {
    ...loaded,
    items: page?.data ?? [],
    total: page?.pagination.total_count ?? 0,
    pageNumber: cursors.length + 1,
    previous:
      cursors.length === 0
        ? null
        : () => {
            setTrail({ name, cursors: cursors.slice(0, -1) });
          },
    next:
      following === null
        ? null
        : () => {
            setTrail({ name, cursors: [...cursors, following] });
          },
  };
}

export interface Growing<T, R> extends Loaded<R> {
  /** What was listed so far, newest first. */
  items: readonly T[];
  /** Lists what is older, too; null where there is no more. */
  older: (() => void) | null;
}

/** A list that grows by a page at a time, newest first. `read` makes of the items what is shown of them. */
export function useGrowing<T, R = readonly T[]>(
  name: string,
  path: string,
  {
    read = (items) => Promise.resolve(items as unknown as R),
    when = true,
  }: { read?: (items: readonly T[], signal: AbortSignal) => Promise<R>; when?: boolean } = {},
): Growing<T, R> {
  const [asked, setAsked] = useState({ name, pages: 1 });
  const pages = asked.name === name ? asked.pages : 1;
  const load = async (signal: AbortSignal): Promise<{ of: string; items: readonly T[]; shown: R; more: boolean }> => {
    const items: T[] = [];
    let cursor: string | null = null;
    for (let n = 0; n < pages && (n === 0 || cursor !== null); n++) {
      const page: Page<T> = await requestPage<T>(path, { page_size: 100, cursor }, signal);
      items.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    return { of: name, items, shown: await read(items, signal), more: cursor !== null };
  };
  const { data, error, loading, reload, mutate } = useQuery(`${name} pages ${pages}`, load, { keep: true, when });
  const mine = when && data?.of === name ? data : null;
  return {
    data: mine?.shown ?? null,
    items: mine?.items ?? [],
    error: when ? error : null,
    loading,
    reload,
    mutate: (change) => {
      mutate((before) => ({ ...before, shown: change(before.shown) }));
    },
    older:
      mine?.more === true
        ? () => {
            setAsked({ name, pages: pages + 1 });
          }
        : null,
  };
}
