/**
 * What is left of an entity that is deleted: its documents go for good, while a writer that
 * lost the entity may still be applying an earlier commit.
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
