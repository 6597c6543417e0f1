/**
 * The transport port: messages between the processes of a cluster. The adapter is `redis/transport.ts`; tests use
 * one in memory (test/helpers/in-process-network.ts). Both pass test/contract/transport.
 *
 * Every adapter guarantees:
 *  - Messages sent to one process in one turn of the event loop travel as one entry, in the order in which they were
 *    sent.
 *  - A message may be lost (a connection, a server that starts empty, a process that is gone) and may arrive twice. It
 *    never arrives modified, nor at another process. A sender that must not lose it sends it again.
 *  - An entry that cannot be decoded (foreign, truncated, of another version) is counted, logged and dropped.
 *  - `send` never waits and never throws. Messages that cannot be sent are dropped; if the target is known to be gone,
 *    `gone` is called.
 */
export interface TransportEvents {
  /** Called for one message at a time. `from` is the sending process. Must not throw. */
  received(from: string, message: unknown): void;
  /**
   * Nobody reads messages to `to`: the process has ended, or its inbox was lost. Sending to it again later is allowed.
   */
  gone(to: string): void;
}

export interface Transport {
  /** The unique name of this process instance. */
  readonly self: string;
  /** Starts receiving. Rejects if the transport cannot be used. */
  start(events: TransportEvents): Promise<void>;
  /** `message` must be JSON; undefined members are omitted. */
  send(to: string, message: unknown): void;
  /** Resolves when earlier messages have been sent, as far as possible; nothing is received any more. */
  close(): Promise<void>;
}
