/** What a store holds of one entity, as far as decisions say: puts and deletes applied to a map. */
import { expect } from 'chai';
import type {
  JournalEntry,
  LiveRun,
  OutboxItem,
  RunRecord,
  StoredMessage,
} from '../../../../src/domain/agent-state.js';
import type { DocumentKind } from '../../../../src/domain/change.js';
import type { Decision } from '../../../../src/domain/draft.js';
import type { StoredSchedule } from '../../../../src/domain/schedules.js';
import type { StoredWebhook } from '../../../../src/domain/webhooks.js';
import type { StoredMemory } from '../../../../src/domain/stored-memory.js';
import type { PushOutboxItem, StoredDeadLetter } from '../../../../src/domain/push.js';
import type { AgentToken, ApiKey, AuditRecord, RunEvent } from '../../../../src/domain/model.js';

interface Bodies {
  memory: StoredMemory;
  message: StoredMessage;
  run: RunRecord;
  journal: JournalEntry;
  file: { bytes: string };
  outbox: OutboxItem | PushOutboxItem;
  deadLetter: StoredDeadLetter;
  token: AgentToken & { hash: string };
  key: ApiKey & { hash: string };
  audit: AuditRecord;
  schedule: StoredSchedule;
  webhook: StoredWebhook;
}

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const isPush = (o: OutboxItem | PushOutboxItem): o is PushOutboxItem => o.kind === 'push';

export class Documents {
  private readonly bodies = new Map<string, unknown>();

  /** Applies a decision's writes and checks each: JSON, `isNew` told rightly, nothing deleted that is not there. */
  apply({ puts, deletes }: Pick<Decision<unknown>, 'puts' | 'deletes'>): void {
    for (const { kind, id, body, isNew } of puts) {
      const key = `${kind}/${id}`;
      expect(isNew, `isNew of ${key}`).to.equal(!this.bodies.has(key));
      expect(json(body), `${key} is JSON`).to.deep.equal(body);
      expect(body['id'], `id of ${key}`).to.equal(id);
      this.bodies.set(key, json(body));
    }
    for (const { kind, id } of deletes)
      expect(this.bodies.delete(`${kind}/${id}`), `${kind}/${id} was there to be deleted`).to.equal(true);
  }

  all<K extends DocumentKind>(kind: K): Bodies[K][] {
    return [...this.bodies].filter(([key]) => key.startsWith(`${kind}/`)).map(([, body]) => body as Bodies[K]);
  }

  get<K extends DocumentKind>(kind: K, id: string): Bodies[K] {
    const body = this.bodies.get(`${kind}/${id}`);
    if (!body) throw new Error(`the test asks for ${kind} ${id}, which is not stored`);
    return body as Bodies[K];
  }

  /** The outbox: what goes to other entities, and pushes. */
  posts(): OutboxItem[] {
    return this.all('outbox').filter((o): o is OutboxItem => !isPush(o));
  }
  pushes(): PushOutboxItem[] {
    return this.all('outbox')
      .filter(isPush)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  has(kind: DocumentKind, id: string): boolean {
    return this.bodies.has(`${kind}/${id}`);
  }

  /** A run's journal in its stored order: by firstSeq, then id (store/collections.ts). */
  journal(runId: string): JournalEntry[] {
    return this.all('journal')
      .filter((e) => e.runId === runId)
      .sort((a, b) => a.firstSeq - b.firstSeq || (a.id < b.id ? -1 : 1));
  }

  events(runId: string): RunEvent[] {
    return this.journal(runId).flatMap((e) => e.events);
  }

  /** Oldest first. */
  unread(): StoredMessage[] {
    return this.all('message')
      .filter((m) => m.read_at === null)
      .sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  }

  /**
   * A run with its past, as an actor that knows nothing yet reads it; a fork's past begins in the run that it came
   * from.
   */
  live(runId: string): LiveRun {
    const record = this.get('run', runId);
    const { transcript, humanInputs } = this.past(record, Infinity);
    return {
      record,
      entry: record.entryId === null ? null : this.get('journal', record.entryId),
      recordIsNew: false,
      entryIsNew: false,
      transcript,
      humanInputs,
      nextHuman: null,
      attempt: 0,
      stepping: false,
      reads: [],
    };
  }

  private past(record: RunRecord, upTo: number): Pick<LiveRun, 'transcript' | 'humanInputs'> {
    const from = record.forkedFrom;
    const before = from ? this.past(this.get('run', from.runId), from.step) : { transcript: [], humanInputs: [] };
    const entries = this.journal(record.id);
    return {
      transcript: [
        ...before.transcript,
        ...entries.flatMap((e) => (e.checkpoint && e.checkpoint.step <= upTo ? [e.checkpoint.calls] : [])),
      ],
      humanInputs: [
        ...before.humanInputs,
        ...entries.flatMap((e) => (e.human && e.human.step < upTo ? [e.human] : [])),
      ],
    };
  }
}
