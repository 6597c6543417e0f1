/**
 * The typed client, `import { createClient } from 'hivekeep/client'`: every operation of the API, with the types of its
 * parameters, bodies and answers. It is openapi-fetch with the credential in place; it runs wherever fetch does.
 *
 *   const hivekeep = createClient({ baseUrl: 'http://127.0.0.1:8420', key: 'svc_live_...' });
 *   const { data, error } = await hivekeep.POST('/v1/agents/spawn', { body: { name: 'Ada' } });
 *
 * A refusal resolves with `error` (the envelope `{error: {code, message, ...}}`) in place of `data`; what rejects is the network.
 * Event streams: pass `parseAs: 'stream'`, and `data` is their body.
 */
import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import type { components, paths } from './types.js';

export interface ClientOptions {
  /** Where the service is: `https://host[:port]`, with a path where a proxy has one. */
  baseUrl: string;
  /** An API key (`svc_...`), sent as the bearer of every request. */
  key: string;
  /** In place of the platform's own. */
  fetch?: (request: Request) => Promise<Response>;
}

export type Client = FetchClient<paths>;

/** What the API takes and gives, by name: `Schema<'Agent'>`, `Schema<'SpawnInput'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export function createClient({ baseUrl, key, fetch }: ClientOptions): Client {
  return createFetchClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` }, ...(fetch && { fetch }) });
}
