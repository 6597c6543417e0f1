/**
 * How a message from A to B takes effect once: it is a document of the commit of A that causes
 * it, sent after that by whoever has loaded A, removed when B has acknowledged it. B's document of the message is the
 * record that makes a second delivery harmless.
 *
 * Two workers, either of which may own A, B or both, also at a time. Commits are compare-and-sets on sequence numbers
 * (commit.ts). What is on its way is delivered once, several times, or lost.
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** The store compares the sequence number of B. */
  fence: true,
  /** B looks for the message among those that it has. */
  record: true,
  /** When it leaves the outbox, when it is sent. */
  removed: 'acknowledged' as 'acknowledged' | 'sent',
  sent: 'committed' as 'committed' | 'decided',
  /** Where A keeps what is left of its budget: in the commit that sends, or in the memory of whoever has loaded it. */
  spent: 'committed' as 'committed' | 'remembered',
};
export const sizes = {
  messages: ['m1'],
  /** So many messages may A send. */
  budget: 2,
  crashes: 1,
  time: false,
  /**
   * B's record of a message may vanish at this age; B refuses a message that was committed longer ago than this, and it
   * is listed as undelivered.
   */
  recordKept: 2,
  deliveredFor: 1,
};
type Options = typeof asBuilt & typeof sizes;
export type OutboxOptions = Partial<Options>;

/** Of A and of B the sequence number that it has loaded, -1 for none; the message that it is about to take in. */
interface Worker {
  /** What is left of A's budget, as it was loaded. */ left: number;
  a: number;
  b: number;
  takes: string;
}
interface Message {
  committed: boolean;
  inOutbox: boolean;
  onItsWay: boolean;
  acknowledged: boolean;
  /** How often B has taken it in. */ taken: number;
  recorded: boolean;
  undelivered: boolean;
  age: number;
  recordAge: number;
}
interface State {
  /** Of A's budget, as it is stored. */ left: number;
  a: number;
  b: number;
  /** The message of A's last commit. */ last: string;
  messages: Record<string, Message>;
  workers: Worker[];
  crashes: number;
}

const idle = (): Worker => ({ left: 0, a: -1, b: -1, takes: '' });

export function outboxModel(options: OutboxOptions = {}): Model<State> {
  const o: Options = { ...asBuilt, ...sizes, ...options };

  /**
   * The load applies A's last commit again, which may bring back a document that was removed: it is only sent once
   * more.
   */
  function loadA(s: State, w: Worker): void {
    w.a = s.a;
    w.left = s.left;
    if (s.last) s.messages[s.last]!.inOutbox = true;
  }
  function commitA(s: State, w: Worker, m: string): void {
    if (w.a !== s.a) {
      w.a = -1;
      return;
    }
    w.a = ++s.a;
    w.left--;
    if (o.spent === 'committed') s.left = w.left;
    s.last = m;
    Object.assign(s.messages[m]!, { committed: true, inOutbox: true });
  }
  function receive(s: State, w: Worker, m: string): void {
    const message = s.messages[m]!;
    if (o.record && message.recorded) message.acknowledged = true;
    else if (message.age > o.deliveredFor) Object.assign(message, { acknowledged: true, undelivered: true });
    else w.takes = m;
  }
  function commitB(s: State, w: Worker): void {
    const message = s.messages[w.takes]!;
    w.takes = '';
    if (o.fence && w.b !== s.b) {
      w.b = -1;
      return;
    }
    w.b = ++s.b;
    Object.assign(message, { taken: message.taken + 1, recorded: true, acknowledged: true });
  }

  function workerSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = 'PQ'[i]!;
    const own = (t: State) => t.workers[i]!;
    if (w.a < 0)
      can(`${name} loads A`, (t) => {
        loadA(t, own(t));
      });
    if (w.b < 0)
      can(`${name} loads B`, (t) => {
        own(t).b = t.b;
      });
    if (w.takes)
      can(`${name} commits that B takes ${w.takes} in`, (t) => {
        commitB(t, own(t));
      });
    for (const m of o.messages) {
      const { committed, inOutbox, onItsWay, acknowledged } = s.messages[m]!;
      if (w.a >= 0 && w.left > 0 && !committed)
        can(`${name} commits ${m} at A`, (t) => {
          commitA(t, own(t), m);
        });
      if (w.a >= 0 && !onItsWay && (inOutbox || (o.sent === 'decided' && !committed)))
        can(`${name} sends ${m}`, (t) => {
          t.messages[m]!.onItsWay = true;
          if (o.removed === 'sent') t.messages[m]!.inOutbox = false;
        });
      if (w.a >= 0 && inOutbox && acknowledged)
        can(`${name} removes ${m} from the outbox`, (t) => {
          t.messages[m]!.inOutbox = false;
        });
      if (w.b >= 0 && !w.takes && onItsWay)
        can(`${name} receives ${m} for B`, (t) => {
          receive(t, own(t), m);
        });
    }
    if (s.crashes > 0 && (w.a >= 0 || w.b >= 0))
      can(`${name} crashes`, (t) => {
        t.crashes--;
        t.workers[i] = idle();
      });
  }

  return {
    start: {
      left: o.budget,
      a: 0,
      b: 0,
      last: '',
      workers: [idle(), idle()],
      crashes: o.crashes,
      messages: Object.fromEntries(
        o.messages.map((m): [string, Message] => [
          m,
          {
            committed: false,
            inOutbox: false,
            onItsWay: false,
            acknowledged: false,
            taken: 0,
            recorded: false,
            undelivered: false,
            age: 0,
            recordAge: 0,
          },
        ]),
      ),
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
      const all = Object.values(s.messages);
      if (all.some((m) => m.onItsWay || m.acknowledged))
        can('all that is on its way is lost', (t) => {
          for (const m of Object.values(t.messages)) Object.assign(m, { onItsWay: false, acknowledged: false });
        });
      if (!o.time) return;
      can('time passes', (t) => {
        for (const m of Object.values(t.messages)) {
          if (m.committed) m.age = Math.min(m.age + 1, o.deliveredFor + 1);
          if (m.recorded) m.recordAge = Math.min(m.recordAge + 1, o.recordKept);
        }
      });
      for (const m of o.messages)
        if (s.messages[m]!.recorded && s.messages[m]!.recordAge >= o.recordKept)
          can(`B's record of ${m} vanishes`, (t) => {
            t.messages[m]!.recorded = false;
          });
    },
    invariants: {
      O1: {
        text: 'Once: B takes a message in at most once.',
        holds: (s) => Object.values(s.messages).every((m) => m.taken <= 1),
      },
      O2: {
        text: 'None lost: what A has committed is in its outbox until B has it, or it is listed as undelivered.',
        holds: (s) =>
          Object.values(s.messages).every((m) => !m.committed || m.inOutbox || m.taken > 0 || m.undelivered),
      },
      O3: {
        text: 'None invented: B takes in only what A has committed.',
        holds: (s) => Object.values(s.messages).every((m) => m.taken === 0 || m.committed),
      },
      O4: {
        text: 'Conserved: A sends no more than its budget allows.',
        holds: (s) => Object.values(s.messages).filter((m) => m.committed).length <= o.budget,
      },
    },
    finished: (s) =>
      Object.values(s.messages).every(
        (m) => (m.taken > 0 || m.undelivered || (!m.committed && s.left === 0)) && !m.inOutbox,
      ),
    canonical(s) {
      if (JSON.stringify(s.workers[0]) > JSON.stringify(s.workers[1])) s.workers.reverse();
      return s;
    },
  };
}
