/**
 * The typed client, `import { createClient } from 'hivekeep/client'`: every operation of the API with the types of its
 * parameters, bodies and responses. It is openapi-fetch with the credential set, and runs wherever fetch does.
 *
 *   const hivekeep = createClient({ baseUrl: 'http://127.0.0.1:8420', key: 'svc_live_...' });
 *   const { data, error } = await hivekeep.POST('/v1/agents/spawn', { body: { name: 'Ada' } });
 *
 * A refused request resolves with `error` (the envelope `{error: {code, message, ...}}`) instead of `data`; only
 * network failures reject. For event streams pass `parseAs: 'stream'`, and `data` is the body.
 */
import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import type { components, paths } from './types.js';

export interface ClientOptions {
  /** The URL of the service: `https://host[:port]`, with a path if a proxy adds one. */
  baseUrl: string;
  /** An API key (`svc_...`), sent as the bearer token of every request. */
  key: string;
  /** Replaces the platform's fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

export type Client = FetchClient<paths>;

/** The named input and result types of the API: `Schema<'Agent'>`, `Schema<'SpawnInput'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export function createClient({ baseUrl, key, fetch }: ClientOptions): Client {
  return createFetchClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` }, ...(fetch && { fetch }) });
}
