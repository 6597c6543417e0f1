/**
 * The service as a stranger talks to it: HTTP and nothing else. Every answer is looked at for what each of them must
 * be, whatever was asked: what the OpenAPI document says of the operation, an id of the request, JSON in the envelope of
 * docs/api.md 2.11 and 7.1, no 500, no HTML.
 */
import { expect } from 'chai';
import type { ErrorCode } from '../../../../src/domain/shared/errors.js';
import { expectDocumented } from '../../../helpers/conformance.js';
import { patient } from '../../../helpers/patience.js';
import { rootKey, startTestServer, type StartOptions, type TestServer } from '../../../helpers/server.js';
import { expectedStatus } from '../../../helpers/statuses.js';

export type Json = Record<string, unknown>;
export interface Page {
  data: Json[];
  pagination: { next_cursor: string | null; has_more: boolean; total_count: number };
}
export interface ErrorBody {
  code: string;
  message: string;
  status: number;
  details: Json & { issues?: { path: string; message: string }[] };
  request_id: string;
}
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: { data?: unknown; pagination?: Page['pagination']; error?: ErrorBody };
}

export interface Api {
  url: string;
  key: string;
  /** A body that is a string goes out as it is. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The one object of an answer with this status (default 200). */
  one(method: string, path: string, body?: unknown, status?: number): Promise<Json>;
  page(path: string): Promise<Page>;
  /** The error of an answer, which must have this code and the status that belongs to it. */
  refused(method: string, path: string, body: unknown, code: string): Promise<ErrorBody>;
}

export function client(url: () => string, key: string): Api {
  const api: Api = {
    get url() {
      return url();
    },
    key,
    async ask(method, path, body, headers = {}) {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(url() + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...type, ...headers },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      expectDocumented(method, url() + path, response, text);
      return checked(`${method} ${path}`, response.status, response.headers, text);
    },
    async one(method, path, body, status = 200) {
      const answer = await api.ask(method, path, body);
      expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(status);
      expect(answer.body).to.have.all.keys('data');
      return answer.body.data as Json;
    },
    async page(path) {
      const answer = await api.ask('GET', path);
      expect(answer.status, `GET ${path}: ${answer.text}`).to.equal(200);
      expectPage(answer);
      return answer.body as unknown as Page;
    },
    async refused(method, path, body, code) {
      const answer = await api.ask(method, path, body);
      expect(answer.body.error?.code, `${method} ${path}: ${answer.status} ${answer.text}`).to.equal(code);
      expect(answer.status).to.equal(expectedStatus[code as ErrorCode]);
      return answer.body.error!;
    },
  };
  return api;
}

/** Cancels a run, which is done over A2A (docs/api.md 3.2). Resolves with the JSON-RPC response. */
export async function cancelRun(api: Api, agent: string, run: string): Promise<{ result?: Json; error?: Json }> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/cancel', params: { id: run } };
  const answer = await api.ask('POST', `/api/v1/a2a/agents/${agent}`, body);
  expect(answer.status, answer.text).to.equal(200);
  return answer.body as unknown as { result?: Json; error?: Json };
}

/** Spec 2.11: what every list answers. */
export function expectPage(answer: Answer): void {
  expect(answer.body).to.have.all.keys('data', 'pagination');
  expect(answer.body.data).to.be.an('array');
  const { pagination } = answer.body as unknown as Page;
  expect(pagination).to.have.all.keys('next_cursor', 'has_more', 'total_count');
  expect(pagination.has_more).to.be.a('boolean');
  expect(Number.isInteger(pagination.total_count)).to.equal(true);
  if (pagination.has_more) expect(pagination.next_cursor).to.be.a('string').and.not.equal('');
}

function checked(what: string, status: number, headers: Headers, text: string): Answer {
  expect(headers.get('x-request-id'), what).to.match(/^req_/);
  expect(headers.get('content-type'), what).to.match(/^(application\/json|text\/plain; version=0\.0\.4)/);
  expect(status, `${what}: ${text}`).to.be.lessThan(500);
  expect(text, what).to.not.match(/<html|<!doctype|\n\s+at .*:\d+/i);
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Answer['body'];
  if (status >= 400 && text !== '') {
    expect(body, what).to.have.all.keys('error');
    expect(body.error, what).to.have.all.keys('code', 'message', 'status', 'details', 'request_id');
    expect(body.error?.status).to.equal(status);
    expect(body.error?.message).to.be.a('string').and.not.equal('');
    expect(body.error?.details).to.be.an('object');
    expect(body.error?.request_id).to.equal(headers.get('x-request-id'));
  }
  return { status, headers, text, body };
}

/** For suites that look at their own things only. It ends with the whole run of tests. */
let shared: Promise<TestServer> | undefined;
after(async () => {
  await (await shared)?.stop();
});

/**
 * A client with the root key of a server, and hooks which a `describe` calls in itself: a server of its own where it
 * gives options, else the shared one.
 */
export function served(options?: () => StartOptions | Promise<StartOptions>): {
  api: Api;
  server: () => TestServer;
  as: (key: string) => Api;
  hooks: () => void;
} {
  let server: TestServer | undefined;
  const running = (): TestServer => server ?? expect.fail('the server has not started');
  const hooks = (): void => {
    before(async function start() {
      this.timeout(60_000); // it may have to be built first
      server = await (options ? startTestServer(await options()) : (shared ??= startTestServer()));
    });
    if (options)
      after(async () => {
        await server?.stop();
      });
  };
  const as = (key: string): Api => client(() => running().url, key);
  return { api: client(() => running().url, rootKey), server: running, as, hooks };
}

/**
 * Asks again, every 10 ms, until the answer is as wanted; an answer to what was asked after `patienceMs`, and is not,
 * fails the test.
 */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean, patienceMs = 15_000): Promise<T> {
  const end = Date.now() + patient(patienceMs);
  for (;;) {
    const last = Date.now() > end;
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (last) return expect.fail(`not what was waited for: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

/** Every item of a list, by its cursors. */
export async function everyItem(api: Api, path: string, pageSize: number): Promise<Json[]> {
  const items: Json[] = [];
  const join = path.includes('?') ? '&' : '?';
  for (let cursor: string | null = null, more = true; more;) {
    const page: Page = await api.page(
      `${path}${join}page_size=${pageSize}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(page.data.length).to.be.at.most(pageSize);
    items.push(...page.data);
    more = page.pagination.has_more;
    cursor = page.pagination.next_cursor;
  }
  return items;
}

/** The same without what changes because somebody looks: when keys were last used. */
export const lastingItems = async (api: Api, path: string): Promise<Json[]> =>
  (await everyItem(api, path, 100)).map(({ last_used_at: _, ...rest }) => rest);

export const ids = (items: readonly Json[]): string[] => items.map((i) => String(i['id']));
