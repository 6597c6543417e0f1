import { goal } from './checker.js';
import { breaks, holds } from './expectations.js';
import { quotaModel, type QuotaOptions } from './quota.js';

describe('Model: an exact quota whose gate moves (docs/api.md 8.4; quota-desk.ts QuotaDesk.K1-K4)', () => {
  const model = (options: QuotaOptions) => () => quotaModel(options);

  holds('holds for one place, two clients and a gate that moves', model({}));
  holds('holds for two places, three clients and a gate that moves', model({ limit: 2, clients: 3, travels: false }));
  holds(
    'holds for two places, three clients and three gates',
    model({ limit: 2, clients: 3, gates: 3, travels: false }),
    true,
  );
  breaks('Q1', 'where an earlier gate does not see that it is no longer named', model({ named: false }));
  breaks('Q1', 'without a deadline', model({ deadline: 'none' }));
  breaks(
    'Q1',
    'where the deadline counts from the grant: a gate may be slow after its look',
    model({ deadline: 'from the grant' }),
  );
  breaks('Q1', 'where the actor counts from when the request arrived', model({ judges: 'from the arrival' }));
  breaks(
    goal,
    "where the actor judges a time by the client's clock, which is behind: nothing is ever stored",
    model({ judges: "by the client's clock, which is behind" }),
  );
  breaks(
    'Q1',
    'where a gate notes too early that it is alone',
    model({ limit: 2, clients: 3, gates: 3, travels: false, landFor: 0, alone: 'at once' }),
  );
  breaks('Q1', 'where a new gate does not wait for what earlier ones have granted', model({ reckons: false }));
  breaks('Q2', 'where the bound refuses', model({ refuses: 'on the bound' }));
  breaks(
    'Q1',
    'where a decided commit arrives later than its time: the one case that is not caught',
    model({ lands: 'any time' }),
  );
});
