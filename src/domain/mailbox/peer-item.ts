/** A call of an agent elsewhere as it is stored (peers.ts). */
import type { A2aPeer } from '../agent/agent-tools.js';

/** What the metadata of an A2A message says of that (Peers.E5). */
export const hopsKey = 'hivekeep/hops';

/** A task of a peer, and where it is read. */
export interface PeerTask {
  task: string;
  url: string;
  binding: 'JSONRPC' | 'HTTP+JSON';
  version: '1.0' | '0.3';
  tenant?: string;
  /** The peer was told where to push to, and says that it pushes. */
  pushes?: true;
}

/** A call of a peer (peers.ts), from the decision to make it until its outcome is taken in. Its id is that of the call. */
export interface PeerItem {
  id: string;
  kind: 'peer';
  /** The run that waits. */
  run: string;
  /** As it was configured when the call was decided on; its secret is sealed. */
  peer: A2aPeer;
  message: string;
  /** The conversation of the run's session with the peer, as the peer is told of it. */
  context: string;
  /** How many agents the message has gone through with this one. Omitted by an earlier version. */
  hops?: number;
  /** The task of the peer that the message answers; omitted for a new one. */
  answers?: string;
  /** The task of the peer, once it is known. */
  at?: PeerTask;
  created_at: string;
  trace?: string;
}
