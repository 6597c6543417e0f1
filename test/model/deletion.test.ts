import { deletionModel, type DeletionOptions } from './deletion.js';
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
