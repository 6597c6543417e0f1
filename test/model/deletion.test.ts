import { deletionModel, type DeletionOptions, keptModel, type KeptOptions } from './deletion.js';
import { breaks, holds } from './expectations.js';

describe('Model: what is left of a deleted entity', () => {
  const model = (options: DeletionOptions) => () => deletionModel(options);

  holds('holds where a purge leaves tombstones, without a sweep', model({}));
  holds(
    'holds where a purge removes, with a sweep after the apply age, where who reads looks at the head',
    model({ purge: 'removes', sweep: true, readersLookAtHead: true }),
  );
  breaks(
    'C8',
    'until the sweep, where a purge removes and who reads does not look at the head',
    model({ purge: 'removes', sweep: true }),
  );
  breaks('C7', 'where a purge removes and nobody sweeps', model({ purge: 'removes', readersLookAtHead: true }));
  breaks(
    'C7',
    'where tombstones vanish while somebody may still apply',
    model({ readersLookAtHead: true, tombstoneKept: 0 }),
  );
});

describe('Model: the head of a deleted entity', () => {
  const model = (options: KeptOptions) => () => keptModel(options);

  holds('holds where it stays while there is a record', model({}));
  holds(
    'holds where it stays for good, even without the record',
    model({ recordOutlivesDeletion: false, headKept: 'for good' }),
  );
  breaks('C10', 'where head and record go with the deletion', model({ recordOutlivesDeletion: false }));
  breaks('C10', 'where the record vanishes while its command is repeated', model({ recordKept: 0 }));
  breaks('C11', 'where it does not wait for the record', model({ headKept: 'not at all' }));
});
