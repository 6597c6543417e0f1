/** Requests to the REST API with the key of the session, and what they tell about the connection and the limits. */
import { createTransport, type Query, type Request, type Transport } from '../../../client/src/transport.js';
import type { components } from '../../../client/src/types.js';
import { ApiError } from './errors.js';
import { base } from './router.js';
import { forget, session } from './session.js';
import { createStore } from './store.js';

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
export type Agent = Schema<'Agent'>;
export type Memory = Schema<'Memory'>;
export type FoundMemory = Schema<'FoundMemory'>;
export type Run = Schema<'Run'>;
/** Text that a model is writing; it is not part of the journal. */
export type RunDelta = Extract<Schema<'RunEvent'>, { type: 'delta' }>;
export type RunEvent = Exclude<Schema<'RunEvent'>, RunDelta>;
export type Checkpoint = Schema<'Checkpoint'>;
export type MailboxMessage = Schema<'MailboxMessage'>;
export type MessageReply = Schema<'MessageReply'>;
export type AgentToken = Schema<'AgentToken'>;
export type ApiKey = Schema<'ApiKey'>;
export type AuditRecord = Schema<'AuditRecord'>;
export type Hive = Schema<'Hive'>;
export type Usage = Schema<'Usage'>;
export type UsageAlerts = Schema<'UsageAlerts'>;
export type DeadLetter = Schema<'DeadLetter'>;
export type WorkspaceEvent = Schema<'WorkspaceEvent'>;

export interface Page<T> {
  data: T[];
  pagination: { next_cursor: string | null; has_more: boolean; total_count: number };
}

export type { Query };

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Instead of the session's. */
  key?: string;
}

/** Whether the service answered the last request. */
export const connection = createStore<'answers' | 'lost'>('answers');
/** As the headers of the last response say. */
export const rateLimit = createStore<{ limit: number; remaining: number } | null>(null);

/** The `data` of the response. Rejects with ApiError or ConnectionError. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  return ((await send(method, path, options)) as { data: T }).data;
}

/** Cancels a run, which is a task of A2A. Rejects, too, if it has ended. */
export async function cancelTask(agent: string, run: string): Promise<void> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/cancel', params: { id: run } };
  const { error } = (await send('POST', path`/api/v1/a2a/agents/${agent}`, { body })) as { error?: Error };
  if (error) throw new Error(error.message);
}

/** A page of a list. */
export async function requestPage<T>(path: string, query: Query, signal?: AbortSignal): Promise<Page<T>> {
  return (await send('GET', path, { query, signal })) as Page<T>;
}

/** The response, whose body is still to be read. Rejects with ApiError or ConnectionError. */
export const reach = (method: string, path: string, options: RequestOptions = {}): Promise<Response> =>
  asked(options, (transport) => transport.open(requestOf(method, path, options)));

const send = async (method: string, path: string, options: RequestOptions): Promise<unknown> =>
  asked(options, async (transport) => (await transport.json(requestOf(method, path, options))).body);

/** Asks with the session's key unless another is given. Pages ask again by themselves. */
async function asked<T>(options: RequestOptions, ask: (transport: Transport) => Promise<T>): Promise<T> {
  const { key = session.get().key } = options;
  const transport = createTransport({
    baseUrl: location.origin + base,
    key: key ?? '',
    retries: 0,
    timeoutMs: 0,
    fetch: noting,
  });
  try {
    return await ask(transport);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && options.key === undefined) refused();
    throw error;
  }
}

/** Parameters that are empty are left out. */
const requestOf = (method: string, path: string, { query, body, headers, signal }: RequestOptions): Request => ({
  method,
  path,
  ...(query && { query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')) }),
  ...(body !== undefined && { body }),
  ...(headers && { headers }),
  ...(signal && { signal }),
});

/** `fetch` that notes what every response tells. */
async function noting(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, { ...init, cache: 'no-store' });
    connection.set('answers');
    noteLimits(response);
    return response;
  } catch (cause) {
    if (init?.signal?.aborted !== true) connection.set('lost');
    throw cause;
  }
}

/** The key has been revoked or has expired meanwhile. */
export function refused(): void {
  if (session.get().key !== null)
    forget('The service has refused your key: it was revoked, or it has expired. Sign in with another.');
}

function noteLimits(response: Response): void {
  const limit = Number(response.headers.get('x-ratelimit-limit'));
  const remaining = Number(response.headers.get('x-ratelimit-remaining'));
  if (limit > 0) rateLimit.set({ limit, remaining });
}

/** A path with its segments encoded: path`/v1/agents/${id}`. */
export const path = (parts: TemplateStringsArray, ...ids: readonly string[]): string =>
  String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
