/** What goes wrong with a request to a server of models. */

/** No response has come. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** What a server tells of an error: by its status, or without one in the middle of a stream. */
export class ServerProblem extends Error {
  override readonly name: string = 'ServerProblem';
  readonly code: string;
  /** The parameter that it points at. */
  readonly param: string | null;
  /** How many tokens the model can read, where it says so. */
  readonly window: number | null;
  constructor(
    /** The body, or what the event said. */
    told: unknown,
    readonly status?: number,
    readonly headers: Headers = new Headers(),
  ) {
    const [first] = Array.isArray(told) ? (told as unknown[]) : [told];
    const { error = first } = (first ?? {}) as { error?: unknown };
    const said = (error ?? {}) as { message?: unknown; type?: unknown; code?: unknown; param?: unknown };
    const { message = error, type, code, param } = said;
    super(typeof message === 'string' ? message : JSON.stringify(message));
    this.code = [type, code].filter((word) => typeof word === 'string').join(' ');
    this.param = typeof param === 'string' ? param : null;
    this.window = windowIn(error, this.message);
  }
}

/** A reply that its server has ended with an error: the server is there, and this request has come to nothing. */
export class Unfinished extends ServerProblem {
  override readonly name = 'Unfinished';
}

/** The size of the context that an error names: as a number beside its words, or among them. */
function windowIn(error: unknown, message: string): number | null {
  const { n_ctx: given } = (error ?? {}) as { n_ctx?: unknown };
  if (typeof given === 'number') return given;
  const [, tokens] = longestContext.exec(message) ?? [];
  return tokens === undefined ? null : Number(tokens.replaceAll(/[,_]/g, ''));
}
const longestContext =
  /(?:context (?:length|window|size)[^.\d]{0,40}|maximum (?:prompt |input )?(?:length|tokens?|allowed)[^.\d]{0,40}|tokens? > )\(?(\d[\d,_]{2,9})/i;
