import { expectDocumented } from '../../../helpers/conformance.js';

/** A request with any credential, and what matters of its answer; streams are looked at up to their first event. */
export interface Told {
  status: number;
  text: string;
  headers: Headers;
  /** Of an error in the envelope. */ code: string | null;
}

export async function tell(
  url: string,
  method: string,
  authorization: string | null,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Told> {
  const headers: Record<string, string> = {
    ...(authorization !== null && { authorization }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...more,
  };
  const abort = new AbortController();
  const response = await fetch(url, {
    method,
    headers,
    signal: abort.signal,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text =
    response.headers.get('content-type')?.startsWith('text/event-stream') === true && method !== 'HEAD'
      ? await firstEvent(response)
      : await response.text();
  abort.abort();
  expectDocumented(method, url, response, text);
  return { status: response.status, text, headers: response.headers, code: codeOf(text) };
}

/** The first piece of a stream; one that tells nothing yet has been opened all the same. */
async function firstEvent(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value = '' } = (await reader?.read()) ?? {};
  return value;
}

function codeOf(text: string): string | null {
  try {
    return ((JSON.parse(text) as { error?: { code?: unknown } }).error?.code as string) ?? null;
  } catch {
    return null;
  }
}

/** The JSON of a JSON-RPC answer, also of the first one on a stream. */
export const rpcOfText = (text: string): { result?: unknown; error?: { code: number } } =>
  JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as object;
