/** The context of one JSON-RPC call at an agent's endpoint: caller, agent, dialect, and the services that handle it. */
import type { Codec } from '../../src/a2a/codec.js';
import { RpcError } from '../../src/a2a/rpc.js';
import type { Caller, Service } from '../../src/service.js';
import type { Position } from '../../src/store/port.js';
import type { Cursors } from '../http/cursor.js';

export interface RpcContext {
  service: Service;
  cursors: Cursors;
  caller: Caller;
  agent: string;
  codec: Codec;
  params: unknown;
  /** The extensions that the caller asks for (src/a2a/extensions.ts). */
  extensions: ReadonlySet<string>;
  /** Makes a signal that is aborted when the client has left; few calls wait long enough to need one. */
  gone: () => AbortSignal;
  /** The response is certain to be a result, and may take long. */
  begun: () => void;
  /** Builds the card that GetExtendedAgentCard returns. */
  card: () => Promise<object>;
}

/** Throws INVALID_PARAMS for a page token that was issued for another list. */
export function positionOf(cursors: Cursors, pageToken: string, binding: string): Position {
  try {
    return cursors.read(pageToken, binding);
  } catch (cause) {
    const message = 'must be the nextPageToken of a page of this same list';
    throw new RpcError('INVALID_PARAMS', `pageToken ${message}`, {
      cause,
      violations: [{ path: 'pageToken', message }],
    });
  }
}
