/**
 * The lease table in Redis: three Lua scripts (beat, acquire and release, documented in their headers) over table.lua,
 * and a channel for notices. A heartbeat is answered with what has changed since the version that its process knows,
 * and a notice has what has changed since the one before, so that neither a cluster at rest nor a change costs the
 * square of its processes. All keys share one tag, `{place}`, so that a script also runs in a Redis Cluster. Entries
 * that cannot be parsed (foreign, or of another version) are ignored.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { RedisClient } from '../../redis/connect.js';
import { loadScript, type RedisScript } from '../../redis/script.js';
import type { Lease, LeaseTable, LiveMember, TableNews } from '../leases.js';
import type { Member } from '../placement.js';
import { mostShards } from '../../store/shards.js';

const script = (name: string): RedisScript =>
  loadScript(new URL('./table.lua', import.meta.url), new URL(name, import.meta.url));
const beat = script('./beat.lua');
const acquire = script('./acquire.lua');
const release = script('./release.lua');

/** All keys of a cluster begin with `prefix`. */
export const placementKeys = (prefix: string) => ({
  alive: `${prefix}{place}:alive`,
  members: `${prefix}{place}:members`,
  leases: `${prefix}{place}:leases`,
  born: `${prefix}{place}:born`,
  news: `${prefix}{place}:news`,
  version: `${prefix}{place}:version`,
  channel: `${prefix}{place}`,
});

/** The random part of a table's `born`, in addition to its time. */
export const newTableName = (): string => randomBytes(6).toString('hex');

/** `subscriber` is a dedicated connection. */
export function redisLeases(client: RedisClient, subscriber: RedisClient, prefix: string): LeaseTable {
  const { channel, ...names } = placementKeys(prefix);
  const keys = [names.alive, names.members, names.leases, names.born, names.news, names.version];
  return {
    async beat(member, leaseMs, tell, known) {
      const answer = await beat(client, keys, [
        member.instance,
        channel,
        JSON.stringify(member),
        leaseMs,
        newTableName(),
        tell ? 1 : 0,
        member.role === 'gateway' ? 1 : 0,
        known?.born ?? '',
        known?.version ?? '',
      ]);
      const [now, born, fresh, version, firstEnd, isWhole, members, leases] = answer as [
        number,
        string,
        number,
        number,
        number,
        number,
        string[],
        string[],
      ];
      return {
        born,
        version,
        since: isWhole === 1 ? null : (known?.version ?? null),
        members: readMembers(pairs(members)),
        leases: readLeases(leases),
        firstEndMs: firstEnd > 0 ? firstEnd : Infinity,
        ageMs: Math.max(0, now - tableStartedAt(born)),
        fresh: fresh === 1,
      };
    },
    async acquire(instance, shards, epoch) {
      return (await acquire(client, keys, [instance, channel, epoch, ...shards])) as number[] | null;
    },
    async release(instance, given, leave) {
      const changes = given.flatMap(({ shard, epoch }) => [shard, epoch]);
      return (await release(client, keys, [instance, channel, leave ? 1 : 0, ...changes])) as number[];
    },
    watch(told) {
      const look = (): void => {
        told(null);
      };
      const heard = (of: string, text: string): void => {
        if (of === channel) told(readNotice(text));
      };
      // Reading the table once connected finds what was missed before.
      const listen = (): void => {
        subscriber.subscribe(channel).then(look, () => undefined);
      };
      // RedisConnect.C5
      const leave = (): void => {
        subscriber.disconnect(true);
      };
      subscriber.on('message', heard).on('ready', listen);
      client.on('ready', look).on('refused', leave);
      if (subscriber.status === 'ready') listen();
      return () => {
        subscriber.off('message', heard).off('ready', listen);
        client.off('ready', look).off('refused', leave);
        subscriber.unsubscribe(channel).catch(() => undefined); // the connection may be closed already
      };
    },
  };
}

const memberSchema = z.object({
  instance: z.string(),
  role: z.enum(['all', 'gateway', 'worker']),
  draining: z.boolean(),
  about: z.record(z.string(), z.union([z.string(), z.number()])),
  stats: z.record(z.string(), z.number()),
}) satisfies z.ZodType<Member>;

/** Parses (instance, description). A description that is empty, cannot be read, or is another's counts as none. */
const readMembers = (descriptions: readonly (readonly [string, string])[]): Map<string, Member | null> =>
  new Map(
    descriptions.map(([instance, description]) => {
      const member = memberSchema.safeParse(parsed(description)).data;
      return [instance, member?.instance === instance ? member : null];
    }),
  );

/** Parses `alive` (instance, expiry, ...) and `members` (instance, description, ...). Expired processes are omitted. */
export function readLiveMembers(now: number, alive: readonly string[], descriptions: readonly string[]): LiveMember[] {
  const members = readMembers(pairs(descriptions));
  return pairs(alive).flatMap(([instance, expires]) => {
    const [member, leftMs] = [members.get(instance), Number(expires) - now];
    return member && leftMs > 0 ? [{ member, leftMs }] : [];
  });
}

/** Parses shard, "epoch owner" or "epoch", ... */
export function readLeases(fields: readonly string[]): Lease[] {
  return pairs(fields).flatMap(([name, lease]) => {
    const shard = Number(name);
    const [, epoch, owner] = /^(\d+)(?: (.+))?$/.exec(lease) ?? [];
    return epoch !== undefined && Number.isInteger(shard) && shard >= 0 && shard < mostShards
      ? [{ shard, epoch: Number(epoch), owner: owner ?? null }]
      : [];
  });
}

const noticeSchema = z.object({
  born: z.string(),
  since: z.int(),
  version: z.int(),
  first: z.number(),
  members: z.record(z.string(), z.string()),
  leases: z.record(z.string(), z.array(z.int())),
});

/** Parses what `tell` of table.lua has published; null if it cannot be read. */
function readNotice(text: string): TableNews | null {
  const { data } = noticeSchema.safeParse(parsed(text));
  if (!data) return null;
  const { first, members, leases, ...versions } = data;
  return {
    ...versions,
    members: readMembers(Object.entries(members)),
    leases: readLeases(
      Object.entries(leases).flatMap(([lease, shards]) => shards.flatMap((shard) => [String(shard), lease])),
    ),
    firstEndMs: first > 0 ? first : Infinity,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** When the table was created, by Redis' clock (ms). */
export const tableStartedAt = (born: string): number => Number(/^\d+/.exec(born)?.[0] ?? 0);

const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
