/**
 * Notes of the processes that work on the database (cluster/identity.ts), timed by the database's own clock. A note is
 * removed a day after its process last updated it.
 */
import type { Db } from 'mongodb';
import type { ProcessNote, ProcessNotes } from '../port.js';

interface StoredNote extends Omit<ProcessNote, 'instance' | 'leaseMs' | 'protocol'> {
  _id: string;
  leaseMs?: number | null;
  protocol?: number;
  at: Date;
}

export const processCollection = 'processes';
/** Of versions that do not note one. */
const firstProtocol = 1;

export function processNotes(db: Db): ProcessNotes {
  const notes = db.collection<StoredNote>(processCollection);
  return {
    async noteProcess({ instance, redis, host, leaseMs, protocol }) {
      await notes.updateOne(
        { _id: instance },
        { $set: { redis, host, leaseMs, protocol }, $currentDate: { at: true } },
        { upsert: true },
      );
    },
    async liveProcesses(withinMs) {
      const { localTime } = (await db.command({ hello: 1 })) as { localTime: Date };
      const ageOf = (at: Date): number => localTime.getTime() - at.getTime();
      // A note may be newer than the server time read above, because a process may write it in between.
      const lives = ({ at, leaseMs }: StoredNote): boolean => {
        const longest = leaseMs ?? withinMs;
        return ageOf(at) <= longest && ageOf(at) >= -longest;
      };
      const live = (await notes.find().toArray()).filter(lives);
      return live.map(({ _id, redis, host, leaseMs, protocol }) => ({
        instance: _id,
        redis,
        host,
        leaseMs: leaseMs ?? null,
        protocol: protocol ?? firstProtocol,
      }));
    },
    async forgetProcess(instance) {
      await notes.deleteOne({ _id: instance });
    },
  };
}
