/**
 * Notes of the processes that work on the database (cluster/identity.ts), timed by the database's own clock. A note is
 * removed a day after its process last updated it.
 */
import type { Db } from 'mongodb';
import type { ProcessNote, ProcessNotes } from '../port.js';

interface StoredNote extends Omit<ProcessNote, 'instance'> {
  _id: string;
  at: Date;
}

export const processCollection = 'processes';

export function processNotes(db: Db): ProcessNotes {
  const notes = db.collection<StoredNote>(processCollection);
  return {
    async noteProcess({ instance, ...note }) {
      await notes.updateOne({ _id: instance }, { $set: note, $currentDate: { at: true } }, { upsert: true });
    },
    async liveProcesses() {
      const { localTime } = (await db.command({ hello: 1 })) as { localTime: Date };
      // A note may be newer than the server time read above, because a process may write it in between.
      const live = (await notes.find().toArray()).filter(
        ({ at, leaseMs }) => Math.abs(localTime.getTime() - at.getTime()) <= leaseMs,
      );
      return live.map(({ _id, redis, host, leaseMs, protocol }) => ({ instance: _id, redis, host, leaseMs, protocol }));
    },
    async forgetProcess(instance) {
      await notes.deleteOne({ _id: instance });
    },
  };
}
