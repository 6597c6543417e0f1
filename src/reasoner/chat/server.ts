/**
 * A server of language models, as the parts of this folder see it: whatever it speaks, it takes a chat and answers what
 * OpenAI's chat/completions would answer (openai.ts, anthropic.ts).
 */
import type { Progress } from './stream.js';

/** Messages and tools have the form of OpenAI's API, as far as it is used here. */
export type ChatMessage =
  | { role: 'user'; content: string | readonly ContentPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: readonly ToolUse[] }
  | { role: 'tool'; tool_call_id: string; content: string };
export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { filename: string; file_data: string } };
interface ToolUse {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
export interface ChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Readonly<Record<string, unknown>> };
}

export interface Chat {
  /** The model's name on the server. */
  model: string;
  /** Tools, system message and messages are repeated by the next request, and servers are asked to cache them. */
  tools: readonly ChatTool[];
  system: string;
  messages: readonly ChatMessage[];
  /** How many of the messages are the turns of a conversation, which outlast the run. */
  turns?: number;
  /** The last message, which no other request repeats. */
  closing?: string;
  /** Calls of tools are ruled out, or one tool is to be called; otherwise the model decides. */
  toolChoice?: 'none' | { name: string };
  temperature?: number;
  /** The most tokens of one reply. */
  maxOutputTokens?: number;
}

export interface ModelServer {
  /** Its address as errors tell it, without user, password and query. */
  url: string;
  /** Masked in everything that the server says. */
  apiKey: string | null;
  /** The settings that errors name. */
  settings: { baseUrl: string; apiKey: string; maxAnswerBytes: string };
  /** What errors say of its address: what it must have there, and how it is written. */
  hint: { endpoint: string; address: string };
  /** One request, without retries. Resolves to an unvalidated chat completion; rejects as failure.ts explains. */
  complete(chat: Chat, signal: AbortSignal, progress: Progress): Promise<unknown>;
}
