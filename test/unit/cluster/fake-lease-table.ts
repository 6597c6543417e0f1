/**
 * The lease table in memory: the same answers as the Lua scripts (test/integration/cluster/placement-scripts.test.ts
 * holds both to it), without a server and by a time that the test gives.
 */
import type { HeartbeatAnswer, Lease, LeaseTable, TableNews, TableVersion } from '../../../src/cluster/leases.js';
import type { Member } from '../../../src/cluster/placement.js';

type Told = Parameters<LeaseTable['watch']>[0];

export class FakeLeases {
  private readonly alive = new Map<string, number>();
  private readonly members = new Map<string, Member>();
  private readonly leases = new Map<number, { epoch: number; owner: string | null }>();
  /** The version in which a member or a shard changed last. */
  private readonly changes = new Map<string | number, number>();
  private readonly watchers = new Set<Told>();
  private version = 0;
  private toldVersion = 0;
  private born: { name: string; at: number } | null = null;
  private tables = 0;

  constructor(private readonly now: () => number) {}

  /** FLUSHALL. */
  empty(): void {
    this.alive.clear();
    this.members.clear();
    this.leases.clear();
    this.changes.clear();
    this.version = this.toldVersion = 0;
    this.born = null;
  }

  /** Its lease runs out now. */
  expire(instance: string): void {
    if (this.alive.has(instance)) this.alive.set(instance, -Infinity);
  }

  beat(member: Member, leaseMs: number, tell: boolean, known: TableVersion | null): HeartbeatAnswer {
    const now = this.now();
    const { instance } = member;
    const changed = this.newVersion();
    this.born ??= { name: `table ${++this.tables}`, at: now };
    for (const [other, expires] of this.alive) this.alive.set(other, Math.min(expires, now + leaseMs));
    let moved = false;
    for (const [other, expires] of this.alive)
      if (expires <= now) {
        moved ||= this.members.get(other)?.role !== 'gateway';
        this.remove(other, changed);
      }
    for (const [shard, lease] of this.leases)
      if (lease.owner !== null && !this.alive.has(lease.owner)) {
        lease.owner = null;
        changed(shard);
        moved = true;
      }
    const fresh = !this.alive.has(instance);
    this.alive.set(instance, now + leaseMs);
    this.members.set(instance, structuredClone(member));
    if (fresh || tell) changed(instance);
    if (moved || tell || (fresh && member.role !== 'gateway')) this.tell(instance);
    const isKnown = known !== null && known.born === this.born.name && known.version <= this.version;
    return { ...this.news(instance, isKnown ? known.version : null), ageMs: now - this.born.at, fresh };
  }

  acquire(instance: string, shards: readonly number[], epoch: number): number[] | null {
    const lives = (name: string): boolean => (this.alive.get(name) ?? -Infinity) > this.now();
    if (!lives(instance)) return null;
    const changed = this.newVersion();
    const taken = shards.filter((shard) => {
      const lease = this.leases.get(shard) ?? { epoch: 0, owner: null };
      if (lease.epoch >= epoch || (lease.owner !== null && lease.owner !== instance && lives(lease.owner)))
        return false;
      this.leases.set(shard, { epoch, owner: instance });
      changed(shard);
      return true;
    });
    if (taken.length > 0) this.tell(instance);
    return taken;
  }

  release(instance: string, leases: readonly Omit<Lease, 'owner'>[], leave: boolean): number[] {
    const changed = this.newVersion();
    const released = leases.filter(({ shard, epoch }) => {
      const lease = this.leases.get(shard);
      if (lease?.owner !== instance || lease.epoch !== epoch) return false;
      lease.owner = null;
      changed(shard);
      return true;
    });
    const isWorker = this.members.get(instance)?.role !== 'gateway';
    if (leave) {
      this.remove(instance, changed);
      for (const [shard, lease] of this.leases)
        if (lease.owner === instance) {
          lease.owner = null;
          changed(shard);
        }
    }
    if (released.length > 0 || (leave && isWorker)) this.tell(instance);
    return released.map(({ shard }) => shard);
  }

  watch(told: Told): () => void {
    this.watchers.add(told);
    return () => {
      this.watchers.delete(told);
    };
  }

  /** The table without any network in between. */
  direct(): LeaseTable {
    return {
      beat: async (member, leaseMs, tell, known) => this.beat(member, leaseMs, tell, known),
      acquire: async (self, shards, epoch) => this.acquire(self, shards, epoch),
      release: async (self, leases, leave) => this.release(self, leases, leave),
      watch: (told) => this.watch(told),
    };
  }

  /** What one call changes is one version. */
  private newVersion(): (name: string | number) => void {
    let version = 0;
    return (name) => {
      version ||= ++this.version;
      this.changes.set(name, version);
    };
  }

  private remove(instance: string, changed: (name: string) => void): void {
    this.alive.delete(instance);
    this.members.delete(instance);
    changed(instance);
  }

  private tell(from: string): void {
    const news = this.news(from, this.toldVersion);
    this.toldVersion = this.version;
    for (const told of [...this.watchers]) told(news);
  }

  /** `from`: who causes it. */
  private news(from: string, since: number | null): TableNews {
    const isNew = (name: string | number): boolean => since === null || (this.changes.get(name) ?? 0) > since;
    const names = new Set([...this.members.keys(), ...(since === null ? [] : this.changes.keys())]);
    const ends = [...this.alive].map(([name, end]) => (name === from ? Infinity : Math.max(1, end - this.now())));
    return {
      born: this.born?.name ?? '',
      version: this.version,
      since,
      members: new Map(
        [...names]
          .filter((name): name is string => typeof name === 'string' && isNew(name))
          .map((name) => [name, structuredClone(this.members.get(name) ?? null)]),
      ),
      leases: [...this.leases].flatMap(([shard, lease]) => (isNew(shard) ? [{ shard, ...lease }] : [])),
      firstEndMs: Math.min(Infinity, ...ends),
    };
  }
}
