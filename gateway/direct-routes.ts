/**
 * Finds the handler of a request by the segments of its path, where Express would try the paths of its table one after
 * another. Only what needs nothing of Express is found: the methods of a path as they are registered, and a path that
 * is spelt as a client spells it that builds it from a template and ids.
 *
 * Invariant: what is found is what Express would find for the same request. Where nothing is found (an encoded
 * character, a slash at the end, HEAD, a method or path that does not exist), the request goes on to Express, which
 * answers it.
 */
interface Segment<H> {
  readonly literals: Map<string, Segment<H>>;
  parameter: Segment<H> | null;
  /** The handlers of the path that ends here, by method, and the names of its parameters. */
  readonly handlers: Map<string, H>;
  names: readonly string[];
}

const segment = <H>(): Segment<H> => ({ literals: new Map(), parameter: null, handlers: new Map(), names: [] });

export interface Found<H> {
  handle: H;
  params: Record<string, string>;
}

/** Paths of these characters are compared as they are: they need no decoding. A colon may begin a part of a segment. */
const plain = /^\/[\w\-./~]*$/;
/** Templates of literal segments and of parameters that are a whole segment. */
const template = /^\/(?:(?::\w+|[\w\-.]+)(?:\/|$))*$/;

export class DirectRoutes<H> {
  private readonly root = segment<H>();

  /** Leaves a template out that it cannot compare. */
  add(method: string, path: string, handle: H): void {
    if (!template.test(path)) return;
    let at = this.root;
    for (const part of path.slice(1).split('/'))
      if (part.startsWith(':')) at = at.parameter ??= segment();
      else {
        const next = at.literals.get(part) ?? segment<H>();
        at.literals.set(part, next);
        at = next;
      }
    at.handlers.set(method, handle);
    at.names = path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
  }

  find(method: string, url: string): Found<H> | null {
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (!plain.test(path)) return null;
    let at = this.root;
    const values: string[] = [];
    for (let from = 1; from <= path.length;) {
      const slash = path.indexOf('/', from);
      const to = slash === -1 ? path.length : slash;
      const part = path.slice(from, to);
      from = to + 1;
      const literal = at.literals.get(part);
      if (literal !== undefined) {
        at = literal;
        continue;
      }
      if (at.parameter === null || part === '') return null;
      values.push(part);
      at = at.parameter;
    }
    const handle = at.handlers.get(method);
    if (handle === undefined) return null;
    const params: Record<string, string> = {};
    for (let i = 0; i < values.length; i++) params[at.names[i] ?? ''] = values[i] ?? '';
    return { handle, params };
  }
}
