/**
 * Turns a route into a request handler: checks scope, path, query and body in this order, makes the route's service
 * call, and writes the result in the envelope of docs/api.md 2.11.
 */
import { setImmediate } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { invalid, notFound } from '../../src/domain/errors.js';
import { isSegment } from '../../src/domain/ids.js';
import { limits, reference, text } from '../../src/domain/input-fields.js';
import type { Caller, Found, Service } from '../../src/service.js';
import type { CredentialWatch } from '../auth/credential-watch.js';
import { requireScope } from '../auth/scopes.js';
import { readBody } from '../http/body.js';
import type { BodyBudget } from '../http/body-budget.js';
import type { Endpoint } from '../http/endpoint.js';
import type { Cursors } from '../http/cursor.js';
import { namedVersions, tagging } from '../http/etag.js';
import { idempotencyKeyOf } from '../http/idempotency.js';
import { isLong, parseObject, parseObjectInTurns, requireJson, validate } from '../http/json.js';
import { bindingOf, collection, pagingNames, readPage } from '../http/paging.js';
import type { GatewayRequest } from '../http/prototypes.js';
import { parseOwnQuery, parseQuery, readFilter, readQuery } from '../http/query.js';
import { jsonType, type Responder } from '../http/responder.js';
import type { Streams } from '../streams/port.js';
import { endingWith } from '../streams/while-valid.js';
import { linesOf, linesType, requireLines, sendLines } from '../http/lines.js';
import type { UploadBounds } from '../options.js';
import {
  isRepeatable,
  type AskRoute,
  type DownloadRoute,
  type ListRoute,
  type ReadRoute,
  type RemoveRoute,
  type Route,
  type StreamRoute,
  type UploadRoute,
  type WriteRoute,
} from './route.js';

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
    const caller = route.audited ? { ...asker, from: addressOf(req) } : asker;
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
    const idempotencyKey = isRepeatable(route) ? idempotencyKeyOf(req, asker, pathOf(req), given) : null;
    const caller = idempotencyKey ? { ...asker, idempotencyKey } : asker;
    const replayed = (): Record<string, string> => (idempotencyKey?.replayed ? { 'Idempotent-Replayed': 'true' } : {});
    const decided = (): void => responder.keepAlive(req, res, route.status, jsonType, replayed());
    const made = await route.handle(service, { caller, params, body, onlyIf: versionsFor(route, req), decided });
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
    responder.json(req, res, 200, route.many ? allOf(data as Found<object>) : { data });
  };
}

const allOf = (items: Found<object>): object => ({
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
  const inQuery = seqOf(parseQuery(req.url ?? '', lastEventNames).get('lastEventId'), 'lastEventId');
  return typeof header === 'string' && header !== '' ? seqOf(header, 'Last-Event-ID') : inQuery;
}

function seqOf(given: string | undefined, path: string): number {
  if (given === undefined || given === '') return 0;
  if (!/^\d{1,15}$/.test(given)) throw invalid({ path, message: 'must be the id of an event of this run' });
  return Number(given);
}

const lastEventNames = new Set(['lastEventId']);
