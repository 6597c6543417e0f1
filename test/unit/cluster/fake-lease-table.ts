/**
 * The lease table in memory: the same answers as the Lua scripts (test/integration/cluster/placement-scripts.test.ts
 * holds both to it), without a server and by a time that the test gives.
 */
import type { Lease, LeaseTable, LeaseTableView } from '../../../src/cluster/leases.js';
import type { Member } from '../../../src/cluster/placement.js';

type Told = Parameters<LeaseTable['watch']>[0];

export class FakeLeases {
  private readonly alive = new Map<string, number>();
  private readonly members = new Map<string, Member>();
  private readonly leases = new Map<number, { epoch: number; owner: string | null }>();
  private readonly watchers = new Map<Told, string>();
  private born: { name: string; at: number } | null = null;
  private tables = 0;

  constructor(private readonly now: () => number) {}

  /** FLUSHALL. */
  empty(): void {
    this.alive.clear();
    this.members.clear();
    this.leases.clear();
    this.born = null;
  }

  /** Its lease runs out now. */
  expire(instance: string): void {
    if (this.alive.has(instance)) this.alive.set(instance, -Infinity);
  }

  beat(member: Member, leaseMs: number, tell: boolean): LeaseTableView {
    const now = this.now();
    const { instance } = member;
    this.born ??= { name: `table ${++this.tables}`, at: now };
    for (const [other, expires] of this.alive) this.alive.set(other, Math.min(expires, now + leaseMs));
    let moved = false;
    for (const [other, expires] of this.alive)
      if (expires <= now) {
        moved ||= this.members.get(other)?.role !== 'gateway';
        this.alive.delete(other);
        this.members.delete(other);
      }
    for (const lease of this.leases.values())
      if (lease.owner !== null && !this.alive.has(lease.owner)) {
        lease.owner = null;
        moved = true;
      }
    const fresh = !this.alive.has(instance);
    this.alive.set(instance, now + leaseMs);
    this.members.set(instance, structuredClone(member));
    if (moved || tell || (fresh && member.role !== 'gateway')) this.notify(instance, null);
    return {
      born: this.born.name,
      ageMs: now - this.born.at,
      fresh,
      members: structuredClone([...this.members.values()]),
      firstEndMs: Math.min(...[...this.alive].map(([name, end]) => (name === instance ? Infinity : end - now))),
      leases: [...this.leases].map(([shard, lease]) => ({ shard, ...lease })),
    };
  }

  acquire(instance: string, shards: readonly number[], epoch: number): number[] | null {
    const lives = (name: string): boolean => (this.alive.get(name) ?? -Infinity) > this.now();
    if (!lives(instance)) return null;
    const taken = shards.filter((shard) => {
      const lease = this.leases.get(shard) ?? { epoch: 0, owner: null };
      if (lease.epoch >= epoch || (lease.owner !== null && lease.owner !== instance && lives(lease.owner)))
        return false;
      this.leases.set(shard, { epoch, owner: instance });
      return true;
    });
    if (taken.length > 0)
      this.notify(
        instance,
        taken.map((shard) => ({ shard, epoch, owner: instance })),
      );
    return taken;
  }

  release(instance: string, leases: readonly Omit<Lease, 'owner'>[], leave: boolean): number[] {
    const released = leases.filter(({ shard, epoch }) => {
      const lease = this.leases.get(shard);
      if (lease?.owner !== instance || lease.epoch !== epoch) return false;
      lease.owner = null;
      return true;
    });
    const isWorker = this.members.get(instance)?.role !== 'gateway';
    if (leave) {
      this.alive.delete(instance);
      this.members.delete(instance);
      for (const lease of this.leases.values()) if (lease.owner === instance) lease.owner = null;
    }
    if (released.length > 0)
      this.notify(
        instance,
        released.map((lease) => ({ ...lease, owner: null })),
      );
    if (leave && isWorker) this.notify(instance, null);
    return released.map(({ shard }) => shard);
  }

  watch(instance: string, changed: Told): () => void {
    this.watchers.set(changed, instance);
    return () => {
      this.watchers.delete(changed);
    };
  }

  /** The table without any network in between. */
  direct(instance: string): LeaseTable {
    return {
      beat: async (member, leaseMs, tell) => this.beat(member, leaseMs, tell),
      acquire: async (self, shards, epoch) => this.acquire(self, shards, epoch),
      release: async (self, leases, leave) => this.release(self, leases, leave),
      watch: (changed) => this.watch(instance, changed),
    };
  }

  private notify(from: string, leases: readonly Lease[] | null): void {
    for (const [told, instance] of [...this.watchers]) if (instance !== from) told(leases);
  }
}
