/**
 * What had work left goes on after a takeover: the new owner lists the heads that are open,
 * and loads them.
 *
 * P has decided on a commit that leaves work to do while it held the shard, and is slow; Q takes the shard over. One
 * entity, which Q may have loaded before, to answer somebody. The head's compare-and-set is as in commit.ts. Ticks of
 * half a lease.
 */
import type { Model } from './checker.js';

export const asBuilt = {
  /** How often the open heads are listed: at the takeover, a lease later, and from time to time after that. */
  listings: 'for ever' as 1 | 2 | 'for ever',
  /** Where an open head is newer than what is in memory, it is loaded again; else who is in memory is left alone. */
  reload: true,
  /** How long P may stop between its decision and its commit: less than a lease, or as long as it likes. */
  pause: 'any' as 'below a lease' | 'any',
};
export const sizes = { /** Of Q: what else it loads the entity for, and commits. */ reads: 1, commits: 1 };
export type RecoveryOptions = Partial<typeof asBuilt & typeof sizes>;

const lease = 2;
/** `seen` is the sequence number that Q has in memory, -1 where it has nothing. */
interface State {
  seq: number;
  active: boolean;
  p: 'free' | 'decided' | 'done';
  pausedFor: number;
  holder: 'P' | 'Q';
  heldFor: number;
  listed: number;
  seen: number;
  reads: number;
  commits: number;
}

export function recoveryModel(options: RecoveryOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };
  const most = o.listings === 'for ever' ? 3 : o.listings;
  const isAwake = (s: State) => !s.active || s.seen === s.seq;

  function list(s: State): void {
    s.listed = Math.min(s.listed + 1, most);
    if (s.active && (s.seen < 0 || o.reload)) s.seen = s.seq;
  }

  return {
    start: {
      seq: 0,
      active: false,
      p: 'free',
      pausedFor: 0,
      holder: 'P',
      heldFor: 0,
      listed: 0,
      seen: -1,
      reads: o.reads,
      commits: o.commits,
    },
    steps(s, can) {
      const mayPass = o.pause === 'any' || s.p !== 'decided' || s.pausedFor < lease - 1;
      if (mayPass)
        can('half a lease passes', (t) => {
          t.heldFor = Math.min(t.heldFor + (t.holder === 'Q' ? 1 : 0), lease);
          if (t.p === 'decided') t.pausedFor = Math.min(t.pausedFor + 1, lease);
        });
      if (s.p === 'free' && s.holder === 'P')
        can('P decides to start a run', (t) => {
          t.p = 'decided';
        });
      if (s.p === 'decided')
        can('the commit of P arrives', (t) => {
          t.p = 'done';
          if (t.seq === 0) Object.assign(t, { seq: 1, active: true });
        });
      if (s.holder === 'P') {
        can('Q takes the shard over', (t) => {
          t.holder = 'Q';
        });
        return;
      }
      const due = s.listed === 0 || (s.listed === 1 && most > 1 && s.heldFor >= lease) || (s.listed > 1 && most > 2);
      if (due) can(`Q lists the open heads${s.listed > 0 ? ' again' : ''}`, list);
      if (s.seen < 0 && s.reads > 0)
        can('Q loads the entity to answer somebody', (t) => {
          t.reads--;
          t.seen = t.seq;
        });
      if (s.seen >= 0 && s.commits > 0)
        can('Q commits something else', (t) => {
          if (t.seen !== t.seq) t.seen = t.seq;
          else {
            t.commits--;
            t.seq += 2;
            t.seen = t.seq;
          }
        });
    },
    invariants: {
      H5: {
        text: 'When all listings are over, nothing that has work left is not awake at its owner.',
        holds: (s) => s.listed < most || o.listings === 'for ever' || s.p === 'decided' || isAwake(s),
      },
    },
    finished: (s) => s.holder === 'Q' && s.p !== 'decided' && isAwake(s),
  };
}
