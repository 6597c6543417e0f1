/** Notes of the processes that work on the database (cluster/identity.ts), by the database's own clock. They vanish a day after the process does. */
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
    async noteProcess({ instance, redis, host }) {
      await notes.updateOne({ _id: instance }, { $set: { redis, host }, $currentDate: { at: true } }, { upsert: true });
    },
    async liveProcesses(withinMs) {
      const { localTime } = (await db.command({ hello: 1 })) as { localTime: Date };
      const live = await notes.find({ at: { $gte: new Date(localTime.getTime() - withinMs) } }).toArray();
      return live.map(({ _id, redis, host }) => ({ instance: _id, redis, host }));
    },
    async forgetProcess(instance) {
      await notes.deleteOne({ _id: instance });
    },
  };
}
