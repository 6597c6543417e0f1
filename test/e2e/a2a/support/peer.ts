/**
 * What the tests ask of every generation of the official client, and how they are told what it saw: each adapter
 * (peer-0.2.ts, peer-0.3.ts, peer-1.0.ts) calls its SDK as a user of it does, and puts what comes back into these
 * words.
 */

import { thoughtsExtension } from '../../../../src/a2a/card.js';

export interface Sent {
  text: string;
  /** An image that comes with it, in base64. */
  image?: { name: string; mediaType: string; bytes: string };
  /** A data part that comes with it. */
  data?: Record<string, unknown>;
  messageId?: string;
  taskId?: string;
  push?: PushTarget;
  historyLength?: number;
}

export interface PushTarget {
  url: string;
  token: string;
  id?: string;
}

/** A task; states are spelt as in 0.x ('input-required'). */
export interface Seen {
  id: string;
  contextId: string;
  state: string;
  /** The text of the status' message. */
  says: string | null;
  /** The data parts of that message. */
  asks: unknown[];
  /** The text of its artifacts; null without any. */
  output: string | null;
  artifacts: { artifactId: string; name: string }[];
  /** The texts of its history. */
  history: string[];
}

export type SeenFrame =
  | { kind: 'task'; task: Seen }
  | {
      kind: 'status';
      taskId: string;
      contextId: string;
      state: string;
      says: string | null;
      asks: unknown[];
      final: boolean;
    }
  | {
      kind: 'artifact';
      taskId: string;
      contextId: string;
      artifactId: string;
      name: string;
      output: string;
      append: boolean;
      lastChunk: boolean;
    };

export interface PeerClient {
  /** As the SDK holds it; 0.3 and 1.0 ask for the extended card. */
  card(): Promise<{ name: string; streaming: boolean; push: boolean; url: string }>;
  /** Waits only as long as the agent does by itself (0.2), or not at all. */
  send(input: Sent): Promise<Seen>;
  /** Waits until the task has ended or asks for something. */
  sendAndWait(input: Sent): Promise<Seen>;
  get(id: string, historyLength?: number): Promise<Seen>;
  cancel(id: string): Promise<Seen>;
  stream(input: Sent): AsyncIterable<SeenFrame>;
  resubscribe(id: string): AsyncIterable<SeenFrame>;
  setPush(taskId: string, target: PushTarget): Promise<PushTarget>;
  getPush(taskId: string, id?: string): Promise<PushTarget>;
  /** Null where the SDK has no such method. */
  listPush: ((taskId: string) => Promise<PushTarget[]>) | null;
  deletePush: ((taskId: string, id: string) => Promise<void>) | null;
  listTasks: ((pageSize: number, pageToken: string) => Promise<{ tasks: Seen[]; next: string; total: number }>) | null;
}

/** `url` is the agent's endpoint, without a trailing slash. */
export interface Peer {
  generation: '0.2' | '0.3' | '1.0';
  /** The generation, with its binding where it has several. */
  name: string;
  /** By the default path of the SDK. */
  connect(url: string, key: string): Promise<PeerClient>;
  /** Every other way in which this generation finds a card, by name. */
  ways: Record<string, (url: string, key: string) => Promise<PeerClient>>;
  /** The JSON-RPC code of an error as the SDK raised it, looked at for being the class that the SDK has for it. */
  codeOf(error: unknown): number | null;
  /** Sending to a task that has ended (a2a.md, "Error codes"). */
  toEndedTask: number;
  /** Whether resubscribing to a task that has ended tells it and closes (0.x), or is refused with -32004 (1.0). */
  tellsEndedTask: boolean;
  /** The state of a pushed body. */
  pushedState(body: unknown): string;
  pushedId(body: unknown): string;
  pushContentType: RegExp;
}

/**
 * A fetch with the key: what the SDKs take where they can be given one, and what stands in for the global where not.
 */
export const fetchWith =
  (key: string, through: typeof fetch): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${key}`);
    headers.set('a2a-extensions', thoughtsExtension);
    return through(input, { ...init, headers });
  };

/** `(Code: -32001)` in the sentence in which the SDKs say what came in a stream. */
export const codeInMessage = (error: unknown): number | null => {
  const [, code] = /\(Code: (-?\d+)\)/.exec(error instanceof Error ? error.message : '') ?? [];
  return code === undefined ? null : Number(code);
};
