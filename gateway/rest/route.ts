/**
 * REST routes as data: method, path, scope, schemas and the one service call that each makes. The server and the
 * OpenAPI document are both generated from the table of routes (routes.ts).
 */
import type { z } from 'zod';
import type { Change, Command, Filter, FilterOf, Procedure, Query } from '../../src/commands/command.js';
import type { Scope } from '../../src/domain/vocabulary.js';
import type { results } from '../../src/domain/model.js';
import type { Caller, Found, PageOf, PageRequest, Service } from '../../src/service.js';
import type { Method } from '../http/endpoint.js';
import type { Paging } from '../http/paging.js';
import type { SseFrame } from '../streams/port.js';

/** The parameter names of a path template: `/v1/agents/:id` has `id`. */
type ParamsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;

interface Call<P extends string> {
  caller: Caller;
  params: ParamsOf<P>;
  /** The versions of If-Match, on `conditional` routes. Undefined: unconditional. */
  onlyIf?: readonly string[];
}
interface FilteredCall<P extends string, F extends Filter> extends Call<P> {
  filter: FilterOf<F>;
}

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
interface Filtered<P extends string, F extends Filter> extends Described<P> {
  /** The query parameters. */
  filter?: F;
}

interface Read<P extends string, F extends Filter> extends Filtered<P, F> {
  handle(service: Service, call: FilteredCall<P, F>): Promise<object>;
}
interface List<P extends string, F extends Filter> extends Filtered<P, F> {
  /** Default: no features. */
  paging?: Paging;
  /** `ordered`: whether the client specified an order itself. */
  handle(
    service: Service,
    call: FilteredCall<P, F> & { page: PageRequest; ordered: boolean },
  ): Promise<PageOf<unknown>>;
}
interface Write<P extends string, B, T> extends Described<P> {
  /** Default POST. */
  method?: 'PUT' | 'PATCH';
  body: z.ZodType<B>;
  /** The body may have files. */
  takesFiles?: boolean;
  /** Whether a request without a body means `{}`. Default false. */
  bodyOptional?: boolean;
  /** Default 200. */
  status?: 200 | 201 | 202;
  /** Whether what is there was there before, so that nothing was made: 200 in place of 201. */
  wasThere?(made: T): boolean;
  /** The path of the created resource. */
  location?(made: T, params: ParamsOf<P>): string;
  /**
   * `decided` is called where the status of the response is certain before its body is there, so that it can be kept
   * alive while it is waited for (http/responder.ts).
   */
  handle(service: Service, call: Call<P> & { body: B; decided: () => void }): Promise<T>;
}
interface Ask<P extends string, B, T> extends Described<P> {
  body: z.ZodType<B>;
  handle(service: Service, call: Call<P> & { body: B }): Promise<T>;
}
interface Remove<P extends string, F extends Filter> extends Filtered<P, F> {
  /** The parameter that holds the id of the deleted resource. */
  removes: keyof ParamsOf<P> & string;
  /** The request ends a credential, so cached authentication results must be dropped. */
  revokes?: boolean;
  /** May return the ids of credentials that ended as a consequence. */
  handle(service: Service, call: FilteredCall<P, F>): Promise<void | readonly string[]>;
}
interface Stream<P extends string, F extends Filter, T> extends Filtered<P, F> {
  /** Supports Last-Event-ID. */
  resumable: boolean;
  /** `lastSeq` is from Last-Event-ID or ?lastEventId, 0 if absent. `gone` is aborted when the client leaves. */
  open(
    service: Service,
    call: Call<P> & { lastSeq: number; gone: AbortSignal },
  ): AsyncIterable<T> | Promise<AsyncIterable<T>>;
  frame(filter: FilterOf<F>): (event: T) => SseFrame | null;
}
interface Download<P extends string, F extends Filter> extends Filtered<P, F> {
  handle(service: Service, call: FilteredCall<P, F>): Promise<AsyncIterable<string>>;
}
interface Upload<P extends string, F extends Filter> extends Filtered<P, F> {
  handle(service: Service, call: FilteredCall<P, F> & { lines: AsyncIterable<Uint8Array> }): Promise<object>;
}

/** Routes as the server sees them: without type parameters, and with their defaults. */
type Erased<Kind extends string, M extends Method, R> = Omit<R, 'method'> & { kind: Kind; method: M; filter: Filter };
export type ReadRoute = Erased<'read', 'GET', Read<string, Filter>>;
export type ListRoute = Erased<'list', 'GET', List<string, Filter>> & { paging: Paging };
export type WriteRoute = Erased<'write', 'POST' | 'PUT' | 'PATCH', Write<string, unknown, object>> & {
  status: 200 | 201 | 202;
};
/** A query too large for a query string: a POST without effect that returns one object, or a plain list. */
export type AskRoute = Erased<'ask', 'POST', Ask<string, unknown, object>> & { many: boolean };
export type RemoveRoute = Erased<'remove', 'DELETE', Remove<string, Filter>>;
export type StreamRoute = Erased<'stream', 'GET', Stream<string, Filter, unknown>>;
/** Answers with lines of JSON, as long as there are any. */
export type DownloadRoute = Erased<'download', 'GET', Download<string, Filter>>;
/** Takes lines of JSON, which are read as they come. */
export type UploadRoute = Erased<'upload', 'POST', Upload<string, Filter>>;
export type Route =
  ReadRoute | ListRoute | WriteRoute | AskRoute | RemoveRoute | StreamRoute | DownloadRoute | UploadRoute;

/** Whether it takes effect once for each Idempotency-Key. */
export const isRepeatable = ({ kind, method }: Route): boolean => kind === 'write' && method === 'POST';

/** What the row of a command says besides it: how the answer is written in HTTP. */
type HttpOf<R> = Partial<Omit<R, keyof Served | 'handle' | 'open'>>;
type Served = Pick<
  Write<string, unknown, unknown>,
  'operationId' | 'path' | 'scope' | 'summary' | 'result' | 'body'
> & {
  audited: boolean;
  filter: Filter;
};

const served = ({ name, scope, summary, result, audited }: Command) => ({
  operationId: name,
  scope,
  summary,
  result,
  audited,
});

/** A row of a command that makes something, or starts it. */
export const post = <const P extends string, I, A extends object>(
  path: P,
  command: Acting<P, I, A>,
  more: Omit<HttpOf<Write<P, I, A>>, 'method'> = {},
): Route => changing('POST', path, command, more);

/** A row of a command that replaces what is there. */
export const put = <const P extends string, I, A extends object>(
  path: P,
  command: Acting<P, I, A>,
  more: Omit<HttpOf<Write<P, I, A>>, 'method'> = {},
): Route => changing('PUT', path, command, more);

/** A row of a command that changes what is there. */
export const patch = <const P extends string, I, A extends object>(
  path: P,
  command: Acting<P, I, A>,
  more: Omit<HttpOf<Write<P, I, A>>, 'method'> = {},
): Route => changing('PATCH', path, command, more);

type Acting<P extends string, I, A> = Change<ParamsOf<P>, I, A> | Procedure<ParamsOf<P>, I, A>;

const changing = <P extends string, I, A>(
  method: 'POST' | 'PUT' | 'PATCH',
  path: P,
  command: Acting<P, I, A>,
  more: object,
): Route =>
  as(
    {
      ...served(command),
      path,
      body: command.input,
      handle: (service: Service, { caller, params, body, onlyIf }: Call<P> & { body: NoInfer<I> }) =>
        service.execute(onlyIf ? { ...caller, onlyIf } : caller, command, params, body),
    },
    more,
    { kind: 'write', method, status: 200 },
  );

/** A row of a query of one thing. */
export const get = <const P extends string, I, A extends object>(
  path: P,
  command: Query<ParamsOf<P>, I, A>,
  more: HttpOf<Read<P, Filter>> = {},
): Route =>
  as(
    {
      ...served(command),
      path,
      filter: command.filter,
      handle: (service: Service, { caller, params, filter }: FilteredCall<P, Filter>) =>
        service.execute(caller, command, params, filter as NoInfer<I>),
    },
    more,
    { kind: 'read', method: 'GET' },
  );

/** A row of a query of a list, by pages. */
export const page = <const P extends string, I, T>(
  path: P,
  command: Query<ParamsOf<P>, I & { page: PageRequest }, PageOf<T>>,
  paging: Paging = {},
): Route =>
  as(
    {
      ...served(command),
      path,
      filter: command.filter,
      handle: (
        service: Service,
        { caller, params, filter, page, ordered }: FilteredCall<P, Filter> & { page: PageRequest; ordered: boolean },
      ) => service.execute(caller, command, params, { ...filter, page: { ...page, ordered } } as never),
    },
    { paging },
    { kind: 'list', method: 'GET' },
  );

/** A row of a command that removes what its parameter `removes` names. */
export const remove = <const P extends string, I>(
  path: P,
  command: Acting<P, I, unknown>,
  more: Pick<Remove<P, Filter>, 'removes'> & HttpOf<Remove<P, Filter>>,
): Route =>
  as(
    {
      ...served(command),
      path,
      filter: command.kind === 'procedure' ? command.filter : {},
      handle: (service: Service, { caller, params, filter, onlyIf }: FilteredCall<P, Filter>) =>
        service.execute(onlyIf ? { ...caller, onlyIf } : caller, command, params, filter as NoInfer<I>),
    },
    more,
    { kind: 'remove', method: 'DELETE', result: 'Deleted' },
  );

type None = Record<never, never>;
const as = (spec: object, more: object, defaults: object = {}): Route =>
  ({ filter: {}, ...defaults, ...spec, ...more }) as unknown as Route;

export const read = <const P extends string, F extends Filter = None>(spec: Read<P, F>): Route =>
  as(spec, { kind: 'read', method: 'GET' });
export const list = <const P extends string, F extends Filter = None>(spec: List<P, F>): Route =>
  as(spec, { kind: 'list', method: 'GET' }, { paging: {} });
export const write = <const P extends string, B, T extends object>(spec: Write<P, B, T>): Route =>
  as(spec, { kind: 'write' }, { method: 'POST', status: 200 });
export const ask = <const P extends string, B>(spec: Ask<P, B, object>): Route =>
  as(spec, { kind: 'ask', method: 'POST', many: false });
export const search = <const P extends string, B>(spec: Ask<P, B, Found<object>>): Route =>
  as(spec, { kind: 'ask', method: 'POST', many: true });
export const removal = <const P extends string, F extends Filter = None>(spec: Omit<Remove<P, F>, 'result'>): Route =>
  as(spec, { kind: 'remove', method: 'DELETE', result: 'Deleted' });
export const stream = <const P extends string, T, F extends Filter = None>(spec: Stream<P, F, T>): Route =>
  as(spec, { kind: 'stream', method: 'GET' });
export const download = <const P extends string, F extends Filter = None>(spec: Download<P, F>): Route =>
  as(spec, { kind: 'download', method: 'GET' });
export const upload = <const P extends string, F extends Filter = None>(spec: Upload<P, F>): Route =>
  as(spec, { kind: 'upload', method: 'POST' });
