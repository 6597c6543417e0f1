/**
 * A decision of an entity while it is being made: what is to be written and done, and the resulting counts. This is the
 * part that agents, hives and workspace desks share, which is their memory space. The input state is never changed.
 */
import type { MemorySpaceSnapshot } from './snapshots.js';
import {
  addCounts,
  bump,
  type Counts,
  type DocumentDelete,
  type DocumentPut,
  type DocumentPutOf,
  type Effect,
  type Env,
  type IndexEffect,
} from './change.js';
import { advance, type EntityTime, idTime, iso } from './clock.js';
import type { DocumentKind, Documents, Recalled, RecalledKind } from './documents.js';
import type { WorkspaceEvent } from './model.js';
import { sizeOf, storageName } from './storage.js';
import type { WebhookEvent } from './vocabulary.js';
import { mostWebhookEvents, webhooksFor, type WebhookNotice, type WebhookOutboxItem } from './webhook-events.js';

/** The result of deciding. `state` replaces the state that the decision was made on. */
export interface Decision<S> {
  state: S;
  puts: readonly DocumentPut[];
  deletes: readonly DocumentDelete[];
  effects: readonly Effect[];
  result: unknown;
}

/** The owner of the memory space, which is recorded on its memories and in its events. */
export interface Owner {
  agent_id?: string;
  hive_id?: string;
}

export class Draft {
  /** The time in the ids that this decision makes, in ms. */
  readonly at: number;
  /** The timestamp of this decision, in ms and as text. */
  readonly timeMs: number;
  readonly time: string;
  /** What the entity's snapshot keeps of its time. */
  readonly clock: EntityTime;
  readonly puts: DocumentPut[] = [];
  readonly deletes: DocumentDelete[] = [];
  readonly effects: Effect[] = [];
  nextExpiry: number | null;
  webhookEvents: number;
  /** Bytes that this decision adds to what is stored (storage.ts). */
  grown = 0;
  /** These are the state's own until the first change, which copies them. */
  counts: Counts;
  constructor(
    snapshot: MemorySpaceSnapshot,
    private readonly countsBefore: Counts,
    public positions: ReadonlyMap<string, number>,
    readonly env: Env,
    readonly owner: Owner,
  ) {
    this.counts = countsBefore;
    this.clock = advance(snapshot, env.now);
    this.at = idTime(this.clock);
    this.timeMs = this.clock.lastMs;
    this.time = iso(this.timeMs);
    this.nextExpiry = snapshot.nextExpiry;
    this.webhookEvents = snapshot.webhookEvents ?? 0;
  }

  /** How many long-term memories the owner may hold (docs/api.md 8.4); null is unlimited. */
  get memoryQuota(): number | null {
    return null;
  }

  /** Notes that somebody has used the owner, which an agent shows. */
  noteUse(): void {
    // nothing shows when a hive or desk was used last
  }

  count(changes: Record<string, number>): void {
    if (this.counts === this.countsBefore) this.counts = addCounts(this.counts, changes);
    else for (const name in changes) bump(this.counts, name, changes[name] ?? 0);
  }

  announce(type: WorkspaceEvent['type'], data: Record<string, unknown>): void {
    this.effects.push({ type: 'announce', event: { type, at: this.time, data } });
    if (!this.env.webhooks) return;
    for (const { webhook, name } of webhooksFor(this.env.webhooks, type, data)) this.tell(webhook, name, data);
  }

  /** Puts an event for a webhook into the outbox. */
  private tell(webhook: string, type: WebhookEvent, data: Record<string, unknown>): void {
    if (this.webhookEvents >= mostWebhookEvents) return;
    const id = this.env.ids('outbox', this.at);
    const event: WebhookNotice = { id, type, timestamp: this.time, data };
    const item: WebhookOutboxItem = { id, kind: 'event', webhook, event, created_at: this.time };
    this.put('outbox', id, item, true);
    this.effects.push({ type: 'send', id });
    this.webhookEvents++;
  }

  /** Writes a document. `before` is the body that it replaces, if that may differ in size. */
  put<K extends DocumentKind>(kind: K, id: string, body: Documents[K], isNew: boolean, before?: Documents[K]): void {
    const put: DocumentPutOf<K> = { kind, id, body, isNew };
    if (before || isNew) put.size = sizeOf(body);
    if (put.size !== undefined) this.grown += put.size - (before ? sizeOf(before) : 0);
    if (before !== undefined && hasOtherWords(body, before)) put.rewrites = true;
    this.write(put);
  }

  /** Deletes a document that has counted so many bytes. */
  remove(kind: DocumentDelete['kind'], id: string, bytes: number): void {
    this.deletes.push({ kind, id });
    this.grown -= bytes;
  }

  /** Makes a memory, a message or the turns of a run known to recall, in their present form. */
  index<K extends RecalledKind>(kind: K, body: Recalled[K]): void {
    this.effects.push({ type: 'index', kind, body } as IndexEffect);
  }

  /** The counts including the bytes that the decision has stored, which never go below 0. */
  finalCounts(): Counts {
    if (this.grown !== 0) this.count({ [storageName]: Math.max(this.grown, -(this.counts[storageName] ?? 0)) });
    this.grown = 0;
    return this.counts;
  }

  protected write<K extends DocumentKind>(put: DocumentPutOf<K>): void {
    this.puts.push(put as DocumentPut);
  }
}

/** What recall has words of. */
type Words = Readonly<Record<'content' | 'speaker' | 'metadata', unknown>>;
function hasOtherWords(body: object, before: object): boolean {
  const now: Partial<Words> = body;
  const then: Partial<Words> = before;
  return now.content !== then.content || now.speaker !== then.speaker || now.metadata !== then.metadata;
}
