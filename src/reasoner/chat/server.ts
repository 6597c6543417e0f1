/**
 * A server of language models, as the parts of this folder see it. shape.ts puts a chat as far as this server and this
 * model take it, and a codec (openai.ts, responses.ts, anthropic.ts) writes that in the words of an API and reads the
 * reply as a chat completion.
 */
import type { Chat } from './chat.js';
import type { Habits } from './habits.js';
import type { Progress } from './stream.js';

export interface ModelServer {
  /** By which `config.model` names it. */
  name: string;
  /** Whose API it speaks. */
  api: 'openai' | 'anthropic';
  /** Its address as errors tell it, without user, password and query. */
  url: string;
  /** What is masked in everything that the server says. */
  secrets: readonly string[];
  /** Whether a key is set. */
  hasKey: boolean;
  /** The settings that errors name. */
  settings: { baseUrl: string; apiKey: string; maxAnswerBytes: string };
  /** What errors say of its address: what it must have there, and how it is written. */
  hint: { endpoint: string; address: string };
  /** The chat as a request to a model of these habits. */
  body(chat: Chat, habits: Habits): Readonly<Record<string, unknown>>;
  /** One request, without retries. Resolves to an unvalidated chat completion; rejects as failure.ts explains. */
  complete(body: Readonly<Record<string, unknown>>, signal: AbortSignal, progress: Progress): Promise<unknown>;
}
