/** Requests to the REST API with the key of the session, and what they tell about the connection and the limits. */
import type { components } from '../../../client/src/types.js';
import { ApiError, Unreachable } from './errors.js';
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

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

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

/** The `data` of the response. Rejects with ApiError or Unreachable. */
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

/** The path with the query; parameters that are empty are left out. */
export function urlOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The response, whatever its status; rejects with Unreachable. */
export async function reach(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { query, body, headers, signal, key = session.get().key } = options;
  try {
    const response = await fetch(base + urlOf(path, query), {
      method,
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      cache: 'no-store',
    });
    connection.set('answers');
    noteLimits(response);
    return response;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    connection.set('lost');
    throw new Unreachable({ cause });
  }
}

async function send(method: string, path: string, options: RequestOptions): Promise<unknown> {
  const response = await reach(method, path, options);
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    if (response.ok) throw new Unreachable({ cause });
  }
  if (response.ok) return body;
  const error = new ApiError(response.status, body, response.headers.get('retry-after'));
  if (response.status === 401 && options.key === undefined) refused();
  throw error;
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
