/**
 * The typed client of hivekeep. It runs wherever fetch does (Node 20 or newer, browsers, Deno), and depends on nothing.
 *
 *   const hivekeep = createClient({ baseUrl: 'http://127.0.0.1:8420', key: 'svc_live_...' });
 *   const ada = await hivekeep.agents.spawn({ name: 'Ada' });
 *   const { response } = await hivekeep.agents.message(ada.id, { content: 'Remember that the kiln is at 1180 degrees' });
 *   for await (const memory of hivekeep.memories.list({ agent_id: ada.id })) console.log(memory.content);
 *
 * A method takes the ids of its path, then the body or the query, then options (signal, idempotencyKey, ...). It resolves
 * with the `data` of the answer, and rejects with ApiError or ConnectionError. Requests that were refused with 429 or 503,
 * and those whose answer was lost, are tried again.
 */
import { ApiError, HivekeepError, TimeoutError } from './errors.js';
import { follow, type FollowOptions } from './events.js';
import { createOperations, fill, type QueryOf } from './operations.js';
import { createTransport, type Answer, type ClientOptions, type Request, type RequestOptions } from './transport.js';
import type { components } from './types.js';

export { ApiError, ConnectionError, HivekeepError, TimeoutError, type ErrorCode } from './errors.js';
export type { FollowOptions } from './events.js';
export { Pages, type Page } from './pages.js';
export type { Answer, ClientOptions, Query, Request, RequestOptions } from './transport.js';
export { verifyWebhook, type VerifyOptions } from './webhooks.js';
export type { components, paths } from './types.js';

/** The named types of the API: `Schema<'Agent'>`, `Schema<'SpawnInput'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Client = ReturnType<typeof createClient>;

export interface WaitOptions {
  signal?: AbortSignal;
  /** Rejects with TimeoutError after so many ms; the run goes on. */
  timeoutMs?: number;
}

/** What carries out the calls of a tool, by its name. What it returns or throws is told to the agent. */
export type ToolFunctions = Record<string, (args: Record<string, unknown>, call: { id: string }) => unknown>;

type ToolResult = NonNullable<Schema<'ResumeInput'>['results']>[number];

const resultOf = async (functions: ToolFunctions, call: Schema<'ClientCall'>): Promise<ToolResult> => {
  const { id, name, arguments: args } = call;
  try {
    const value = await functions[name]?.(args, { id });
    return { id, content: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') };
  } catch (error) {
    return { id, error: (error instanceof Error ? error.message : String(error)) || 'it failed' };
  }
};

const ended = new Set<string>(['completed', 'failed', 'timeout', 'cancelled']);
/** Nothing more happens to it by itself; a run that waits for other agents goes on. */
const rests = ({ status, waitingFor }: Schema<'Run'>): boolean =>
  ended.has(status) || (status === 'paused' && waitingFor?.kind !== 'agent');
const runEvents = '/v1/agent-constellations/{id}/runs/{runId}/events';

export function createClient(options: ClientOptions) {
  const transport = createTransport(options);
  const { get, query, list, send, act, remove } = createOperations(transport);
  const getRun = get('/v1/agent-constellations/{id}/runs/{runId}');

  /**
   * The run's events from its first, or from behind `after`, to the one that ends it. A run that pauses keeps the stream
   * open. In between come `delta`s: text that a model is writing, which goes on with `append` and else replaces what was
   * told; they are live only, and the `answer` has all of it.
   */
  const events = (id: string, runId: string, how: FollowOptions = {}): AsyncGenerator<Schema<'RunEvent'>, void> =>
    follow(
      transport,
      { method: 'GET', path: fill(runEvents, [id, runId]) },
      how,
      (event: Schema<'RunEvent'>) => event.type === 'status' && ended.has(event.status),
    );

  /** Resolves with the run once it has ended, or once it is paused and waits for somebody. */
  const wait = async (id: string, runId: string, how: WaitOptions = {}): Promise<Schema<'Run'>> => {
    const stop = new AbortController();
    const late = new TimeoutError(`run ${runId} had not ended after ${how.timeoutMs} ms`);
    const timer = how.timeoutMs === undefined ? undefined : setTimeout(() => stop.abort(late), how.timeoutMs);
    const signal = how.signal ? AbortSignal.any([how.signal, stop.signal]) : stop.signal;
    try {
      let run = await getRun(id, runId, { signal });
      if (rests(run)) return run;
      for await (const event of events(id, runId, { signal })) {
        if (event.type !== 'status' || !(event.status === 'paused' || ended.has(event.status))) continue;
        // The stream tells the pauses of the past, too.
        run = await getRun(id, runId, { signal });
        if (rests(run)) return run;
      }
      throw new HivekeepError(`the events of run ${runId} ended before the run`);
    } finally {
      clearTimeout(timer);
    }
  };

  const resume = act('/v1/agent-constellations/{id}/runs/{runId}/resume');

  /**
   * Carries out the calls of the run's tools of kind `client` with these functions, one after the other, as long as it
   * asks for some. Resolves with the run as `wait` does; also where it asks for a tool that has no function here.
   */
  const useTools = async (
    id: string,
    runId: string,
    functions: ToolFunctions,
    how: WaitOptions = {},
  ): Promise<Schema<'Run'>> => {
    for (;;) {
      const run = await wait(id, runId, how);
      const { id: asked, calls } = run.waitingFor ?? {};
      if (!asked || !calls?.every(({ name }) => Object.hasOwn(functions, name))) return run;
      const results: ToolResult[] = [];
      for (const call of calls) results.push(await resultOf(functions, call));
      try {
        await resume(id, runId, { answers: asked, results }, { ...(how.signal && { signal: how.signal }) });
      } catch (error) {
        // another program was quicker, or the run was cancelled meanwhile
        if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error;
      }
    }
  };

  /**
   * Resolves with the run, which is cancelled; rejects with CONFLICT if it has ended otherwise. A run is cancelled as an
   * A2A task, because the REST API has no cancellation (docs/api.md 3.2).
   */
  const cancel = async (id: string, runId: string, options: RequestOptions = {}): Promise<Schema<'Run'>> => {
    const { body } = await transport.json<{ error?: { message: string } }>({
      method: 'POST',
      path: fill('/api/v1/a2a/agents/{id}', [id]),
      body: { jsonrpc: '2.0', id: 1, method: 'tasks/cancel', params: { id: runId } },
      ...options,
    });
    const run = await getRun(id, runId, options);
    if (body.error && run.status !== 'cancelled')
      throw new ApiError(409, { error: { code: 'CONFLICT', message: body.error.message } });
    return run;
  };

  /**
   * The agent, and the ETag of its settings: as `ifMatch` of a change it refuses the change, with PRECONDITION_FAILED,
   * where somebody else was first.
   */
  const getWithEtag = async (
    id: string,
    options: RequestOptions = {},
  ): Promise<{ agent: Schema<'Agent'>; etag: string }> => {
    const path = fill('/v1/agents/{id}', [id]);
    const { body, response } = await transport.json<{ data: Schema<'Agent'> }>({ method: 'GET', path, ...options });
    return { agent: body.data, etag: response.headers.get('etag') ?? '' };
  };

  return {
    agents: {
      spawn: send('post', '/v1/agents/spawn'),
      list: list('/v1/agents'),
      get: get('/v1/agents/{id}'),
      getWithEtag,
      /** Replaces the fields that it names, each as a whole. */
      replace: send('put', '/v1/agents/{id}'),
      /** Merges `config` and `metadata`; null removes. */
      update: send('patch', '/v1/agents/{id}'),
      /** With everything that it remembers. */
      delete: remove('/v1/agents/{id}'),
      /** Says something to the agent and waits for its answer, as long as the service does. */
      message: send('post', '/v1/agents/{id}/message'),
    },
    runs: {
      start: send('post', '/v1/agent-constellations/{id}/runs'),
      list: list('/v1/agent-constellations/{id}/runs'),
      /** The runs of all agents. */
      listAll: list('/v1/runs'),
      get: getRun,
      /** With all runs that it has asked of other agents. */
      tree: get('/v1/agent-constellations/{id}/runs/{runId}/tree'),
      events,
      wait,
      /** With a decision or an answer where the run is paused for one. */
      resume,
      useTools,
      /** One that came with a message to the agent. */
      file: get('/v1/agent-constellations/{id}/files/{sha256}'),
      fork: send('post', '/v1/agent-constellations/{id}/runs/{runId}/fork'),
      cancel,
      /** One that has ended, with its thoughts, checkpoints and events. */
      delete: remove('/v1/agent-constellations/{id}/runs/{runId}'),
      thoughts: list('/v1/agent-constellations/{id}/thoughts'),
      checkpoints: list('/v1/agent-constellations/{id}/checkpoints'),
    },
    sessions: {
      /** The conversations with an agent. */
      list: list('/v1/agents/{id}/sessions'),
      /** Those with all agents. */
      listAll: list('/v1/sessions'),
      turns: list('/v1/agents/{id}/sessions/{sessionId}/turns'),
      /** With its runs and memories. */
      delete: remove('/v1/agents/{id}/sessions/{sessionId}'),
      /** Everything that the agent has of a subject, such as an end user: memories, runs, messages, schedules and blocks. */
      deleteSubject: remove('/v1/agents/{id}/subjects/{subject}'),
    },
    tools: {
      /** Calls a tool of the agent once, as a run would. */
      try: send('post', '/v1/agents/{id}/tools/{toolName}/try'),
    },
    schedules: {
      /** Starts runs of the agent by `cron`, `every` so many seconds, or once `at` a time. */
      create: send('post', '/v1/agents/{id}/schedules'),
      list: list('/v1/agents/{id}/schedules'),
      get: get('/v1/agents/{id}/schedules/{scheduleId}'),
      /** Makes the schedule of a name, or replaces it; the same again changes nothing. */
      set: send('put', '/v1/agents/{id}/schedules/by-name/{scheduleName}'),
      /** Starts a run of it now, besides its times. */
      run: send('post', '/v1/agents/{id}/schedules/{scheduleId}/run'),
      /** `{ paused }`: pauses it, or lets it go on with its next time. */
      pause: send('patch', '/v1/agents/{id}/schedules/{scheduleId}'),
      /** Its runs stay. */
      delete: remove('/v1/agents/{id}/schedules/{scheduleId}'),
    },
    blocks: {
      /** What the agent is told at each step, of one subject or of all. */
      list: list('/v1/agents/{id}/blocks'),
      get: query('/v1/agents/{id}/blocks/{label}'),
      /** Makes the block of a label, or replaces it; the same again changes nothing. */
      set: send('put', '/v1/agents/{id}/blocks/{label}'),
      /** `{ restore }` gives it again what an earlier version said. */
      update: send('patch', '/v1/agents/{id}/blocks/{label}'),
      delete: remove('/v1/agents/{id}/blocks/{label}'),
    },
    profiles: {
      /** What the agent keeps in mind of a subject, or of nobody in particular, and what says it. */
      get: query('/v1/agents/{id}/profile'),
      /** Takes an entry out: it does not come back from what says it now. */
      reject: remove('/v1/agents/{id}/profile/{entryId}'),
    },
    mailbox: {
      send: send('post', '/v1/agent-constellations/{id}/messages'),
      list: list('/v1/agent-constellations/{id}/messages'),
      delete: remove('/v1/agent-constellations/{id}/messages/{messageId}'),
      /** Who has written to whom in the last hour. */
      traffic: get('/v1/mailbox/traffic'),
    },
    memories: {
      create: send('post', '/v1/memories'),
      /** Up to 500 at once; tells what became of each. */
      createMany: send('post', '/v1/memories/batch'),
      list: list('/v1/memories'),
      /** The best first; `partial` is set if a worker did not answer in time or is still reading, `words_only` if the meaning of the query was not known. */
      search: send('post', '/v1/memories/search'),
      /** What an agent knows and what was said to it, as a text for a prompt, within `max_tokens`. */
      context: send('post', '/v1/context'),
      get: get('/v1/memories/{id}'),
      update: send('patch', '/v1/memories/{id}'),
      delete: remove('/v1/memories/{id}'),
      /** The memory with those that it replaced, and those that replaced it. */
      history: list('/v1/memories/{id}/history'),
    },
    hives: {
      create: send('post', '/v1/hives'),
      list: list('/v1/hives'),
      get: get('/v1/hives/{id}'),
      update: send('patch', '/v1/hives/{id}'),
      /** With what is shared in it. */
      delete: remove('/v1/hives/{id}'),
      members: list('/v1/hives/{id}/agents'),
      join: send('post', '/v1/hives/{id}/agents'),
      leave: remove('/v1/hives/{id}/agents/{agentId}'),
      share: send('post', '/v1/hives/{id}/memories'),
      memories: list('/v1/hives/{id}/memories'),
    },
    tokens: {
      /** The secret is in this answer and nowhere else. */
      mint: send('post', '/v1/agent-constellations/{id}/tokens'),
      list: list('/v1/agent-constellations/{id}/tokens'),
      revoke: remove('/v1/agent-constellations/{id}/tokens/{tokenId}'),
    },
    keys: {
      /** The secret is in this answer and nowhere else. */
      create: send('post', '/v1/keys'),
      list: list('/v1/keys'),
      revoke: remove('/v1/keys/{id}'),
    },
    deadLetters: {
      list: list('/v1/push/dead-letters'),
      replay: act('/v1/push/dead-letters/{id}/replay'),
    },
    /** What the key is, and what it may do. */
    me: get('/v1/me'),
    usage: query('/v1/usage'),
    usageDays: query('/v1/usage/days'),
    usageAlerts: {
      get: get('/v1/usage/alerts'),
      /** What is left out stays as it is. */
      set: send('put', '/v1/usage/alerts'),
    },
    /** What all agents may use of models in a month. */
    modelBudget: {
      /** With `subject`, also of that. */
      get: query('/v1/usage/budget'),
      /** Replaces all of it. */
      set: send('put', '/v1/usage/budget'),
    },
    /** They are told what happens in the workspace; `verifyWebhook` checks what they receive. */
    webhooks: {
      /** The secret is in this answer and nowhere else. */
      create: send('post', '/v1/webhooks'),
      list: list('/v1/webhooks'),
      get: get('/v1/webhooks/{id}'),
      update: send('patch', '/v1/webhooks/{id}'),
      delete: remove('/v1/webhooks/{id}'),
      /** A new secret; for a day the one before signs, too. */
      rotate: act('/v1/webhooks/{id}/rotate'),
      /** Sends it one event, and tells what became of it. */
      test: act('/v1/webhooks/{id}/test'),
    },
    audit: list('/v1/audit'),
    /** The workspace, or one agent, as pieces of lines of JSON, which are complete if the last line is the record `end`. */
    export: async (
      asked: QueryOf<'/v1/export', 'get'> = {},
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<ReadableStream<Uint8Array>> => {
      const path = '/v1/export';
      const { body } = await transport.open({ method: 'GET', path, query: asked, ...(signal && { signal }) });
      if (body === null) throw new HivekeepError('the answer has no body');
      return body;
    },
    /** Takes in what was exported; repeated, it adds nothing. */
    import: async (
      lines: string | Blob,
      asked: QueryOf<'/v1/import', 'post'> = {},
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<Schema<'ImportReport'>> => {
      const request = { method: 'POST', path: '/v1/import', query: asked, lines, ...(signal && { signal }) };
      return (await transport.json<{ data: Schema<'ImportReport'> }>(request)).body.data;
    },
    /** What happens in the workspace, as it happens: what happens while the connection is cut is not told later. */
    events: (filter: QueryOf<'/v1/events', 'get'> = {}, { signal }: { signal?: AbortSignal } = {}) =>
      follow<Schema<'WorkspaceEvent'>>(
        transport,
        { method: 'GET', path: '/v1/events', query: filter },
        signal ? { signal } : {},
        () => false,
      ),
    /** Any other request, with the same retries: the whole body and the response. */
    request: <T = unknown>(request: Request): Promise<Answer<T>> => transport.json<T>(request),
  };
}
