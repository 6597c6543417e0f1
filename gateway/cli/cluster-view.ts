/** Formats a cluster's placement table for `hivekeep cluster`: as data, and as lines of text. Pure. */
import type { PlacementTable } from '../../src/cluster/redis/read.js';
import type { Shards } from '../../src/store/port.js';
import { columns } from './io.js';

export interface MemberView {
  instance: string;
  role: string;
  draining: boolean;
  /** Time since the last heartbeat, ms. */
  beat_ms: number;
  /** The shards that the process holds. */
  shards: number[];
  about: Readonly<Record<string, string | number>>;
  stats: Readonly<Record<string, number>>;
}

export interface ClusterView {
  /** Stored in the database; the prefix of all keys in Redis. */
  id: string | null;
  members: MemberView[];
  /** How many shards there are. */
  shards: number;
  /** Those that no living process holds. */
  unowned: number[];
}

/** `leaseMs` is how long a process counts as alive after each heartbeat. */
export function clusterView(
  id: string,
  table: Pick<PlacementTable, 'members' | 'leases'>,
  shards: Shards,
  leaseMs: number,
): ClusterView {
  const shardsOf = (instance: string): number[] =>
    table.leases
      .filter(({ owner }) => owner === instance)
      .map(({ shard }) => shard)
      .sort((a, b) => a - b);
  const members = table.members.map(({ member: { instance, role, draining, about, stats }, leftMs }): MemberView => ({
    instance,
    role,
    draining,
    beat_ms: Math.max(0, Math.round(leaseMs - leftMs)),
    shards: shardsOf(instance),
    about,
    stats,
  }));
  const owned = new Set(members.flatMap(({ shards }) => shards));
  return {
    id,
    members: members.sort((a, b) => compare(a.role, b.role) || compare(a.instance, b.instance)),
    shards: shards.count,
    unowned: shards.all.filter((shard) => !owned.has(shard)),
  };
}

export function clusterLines({ id, members, shards, unowned }: ClusterView): string[] {
  if (members.length === 0) return [`Cluster ${id}: no process of it lives.`];
  const holders = members.filter(({ shards }) => shards.length > 0);
  return [
    `Cluster ${id}: ${counted(members.length, 'process', 'processes')}, ${shards - unowned.length} of ${shards} shards held.`,
    '',
    ...columns(memberRows(members)),
    ...(holders.length === 0
      ? []
      : [
          '',
          ...columns([
            ['INSTANCE', 'HOLDS SHARDS'],
            ...holders.map(({ instance, shards }) => [instance, ranges(shards)]),
          ]),
        ]),
    ...warnings(members, unowned),
  ];
}

function memberRows(members: readonly MemberView[]): string[][] {
  // Shows every number that processes report about themselves, except for their count of shards: the leases are
  // authoritative for that.
  const numbers = [...new Set(members.flatMap(({ stats }) => Object.keys(stats)))].filter((name) => name !== 'shards');
  const heading = ['INSTANCE', 'ROLE', 'PROCESS', 'VERSION', 'SHARDS', ...numbers.map(title), 'BEAT', 'STATE'];
  return [
    heading,
    ...members.map((m) => [
      m.instance,
      m.role,
      `${m.about['host'] ?? '?'}:${m.about['pid'] ?? '?'}`,
      String(m.about['version'] ?? '?'),
      m.role === 'gateway' ? '-' : String(m.shards.length),
      ...numbers.map((name) => String(m.stats[name] ?? '-')),
      `${(m.beat_ms / 1000).toFixed(1)} s ago`,
      m.draining ? 'draining' : 'live',
    ]),
  ];
}

function warnings(members: readonly MemberView[], unowned: readonly number[]): string[] {
  if (unowned.length === 0) return [];
  const working = members.some(({ role, draining }) => role !== 'gateway' && !draining);
  return [
    '',
    `Nobody holds ${ranges(unowned)}: ${working ? 'workers take them within a lease and 2 s; if this stays, see their logs.' : 'no worker lives, so no agent of theirs does anything; start one.'}`,
  ];
}

/** Formats `[0, 1, 2, 5]` as "0-2 5". */
export function ranges(shards: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const shard of shards) {
    const last = runs.at(-1);
    if (last?.[1] === shard - 1) last[1] = shard;
    else runs.push([shard, shard]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(' ');
}

/** Formats `unansweredMs` as "UNANSWERED MS". */
const title = (name: string): string => name.replace(/[A-Z]/g, (c) => ` ${c}`).toUpperCase();
const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
