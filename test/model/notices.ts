/**
 * What a process knows of the lease table (shard-table.ts), from answers to its heartbeats and from notices of what has
 * changed, each of which goes on from the one before. Both may be late, overtaken or lost, a change may come without a
 * notice (of a gateway), and Redis may be emptied, which begins another table with other versions.
 *
 * Two shards; what is known of one is the version in which it changed last. Left out: a replica of Redis that lacked the
 * last versions, whose table is read as a whole from time to time.
 */
import type { Model } from './checker.js';

export const asBuilt = {
  /** News are applied only where they go on from what is known; after a gap the table is read. */
  gapCheck: true,
  /** News name their table. */
  tableNamed: true,
  /** The table is read as a whole, or as far as it has changed, at each heartbeat. */
  beats: true,
};
export const sizes = { changes: 3, empties: 1 };
export type NoticesOptions = Partial<typeof asBuilt & typeof sizes>;

interface Table {
  born: number;
  version: number;
  shards: number[];
}
type News = Table & { since: number };
interface State {
  table: Table;
  told: number;
  notices: News[];
  answer: News | null;
  known: Table;
  changes: number;
  empties: number;
}

export function noticesModel(options: NoticesOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };
  const everything = -1;
  const news = ({ table }: State, since: number): News => ({ ...structuredClone(table), since });

  function learn(s: State, { since, born, version, shards }: News): void {
    const { known } = s;
    if (since !== everything) {
      if ((o.tableNamed && born !== known.born) || (o.gapCheck && since > known.version)) return;
      if (version <= known.version) return;
    }
    const isNews = (changed: number): boolean => since === everything || changed > since;
    s.known = { born, version, shards: shards.map((changed, i) => (isNews(changed) ? changed : known.shards[i]!)) };
  }

  return {
    start: {
      table: { born: 1, version: 0, shards: [0, 0] },
      told: 0,
      notices: [],
      answer: null,
      known: { born: 0, version: 0, shards: [0, 0] },
      changes: o.changes,
      empties: o.empties,
    },
    steps(s, can) {
      for (const i of s.changes > 0 ? [0, 1] : [])
        for (const isTold of [true, false])
          can(`shard ${i} changes${isTold ? '' : ', without a notice'}`, (t) => {
            t.changes--;
            t.table.shards[i] = ++t.table.version;
            if (isTold) t.notices.push(news(t, t.told));
            if (isTold) t.told = t.table.version;
          });
      for (const [i, notice] of s.notices.entries()) {
        const of = `the notice of version ${notice.version} of table ${notice.born}`;
        can(`${of} is heard`, (t) => t.notices.splice(i, 1).forEach((one) => learn(t, one)));
        can(`${of} is lost`, (t) => void t.notices.splice(i, 1));
      }
      if (!s.answer && o.beats)
        can('it beats', (t) => {
          const isKnown = t.known.born === t.table.born && t.known.version <= t.table.version;
          t.answer = news(t, isKnown ? t.known.version : everything);
        });
      if (s.answer)
        can('it is answered', (t) => {
          learn(t, t.answer!);
          t.answer = null;
        });
      if (s.empties > 0)
        can('Redis is emptied', (t) => {
          t.empties--;
          Object.assign(t, { table: { born: t.table.born + 1, version: 0, shards: [0, 0] }, told: 0 });
        });
    },
    invariants: {
      H8: {
        text: 'Whoever knows a version of a table knows all that changed until then.',
        holds: ({ table, known }) =>
          known.born !== table.born || table.shards.every((at, i) => at > known.version || at === known.shards[i]),
      },
    },
    finished: ({ table, known }) => JSON.stringify(table) === JSON.stringify(known),
  };
}
