/**
 * Commands that may be sent again: a request that names one takes effect once, and
 * the same command later is answered with what the first came to.
 *
 *  Command.Y1 The record of a command is in the commit that takes effect, so there is never one without the other.
 *  Command.Y2 A command whose commit is on its way is not begun again: a repeat waits for the outcome of the first, for
 *     as long as its client does.
 *  Command.Y3 The same command with another body is refused and changes nothing.
 * A refused command leaves no record where it was refused: sent again, it is decided again. What was reserved or
 * claimed for it at the workspace's desk (service/context.ts) stays, and with it the hash of its body.
 */

/** On a request of any entity. */
export interface CommandKey {
  /** Made of whose it is and what the client calls it. */
  id: string;
  /** Of what it says; another one under the same id is a mistake. */
  bodyHash: string;
  /** How long its record is kept, ms, where that is not `commandRecordMs`. */
  keptMs?: number;
}

/** A client may repeat a command for 24 h; its record stays longer. */
export const commandRecordMs = 25 * 3600 * 1000;

/** A message from an outbox is refused after 7 days; what its receiver keeps of it stays longer. */
export const deliveryRecordMs = 8 * 24 * 3600 * 1000;

/** Answers the asker in place of the first answer: what the command came to when it took effect. */
export class ReplayedAnswer {
  constructor(readonly result: unknown) {}
}

export const commandKeyOf = (request: unknown): CommandKey | undefined => (request as { command?: CommandKey }).command;

/** The record of it at a hive says that the agent was deleted: what it shared, and arrives late, is refused. */
export const goneCommand = (agent: string): CommandKey => ({
  id: `gone_${agent}`,
  bodyHash: '',
  keptMs: deliveryRecordMs,
});
