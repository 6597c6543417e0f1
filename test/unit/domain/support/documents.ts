/** What a store holds of one entity, as far as decisions say: puts and deletes applied to a map. */
import { expect } from 'chai';
import type { JournalEntry, LiveRun, RunRecord, StoredMessage } from '../../../../src/domain/agent/agent-state.js';
import type { Decision, DocumentPut } from '../../../../src/domain/shared/draft.js';
import type { DocumentKind, Documents as Stored, OutboxItem } from '../../../../src/domain/shared/documents.js';
import { unpackEntry, unpackRun } from '../../../../src/domain/run/stored-run.js';
import type { PushOutboxItem } from '../../../../src/domain/task/push.js';
import type { RunEvent } from '../../../../src/domain/model/model.js';

/** As decisions have them. */
interface Bodies extends Omit<Stored, 'run' | 'journal'> {
  run: RunRecord;
  journal: JournalEntry;
}

/** The agent whose runs are decided on. */
const agent = { id: 'agent_1' };

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const isPush = (o: Stored['outbox']): o is PushOutboxItem => o.kind === 'push';

function bodyIn({ kind, id, body }: DocumentPut): Bodies[DocumentKind] {
  if (kind === 'run') return unpackRun({ id, entity: agent, body: json(body) });
  return kind === 'journal' ? unpackEntry(id, agent.id, json(body)) : json(body);
}

export class Documents {
  private readonly bodies = new Map<string, unknown>();

  /** Applies a decision's writes and checks each: JSON, `isNew` told rightly, nothing deleted that is not there. */
  apply({ puts, deletes }: Pick<Decision<unknown>, 'puts' | 'deletes'>): void {
    for (const put of puts) {
      const { kind, id, body, isNew } = put;
      const key = `${kind}/${id}`;
      expect(isNew, `isNew of ${key}`).to.equal(!this.bodies.has(key));
      expect(json(body), `${key} is JSON`).to.deep.equal(body);
      if ('id' in body) expect(body.id, `id of ${key}`).to.equal(id);
      this.bodies.set(key, bodyIn(put));
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
    return this.all('outbox').filter((o): o is OutboxItem => o.kind === 'message' || o.kind === 'share');
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
