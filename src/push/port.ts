/**
 * Push notifications (docs/api.md 6.2, 7.2): where they may go, and one try at delivering one. When,
 * how often and in which order is the agent's outbox's concern (actors/entities/agent/outbox.ts).
 */
import type { PushConfig, PushItem } from '../domain/task.js';

export interface Push {
  /** Resolves when the URL may be registered; rejects with VALIDATION_ERROR (`details.issues[0].path` is `url`) that says why not. */
  check(config: Pick<PushConfig, 'url'>): Promise<void>;
  /**
   * One try: checks the URL anew, connects to the address that was checked, follows no redirect. Resolves when the
   * receiver has answered 2xx. Rejects with a PushError; `final` where another try would be refused as well.
   */
  deliver(item: PushItem, signal: AbortSignal): Promise<void>;
  /** Ends idle connections. */
  close(): Promise<void>;
}

export class PushError extends Error {
  override readonly name = 'PushError';
  constructor(
    message: string,
    readonly final = false,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
