/**
 * Agents elsewhere that speak A2A, as tools of agents here (docs/tools.md): what their cards say, and calls of them.
 * What a peer says, in its card as well as in its answers, is data that may be anything (Peers.E4).
 */
import type { A2aPeer } from '../domain/agent/agent-tools.js';
import type { PeerItem, PeerTask } from '../domain/mailbox/peer-item.js';
import type { PeerOutcome } from '../domain/mailbox/peers.js';
import type { McpAgentRef, McpOffer } from '../mcp/port.js';

/** A file of an answer, in base64. */
export interface PeerFile {
  bytes: string;
  mediaType: string;
  filename?: string;
}

export interface PeerAnswer extends PeerOutcome {
  files?: readonly PeerFile[];
}

/** What was pushed for a call, as far as it counts: that something was (PeerPushes.H1). */
export interface Pushed {
  /** Resolves when something was pushed since it last resolved. One call at a time. */
  next(): Promise<void>;
}

export interface CallOfPeer {
  agent: McpAgentRef;
  item: PeerItem;
  pushed: Pushed;
  /** Whether the message may have gone out before (Peers.E1). */
  mayBeSent: boolean;
  /**
   * Is told the task as soon as it is known, and resolves when that is stored (Peers.E2): to false where nobody waits
   * for the answer any more.
   */
  begun(at: PeerTask): Promise<boolean>;
}

export interface Peers {
  /** The peer as a tool, from a cache of its card. Rejects only when the signal is aborted. */
  offer(agent: McpAgentRef, peer: A2aPeer, signal: AbortSignal): Promise<{ tool: McpOffer; problem: string | null }>;
  /**
   * Sends the message, once, unless its task is known, and waits for the task. Resolves to what came of it; to null
   * where nobody waits any more. Rejects only when the signal is aborted.
   */
  call(call: CallOfPeer, signal: AbortSignal): Promise<PeerAnswer | null>;
  /** Asks the peer to stop the task. Never rejects. */
  cancel(agent: McpAgentRef, peer: A2aPeer, at: PeerTask): Promise<void>;
}
