/**
 * How a reader follows the events of a run (src/bus/run-events.ts): they are stored
 * with the run, then published on a bus that loses, repeats and reorders them.
 *
 * The events of a commit are applied one document at a time, in any order, and then the run, which says how many there
 * are. The owner may crash before it has published, and a stale one may publish late. The client may connect again
 * anywhere, with the last event that it has. A run whose terminal event is stored may be resumed, which stores more, as
 * long as it has not ended for good.
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** An owner publishes what it has decided, what is committed, or what has been applied, too. */
  publish: 'applied' as 'decided' | 'committed' | 'applied',
  /** Who is told of a later event than the next reads the store. */
  gapCheck: true,
  /** The store is read now and then. */
  poll: true,
  /** The store is read up to the first event that is not there yet. */
  upToHole: true,
  /** The store is read as far as the run says. */
  asFarAsRun: true,
  /** An event that was given out before is dropped. */
  dropSeen: true,
  /** At a terminal event the store is asked whether more has followed. */
  askAtEnd: true,
};
/** Events by commit; those in `terminal` end the run, all but the last until it is resumed. */
export const sizes = { commits: [[1], [2, 3], [4]], terminal: [3, 4], reconnects: 1 };
type Options = typeof asBuilt & typeof sizes;
export type StreamOptions = Partial<Options>;

interface State {
  /** Commits that took effect; those that the run tells of; events that can be read; those on the bus of a listener. */
  committed: number;
  run: number;
  stored: number[];
  bus: number[];
  published: number;
  reader: 'away' | 'listens' | 'follows' | 'ended';
  seen: number;
  given: number[];
  wrongEnd: boolean;
  reconnects: number;
}

export function streamModel(options: StreamOptions = {}): Model<State> {
  const o: Options = { ...asBuilt, ...sizes, ...options };
  const events = (commits: number) => o.commits.slice(0, commits).flat();

  function give(s: State, event: number): void {
    s.given.push(event);
    s.seen = event;
  }
  function readStore(s: State): void {
    for (const event of s.stored.filter((e) => e > s.seen)) {
      if (o.upToHole && event !== s.seen + 1) break;
      if (o.asFarAsRun && !events(s.run).includes(event)) break;
      give(s, event);
    }
    if (o.terminal.includes(s.seen)) end(s);
  }
  function take(s: State, event: number): void {
    if (event <= s.seen && o.dropSeen) return;
    if (event > s.seen + 1 && o.gapCheck) return readStore(s);
    give(s, event);
    if (o.terminal.includes(event)) {
      if (o.askAtEnd) readStore(s);
      else end(s);
    }
  }
  function end(s: State): void {
    s.reader = 'ended';
    s.wrongEnd = events(s.run).some((event) => event > s.seen);
  }
  const publish = (s: State, commit: number) => {
    s.published = commit;
    if (s.reader === 'listens' || s.reader === 'follows')
      s.bus = [...new Set([...s.bus, ...o.commits[commit - 1]!])].sort();
  };

  function ownerSteps(s: State, can: Can<State>): void {
    const open = events(s.committed).filter((event) => !s.stored.includes(event));
    const next = o.commits[s.committed];
    for (const event of open)
      can(`event ${event} is applied`, (t) => {
        t.stored = [...t.stored, event].sort();
      });
    if (open.length === 0 && s.run < s.committed)
      can('the run is applied', (t) => {
        t.run = t.committed;
      });
    if (s.run === s.committed && next)
      can(`the owner commits ${next.join(' and ')}`, (t) => {
        t.committed++;
      });
    const newest = { decided: s.run + 1, committed: s.committed, applied: s.run }[o.publish];
    for (let commit = s.published + 1; commit <= Math.min(newest, o.commits.length); commit++) {
      can(
        `the owner publishes ${o.commits[commit - 1]!.join(' and ')}${commit > s.published + 1 ? ', after a crash that kept earlier ones back' : ''}`,
        (t) => {
          publish(t, commit);
        },
      );
    }
  }
  function readerSteps(s: State, can: Can<State>): void {
    if (s.reader === 'ended') return;
    if (s.reader === 'away') {
      can('the reader begins to listen', (t) => {
        t.reader = 'listens';
      });
      return;
    }
    if (s.reader === 'listens')
      can('the reader reads the store', (t) => {
        t.reader = 'follows';
        readStore(t);
      });
    else {
      for (const event of s.bus)
        can(`the bus delivers event ${event}`, (t) => {
          take(t, event);
        });
      if (o.poll) can('the reader polls the store', readStore);
    }
    if (s.bus.length > 0)
      can('the bus loses what is on it', (t) => {
        t.bus = [];
      });
    if (s.reconnects > 0)
      can('the client connects again after the last event that it has', (t) => {
        t.reconnects--;
        t.reader = 'away';
        t.bus = [];
      });
  }

  return {
    start: {
      committed: 0,
      run: 0,
      stored: [],
      bus: [],
      published: 0,
      reader: 'away',
      seen: 0,
      given: [],
      wrongEnd: false,
      reconnects: o.reconnects,
    },
    steps(s, can) {
      ownerSteps(s, can);
      readerSteps(s, can);
    },
    invariants: {
      S1: {
        text: 'No gap, no duplicate: the client was given exactly 1, 2, ... k.',
        holds: (s) => s.given.every((event, i) => event === i + 1),
      },
      S2: {
        text: 'Nothing that is not durable: what the client was given is committed.',
        holds: (s) => s.given.every((event) => events(s.committed).includes(event)),
      },
      S3: {
        text: 'A stream ends at a terminal event alone, and the run tells of nothing after it.',
        holds: (s) => s.reader !== 'ended' || (o.terminal.includes(s.seen) && !s.wrongEnd),
      },
      S4: {
        text: 'What the client was given, the run tells of.',
        holds: (s) => s.given.every((event) => events(s.run).includes(event)),
      },
    },
    finished: (s) => s.reader === 'ended',
  };
}
