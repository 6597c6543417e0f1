/** A chat: what a model is to be asked, said neutrally. shape.ts puts it as far as a server and a model take it. */
import type { RunOverrides } from '../../domain/shared/inputs.js';

/** Messages and tools have the form of OpenAI's API, as far as it is used here. */
export type ChatMessage =
  | { role: 'user'; content: string | readonly ContentPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: readonly ToolUse[]; kept?: Kept }
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

/**
 * What a model has handed out beside its words and its calls, in the form of its API, for the requests that follow.
 * Nobody but this model of this server (`from`) is given it.
 */
export interface Kept {
  from: string;
  said: unknown;
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high';

export interface Chat {
  /** The model's name on the server. */
  model: string;
  /** Tools, system message and messages are repeated by the next request, and servers are asked to cache them. */
  tools: readonly ChatTool[];
  system: string;
  messages: readonly ChatMessage[];
  /** How many of the messages are the turns of a conversation, which outlast the run. */
  turns?: number;
  /** Calls of tools are ruled out, or one tool is to be called; otherwise the model decides. */
  toolChoice?: 'none' | 'required' | { name: string };
  /** False: at most one call in a reply. */
  parallelCalls?: false;
  /** How it samples, as far as the server knows that. */
  sampling?: RunOverrides['sampling'];
  /** The schema that the text of the reply has to fit, for servers that can hold a model to it. */
  format?: Readonly<Record<string, unknown>>;
  temperature?: number;
  /** The most tokens of one reply. */
  maxOutputTokens?: number;
  /** How much a model that thinks is to think. */
  reasoning?: { effort?: Effort | undefined; max_tokens?: number | undefined };
}
