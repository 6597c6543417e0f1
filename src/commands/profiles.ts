/** What can be changed of profiles (docs/api.md 13.12; domain/memory/profiles.ts). */
import { takeOutOfProfile } from '../domain/memory/profiles.js';
import { unpackRun } from '../domain/run/stored-run.js';
import { allOf } from '../maybe-promise.js';
import { partialChange, takes } from './command.js';
import { memoriesById } from './memory-reads.js';

interface TakenOut {
  entry: string;
  /** The memories and turns that say it. */
  said: readonly { id: string; run_id: string | null }[];
}

/** Marks what says something of a profile, as far as it is still there. */
export const removeFromProfile = partialChange({
  name: 'removeFromProfile',
  of: 'agent',
  target: ['id'],
  takes: takes<TakenOut>(),
  audit: 'profile.updated',
  noted: ({ input: { entry, said } }) => ({ target: entry, count: said.length }),
  read: (reading, { input: { said } }) =>
    reading.settled(async () => {
      const { store } = reading.deps;
      const ids = [...new Set(said.flatMap(({ run_id }) => run_id ?? []))];
      const docs = await allOf(ids.map((id) => store.get(reading.entity, 'run', id)));
      return {
        memories: await memoriesById(
          store,
          reading.entity,
          said.flatMap(({ id, run_id }) => (run_id === null ? [id] : [])),
        ),
        runs: docs.flatMap((doc) => {
          const run = doc && unpackRun(doc);
          return run ? [{ run, turns: said.flatMap(({ id, run_id }) => (run_id === run.id ? [id] : [])) }] : [];
        }),
      };
    }),
  decide(d, _call, found): void {
    takeOutOfProfile(d, found);
  },
});
