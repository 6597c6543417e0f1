import { commitModel, type CommitOptions } from './commit.js';
import { breaks, holds } from './expectations.js';

const putThenDelete: CommitOptions = { commands: { c1: { x: 'put' }, c2: { x: 'delete' } } };
const putTwice: CommitOptions = { commands: { c1: { x: 'put' }, c2: { x: 'put' } } };
/** Nobody applies in a later tick than the head was read in. */
const soon: CommitOptions = { ages: 'of documents', applyFor: 0 };
const model = (options: CommitOptions) => () => commitModel(options);

describe('Model: a commit on a database that changes one document at a time (store Store.P1, Store.P2)', () => {
  holds('holds with two writers, one of which crashes', model({ ...putThenDelete, again: 0 }));
  holds(
    'holds where a commit of two documents is half applied, and its command sent again',
    model({ commands: { c1: { x: 'put', y: 'put' } } }),
  );
  holds(
    'holds where the answer of a compare-and-set is lost, and it arrives late',
    model({ ...putThenDelete, crashes: 0, losses: 1, again: 0 }),
  );
  holds(
    'holds while tombstones vanish, later than anybody applies',
    model({ ...putThenDelete, ...soon, crashes: 0, again: 0, tombstoneKept: 1 }),
  );
  holds(
    'holds while records vanish, later than a command is refused',
    model({ commands: { c1: { x: 'put' } }, ages: 'of commands' }),
  );
  const firsts = { ...putTwice, again: 0, crashes: 0, firsts: true } as const;
  holds('holds where first deliveries are not looked for (Idempotency.Y4), however late they come', model(firsts));
  holds('holds with first deliveries and a crash', model({ ...firsts, crashes: 1 }), true);
  breaks(
    'C4',
    'where a first delivery is not looked for by who has loaded since it was sent',
    model({ ...firsts, unlooked: 'first deliveries' }),
  );
  holds('holds with two documents, of which a later commit deletes one, and a crash', model({ again: 0 }), true);
  holds('holds with a crash and an answer lost', model({ ...putThenDelete, losses: 1, again: 0 }), true);
  holds(
    'holds with a crash while tombstones vanish',
    model({ ...putThenDelete, ...soon, tombstoneKept: 1, again: 0 }),
    true,
  );
  holds(
    'holds with two commands while records vanish',
    model({ ...putThenDelete, ages: 'of commands', crashes: 0 }),
    true,
  );

  breaks('C1', 'without the fence', model({ fence: false }));
  breaks('C2', 'where a late put overwrites a newer one', model({ ...putTwice, guardPuts: false }));
  breaks(
    'C2',
    'where a late delete removes a newer put',
    model({
      commands: { c1: { x: 'put' }, c2: { x: 'delete' }, c3: { x: 'put' } },
      crashes: 0,
      again: 0,
      guardDeletes: false,
    }),
  );
  breaks('C3', 'without tombstones', model({ tombstones: false }));
  breaks(
    'C3',
    'where a tombstone vanishes while somebody may still apply',
    model({ ...putThenDelete, ...soon, crashes: 0, again: 0, tombstoneKept: 0 }),
  );
  breaks(
    'C2',
    'where an insert that meets a tombstone gives up',
    model({
      commands: { c1: { x: 'put' }, c2: { x: 'delete' }, c3: { x: 'put' } },
      crashes: 0,
      again: 0,
      repeatOnDuplicate: false,
    }),
  );
  const ofRuns = { commands: { c1: { run: 'put', x: 'put' }, c2: { run: 'put', x: 'put' } }, again: 0 } as const;
  holds('holds where a run and what it rests on are one commit', model({ ...ofRuns, crashes: 0 }));
  breaks('C9', 'where the document of a run is applied in any order', model({ ...ofRuns, runsLast: false }));
  breaks('C2', 'where a load does not finish the last commit', model({ loadFinishes: false }));
  breaks('C2', 'where a command is acknowledged before its commit is applied', model({ acknowledgeApplied: false }));
  breaks('C2', 'where the next commit does not wait until one is applied', model({ nextAfterApplied: false }));
  breaks('C4', 'where a release drops the writes of somebody else', model({ releaseGuarded: false }));
  breaks('C4', 'without records of commands', model({ record: 'none' }));
  breaks('C4', 'where the record is written after the answer', model({ record: 'after the answer' }));
  breaks('C4', 'where the record of a command is not looked for again after a conflict', model({ lookAgain: false }));
  breaks(
    'C2',
    'where a stale owner answers from a record before the rest of its commit is applied',
    model({ loadBeforeRecord: false }),
  );
  breaks(
    'C4',
    'where a record vanishes before its command is refused',
    model({ ...putThenDelete, ages: 'of commands', recordKept: 1 }),
  );
  breaks(
    'C6',
    'where a commit that may be one of those before is called a conflict',
    model({ losses: 1, unknown: false }),
  );
});
