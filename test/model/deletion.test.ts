import { deletionModel, type DeletionOptions } from './deletion.js';
import { breaks, holds } from './expectations.js';

describe('Model: what is left of a deleted entity', () => {
  const model = (options: DeletionOptions) => () => deletionModel(options);

  holds(
    'holds with a sweep after the apply age, where who reads looks at the head',
    model({ readersLookAtHead: true }),
  );
  holds('holds where a purge leaves tombstones, without a sweep', model({ purge: 'leaves tombstones', sweep: false }));
  breaks('C8', 'until the sweep, where a purge removes and who reads does not look at the head', model({}));
  breaks('C7', 'where a purge removes and nobody sweeps', model({ sweep: false, readersLookAtHead: true }));
  breaks(
    'C7',
    'where tombstones vanish while somebody may still apply',
    model({ purge: 'leaves tombstones', sweep: false, readersLookAtHead: true, tombstoneKept: 0 }),
  );
});
