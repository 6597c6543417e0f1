/**
 * Embeddings of any server with OpenAI's /embeddings. Its address and key are those of the model server of that name.
 */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { boundedFetch } from '../reasoner/chat/bounded-fetch.js';
import type { Additions } from '../reasoner/chat/http.js';
import { shortHash } from '../domain/memory/identities.js';
import { type Embedder, type TextRole, TextsRefused } from './port.js';

const officialBaseUrl = 'https://api.openai.com/v1';
/** A hundred vectors of 4,096 numbers as JSON. */
const maxAnswerBytes = 16 * 1024 * 1024;
const longestVector = 4096;
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

const answer = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1).max(longestVector) })),
});

let lastTurn: Promise<unknown> = Promise.resolve();
/** Answers that arrive together are parsed one in a turn of the event loop: 16 vectors of 3,072 numbers take 5 ms. */
const ownTurn = (): Promise<unknown> => (lastTurn = lastTurn.then(() => setImmediate()));

/** How a model wants to be asked, by what a text is. */
export interface EmbeddingForm {
  /** What stands before a text: E5 wants "query: " and "passage: ". */
  prefix?: Partial<Readonly<Record<TextRole, string>>> | undefined;
  /** What the field `input_type` says. */
  inputType?: Readonly<Record<TextRole, string>> | undefined;
  /** How many numbers a vector is to have. */
  dimensions?: number | undefined;
}

export interface EmbeddingServer {
  name: string;
  baseUrl: string | null;
  apiKey: string | null;
  timeoutMs: number;
  /** What it is sent beside what the API wants. */
  additions?: Pick<Additions, 'headers' | 'query'>;
  form?: EmbeddingForm;
}

/** Names what the vectors of memories depend on beside the model; empty where there is nothing. */
function formOfPassages({ prefix, inputType, dimensions }: EmbeddingForm): string {
  const said = [prefix?.passage ?? '', inputType?.passage ?? '', dimensions ?? ''];
  return said.every((each) => each === '') ? '' : `#${shortHash(JSON.stringify(said))}`;
}

export function createEmbedder(
  { name, baseUrl, apiKey, timeoutMs, additions = {}, form = {} }: EmbeddingServer,
  model: string,
): Embedder {
  const send = boundedFetch(maxAnswerBytes);
  const query = new URLSearchParams(additions.query).toString();
  const url = `${baseUrl ?? officialBaseUrl}/embeddings${query === '' ? '' : `?${query}`}`;
  return {
    model: `${name}/${model}${formOfPassages(form)}`,
    byRole: form.prefix !== undefined || form.inputType !== undefined,
    async embed(texts, role, signal) {
      const { prefix: { [role]: prefix = '' } = {}, inputType, dimensions } = form;
      const response = await send(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': 'hivekeep',
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
          ...additions.headers,
        },
        body: JSON.stringify({
          model,
          input: prefix === '' ? texts : texts.map((text) => prefix + text),
          encoding_format: 'float',
          ...(inputType && { input_type: inputType[role] }),
          ...(dimensions !== undefined && { dimensions }),
        }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        redirect: 'error',
      });
      if (!response.ok) {
        await response.body?.cancel();
        const problem = `the server of embeddings answered ${response.status}`;
        throw refusals.has(response.status) ? new TextsRefused(problem) : new Error(problem);
      }
      const text = await response.text();
      await ownTurn();
      const parsed = answer.safeParse(JSON.parse(text));
      if (!parsed.success) throw new Error('the server of embeddings did not answer as /embeddings does');
      const vectors = parsed.data.data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
      const length = vectors[0]?.length;
      if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== length))
        throw new Error('the server of embeddings did not answer one vector of one dimension for each text');
      return vectors;
    },
  };
}
