/**
 * The transport port: messages between the processes of a cluster. The adapter is `redis/transport.ts`; tests use
 * one in memory (test/helpers/in-process-network.ts). Both pass test/contract/transport.
 *
 * What every adapter promises
 *  Transport.T1 What is sent to one process in one turn of the event loop travels as one entry, in the order in which
 *     it was sent.
 *  Transport.T2 A message may be lost (a connection, a server that starts empty, a process that is gone) and may arrive
 *     twice. It never arrives changed, nor at another process. Who must not lose it sends it again.
 *  Transport.T3 An entry that cannot be read (foreign, cut off, of another version) is counted, logged and dropped.
 *  Transport.T4 `send` never waits and never throws. What cannot be sent is dropped; where the target is known to be
 *     gone, `gone` is told.
 */
export interface TransportEvents {
  /** One message, in turn. `from` is the sending process. Must not throw. */
  received(from: string, message: unknown): void;
  /** Nobody reads what is sent to `to`: the process has ended, or its inbox was lost. Sending again later is allowed. */
  gone(to: string): void;
}

export interface Transport {
  /** The name of this process instance: never used twice. */
  readonly self: string;
  /** From then on messages arrive. Rejects where the transport cannot be used. */
  start(events: TransportEvents): Promise<void>;
  /** `message` is JSON (undefined members are left out on the way). */
  send(to: string, message: unknown): void;
  /** What was sent before it is on its way when it resolves, as far as possible; nothing arrives any more. */
  close(): Promise<void>;
}
