/**
 * The lease table in Redis: three Lua scripts (beat, acquire and release, documented in their headers) and a channel
 * for notices. Every change of the table counts its version up, and a heartbeat is answered with what has changed since
 * the version that its process knows, so that the cost of a cluster at rest grows with its processes and not with their
 * square. All keys share one tag, `{place}`, so that a script also runs in a Redis Cluster. Entries that cannot be
 * parsed (foreign, or of another version) are ignored.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { RedisClient } from '../../redis/connect.js';
import { loadScript } from '../../redis/script.js';
import type { Lease, LeaseTable, LiveMember } from '../leases.js';
import type { Member } from '../placement.js';
import { mostShards } from '../../store/shards.js';

const beat = loadScript(new URL('./beat.lua', import.meta.url));
const acquire = loadScript(new URL('./acquire.lua', import.meta.url));
const release = loadScript(new URL('./release.lua', import.meta.url));

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

/** How often a process reads the whole table although it knows what has changed: what is wrong, is not so for long. */
const wholeEvery = 64;

/** The table as this process knows it. */
interface Known {
  born: string;
  version: number;
  members: ReadonlyMap<string, Member>;
  /** The same; another array when they change. */
  memberList: readonly Member[];
  leases: Map<number, Lease>;
}

/** `subscriber` is a dedicated connection. */
export function redisLeases(client: RedisClient, subscriber: RedisClient, prefix: string): LeaseTable {
  const keys = placementKeys(prefix);
  const { alive, members, leases, born, news, version, channel } = keys;
  let self = '';
  let known: Known | null = null;
  let beats = 0;

  /** An answer may be older than a notice that came meanwhile: then there is nothing new in it. */
  function learn(
    of: Pick<Known, 'born' | 'version'>,
    isWhole: boolean,
    more: readonly string[],
    held: readonly string[],
  ) {
    const before = known?.born === of.born ? known : null;
    if (before && before.version >= of.version && !isWhole) return before;
    const isNew = isWhole || !before;
    const leases = isNew ? new Map<number, Lease>() : before.leases;
    for (const lease of readLeases(held)) leases.set(lease.shard, lease);
    if (!isNew && more.length === 0) return (known = { ...before, ...of });
    const members = new Map(isNew ? [] : before.members);
    for (const [instance, description] of pairs(more)) {
      const member = readMember(description);
      if (member?.instance === instance) members.set(instance, member);
      else members.delete(instance);
    }
    return (known = { ...of, members, memberList: [...members.values()], leases });
  }

  /** What a notice says that this process did not know; null if that can only be read. */
  function hear({ leases: changed, version: of }: Notice): readonly Lease[] | null {
    if (of === null) {
      known = null; // an earlier version of hivekeep counts no versions: the next heartbeat reads all
      return changed;
    }
    if (known === null || changed === null) return null;
    if (of <= known.version) return [];
    if (of > known.version + 1) return null;
    known = { ...known, version: of };
    for (const lease of changed) known.leases.set(lease.shard, lease);
    return changed;
  }

  return {
    async beat(member, leaseMs, tell) {
      self = member.instance;
      const since = beats++ % wholeEvery === 0 ? null : known;
      const answer = await beat(
        client,
        [alive, members, leases, born, news, version],
        [
          self,
          JSON.stringify(member),
          leaseMs,
          newTableName(),
          channel,
          tell ? 1 : 0,
          member.role === 'gateway' ? 1 : 0,
          since?.born ?? '',
          since?.version ?? '',
        ],
      );
      const [now, name, fresh, count, firstEnd, isWhole, more, held] = answer as [
        number,
        string,
        number,
        number,
        number,
        number,
        string[],
        string[],
      ];
      const view = learn({ born: name, version: count }, isWhole === 1, more, held);
      return {
        born: name,
        ageMs: Math.max(0, now - tableStartedAt(name)),
        fresh: fresh === 1,
        firstEndMs: firstEnd > 0 ? Math.max(0, firstEnd - now) : Infinity,
        members: view.memberList,
        leases: [...view.leases.values()],
      };
    },
    async acquire(instance, shards, epoch) {
      return (await acquire(client, [alive, leases, news, version], [instance, epoch, channel, ...shards])) as
        number[] | null;
    },
    async release(instance, given, leave) {
      return (await release(
        client,
        [alive, members, leases, news, version],
        [instance, channel, leave ? 1 : 0, ...given.flatMap(({ shard, epoch }) => [shard, epoch])],
      )) as number[];
    },
    watch(told) {
      const look = (): void => {
        told(null);
      };
      const heard = (of: string, text: string): void => {
        if (of !== channel) return;
        const notice = readNotice(text);
        const changed = hear(notice);
        if (notice.from !== self) told(changed);
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
    return epoch !== undefined && Number.isInteger(shard) && shard >= 0 && shard < mostShards
      ? [{ shard, epoch: Number(epoch), owner: owner ?? null }]
      : [];
  });
}

interface Notice {
  from: string;
  /** Null if it can only be read what has changed. */
  leases: Lease[] | null;
  /** The version of the table that begins with the change; null from a process of an earlier version. */
  version: number | null;
}

/**
 * Parses a notice. "+ instance shard:epoch... r=version": it holds these shards; "- ...": nobody does; "? instance
 * r=version", or anything that cannot be parsed: read the table.
 */
export function readNotice(text: string): Notice {
  const [sign, from = '', ...changes] = text.split(' ');
  const version = / r=(\d+)$/.exec(text)?.[1];
  const leases = changes.flatMap((change) => readLeases(change.split(':')));
  return {
    from,
    leases:
      sign === '+' || sign === '-' ? leases.map((lease) => ({ ...lease, owner: sign === '+' ? from : null })) : null,
    version: version === undefined ? null : Number(version),
  };
}

/** When the table was created, by Redis' clock (ms). */
export const tableStartedAt = (born: string): number => Number(/^\d+/.exec(born)?.[0] ?? 0);

const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
