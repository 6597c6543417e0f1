import { epochModel, type EpochOptions } from './epochs.js';
import { breaks, holds } from './expectations.js';
import { handoverModel, type HandoverOptions } from './handover.js';

describe('Model: a command takes effect once while its shard moves (router.ts)', () => {
  const model = (options: HandoverOptions) => () => handoverModel(options);

  holds('holds with a crash, leases lost, and a transport that loses and repeats', model({ moves: 2 }));
  holds('holds with two commands and a shard that moves', model({ commands: ['c1', 'c2'], crashes: 0 }), true);
  holds('holds with two commands, a crash and a move', model({ commands: ['c1', 'c2'] }), true);

  breaks('H2', 'without the fence of the store', model({ commands: ['c1', 'c2'], fence: false }));
  breaks('H1', 'without records of commands', model({ records: false }));
  breaks('goal', 'where nobody sends again', model({ resend: false }));
  breaks(
    'H4',
    'where the bound counts only what waits for an owner',
    model({ commands: ['c1', 'c2'], bounded: 'waiting', bound: 1 }),
  );
});

describe('Model: whom a gateway believes to hold a shard', () => {
  const model = (options: EpochOptions) => () => epochModel(options);

  holds('holds while leases end and Redis is emptied', model({}));
  breaks('H7', 'where it does not remember the epochs that it has seen', model({ remember: 'nothing' }));
  breaks('goal', 'where epochs are counted in Redis, which is emptied', model({ from: 'redis', remember: 'for ever' }));
  breaks(
    'goal',
    'where seen epochs outlive the table, and one drawn before is used in a new one',
    model({ remember: 'for ever' }),
  );
});
