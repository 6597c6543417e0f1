/**
 * REST routes as data: method, path, scope, schemas and the one service call that each makes. The server and the
 * OpenAPI document are both generated from the table of routes (routes.ts).
 */
import type { z } from 'zod';
import { setImmediate } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import type { Change, Command, Filter, FilterOf, Procedure, Query } from '../../src/commands/command.js';
import type { Scope } from '../../src/domain/shared/vocabulary.js';
import type { results } from '../../src/domain/model/model.js';
import type { Caller, FoundItems, PageOf, PageRequest, Service } from '../../src/service.js';
import type { Endpoint, GatewayRequest, Method } from '../http/prototypes.js';
import { type Cursors, type Paging, bindingOf, collection, pagingNames, readPage } from '../http/paging.js';
import type { SseFrame, Streams } from '../streams/port.js';
import { invalid, notFound } from '../../src/domain/shared/errors.js';
import { isSegment } from '../../src/domain/shared/ids.js';
import { limits, reference, text } from '../../src/domain/shared/input-fields.js';
import type { CredentialWatch } from '../auth/credential-watch.js';
import { requireScope, withOrigin } from '../auth/bearer.js';
import { type BodyBudget, readBody } from '../http/body.js';
import { namedVersions, tagging } from '../http/etag.js';
import { requestKeyOf } from '../http/idempotency.js';
import { isLong, parseObject, parseObjectInTurns, requireJson, validate } from '../http/json.js';
import { parseOwnQuery, parseQueryString, readFilter, readQuery } from '../http/query.js';
import { type Responder, jsonType } from '../http/responder.js';
import { endingWith } from '../streams/while-valid.js';
import { linesOf, linesType, requireLines, sendLines } from '../http/lines.js';
import type { UploadBounds } from '../options.js';

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
  /** The caller includes the client's address and the id of the request, for the audit log. */
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
interface Write<P extends string, B, T> extends Filtered<P, Filter> {
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
  handle(service: Service, call: FilteredCall<P, Filter> & { body: B; decided: () => void }): Promise<T>;
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
export const takesKey = ({ kind, method }: Route): boolean => kind === 'write' && method === 'POST';

/** What the row of a command says besides it: how the answer is written in HTTP. */
type HttpOf<R> = Partial<Omit<R, keyof Served | 'handle' | 'open'>>;
type Served = Pick<
  Write<string, unknown, unknown>,
  'operationId' | 'path' | 'scope' | 'summary' | 'result' | 'body'
> & {
  audited: boolean;
  filter: Filter;
};

const served = ({ name, scope, summary, result, audit }: Command) => ({
  operationId: name,
  scope,
  summary,
  result,
  audited: audit !== null,
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

const hasFields = (filter: object): boolean => Object.keys(filter).length > 0;

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
      filter: command.filter,
      handle: (
        service: Service,
        { caller, params, filter, body, onlyIf }: FilteredCall<P, Filter> & { body: NoInfer<I> },
      ) =>
        service.execute(
          onlyIf ? { ...caller, onlyIf } : caller,
          command,
          params,
          hasFields(filter) ? { ...body, ...filter } : body,
        ),
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
      filter: command.filter,
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
export const search = <const P extends string, B>(spec: Ask<P, B, FoundItems<object>>): Route =>
  as(spec, { kind: 'ask', method: 'POST', many: true });
export const removal = <const P extends string, F extends Filter = None>(spec: Omit<Remove<P, F>, 'result'>): Route =>
  as(spec, { kind: 'remove', method: 'DELETE', result: 'Deleted' });
export const stream = <const P extends string, T, F extends Filter = None>(spec: Stream<P, F, T>): Route =>
  as(spec, { kind: 'stream', method: 'GET' });
export const download = <const P extends string, F extends Filter = None>(spec: Download<P, F>): Route =>
  as(spec, { kind: 'download', method: 'GET' });
export const upload = <const P extends string, F extends Filter = None>(spec: Upload<P, F>): Route =>
  as(spec, { kind: 'upload', method: 'POST' });

/*
 * Turns a route into a request handler: checks scope, path, query and body in this order, makes the route's service
 * call, and writes the result in the envelope of docs/api.md 2.11.
 */

export interface RouteDeps {
  service: Service;
  responder: Responder;
  cursors: Cursors;
  streams: Streams;
  /**
   * Called when a key or token was revoked, or an agent was deleted with its tokens: cached authentication results are
   * dropped and their streams end.
   */
  ended: (id: string) => void;
  /** Ends downloads with their credential. */
  watch: CredentialWatch;
  /** The client's address. */
  addressOf: (req: GatewayRequest) => string;
  bodyLimit: number;
  /** The same for routes that take files. */
  messageLimit: number;
  bodies: BodyBudget;
  /** Bounds on bodies of JSON lines. */
  uploads: UploadBounds;
  /** Prefix of Location headers; may be empty. */
  publicUrl: string;
}

type Params = Record<string, string>;
type Serve = (req: GatewayRequest, res: ServerResponse, caller: Caller, params: Params) => Promise<void>;
export function serveRoute(route: Route, deps: RouteDeps): Endpoint['serve'] {
  const { responder, addressOf } = deps;
  const serve = serverOf(route, route.tagged ? { ...deps, responder: tagging(responder) } : deps);
  return (req, res) => {
    const asker = requireScope(req.exchange?.principal ?? null, route.scope);
    const caller = route.audited ? withOrigin(asker, req, addressOf) : asker;
    return serve(req, res, caller, checkedParams(req.params));
  };
}

function serverOf(route: Route, deps: RouteDeps): Serve {
  switch (route.kind) {
    case 'read':
      return serveRead(route, deps);
    case 'write':
      return serveWrite(route, deps);
    case 'ask':
      return serveAsk(route, deps);
    case 'list':
      return serveList(route, deps);
    case 'remove':
      return serveRemove(route, deps);
    case 'stream':
      return serveStream(route, deps);
    case 'download':
      return serveDownload(route, deps);
    case 'upload':
      return serveUpload(route, deps);
  }
}

const madeHere = /^[A-Za-z0-9_-]{1,128}$/;
/** Names of the server of a tool and of the tool there, which the server chooses. */
const toolName = text(limits.name).refine(isSegment);
/** By parameter, what is not named by the service. */
const chosen: Readonly<Record<string, z.ZodType>> = {
  sessionId: reference,
  subject: reference,
  scheduleName: reference,
  toolName,
};
const isWellFormed = (name: string, value: string): boolean =>
  chosen[name]?.safeParse(value).success ?? madeHere.test(value);

/** Throws NOT_FOUND for malformed ids, as for ids that do not exist, so that no unexpected text reaches a store. */
function checkedParams(params: Params): Params {
  for (const name in params) {
    const value = params[name] ?? '';
    if (!isWellFormed(name, value))
      throw notFound('such thing:', value.toWellFormed().replaceAll('\0', '').slice(0, 128));
  }
  return params;
}

const versionsFor = (route: Route, req: GatewayRequest): readonly string[] | undefined =>
  route.conditional ? namedVersions(req.headers['if-match']) : undefined;

const filterOf = ({ filter }: Route, req: GatewayRequest): Record<string, unknown> => readQuery(req.url ?? '', filter);

function serveWrite(route: WriteRoute, deps: RouteDeps): Serve {
  const { service, responder, bodies, publicUrl } = deps;
  const limit = route.takesFiles ? deps.messageLimit : deps.bodyLimit;
  const isNamed = Object.keys(route.filter).length > 0;
  return async (req, res, asker, params) => {
    requireJson(req.headers);
    const bytes = await readBody(req, res, limit, bodies);
    const given =
      bytes.length === 0 && route.bodyOptional
        ? {}
        : isLong(bytes)
          ? await parseObjectInTurns(bytes)
          : parseObject(bytes);
    const body = validate(route.body, given);
    if (isLong(bytes)) await setImmediate(); // what was validated is worked on in a turn of its own
    const idempotencyKey = takesKey(route) ? requestKeyOf(req, asker, pathOf(req), given) : null;
    const caller = idempotencyKey ? { ...asker, idempotencyKey } : asker;
    const replayed = (): Record<string, string> => (idempotencyKey?.replayed ? { 'Idempotent-Replayed': 'true' } : {});
    const decided = (): void => responder.keepAlive(req, res, route.status, jsonType, replayed());
    const filter = isNamed ? filterOf(route, req) : {};
    const made = await route.handle(service, {
      caller,
      params,
      filter,
      body,
      onlyIf: versionsFor(route, req),
      decided,
    });
    const headers = replayed();
    if (route.location) headers['Location'] = publicUrl + route.location(made, params);
    const status = route.wasThere?.(made) === true ? 200 : route.status;
    responder.json(req, res, status, { data: made }, headers);
  };
}

const pathOf = (req: GatewayRequest): string => (req.url ?? '').split('?', 1)[0] ?? '';

function serveAsk(route: AskRoute, { service, responder, bodies, bodyLimit }: RouteDeps): Serve {
  return async (req, res, caller, params) => {
    if (req.exchange) req.exchange.changesNothing = true;
    requireJson(req.headers);
    const body = validate(route.body, parseObject(await readBody(req, res, bodyLimit, bodies)));
    const data = await route.handle(service, { caller, params, body });
    responder.json(req, res, 200, route.many ? allOf(data as FoundItems<object>) : { data });
  };
}

const allOf = (items: FoundItems<object>): object => ({
  data: items,
  pagination: { next_cursor: null, has_more: false, total_count: items.length },
  ...(items.partial && { partial: true }),
  ...(items.words_only && { words_only: true }),
});

function serveRead(route: ReadRoute, { service, responder }: RouteDeps): Serve {
  return async (req, res, caller, params) => {
    const filter = filterOf(route, req);
    responder.json(req, res, 200, { data: await route.handle(service, { caller, params, filter }) });
  };
}

function serveDownload(route: DownloadRoute, { service, responder, watch }: RouteDeps): Serve {
  return async (req, res, caller, params) => {
    const lines = await route.handle(service, { caller, params, filter: filterOf(route, req) });
    if (req.method === 'HEAD') {
      await lines[Symbol.asyncIterator]().return?.();
      responder.text(req, res, 200, linesType, '');
    } else await sendLines(req, res, endingWith(req, lines, watch), responder);
  };
}

function serveUpload(route: UploadRoute, { service, responder, uploads }: RouteDeps): Serve {
  return async (req, res, caller, params) => {
    const filter = filterOf(route, req);
    requireLines(req.headers);
    const made = await route.handle(service, { caller, params, filter, lines: linesOf(req, res, uploads) });
    responder.json(req, res, 200, { data: made });
  };
}

function serveList(route: ListRoute, { service, responder, cursors }: RouteDeps): Serve {
  const { paging } = route;
  const known = new Set([...pagingNames, ...Object.keys(route.filter)]);
  return async (req, res, caller, params) => {
    const query = parseOwnQuery(req.url ?? '', known);
    const filter = readFilter(query, route.filter);
    const page = readPage(query, paging);
    const ordered = query.has('order');
    const ownOrder = paging.ownOrder === true && !ordered;
    const binding = bindingOf(caller.workspace, route.path, params, filter, page, ownOrder);
    const cursor = query.get('cursor');
    const after = cursor === undefined ? {} : { after: cursors.read(cursor, binding) };
    const found = await route.handle(service, { caller, params, filter, page: { ...page, ...after }, ordered });
    responder.json(req, res, 200, collection(found, cursors, binding));
  };
}

function serveRemove(route: RemoveRoute, { service, responder, ended }: RouteDeps): Serve {
  return async (req, res, caller, params) => {
    const filter = filterOf(route, req);
    const more = await route.handle(service, { caller, params, filter, onlyIf: versionsFor(route, req) });
    const id = params[route.removes] ?? '';
    if (route.revokes) for (const each of [id, ...(more ?? [])]) ended(each);
    responder.json(req, res, 200, { data: { id, deleted: true } });
  };
}

function serveStream(route: StreamRoute, { service, streams }: RouteDeps): Serve {
  return async (req, res, caller, params) => {
    const lastSeq = route.resumable ? lastSeqOf(req) : 0;
    const frameOf = route.frame(route.resumable ? {} : filterOf(route, req));
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const events = await route.open(service, { caller, params, lastSeq, gone: gone.signal });
    await streams.frames(req, res, events, frameOf);
  };
}

/**
 * The event after which a reconnecting reader resumes: the Last-Event-ID header, which browsers send, or the query
 * parameter of the same meaning.
 */
function lastSeqOf(req: GatewayRequest): number {
  const header = req.headers['last-event-id'];
  const inQuery = seqOf(parseQueryString(req.url ?? '', lastEventNames).get('lastEventId'), 'lastEventId');
  return typeof header === 'string' && header !== '' ? seqOf(header, 'Last-Event-ID') : inQuery;
}

function seqOf(given: string | undefined, path: string): number {
  if (given === undefined || given === '') return 0;
  if (!/^\d{1,15}$/.test(given)) throw invalid({ path, message: 'must be the id of an event of this run' });
  return Number(given);
}

const lastEventNames = new Set(['lastEventId']);
