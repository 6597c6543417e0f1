/**
 * Functions that call one operation of the API each, with the types that the API's document gives its ids, query, body
 * and answer.
 */
import { Pages, type Page } from './pages.js';
import type { Query, RequestOptions, Transport } from './transport.js';
import type { paths } from './types.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The paths that have the method. */
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P][M];

/** As many ids as the path has parameters. */
type Ids<P extends string> = P extends `${string}{${string}}${infer Rest}` ? [id: string, ...Ids<Rest>] : [];

type Json<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<O> = O extends { responses: infer R } ? R : never;
type Success<R> = Json<R[keyof R & (200 | 201 | 202)]>;
/** What a search says beside what it found. */
export interface BesideFound {
  partial?: true;
  words_only?: true;
}
/** What the operation answers, out of its envelope. */
export type DataOf<P extends keyof paths, M extends Method> =
  Success<Responses<Operation<P, M>>> extends infer Answer extends { data: unknown }
    ? Answer['data'] & ('partial' extends keyof Answer ? BesideFound : unknown)
    : never;
export type BodyOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer R } ? Json<NonNullable<R>> : never;
export type QueryOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type ItemOf<P extends keyof paths> = DataOf<P, 'get'> extends (infer Item)[] ? Item : never;

/** The path with its ids in it. */
export function fill(path: string, ids: readonly unknown[]): string {
  let next = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[next++];
    if (typeof id !== 'string' || id === '')
      throw new TypeError(`${name} of ${path} must be a string that is not empty`);
    // fetch resolves them as steps in the path, also percent-encoded, and would ask for another resource
    if (id === '.' || id === '..') throw new TypeError(`${name} of ${path} must not be "." or ".."`);
    return encodeURIComponent(id);
  });
}

export interface Operations {
  readonly get: <P extends PathOf<'get'>>(
    path: P,
  ) => (...args: [...ids: Ids<P>, options?: RequestOptions]) => Promise<DataOf<P, 'get'>>;
  /** A `get` whose query has more than paging in it. */
  readonly query: <P extends PathOf<'get'>>(
    path: P,
  ) => (...args: [...ids: Ids<P>, query?: QueryOf<P, 'get'>, options?: RequestOptions]) => Promise<DataOf<P, 'get'>>;
  readonly list: <P extends PathOf<'get'>>(
    path: P,
  ) => (
    ...args: [...ids: Ids<P>, query?: QueryOf<P, 'get'>, options?: RequestOptions]
  ) => Pages<ItemOf<P>, QueryOf<P, 'get'>>;
  readonly send: <M extends 'post' | 'put' | 'patch', P extends PathOf<M>>(
    method: M,
    path: P,
  ) => (
    ...args: [...ids: Ids<P>, body: BodyOf<P, M>, options?: RequestOptions & { query?: QueryOf<P, M> }]
  ) => Promise<DataOf<P, M>>;
  /** A `post` whose body may be left out. */
  readonly act: <P extends PathOf<'post'>>(
    path: P,
  ) => (...args: [...ids: Ids<P>, body?: BodyOf<P, 'post'>, options?: RequestOptions]) => Promise<DataOf<P, 'post'>>;
  readonly remove: <P extends PathOf<'delete'>>(
    path: P,
  ) => (
    ...args: [...ids: Ids<P>, options?: RequestOptions & { query?: QueryOf<P, 'delete'> }]
  ) => Promise<DataOf<P, 'delete'>>;
}

/** The arguments of a call: ids first, then what the kind of operation takes. */
function split(path: string, args: readonly unknown[]): { path: string; rest: readonly unknown[] } {
  const ids = path.split('{').length - 1;
  return { path: fill(path, args.slice(0, ids)), rest: args.slice(ids) };
}

export function createOperations(transport: Transport): Operations {
  const data = async (method: string, path: string, more: object): Promise<never> => {
    const { body } = await transport.json<{ data: object } & BesideFound>({ method, path, ...more });
    const { partial, words_only } = body;
    const beside = { ...(partial && { partial }), ...(words_only && { words_only }) };
    return (partial || words_only ? Object.assign(body.data, beside) : body.data) as never;
  };
  const withBody =
    (method: string, pattern: string) =>
    (...args: readonly unknown[]): Promise<never> => {
      const { path, rest } = split(pattern, args);
      return data(method, path, { ...(rest[1] as RequestOptions | undefined), body: rest[0] ?? {} });
    };
  return {
    get:
      (pattern: string) =>
      (...args: readonly unknown[]) => {
        const { path, rest } = split(pattern, args);
        return data('GET', path, rest[0] ?? {});
      },
    query:
      (pattern: string) =>
      (...args: readonly unknown[]) => {
        const { path, rest } = split(pattern, args);
        return data('GET', path, { ...(rest[1] as RequestOptions | undefined), query: rest[0] as Query });
      },
    list:
      (pattern: string) =>
      (...args: readonly unknown[]) => {
        const { path, rest } = split(pattern, args);
        const options = rest[1] as RequestOptions | undefined;
        const read = async (query: Query): Promise<Page<unknown>> =>
          (await transport.json<Page<unknown>>({ method: 'GET', path, query, ...options })).body;
        return new Pages((rest[0] ?? {}) as Query, read) as never;
      },
    send: (method: string, pattern: string) => withBody(method.toUpperCase(), pattern),
    act: (pattern: string) => withBody('POST', pattern),
    remove:
      (pattern: string) =>
      (...args: readonly unknown[]) => {
        const { path, rest } = split(pattern, args);
        return data('DELETE', path, rest[0] ?? {});
      },
  };
}
