/**
 * Restricts what a model server can do to this process. Redirects are not followed (they would carry prompts and the
 * key to another server), and a response is read up to `maxBytes` after decompression; a longer one is AnswerTooLong
 * and its connection is closed.
 */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
  constructor(readonly maxBytes: number) {
    super(`the answer is longer than ${maxBytes} bytes`);
  }
}

export function boundedFetch(maxBytes: number, inner: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, { ...init, redirect: 'manual' });
    if (!response.body) return response;
    let left = maxBytes;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.byteLength;
          if (left < 0) controller.error(new AnswerTooLong(maxBytes));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(bounded, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/**
 * Sends only the headers that a request needs. The vendors' clients would add information about this machine, and headers
 * of the environment, which none of their options turns off.
 */
export function plainFetch(sentHeaders: readonly string[], inner: typeof fetch = fetch): typeof fetch {
  return (input, init) => {
    const given = new Headers(init?.headers);
    const headers = sentHeaders.flatMap((name): [string, string][] => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    });
    return inner(input, { ...init, headers });
  };
}
