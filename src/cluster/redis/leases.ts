/**
 * The lease table in Redis: three Lua scripts (beat, acquire and release, documented in their headers) and a channel
 * for notices. All keys share one tag, `{place}`, so that a script also runs in a Redis Cluster. Entries that cannot be
 * parsed (foreign, or of another version) are ignored.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { RedisClient } from '../../redis/connect.js';
import { loadScript } from '../../redis/script.js';
import type { Lease, LeaseTable, LiveMember } from '../leases.js';
import type { Member } from '../placement.js';
import { shardCount } from '../../store/shards.js';

const beat = loadScript(new URL('./beat.lua', import.meta.url));
const acquire = loadScript(new URL('./acquire.lua', import.meta.url));
const release = loadScript(new URL('./release.lua', import.meta.url));

/** All keys of a cluster begin with `prefix`. */
export const placementKeys = (prefix: string) => ({
  alive: `${prefix}{place}:alive`,
  members: `${prefix}{place}:members`,
  leases: `${prefix}{place}:leases`,
  born: `${prefix}{place}:born`,
  channel: `${prefix}{place}`,
});

/** The random part of a table's `born`, in addition to its time. */
export const newTableName = (): string => randomBytes(6).toString('hex');

/** `subscriber` is a dedicated connection. */
export function redisLeases(client: RedisClient, subscriber: RedisClient, prefix: string): LeaseTable {
  const keys = placementKeys(prefix);
  let self = '';
  return {
    async beat(member, leaseMs, tell) {
      self = member.instance;
      const answer = await beat(
        client,
        [keys.alive, keys.members, keys.leases, keys.born],
        [self, JSON.stringify(member), leaseMs, newTableName(), keys.channel, tell ? 1 : 0],
      );
      const [now, born, fresh, alive, members, leases] = answer as [
        number,
        string,
        number,
        string[],
        string[],
        string[],
      ];
      return {
        born,
        ageMs: Math.max(0, now - tableStartedAt(born)),
        fresh: fresh === 1,
        members: readMembers(now, alive, members),
        leases: readLeases(leases),
      };
    },
    async acquire(instance, shards, epoch) {
      return (await acquire(client, [keys.alive, keys.leases], [instance, epoch, keys.channel, ...shards])) as
        number[] | null;
    },
    async release(instance, leases, leave) {
      return (await release(
        client,
        [keys.alive, keys.members, keys.leases],
        [instance, keys.channel, leave ? 1 : 0, ...leases.flatMap(({ shard, epoch }) => [shard, epoch])],
      )) as number[];
    },
    watch(told) {
      const look = (): void => {
        told(null);
      };
      const heard = (channel: string, text: string): void => {
        const notice = channel === keys.channel ? readNotice(text) : null;
        if (notice && notice.from !== self) told(notice.leases);
      };
      // Reading the table once connected finds what was missed before.
      const listen = (): void => {
        subscriber.subscribe(keys.channel).then(look, () => undefined);
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
        subscriber.unsubscribe(keys.channel).catch(() => undefined); // the connection may be closed already
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

/** Parses `alive` (instance, expiry, ...) and `members` (instance, description, ...). Expired processes are omitted. */
export function readMembers(now: number, alive: readonly string[], members: readonly string[]): LiveMember[] {
  const expires = new Map(pairs(alive));
  return pairs(members).flatMap(([instance, description]) => {
    const leftMs = Number(expires.get(instance)) - now;
    const member = readMember(description);
    return leftMs > 0 && member?.instance === instance ? [{ member, leftMs }] : [];
  });
}

function readMember(description: string): Member | null {
  try {
    return memberSchema.safeParse(JSON.parse(description)).data ?? null;
  } catch {
    return null;
  }
}

/** Parses shard, "epoch owner" or "epoch", ... */
export function readLeases(fields: readonly string[]): Lease[] {
  return pairs(fields).flatMap(([name, lease]) => {
    const shard = Number(name);
    const [, epoch, owner] = /^(\d+)(?: (.+))?$/.exec(lease) ?? [];
    return epoch !== undefined && Number.isInteger(shard) && shard >= 0 && shard < shardCount
      ? [{ shard, epoch: Number(epoch), owner: owner ?? null }]
      : [];
  });
}

/**
 * Parses a notice. "+ instance shard:epoch...": it holds these shards; "- ...": nobody does; "? instance", or anything
 * that cannot be parsed: read the table.
 */
export function readNotice(text: string): { from: string; leases: Lease[] | null } {
  const [sign, from = '', ...changes] = text.split(' ');
  if (sign !== '+' && sign !== '-') return { from, leases: null };
  const leases = changes.flatMap((change) => readLeases(change.split(':')));
  return { from, leases: leases.map((lease) => ({ ...lease, owner: sign === '+' ? from : null })) };
}

/** When the table was created, by Redis' clock (ms). */
export const tableStartedAt = (born: string): number => Number(/^\d+/.exec(born)?.[0] ?? 0);

const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
