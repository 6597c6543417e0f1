/**
 * Whom a gateway believes to hold a shard: epochs, counted in the store, and a table in Redis that may
 * be emptied.
 *
 * Two workers want one shard. Each draws an epoch from the store and then asks for the lease with it; between the two
 * anything may happen. The table refuses an epoch that is not above the one it keeps. A gateway reads the table now and
 * then, and an answer that was read earlier may come later.
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** Where epochs are counted. */
  from: 'store' as 'store' | 'redis',
  /**
   * For how long the gateway believes no epoch below one that it has seen: as long as the table is the same, or for
   * ever.
   */
  remember: 'this table' as 'nothing' | 'this table' | 'for ever',
};
export const sizes = { /** Leases that end. */ moves: 2, /** Redis is emptied. */ empties: 1 };
export type EpochOptions = Partial<typeof asBuilt & typeof sizes>;

interface Entry {
  owner: number;
  epoch: number;
  table: number;
}
interface State {
  lease: Entry;
  counted: number;
  drawn: number[];
  route: Entry;
  /** An answer on its way to the gateway. */ read: Entry | null;
  /** Seen by nobody. */ wentBack: boolean;
  moves: number;
  empties: number;
}

const names = ['P', 'Q'];

export function epochModel(options: EpochOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };
  const nobody = (table: number): Entry => ({ owner: -1, epoch: 0, table });
  const isOlder = (route: Entry, seen: Entry) =>
    seen.epoch < route.epoch &&
    (o.remember === 'for ever' || (o.remember === 'this table' && seen.table === route.table));

  function believe(s: State, seen: Entry): void {
    if (seen.owner < 0) s.route.owner = -1;
    else if (!isOlder(s.route, seen)) {
      s.wentBack ||= seen.table === s.route.table && seen.epoch < s.route.epoch;
      s.route = { ...seen };
    }
  }
  function workerSteps(s: State, i: number, can: Can<State>): void {
    const name = names[i]!;
    const drawn = o.from === 'store' ? s.drawn[i]! : s.lease.epoch + 1;
    if (s.lease.owner < 0 && drawn === 0)
      can(`${name} draws epoch ${s.counted + 1}`, (t) => {
        t.drawn[i] = ++t.counted;
      });
    if (drawn > 0 && s.lease.owner < 0)
      can(`${name} asks for the lease with epoch ${drawn}`, (t) => {
        t.drawn[i] = 0;
        if (drawn > t.lease.epoch) t.lease = { ...t.lease, owner: i, epoch: drawn };
      });
    if (s.lease.owner === i && s.moves > 0)
      can(`the lease of ${name} ends`, (t) => {
        t.lease.owner = -1;
        t.moves--;
      });
  }

  return {
    start: {
      lease: nobody(0),
      counted: 0,
      drawn: [0, 0],
      route: nobody(0),
      read: null,
      wentBack: false,
      moves: o.moves,
      empties: o.empties,
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
      if (!s.read)
        can(`the gateway reads the table: ${names[s.lease.owner] ?? 'nobody'}, epoch ${s.lease.epoch}`, (t) => {
          t.read = { ...t.lease };
        });
      can(`the gateway is answered at once: ${names[s.lease.owner] ?? 'nobody'}, epoch ${s.lease.epoch}`, (t) => {
        believe(t, t.lease);
      });
      if (s.read)
        can('the gateway is answered what it read', (t) => {
          believe(t, t.read!);
          t.read = null;
        });
      if (s.empties > 0)
        can('Redis is emptied', (t) => {
          t.empties--;
          t.lease = nobody(t.lease.table + 1);
        });
    },
    invariants: {
      H7: { text: 'In one table a gateway never goes back to an earlier owner.', holds: (s) => !s.wentBack },
    },
    finished: (s) => s.lease.owner >= 0 && s.route.owner === s.lease.owner && s.route.epoch === s.lease.epoch,
  };
}
