/**
 * What is left of an entity that is deleted.
 *
 * `deletionModel`: its documents go for good, while a writer that lost the entity may still be applying an earlier
 * commit.
 *
 * P has committed a put of one document and is slow to apply it. Q loads the entity, which applies it too, commits
 * the delete, and purges. Ticks of the age after which nobody applies.
 */
import type { Model } from './checker.js';

export const asBuilt = {
  /** What a purge leaves: a tombstone for some time, or nothing. */
  purge: 'leaves tombstones' as 'removes' | 'leaves tombstones',
  /** One more purge, after nobody can be applying any more. */
  sweep: false,
  /** Who reads looks at the head, too, and shows nothing of a deleted entity. */
  readersLookAtHead: false,
  applyFor: 1,
  tombstoneKept: 2,
};
export type DeletionOptions = Partial<typeof asBuilt>;

interface State {
  doc: 'none' | 'there' | 'tombstone';
  docAge: number;
  /** P has read the head so long ago. */
  p: 'applies' | 'done';
  pAge: number;
  q: 'loads' | 'deletes' | 'purges' | 'answered' | 'swept';
  qAge: number;
}

export function deletionModel(options: DeletionOptions = {}): Model<State> {
  const o = { ...asBuilt, ...options };
  const purge = (s: State) => {
    if (s.doc === 'there') Object.assign(s, { doc: o.purge === 'removes' ? 'none' : 'tombstone', docAge: 0 });
  };
  const last = o.sweep ? 'swept' : 'answered';

  return {
    start: { doc: 'none', docAge: 0, p: 'applies', pAge: 0, q: 'loads', qAge: 0 },
    steps(s, can) {
      if (s.p === 'applies')
        can('P applies its commit, where it is not too late', (t) => {
          t.p = 'done';
          if (t.pAge <= o.applyFor && t.doc === 'none') t.doc = 'there';
        });
      if (s.q === 'loads')
        can('Q loads the entity, which applies the commit', (t) => {
          t.q = 'deletes';
          if (t.doc === 'none') t.doc = 'there';
        });
      if (s.q === 'deletes')
        can('Q commits the delete', (t) => {
          t.q = 'purges';
        });
      if (s.q === 'purges')
        can('Q purges, and answers that all is gone', (t) => {
          purge(t);
          t.q = 'answered';
          t.qAge = 0;
        });
      if (o.sweep && s.q === 'answered' && s.qAge > o.applyFor)
        can('Q sweeps', (t) => {
          purge(t);
          t.q = 'swept';
        });
      if (s.doc === 'tombstone' && s.docAge >= o.tombstoneKept)
        can('the tombstone vanishes', (t) => {
          t.doc = 'none';
        });
      can('time passes', (t) => {
        if (t.p === 'applies') t.pAge = Math.min(t.pAge + 1, o.applyFor + 1);
        if (t.q === 'answered') t.qAge = Math.min(t.qAge + 1, o.applyFor + 1);
        if (t.doc === 'tombstone') t.docAge = Math.min(t.docAge + 1, o.tombstoneKept);
      });
    },
    invariants: {
      C7: {
        text: 'A deleted entity leaves nothing behind.',
        holds: (s) => s.q !== last || s.p !== 'done' || s.doc !== 'there',
      },
      C8: {
        text: 'From the answer to a delete on nothing of the entity is seen.',
        holds: (s) => (s.q !== 'answered' && s.q !== 'swept') || s.doc !== 'there' || o.readersLookAtHead,
      },
    },
    finished: (s) => s.q === last && s.p === 'done' && s.doc !== 'there',
  };
}

export const kept = {
  /** Whether a deletion leaves the record of the command that created the entity. */
  recordOutlivesDeletion: true,
  /** What the embedded store waits for before it removes the head of a deleted entity. */
  headKept: 'while there is a record' as 'while there is a record' | 'not at all' | 'for good',
  recordKept: 2,
  repeatedFor: 1,
};
export type KeptOptions = Partial<typeof kept>;

interface KeptState {
  head: 'none' | 'there' | 'deleted';
  deletions: number;
  creations: number;
  record: boolean;
  recordAge: number;
  /** The age of the command as its client knows it. */
  age: number;
}

/**
 * `keptModel`: a client creates an entity by a command that it repeats for a time, somebody deletes the entity, and the
 * embedded store removes its head and the record of the command. An entity that is created by a request without a name
 * has an id that nobody else makes, so only a repeated command can bring one back.
 */
export function keptModel(options: KeptOptions = {}): Model<KeptState> {
  const o = { ...kept, ...options };
  return {
    start: { head: 'none', deletions: 0, creations: 0, record: false, recordAge: 0, age: 0 },
    steps(s, can) {
      if (s.age <= o.repeatedFor)
        can('the client sends the command', (t) => {
          if (t.record || t.head !== 'none') return; // answered from the record, or refused
          Object.assign(t, { head: 'there', record: true, recordAge: 0, creations: t.creations + 1 });
        });
      if (s.head === 'there')
        can('somebody deletes the entity', (t) => {
          Object.assign(t, { head: 'deleted', deletions: t.deletions + 1 });
          if (!o.recordOutlivesDeletion) t.record = false;
        });
      if (s.record && s.recordAge >= o.recordKept)
        can('the record vanishes', (t) => {
          t.record = false;
        });
      if (s.head === 'deleted' && o.headKept !== 'for good' && !(o.headKept === 'while there is a record' && s.record))
        can('the head vanishes', (t) => {
          t.head = 'none';
        });
      can('time passes', (t) => {
        t.age = Math.min(t.age + 1, o.repeatedFor + 1);
        if (t.record) t.recordAge = Math.min(t.recordAge + 1, o.recordKept);
      });
    },
    invariants: {
      C10: {
        text: 'An entity that was deleted is not created again by a command that is repeated.',
        holds: (s) => s.creations <= 1,
      },
      C11: {
        text: 'The record of a command is found by who goes through the heads, for as long as it answers.',
        holds: (s) => !s.record || s.head !== 'none',
      },
    },
    finished: (s) => s.age > o.repeatedFor && !s.record && (s.head === 'none' || s.head === 'deleted'),
  };
}
