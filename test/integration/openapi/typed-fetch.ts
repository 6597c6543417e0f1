/**
 * Requests by path with the types of the document, refusals included: what tests of the contract need below the client.
 */
import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../../packages/client/src/types.js';

export type TypedFetch = Client<paths>;

export const typedFetch = (baseUrl: string, key: string, fetch: (request: Request) => Promise<Response>): TypedFetch =>
  createFetchClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` }, fetch });
