import { breaks, holds } from './expectations.js';
import { leaseModel, type LeaseOptions } from './lease.js';
import { noticesModel, type NoticesOptions } from './notices.js';
import { recoveryModel, type RecoveryOptions } from './recovery.js';

describe('Model: who holds a shard by its own clock (own-lease.ts, shard-worker.ts ShardWorker.W3)', () => {
  const model = (options: LeaseOptions) => () => leaseModel(options);

  holds('holds while beats are slow or lost and Redis is emptied', model({}));
  breaks('H6', 'where the lease is counted from the answer', model({ countedFrom: 'answer', empties: 0 }));
  breaks(
    'H6',
    'where the monotonic clock alone counts, and the machine sleeps',
    model({ clocks: 'monotonic', empties: 0 }),
  );
  breaks('H6', 'where a call that was sent to an earlier table counts in a new one', model({ seenTableOnly: false }));
  breaks('H6', 'where a table that is new is believed at once', model({ waitInNewTable: false }));
});

describe('Model: what a process knows of the lease table (shard-table.ts)', () => {
  const model = (options: NoticesOptions) => () => noticesModel(options);

  holds('holds while answers and notices are late, overtaken and lost and Redis is emptied', model({}));
  breaks('H8', 'where news are applied over a gap', model({ gapCheck: false }));
  breaks('H8', 'where news do not name their table', model({ tableNamed: false }));
  breaks('goal', 'where nobody reads, and a notice is lost', model({ beats: false }));
});

describe('Model: what had work left goes on after a takeover (shard-actors.ts)', () => {
  const model = (options: RecoveryOptions) => () => recoveryModel(options);

  holds('holds where open heads are listed from time to time', model({}));
  holds(
    'holds with two listings where no pause between decision and commit is as long as a lease',
    model({ listings: 2, pause: 'below a lease' }),
  );
  breaks('H5', 'with the listing of the takeover alone', model({ listings: 1, pause: 'below a lease' }));
  breaks('H5', 'with two listings, where a pause is longer than a lease', model({ listings: 2 }));
  breaks(
    'H5',
    'where whoever is in memory is not loaded again, though its head is newer',
    model({ listings: 2, pause: 'below a lease', reload: false }),
  );
  breaks('goal', 'the same, however often the heads are listed', model({ reload: false, commits: 0 }));
});
