/**
 * Delivers an agent's outbox. Each document is sent after its commit, and again with growing pauses while the receiver
 * cannot accept it. It is reported as delivered or, after a final refusal, as undelivered. The sender holds nothing
 * that is not in the store: after a crash it is filled from there.
 *
 * Invariants
 *  Outbox.X1 A document is in progress once, from `send` to `forget`, whatever happens in between.
 *  Outbox.X2 The outcome of a document is taken once (`take`), so the document is removed and counted once.
 *  Outbox.X3 After `stop` nothing is sent and nothing is reported.
 */
import type { OutboxItem, QuestionItem } from '../../../src/domain/shared/documents.js';
import { commandMessage } from '../../../src/commands/command.js';
import { type Delivery, deliverMessage } from '../../../src/commands/mailbox.js';
import { begunFor, deliveryOf, resealed } from '../../../src/commands/questions.js';
import { ReplayedAnswer, deliveryRecordMs } from '../../../src/commands/idempotency.js';
import { HivekeepError, unavailable } from '../../../src/domain/shared/errors.js';
import { type QuotaExceeded, type StorageExceeded, storageText } from '../../../src/domain/workspace/usage.js';
import { finish, wait, type Waiting } from '../../../src/maybe-promise.js';
import { withSubject } from '../../../src/domain/shared/caller.js';
import { backoffMs, type Backoff } from '../../../src/domain/shared/clock.js';
import type { EntityRef } from '../../../src/store/port.js';
import type { EntityDeps } from '../deps.js';
import { tracedSending } from './traced-runs.js';

/** What goes from agent to agent, or to a hive. */
export type Sent = OutboxItem | QuestionItem;

export interface OutboxEvents {
  /** `begun`: the run that a question has begun. */
  delivered(item: Sent, begun: string | null): void;
  undelivered(item: Sent, reason: string): void;
}

/** The age at which the delivery of a message is given up, in ms: its receiver may no longer have a record of it. */
const maxAgeMs = 7 * 24 * 3600 * 1000;
const retry: Backoff = { firstMs: 500, longestMs: 60_000 };

/** A retryable error: the delivery is tried again, as for a receiver that cannot accept it. */
const overRate = (ms: number): HivekeepError =>
  new HivekeepError('RATE_LIMIT_EXCEEDED', "the workspace's agents have sent too many messages this minute", {
    retryAfter: Math.ceil(ms / 1000),
  });

const fullStorage = (exceeded: StorageExceeded): HivekeepError => unavailable(storageText(exceeded));

const wordFor = (item: Sent): string => (item.kind === 'question' ? item.sends.type : item.kind);

const isFinal = (error: unknown): error is HivekeepError =>
  error instanceof HivekeepError && !error.retryable && error.code !== 'INTERNAL_ERROR';

/** What an agent owes to a run that waits is delivered for as long as there is that agent (Questions.Q3). */
const lasts = (item: Sent): boolean =>
  item.kind === 'question' && (item.sends.type === 'answer' || item.sends.type === 'end');

export class OutboxSender {
  private readonly underWay = new Set<string>();
  /** The documents whose outcome has been reported but not taken. */
  private readonly ended = new Set<string>();
  private readonly timers = new Map<string, () => void>();
  private stopped = false;

  constructor(
    private readonly deps: EntityDeps,
    private readonly from: EntityRef,
    private readonly events: OutboxEvents,
  ) {}

  send(item: Sent): void {
    if (this.stopped || this.underWay.has(item.id)) return;
    this.underWay.add(item.id);
    this.attempt(item, 1);
  }

  /** Takes the reported outcome of this document: true for the first call, false after that. */
  take(id: string): boolean {
    return this.ended.delete(id);
  }

  /** Call this when the document has been removed from the store. */
  forget(id: string): void {
    this.underWay.delete(id);
  }

  stop(): void {
    this.stopped = true;
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
  }

  private attempt(item: Sent, tries: number): void {
    if (!lasts(item) && this.deps.clock.now() - Date.parse(item.created_at) > maxAgeMs) {
      this.end(item, 'it could not be delivered for 7 days');
      return;
    }
    Promise.resolve(tracedSending(wordFor(item), item, () => finish(this.deliver(item)))).then(
      (answer) => {
        this.end(item, null, item.kind === 'question' && item.sends.type === 'ask' ? begunFor(answer) : null);
      },
      (error: unknown) => {
        if (isFinal(error)) this.end(item, error.message);
        else this.later(item, tries);
      },
    );
  }

  /**
   * While the workspace's storage is used up, messages and shares wait, because they would start runs on arrival, and
   * every run is stored.
   */
  private *deliver(item: Sent): Waiting<unknown> {
    if (item.kind === 'question' && item.sends.type !== 'ask' && item.sends.type !== 'spawn')
      return yield* wait(this.pass(item));
    const full = yield* wait(this.deps.bounds.storageExceeded(this.from.workspace));
    if (full) throw fullStorage(full);
    if (item.kind === 'share') return yield* wait(this.share(item));
    const ms = yield* wait(this.deps.bounds.mailboxDelay(this.from.workspace));
    if (ms > 0) throw overRate(ms);
    return yield* wait(item.kind === 'question' ? this.pass(item) : this.post(item));
  }

  private async pass({ to: id, sends }: QuestionItem): Promise<unknown> {
    if (this.stopped) throw unavailable('the sender has stopped'); // Outbox.X3
    const { workspace } = this.from;
    const to = { workspace, kind: 'agent', id } as const;
    const answer = await this.deps.ask(to, deliveryOf(to, resealed(this.deps, id, sends)));
    return answer instanceof ReplayedAnswer ? answer.result : answer;
  }

  private post(item: OutboxItem): Promise<unknown> {
    if (this.stopped) return Promise.reject(unavailable('the sender has stopped')); // Outbox.X3
    const { workspace } = this.from;
    const { id, content, from, hops, budget, powers, subject } = item;
    const reply_to = item.reply_to ?? undefined;
    const delivery: Delivery = { id, content, from, reply_to, subject, hops, budget, powers };
    return this.deps.ask(
      { workspace, kind: 'agent', id: item.to },
      commandMessage(deliverMessage, null, { id: item.to }, delivery),
    );
  }

  /**
   * Delivers a share. A memory counts in the workspace's month when the hive accepts it, so room is reserved first; a
   * share that the hive already has needs none.
   */
  private async share({ id, to, type, content, from, run_id, subject }: OutboxItem): Promise<unknown> {
    const { workspace } = this.from;
    const remember = (full: QuotaExceeded | null): Promise<unknown> =>
      this.stopped
        ? Promise.reject(unavailable('the sender has stopped')) // Outbox.X3
        : this.deps.ask(
            { workspace, kind: 'hive', id: to },
            {
              type: 'remember',
              input: {
                id,
                type: type ?? 'semantic',
                content,
                shared_by: from,
                ...(run_id !== undefined && { run_id }),
                ...withSubject({ subject }),
              },
              // the record identifies the share even after somebody has deleted its memory
              idempotencyKey: { id: `share_${id}`, bodyHash: '', keptMs: deliveryRecordMs },
              ...(full && { full }),
            },
          );
    const reservation = await this.deps.quota.takeFor(workspace, 1);
    return reservation ? reservation.during(remember) : remember(null);
  }

  private later(item: Sent, tries: number): void {
    if (this.stopped) return;
    this.timers.set(
      item.id,
      this.deps.clock.after(backoffMs(retry, tries), () => {
        this.timers.delete(item.id);
        this.attempt(item, tries + 1);
      }),
    );
  }

  private end(item: Sent, problem: string | null, begun: string | null = null): void {
    if (this.stopped) return;
    this.ended.add(item.id);
    if (problem === null) this.events.delivered(item, begun);
    else this.events.undelivered(item, problem);
  }
}
