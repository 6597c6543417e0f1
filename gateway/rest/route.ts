/**
 * REST routes as data: method, path, scope, schemas and the one service call that each makes. The server and the
 * OpenAPI document are both generated from the table of routes (routes.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Scope } from '../../src/domain/vocabulary.js';
import type { results } from '../../src/domain/model.js';
import type { Caller, PageOf, PageRequest, Service } from '../../src/service.js';
import type { Paging } from '../http/paging.js';
import type { Streams } from '../streams/port.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parameter names of a path template: `/v1/agents/:id` has `id`. */
export type ParamsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;

/** The query parameters, each read from a text. */
type Filter = Readonly<Record<string, z.ZodType>>;
type FilterOf<F extends Filter> = { [K in keyof F]?: z.infer<F[K]> };

/** Properties common to all routes. */
interface Described<P extends string> {
  /** The name of the operation in generated clients: a verb and its object. */
  operationId: string;
  path: P;
  /** Null: any API key may. */
  scope: Scope | null;
  /** One sentence, for the documentation. */
  summary: string;
  /** The schema of the result, or of one item of a list or stream. */
  result: keyof typeof results;
  /**
   * Responses have an ETag, so reads support If-None-Match; the result's `updated_at` is its version (http/etag.ts).
   */
  tagged?: boolean;
  /** Supports If-Match: the resource must be at one of the versions that it names. */
  conditional?: boolean;
  /** The caller includes the client's address, for the audit log. */
  audited?: boolean;
}

interface Call<P extends string> {
  caller: Caller;
  params: ParamsOf<P>;
  /** The versions of If-Match, on `conditional` routes. Undefined: unconditional. */
  onlyIf?: readonly string[];
}
interface ReadCall<P extends string, F extends Filter> extends Call<P> {
  filter: FilterOf<F>;
}
interface BodyCall<P extends string, B> extends Call<P> {
  body: B;
}
interface ListCall<P extends string, F extends Filter> extends Call<P> {
  filter: FilterOf<F>;
  page: PageRequest;
  /** Whether the client specified an order itself. */
  ordered: boolean;
}
interface UploadCall<P extends string, F extends Filter> extends ReadCall<P, F> {
  lines: AsyncIterable<Uint8Array>;
}
export interface StreamCall<P extends string> extends Call<P> {
  /** From Last-Event-ID or ?lastEventId; 0 if absent. */
  lastSeq: number;
  streams: Streams;
  req: IncomingMessage;
  res: ServerResponse;
}

/** Routes as the server sees them, without type parameters. */
export interface ReadRoute extends Described<string> {
  kind: 'read';
  method: 'GET';
  filter: Filter;
  handle(service: Service, call: ReadCall<string, Filter>): Promise<object>;
}
export interface WriteRoute extends Described<string> {
  kind: 'write';
  method: 'POST' | 'PUT' | 'PATCH';
  status: 200 | 201 | 202;
  body: z.ZodType;
  /** The body may have files. */
  takesFiles?: boolean;
  /** Whether a request without a body means `{}`. */
  bodyOptional: boolean;
  /** It only asks, and changes nothing. */
  asks: boolean;
  /** The response is a plain list (search) instead of one object. */
  list: boolean;
  /** Whether what is there was there before, so that nothing was made: 200 in place of 201. */
  wasThere?(made: unknown): boolean;
  /** The path of the created resource. */
  location?(made: unknown, params: Record<string, string>): string;
  handle(service: Service, call: BodyCall<string, unknown>): Promise<object>;
}
export interface ListRoute extends Described<string> {
  kind: 'list';
  method: 'GET';
  paging: Paging;
  filter: Filter;
  handle(service: Service, call: ListCall<string, Filter>): Promise<PageOf<unknown>>;
}
export interface RemoveRoute extends Described<string> {
  kind: 'remove';
  method: 'DELETE';
  /** The parameter that holds the id of the deleted resource. */
  removes: string;
  /** The request ends a credential, so cached authentication results must be dropped. */
  revokes: boolean;
  filter: Filter;
  /** May return the ids of credentials that ended as a consequence. */
  handle(service: Service, call: ReadCall<string, Filter>): Promise<void | readonly string[]>;
}
export interface StreamRoute extends Described<string> {
  kind: 'stream';
  method: 'GET';
  /** Supports Last-Event-ID. */
  resumable: boolean;
  /** The query parameters, for documentation only: the code that opens the stream parses and validates them. */
  query: Filter;
  /** Fails as `handle` would before its first byte; used for HEAD. */
  check(service: Service, call: Call<string>): Promise<unknown>;
  handle(service: Service, call: StreamCall<string>): Promise<void>;
}
/** Answers with lines of JSON, as long as there are any. */
export interface DownloadRoute extends Described<string> {
  kind: 'download';
  method: 'GET';
  filter: Filter;
  handle(service: Service, call: ReadCall<string, Filter>): Promise<AsyncIterable<string>>;
}
/** Takes lines of JSON, which are read as they come. */
export interface UploadRoute extends Described<string> {
  kind: 'upload';
  method: 'POST';
  filter: Filter;
  handle(service: Service, call: UploadCall<string, Filter>): Promise<object>;
}
export type Route = ReadRoute | WriteRoute | ListRoute | RemoveRoute | StreamRoute | DownloadRoute | UploadRoute;

type Spec<P extends string, R> = Described<P> & R;

export const read = <const P extends string, F extends Filter = Record<never, never>>(
  spec: Spec<
    P,
    {
      filter?: F;
      handle(service: Service, call: ReadCall<P, F>): Promise<object>;
    }
  >,
): Route => ({ filter: {}, ...spec, kind: 'read', method: 'GET' }) as unknown as Route;

export const write = <const P extends string, B, T extends object>(
  spec: Spec<
    P,
    {
      method: 'POST' | 'PUT' | 'PATCH';
      body: z.ZodType<B>;
      takesFiles?: boolean;
      /** Whether a request without a body means `{}`. Default false. */
      bodyOptional?: boolean;
      /** Default 200. */
      status?: 200 | 201 | 202;
      wasThere?(made: T): boolean;
      location?(made: T, params: ParamsOf<P>): string;
      handle(service: Service, call: BodyCall<P, B>): Promise<T>;
    }
  >,
): Route =>
  ({ status: 200, bodyOptional: false, ...spec, kind: 'write', asks: false, list: false }) as unknown as Route;

type Question<P extends string, B, T> = Spec<
  P,
  { body: z.ZodType<B>; handle(service: Service, call: BodyCall<P, B>): Promise<T> }
>;

/** A query too large for a query string: a POST without effect that returns one object. */
export const ask = <const P extends string, B>(spec: Question<P, B, object>): Route =>
  ({
    ...spec,
    kind: 'write',
    method: 'POST',
    status: 200,
    bodyOptional: false,
    asks: true,
    list: false,
  }) as unknown as Route;

/** The same for a list. */
export const search = <const P extends string, B>(spec: Question<P, B, readonly object[]>): Route =>
  ({ ...ask(spec), list: true }) as unknown as Route;

export const list = <const P extends string, F extends Filter = Record<never, never>>(
  spec: Spec<
    P,
    {
      paging: Paging;
      filter?: F;
      handle(service: Service, call: ListCall<P, F>): Promise<PageOf<unknown>>;
    }
  >,
): Route => ({ filter: {}, ...spec, kind: 'list', method: 'GET' }) as unknown as Route;

export const remove = <const P extends string, F extends Filter = Record<never, never>>(
  spec: Omit<
    Spec<
      P,
      {
        removes: keyof ParamsOf<P>;
        revokes?: boolean;
        filter?: F;
        handle(service: Service, call: ReadCall<P, F>): Promise<void | readonly string[]>;
      }
    >,
    'result'
  >,
): Route =>
  ({ revokes: false, filter: {}, result: 'Deleted', ...spec, kind: 'remove', method: 'DELETE' }) as unknown as Route;

export const stream = <const P extends string>(
  spec: Spec<
    P,
    {
      resumable: boolean;
      query?: Filter;
      check(service: Service, call: Call<P>): Promise<unknown>;
      handle(service: Service, call: StreamCall<P>): Promise<void>;
    }
  >,
): Route => ({ query: {}, ...spec, kind: 'stream', method: 'GET' }) as unknown as Route;

export const download = <const P extends string, F extends Filter = Record<never, never>>(
  spec: Spec<P, { filter: F; handle(service: Service, call: ReadCall<P, F>): Promise<AsyncIterable<string>> }>,
): Route => ({ ...spec, kind: 'download', method: 'GET' }) as unknown as Route;

export const upload = <const P extends string, F extends Filter = Record<never, never>>(
  spec: Spec<P, { filter: F; handle(service: Service, call: UploadCall<P, F>): Promise<object> }>,
): Route => ({ ...spec, kind: 'upload', method: 'POST' }) as unknown as Route;
