import { breaks, holds } from './expectations.js';
import { outboxModel, type OutboxOptions } from './outbox.js';
import { wakeModel, type WakeOptions } from './wake.js';

describe('Model: a message from agent to agent', () => {
  const model = (options: OutboxOptions) => () => outboxModel(options);

  holds('holds with a crash, and deliveries that are lost or repeated', model({}));
  holds('holds while records vanish, later than a message is refused', model({ time: true, crashes: 0 }));
  holds('holds with two messages and a crash', model({ messages: ['m1', 'm2'] }));
  holds('holds where the budget allows one of two messages', model({ messages: ['m1', 'm2'], budget: 1 }));
  breaks(
    'O4',
    'where what is spent is not part of the commit that sends',
    model({ messages: ['m1', 'm2'], budget: 1, spent: 'remembered' }),
  );
  breaks('O1', 'without a record at the receiver', model({ record: false }));
  breaks('O1', 'without the fence of the store', model({ fence: false }));
  breaks(
    'O1',
    'where a record vanishes before its message is refused',
    model({ time: true, crashes: 0, recordKept: 1 }),
  );
  breaks('O2', 'where a message leaves the outbox when it is sent', model({ removed: 'sent' }));
  breaks('O3', 'where a message is sent before its commit', model({ sent: 'decided' }));
});

describe('Model: when an agent wakes', () => {
  const model = (options: WakeOptions) => () => wakeModel(options);

  const three = ['m1', 'm2', 'm3'];
  const calm = { crashes: 0, cancels: 0 };

  holds('holds with two messages, a crash and a cancel', model({}));
  holds('holds where a client deletes a message', model({ cancels: 0, deletes: 1 }));
  holds('holds with three messages, of which memory holds one', model({ ...calm, messages: three }));
  holds('holds where steps fail until messages wake no more', model({ ...calm, failures: 1, maxWakes: 1 }));
  holds('holds where messages carry a budget, which runs spend', model({ carried: 1, cancels: 0 }));
  const beside = { ...calm, starts: 1, shared: 2, steps: 1, atOnce: 2, messages: ['m1'] };
  holds('holds beside runs that clients start', model({ ...beside, starts: 1, shared: 0 }));
  holds('holds where runs wait for their session', model({ ...beside, starts: 0 }));
  holds('holds where runs wait for room', model({ ...beside, starts: 2, shared: 0, maxParallel: 1 }));
  holds(
    'holds where runs that wait are read again after a crash',
    model({ ...beside, starts: 0, crashes: 1, messages: [] }),
  );
  holds('holds where runs side by side read the mailbox', model({ ...beside, starts: 2, shared: 0, wakes: false }));
  holds('holds with a budget, a crash and a cancel', model({ carried: 1 }), true);
  holds(
    'holds where old messages that wake no more hide new ones',
    model({ ...calm, messages: three, failures: 2, maxWakes: 1 }),
    true,
  );
  breaks('W4', 'where a send takes nothing from the budget', model({ carried: 1, spends: false }));
  breaks('W4', 'without the fence of the store', model({ carried: 1, fence: false }));
  breaks('W1', 'where every message makes a run', model({ oneRun: false, starts: 1 }));
  breaks('W7', 'where only the end of the last run looks for what is unread', model({ ...beside, wakesBeside: false }));
  breaks('L1', 'where runs do not wait for their session', model({ ...beside, locksSession: false }));
  breaks(
    'W6',
    'where steps side by side read the same message',
    model({ ...beside, starts: 2, shared: 0, wakes: false, readsOnce: false }),
  );
  breaks('W2', 'where the end of a run does not look for what is unread', model({ wakeAfterRun: false }));
  breaks('W2', 'where nobody reads on in the mailbox', model({ refills: false, countsReading: false }));
  breaks(
    'W7',
    'where nobody reads on in the mailbox that counts as work',
    model({ ...calm, messages: three, refills: false }),
  );
  breaks('W2', 'where a crash leaves nobody to read on in the mailbox', model({ countsReading: false }));
  breaks(
    'goal',
    'where a read that finds nothing leaves the work to the next load',
    model({ ...calm, deletes: 1, settles: false }),
  );
  breaks('W3', 'where a report counts for a later attempt', model({ attempts: false }));
  breaks(
    'W5',
    'where a step does not take in first what woke its run',
    model({ ...calm, readsWaking: false, failures: 1, maxWakes: 1 }),
  );
});
