/** The process that answers: what it is, whether it is one of a cluster, and how its data is backed up. */
import { ApiError } from '../../lib/errors.js';
import { bytes, count, duration } from '../../lib/format.js';
import { readMetrics, total, type Sample } from '../../lib/metrics.js';
import { useQuery } from '../../lib/use-query.js';
import { Facts } from '../../ui/labels.js';
import { Empty, Problem, Skeleton, Snippet } from '../../ui/states.js';

export function Server() {
  const metrics = useQuery('metrics', readMetrics, { every: 5, keep: true });
  return (
    <div class="grid">
      <section class="card" aria-label="This server">
        <h2>This server</h2>
        {metrics.data !== null ? (
          <Numbers samples={metrics.data} />
        ) : metrics.error instanceof ApiError && metrics.error.status === 401 ? (
          <Empty icon="key" title="The numbers of this server have a token of their own">
            <p>
              Whoever operates it has set <code>HIVEKEEP_METRICS_TOKEN</code>.
            </p>
          </Empty>
        ) : metrics.error === null ? (
          <Skeleton />
        ) : (
          <Problem error={metrics.error} retry={metrics.reload} />
        )}
      </section>
      <section class="card" aria-label="Backups">
        <h2>Backups</h2>
        <p class="hint">
          The embedded store is copied while it serves. The copy holds everything that was acknowledged before it began,
          and is checked page by page. With MongoDB, back up its database with its own tools.
        </p>
        <Snippet text="npx --no-install hivekeep backup /backups/$(date +%F)" label="Copy the command" />
        <p class="hint">
          <code>npx --no-install hivekeep restore DIR</code> puts it into an empty data folder. The secret key is not in
          it: keep that elsewhere.
        </p>
      </section>
    </div>
  );
}

function Numbers({ samples }: { samples: readonly Sample[] }) {
  const build = samples.find(({ name }) => name === 'hivekeep_build_info')?.labels;
  const started = total(samples, 'process_start_time_seconds');
  const number = (name: string): string => count(total(samples, name) ?? 0);
  const shards = total(samples, 'hivekeep_cluster_shards_held');
  return (
    <Facts
      of={[
        ['Version', `${build?.version ?? 'unknown'}, on Node ${build?.node ?? 'unknown'}`],
        ['Up for', started === null ? 'unknown' : duration(Date.now() - started * 1000)],
        ['Memory', bytes(total(samples, 'process_resident_memory_bytes') ?? 0)],
        ['Actors in memory', number('hivekeep_actors_active')],
        ['Messages waiting', number('hivekeep_actor_messages_queued')],
        ['Commits', number('hivekeep_commits_total')],
        ...(shards === null
          ? [['Cluster', 'none: one process holds everything'] as const]
          : [
              ['Cluster', `${number('hivekeep_cluster_members')} live processes`] as const,
              ['Shards held here', `${count(shards)} of 256`] as const,
              ['Shards taken', number('hivekeep_cluster_shards_taken_total')] as const,
              ['Leases lost', number('hivekeep_cluster_leases_lost_total')] as const,
            ]),
      ]}
    />
  );
}
