/**
 * A decision of an entity while it is being made: what is to be written and done, and the resulting counts. This is the
 * part that agents, hives and workspace desks share, which is their memory space. The input state is never changed.
 */
import type { DocumentKind, Documents, Recalled, RecalledKind } from './documents.js';
import type { IdSource } from './ids.js';
import type { RunEvent, WorkspaceEvent, AuditRecord } from '../model/model.js';
import type { RemarkOf, WebhookEvent, AuditAction } from './vocabulary.js';
import {
  type WebhookListener,
  type WebhookNotice,
  type WebhookOutboxItem,
  mostWebhookEvents,
  webhooksFor,
} from '../task/push.js';
import type { MemorySpaceSnapshot } from './snapshots.js';
import { type EntityTime, advance, idTime, iso } from './clock.js';
import { sizeOf, storageName } from '../workspace/usage.js';

/*
 * What a decision asks for: documents to write and delete, and effects to carry out. All of it is plain data. The shell
 * commits the writes first and carries out the effects afterwards, except for `begin` as described there. The step of a
 * run that is no longer running is stopped at once, before the commit, because its result is no longer wanted.
 */

export type Counts = Readonly<Record<string, number>>;

export interface DocumentPutOf<K extends DocumentKind> {
  kind: K;
  id: string;
  /** As it is stored. */
  body: Documents[K];
  isNew: boolean;
  /** It replaces a text that is to be found nowhere any more, as after a deletion. */
  rewrites?: true;
  /** Its approximate size (usage.ts), if it is known. */
  size?: number;
}
export type DocumentPut = { [K in DocumentKind]: DocumentPutOf<K> }[DocumentKind];
export interface DocumentDelete {
  kind: DocumentKind;
  id: string;
}

/** Makes a document known to recall. */
export type IndexEffect = {
  [K in RecalledKind]: { type: 'index'; kind: K; body: Recalled[K] };
}[RecalledKind];

export type Effect =
  /** Publish events to the run's followers. */
  | { type: 'publish'; runId: string; events: readonly RunEvent[] }
  | { type: 'announce'; event: WorkspaceEvent }
  | IndexEffect
  | { type: 'unindex'; kind: RecalledKind; id: string }
  /** Deliver an outbox document of this commit. */
  | { type: 'send'; id: string }
  /** What was used for a subject has been counted. */
  | { type: 'counted'; subject: string }
  /** Nobody waits any more for the call of a peer that this outbox document is. */
  | { type: 'withdraw'; id: string }
  /**
   * Begin the next step of a run. A step reads and reasons but changes nothing, so it may begin before the commit is
   * durable: its result is only another decision, and is lost together with the decisions that it is based on.
   */
  | { type: 'begin'; runId: string }
  /** Read more unread messages from the store, because there are more than were in memory. */
  | { type: 'refill' }
  /** Read the run that is first in line from the store, because only its id is in memory. */
  | { type: 'fetchNext' };

/** How many unread messages an agent keeps in memory and one step takes in, and how often a message wakes its agent. */
export type MailboxBounds = Readonly<Record<'unreadInMemory' | 'unreadPerStep' | 'maxWakes', number>>;

/** Who makes a change, and from where. */
export interface AuditActor {
  /** The id of the key or token. */
  actor: string;
  from: string | null;
  /** The name of the key, the token or the person. */
  name?: string | null | undefined;
  /** The id of the request. */
  request?: string | undefined;
}

/** What the audit says of a change (audit.ts), beside what the decision itself tells. */
export interface AuditNote {
  action: AuditAction;
  by: AuditActor;
  /** The id of what is changed, where it is neither that in the result of the decision nor `place`. */
  target: string | null;
  /** The last of the ids that the request named. */
  place: string | null;
  fields: readonly string[];
  count: number | null;
}

/** The environment of a decision. */
export interface Env {
  /** Set where the decision is a change that the audit tells of. */
  audit?: AuditNote;
  /** The trace that the decision belongs to, as a traceparent; what goes out because of it carries that on. */
  trace?: string;
  /** The current time in ms. The entity's own clock is `tick(now, last)`. */
  now: number;
  ids: IdSource;
  /**
   * `messageBudget`: how many messages one origin may cause (causal-budget.ts). `journalMs`: how long the journals of
   * ended runs are kept, in ms; for ever if it is 0 or omitted (retention.ts). `contextOfTask`: whether a task whose
   * client names no context has its agent's (the default) or its session's, in every version of A2A.
   */
  defaults: {
    maxSteps: number;
    maxRuntimeSeconds: number;
    messageBudget: number;
    /** How long a step waits for models that are away, ms. */
    modelOutageMs?: number;
    journalMs?: number;
    contextOfTask?: 'agent' | 'session';
  };
  /** The webhooks of the workspace; omitted if it has none. */
  webhooks?: readonly WebhookListener[];
  /** What a text that somebody said is, in the language that the service knows. */
  remarkOf: RemarkOf;
  /** Omitted for those of the service (agent-state.ts); a model explores smaller ones. */
  mailbox?: MailboxBounds;
}

/** Adds to the counts. A count that reaches 0 is removed, so that counts stay small. */
export function addCounts(counts: Counts, changes: Readonly<Record<string, number>>): Counts {
  const out: Record<string, number> = { ...counts };
  for (const name in changes) bump(out, name, changes[name] ?? 0);
  return out;
}

/** Adds to one of the counts in place, under the same rule. */
export function bump(counts: Record<string, number>, name: string, by: number): void {
  const value = (counts[name] ?? 0) + by;
  if (value === 0) delete counts[name];
  else counts[name] = value;
}

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
  /** Bytes that this decision adds to what is stored (usage.ts). */
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

  /** The id and the name of the entity itself; those of a desk are the workspace's. */
  get ownerId(): string {
    return '';
  }
  get ownerName(): string {
    return '';
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

  /** Adds a record to the audit, and tells the webhooks that want to know. It does not count as stored (audit.ts). */
  audit(record: AuditRecord): void {
    this.write({ kind: 'audit', id: record.id, body: record, isNew: true });
    if (!this.env.webhooks) return;
    for (const { webhook, name } of webhooksFor(this.env.webhooks, 'audit.recorded', record))
      this.tell(webhook, name, record);
  }

  /** Puts an event for a webhook into the outbox. */
  private tell(webhook: string, type: WebhookEvent, data: Record<string, unknown>): void {
    if (this.webhookEvents >= mostWebhookEvents) return;
    const id = this.env.ids('outbox', this.at);
    const event: WebhookNotice = { id, type, timestamp: this.time, data };
    this.sendEvent({ id, kind: 'event', webhook, event, created_at: this.time });
  }

  sendEvent(item: WebhookOutboxItem): void {
    this.put('outbox', item.id, item, true);
    this.effects.push({ type: 'send', id: item.id });
    this.webhookEvents++;
  }

  /** Writes a document. `before` is the body that it replaces, if that may differ in size. */
  put<K extends DocumentKind>(kind: K, id: string, body: Documents[K], isNew: boolean, before?: Documents[K]): void {
    const put: DocumentPutOf<K> = { kind, id, body: this.traced(kind, body, isNew), isNew };
    if (before || isNew) put.size = sizeOf(put.body);
    if (put.size !== undefined) this.grown += put.size - (before ? sizeOf(before) : 0);
    if (before !== undefined && hasOtherWords(body, before)) put.rewrites = true;
    this.write(put);
  }

  /** Writes a sum, which outlives the entity and does not count as stored. */
  putSum(id: string, body: Documents['subjectUse'], isNew: boolean): void {
    this.write({ kind: 'subjectUse', id, body, isNew });
  }

  /** What is new in the outbox goes out in the trace of the decision. */
  private traced<K extends DocumentKind>(kind: K, body: Documents[K], isNew: boolean): Documents[K] {
    const { trace } = this.env;
    return trace === undefined || kind !== 'outbox' || !isNew ? body : { ...body, trace };
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

/*
 * The commands of a kind of entity, as a table: the name of each, with the function that applies it to a draft and
 * returns its result. What the function takes besides the draft is the command; whatever had to be read from the store
 * is part of it.
 */

type Fields<F> = F extends (draft: never, command: infer C) => unknown ? (unknown extends C ? object : C) : never;

/** The command `N` of a table, and without `N` any of them. */
export type CommandOf<T, N extends keyof T = keyof T> = { [K in N]: { type: K } & Fields<T[K]> }[N];

/** What deciding on the command `N` results in. */
export type ResultOf<T, N extends keyof T> = T[N] extends (...args: never) => infer R ? R : never;

/** A command that brings its decision along (src/commands/command.ts), instead of naming one of a table. */
export interface Decided<D> {
  readonly type: 'decide';
  /** That of the command. */
  readonly name: string;
  decide(draft: D): unknown;
}

const isDecided = <D>(command: { type: unknown } | Decided<D>): command is Decided<D> => command.type === 'decide';

/** Applies a command to a draft. */
export const applyCommand = <D, T extends object>(
  table: T,
  draft: D,
  command: { type: keyof T } | Decided<D>,
): unknown =>
  isDecided(command)
    ? command.decide(draft)
    : (table[command.type] as (draft: D, command: unknown) => unknown)(draft, command);
