/** What a protocol binding of A2A adds to an exchange: how a request is read, and how its answer is written. */
import type { RpcError } from '../../src/a2a/rpc.js';
import type { Operation } from '../../src/a2a/methods.js';
import type { HivekeepError } from '../../src/domain/errors.js';
import type { SseFrame } from '../streams/port.js';
import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import { encodeFrame, streamHeaders } from '../streams/sse.js';
import type { Body, RpcRequest } from './call.js';
import type { Asked } from './errors.js';

/** One request and its answer. */
export interface Binding {
  /** What is known of the request so far. */
  readonly asked: Asked;
  /** The sender expects no answer. */
  readonly silent: boolean;
  /**
   * Reads the request; its params are validated by the codec. Calls `authorize` as soon as the operation is known, and
   * lets its error pass.
   */
  read(body: Body, authorize: (operation: Operation) => void): RpcRequest;
  result(result: object | null): void;
  /** A result is certain, and is waited for. */
  keepAlive(): void;
  /** `cause` is the service's error, if there was one: it may contain a retry delay. */
  failure(error: RpcError, cause: HivekeepError | null): void;
  /** The data of one event of a stream. */
  event(result: object): object;
  failureEvent(error: RpcError): SseFrame;
}

/** Writes a stream that is over, in one piece. */
export function sendEvents(
  responder: Responder,
  req: GatewayRequest,
  res: ServerResponse,
  frames: readonly SseFrame[],
  more: Readonly<Record<string, string>> = {},
): void {
  const text = frames.map(encodeFrame).join('');
  responder.text(req, res, 200, streamHeaders['Content-Type'], text, { ...streamHeaders, ...more });
}
