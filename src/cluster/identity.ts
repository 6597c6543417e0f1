/**
 * Detects mistakes before this process joins a cluster: two clusters on one database, and processes with different
 * lease times or of versions that do not understand each other. (clock-skew.ts detects clocks that differ.)
 *
 *  - All live processes of a database use one Redis. With every heartbeat each stores in the database the name of the
 *    table that it uses (`born`, beat.lua); a start that finds a live process in another table does not join.
 *  - A Redis that was flushed has a new table, which live processes report soon: what is alive is decided only
 *    after they have had time for that, about a lease.
 *  - All live processes of a database have the same lease time, which each stores too: with a different one, a process
 *    would consider the others dead too early or too late.
 *  - All live processes of a database speak the same protocol with each other, which each stores too.
 * Every finding is one sentence: the mistake and what to do.
 */
import { type Clock, waited } from '../domain/shared/clock.js';
import type { RedisClient } from '../redis/connect.js';
import type { ProcessNote, ProcessNotes } from '../store/port.js';
import { newTableName, placementKeys } from './redis/leases.js';

/**
 * The version of what processes send each other: commands and answers (actors/cluster/wire-format.ts), events
 * (src/bus/) and the table of leases (src/cluster/redis/). A change that an earlier version does not understand counts
 * it up, and then both cannot run side by side.
 */
export const protocolVersion = 4;

export class ClusterMistake extends Error {
  override readonly name = 'ClusterMistake';
}

export interface IdentityDeps {
  self: string;
  host: string;
  leaseMs: number;
  notes: ProcessNotes;
  /** Returns the name of the table in our Redis (`redisTable`). */
  table: () => Promise<string>;
  clock: Clock;
  /** Called when the process's entry could not be stored. */
  failed: (error: unknown) => void;
}

export interface Identity {
  /**
   * Run before the placement starts. Rejects with ClusterMistake, or with an
   * error of the database or Redis. Takes up to a lease and a half if something is wrong.
   */
  check(): Promise<void>;
  /** For the placement's `onBeat`. At most one write is in progress and one more pending. */
  noted(born: string): void;
  /** For the placement's `mayBeHeld`: whether any other process has sent a heartbeat recently. */
  mayBeHeld(): Promise<boolean>;
  /** Call this when the process has left. */
  forget(): Promise<void>;
}

/** How many times a start checks whether the others have moved to this Redis. */
const looks = 6;

export function createIdentity({ self, host, leaseMs, notes, table, clock, failed }: IdentityDeps): Identity {
  let noting: Promise<void> | null = null;
  const others = async (): Promise<ProcessNote[]> =>
    (await notes.liveProcesses()).filter(({ instance }) => instance !== self);
  return {
    async check() {
      for (let look = 1; ; look++) {
        const mistake = clusterProblem(await table(), leaseMs, await others());
        if (mistake === null) return;
        if (look === looks) throw new ClusterMistake(mistake);
        await waited(clock, leaseMs / 4);
      }
    },
    noted(born) {
      noting ??= notes
        .noteProcess({ instance: self, redis: born, host, leaseMs, protocol: protocolVersion })
        .catch(failed)
        .finally(() => {
          noting = null;
        });
    },
    mayBeHeld: async () => (await others()).length > 0,
    async forget() {
      await noting;
      await notes.forgetProcess(self);
    },
  };
}

/** The reason for refusing a start, as a sentence; null if nothing is wrong. */
export const clusterProblem = (table: string, leaseMs: number, others: readonly ProcessNote[]): string | null =>
  splitClusterProblem(table, others) ?? protocolProblem(others) ?? leaseProblem(leaseMs, others);

/** Applies if a live process uses another Redis than `table`. */
function splitClusterProblem(table: string, others: readonly ProcessNote[]): string | null {
  const stranger = others.find(({ redis }) => redis !== table);
  return stranger === undefined
    ? null
    : `The database is in use by a process on ${stranger.host} over another Redis, which would be two clusters on one database: give all processes the same HIVEKEEP_REDIS_URL, or this cluster a database of its own in HIVEKEEP_MONGODB_URL.`;
}

/** Applies if a live process has another lease time. */
function leaseProblem(leaseMs: number, others: readonly ProcessNote[]): string | null {
  const stranger = others.find((other) => other.leaseMs !== leaseMs);
  return stranger === undefined
    ? null
    : `A process of this cluster on ${stranger.host} has HIVEKEEP_LEASE_SECONDS=${stranger.leaseMs / 1000}, and this one ${leaseMs / 1000}: give all processes the same; to change it, stop all of them first.`;
}

/** Applies if a live process is of a version that speaks another protocol. */
function protocolProblem(others: readonly ProcessNote[]): string | null {
  const stranger = others.find(({ protocol }) => protocol !== protocolVersion);
  return stranger === undefined
    ? null
    : `A process of this cluster on ${stranger.host} is of another version of hivekeep, which does not work side by side with this one (its protocol is ${stranger.protocol}, ours ${protocolVersion}): stop all processes of that version first.`;
}

/** Returns the name of the table in this Redis, and creates the table if there is none. */
export async function redisTable(client: RedisClient, prefix: string): Promise<string> {
  const { born } = placementKeys(prefix);
  const found = await client.get(born);
  if (found !== null) return found;
  await client.set(born, `${Math.floor(await redisTime(client, born))}-${newTableName()}`, 'NX');
  return (await client.get(born)) ?? redisTable(client, prefix);
}

/** The clock, in ms, of the server that holds `key`. */
export async function redisTime(client: RedisClient, key: string): Promise<number> {
  const [seconds, micros] = (await client.eval("return redis.call('TIME')", 1, key)) as [string, string];
  return Number(seconds) * 1000 + Number(micros) / 1000;
}
