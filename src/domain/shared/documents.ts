/** What each kind of document and each kind of head holds when it is stored. */
import type {
  AgentSnapshot,
  HiveSnapshot,
  MemorySpaceSnapshot,
  StoredSubjectUse,
  StoredUsageDay,
  WorkspaceSnapshot,
} from './snapshots.js';
import type { PeerItem } from '../mailbox/peer-item.js';
import type { RunRecord, StoredMessage } from '../run/records.js';
import type { PackedEntry } from '../run/stored-run.js';
import type { AgentToken, ApiKey, AuditRecord, Block, Schedule, Webhook } from '../model/model.js';
import type { Powers } from './caller.js';
import type { QuestionMessage } from '../mailbox/question-messages.js';
import type { PushOutboxItem, StoredDeadLetter } from '../task/push.js';
import type { StoredMemory } from '../memory/stored-memory.js';
import type { PackedRun } from '../run/stored-run.js';
import type { WebhookOutboxItem } from '../task/push.js';

/** A token of an agent; `hash` is that of its secret. */
export interface StoredToken extends AgentToken {
  hash: string;
}

/** An API key of a workspace; `hash` is that of its secret. */
export interface StoredKey extends ApiKey {
  hash: string;
  updated_at: string;
}

/** The bytes of a file, in base64. */
export interface StoredFile {
  bytes: string;
}

/** A message or a share that is on its way. */
export interface OutboxItem {
  id: string;
  kind: 'message' | 'share';
  to: string;
  content: string;
  /** For shares only. */
  type: string | null;
  from: string;
  /** Of a share: the run that wrote it. */
  run_id?: string;
  reply_to: string | null;
  /** Omitted where it is nobody's in particular. */
  subject?: string;
  hops: number;
  /** What the message carries to its reader (causal-budget.ts, caller.ts). */
  budget?: number;
  powers?: Powers;
  created_at: string;
  trace?: string;
}

/** What agents send each other of a question (questions.ts), on its way. */
export interface QuestionItem {
  id: string;
  kind: 'question';
  to: string;
  sends: QuestionMessage;
  created_at: string;
  trace?: string;
}

export interface StoredSchedule extends Omit<Schedule, 'next_times'> {
  /** Its overrides were given by somebody who manages the agent (Gate.A3). */
  trusted?: true;
  /** The run that it has begun last. Omitted before the first. */
  begun?: string;
}

/** As it is shown. Its id follows from its label and its subject. */
export type StoredBlock = Block;

/** Its secrets are sealed (push/credentials.ts). */
export interface StoredWebhook extends Webhook {
  /** Null after an import, which brings none. */
  secret: string | null;
  /** The secret before the last rotation, and until when it signs as well. */
  previous?: { secret: string; until: string };
}

/** By the kind of the document. */
export interface Documents {
  memory: StoredMemory;
  message: StoredMessage;
  run: PackedRun;
  journal: PackedEntry;
  file: StoredFile;
  outbox: OutboxItem | QuestionItem | PeerItem | PushOutboxItem | WebhookOutboxItem;
  deadLetter: StoredDeadLetter;
  token: StoredToken;
  key: StoredKey;
  schedule: StoredSchedule;
  block: StoredBlock;
  webhook: StoredWebhook;
  audit: AuditRecord;
  usageDay: StoredUsageDay;
  subjectUse: StoredSubjectUse;
}
export type DocumentKind = keyof Documents;

/** The documents that recall finds something of, as they are while they are decided on. */
export interface Recalled {
  memory: StoredMemory;
  message: StoredMessage;
  run: RunRecord;
}
export type RecalledKind = keyof Recalled;

/** By the kind of the entity. The snapshot of a deleted entity is empty. */
export interface Snapshots {
  agent: AgentSnapshot;
  hive: HiveSnapshot;
  /** A workspace that the command line made has no `nextExpiry` yet. */
  workspace: WorkspaceSnapshot & Partial<MemorySpaceSnapshot>;
}
export type EntityKind = keyof Snapshots;

/** Whether an entity is being deleted; a workspace never is. */
export const isDeleting = (snapshot: Snapshots[EntityKind]): boolean => 'deleting' in snapshot && snapshot.deleting;

/** By the collection of the documents or heads. */
export type Bodies = Documents & Snapshots;
