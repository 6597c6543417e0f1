/**
 * Prometheus metrics (GET /metrics). Labels are bounded: methods, statuses, outcomes and route templates only, never a
 * value chosen by a client.
 *
 * prom-client's child handles are resolved once for each combination of labels and cached, so a request costs two map
 * look-ups here and allocates no label object.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RunStatus } from '../domain/shared/vocabulary.js';

export interface ModelTokens {
  input: number;
  /** Those of the input that were read from a prompt cache. */
  cached: number;
  output: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const modelBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];
const commitBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/**
 * Statistics that are kept anyway: the name of each behind `hivekeep_`, and its help. Those that end in _total count.
 */
type Names = Readonly<Record<string, readonly [name: string, help: string]>>;
type Stats<N> = Record<keyof N, number>;

/** Of the actor system. */
const actorNames = {
  active: ['actors_active', 'Actors in memory.'],
  queued: ['actor_messages_queued', 'Messages waiting in the queues of actors.'],
  processed: ['actor_messages_processed_total', 'Messages that actors have handled.'],
  restarts: [
    'actor_restarts_total',
    'Actors reloaded after a crash, or because another process had committed to their entity.',
  ],
  faults: ['actor_faults_total', 'Actors that were stopped because they crashed too often.'],
} as const satisfies Names;
export type ActorFigures = Stats<typeof actorNames>;
/** Of one process of a cluster. */
const clusterNames = {
  shards: ['cluster_shards_held', 'Shards that this process serves.'],
  members: ['cluster_members', 'Live processes of the cluster, as this one sees them.'],
  unanswered: ['cluster_commands_unanswered', 'Commands and searches sent to other processes and not answered yet.'],
  takeoversTotal: ['cluster_shards_taken_total', 'Shards that this process has acquired.'],
  handoversTotal: ['cluster_shards_handed_over_total', 'Shards that this process has handed over.'],
  lostTotal: ['cluster_leases_lost_total', 'Shards whose lease expired before it could be renewed.'],
  sentTotal: ['cluster_commands_sent_total', 'Commands sent to other processes, not counting retries.'],
  againTotal: [
    'cluster_commands_sent_again_total',
    'Commands retried because their shard had moved, or no answer came in time.',
  ],
  elsewhereTotal: ['cluster_commands_misrouted_total', 'Commands refused by a process that does not hold their shard.'],
  repeatsDroppedTotal: [
    'cluster_repeats_dropped_total',
    'Duplicate commands that arrived while the first was being processed.',
  ],
  lateTotal: ['cluster_commands_late_total', 'Commands that arrived after their deadline and had no effect.'],
  unreadableTotal: [
    'cluster_messages_unreadable_total',
    'Foreign or corrupt entries and messages of the bus, which were dropped.',
  ],
} as const satisfies Names;
type ClusterStats = Stats<typeof clusterNames>;

/** `version` is reported by hivekeep_build_info. */
export function createMetrics({ version = 'unknown' }: { version?: string } = {}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const kinds = metricKinds(registry);
  kinds
    .gauge('build_info', 'Always 1; the labels say what runs.', 'version', 'node')
    .labels(version, process.versions.node)
    .set(1);
  const refusals = kinds.counter('refusals_total', 'Requests answered with an error, by its code.', 'code');
  return {
    request: requestMetrics(kinds),
    commit: commitMetrics(kinds),
    run: runMetrics(kinds),
    /** Counts mailbox messages accepted, messages read by a run, and runs woken by a message. */
    message: kinds.counts(
      'mailbox_messages_total',
      'Mailbox messages received and read, and runs started by a message.',
      'event',
      ['received', 'read', 'wake'],
    ),
    /** Counts a request that was answered with an error, by the code in its envelope. */
    refused: (code: string): void => {
      refusals.labels(code).inc();
    },
    outbox: outboxMetrics(kinds),
    push: pushMetrics(kinds),
    ...modelMetrics(kinds),
    ...learningMetrics(kinds),
    /** Adds a gauge whose value is read at each scrape, and left out if that fails. Call this once for each name. */
    observeGauge: (name: string, help: string, read: () => number | Promise<number>): void => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          try {
            this.set(await read());
          } catch {
            this.remove();
          }
        },
      });
    },
    /** Adds the statistics of the actor system. Call this once. */
    observeActors: (stats: () => ActorFigures): void => {
      kinds.observed(actorNames, stats);
    },
    /** Adds the statistics of a cluster. Call this at most once. */
    observeCluster: (stats: () => ClusterStats): void => {
      kinds.observed(clusterNames, stats);
    },
    /** The whole registry in the Prometheus text format, and its media type. */
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType as string,
  };
}

type Kinds = ReturnType<typeof metricKinds>;

/** Metrics are made with their names behind `hivekeep_`. */
function metricKinds(registry: Registry) {
  const named = (name: string, help: string) => ({ name: `hivekeep_${name}`, help, registers: [registry] });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ ...named(name, help), labelNames });
  return {
    counter,
    gauge: (name: string, help: string, ...labelNames: string[]) => new Gauge({ ...named(name, help), labelNames }),
    /** A gauge with one label, whose values are read at each scrape. */
    read: (name: string, help: string, label: string, values: ReadonlyMap<string, () => number>) =>
      new Gauge({
        ...named(name, help),
        labelNames: [label],
        collect() {
          for (const [value, now] of values) this.labels(value).set(now());
        },
      }),
    histogram: (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
      new Histogram({ ...named(name, help), labelNames, buckets }),
    /** A counter with one label, whose values are all there from the start. */
    counts: <V extends string>(name: string, help: string, label: string, values: readonly V[]) => {
      const total = counter(name, help, label);
      const cells = Object.fromEntries(values.map((value) => [value, total.labels(value)])) as Record<
        V,
        Counter.Internal
      >;
      for (const value of values) cells[value].inc(0);
      return (value: V, by = 1): void => {
        cells[value].inc(by);
      };
    },
    /** What something else counts anyway: it is read at each scrape. */
    observed: <N extends Names>(names: N, read: () => Stats<N>): void => {
      for (const [field, [name, help]] of Object.entries(names)) {
        const value = (): number => read()[field as keyof N];
        if (name.endsWith('_total'))
          new Counter({
            ...named(name, help),
            collect() {
              // it can only be incremented
              this.reset();
              this.inc(value());
            },
          });
        else
          new Gauge({
            ...named(name, help),
            collect() {
              this.set(value());
            },
          });
      }
    },
  };
}

/** The number of documents that wait in the outboxes of loaded agents changes. */
function outboxMetrics({ gauge }: Kinds): (kind: 'messages' | 'pushes', change: number) => void {
  const waiting = gauge(
    'outbox_documents',
    'What waits to be delivered in the outboxes of the agents in memory: messages (with shares) and pushes.',
    'kind',
  );
  const cells = { messages: waiting.labels('messages'), pushes: waiting.labels('pushes') };
  for (const cell of Object.values(cells)) cell.inc(0);
  return (kind, change) => {
    cells[kind].inc(change);
  };
}

/** Runs that models have yet to learn from, and what became of requests for that. */
function learningMetrics({ gauge, counts }: Kinds): {
  learning: (outcome: (typeof learningOutcomes)[number], runs: number) => void;
  waitsToLearn: (change: number) => void;
} {
  const waiting = gauge('learning_waiting_runs', 'Runs that models have yet to learn from, of the agents in memory.');
  waiting.inc(0);
  return {
    learning: counts(
      'learning_runs_total',
      'Runs that models were to learn from, by what came of it: something was learnt or nothing was, it failed, it was left alone (a quota, a budget or a setting), or it gave way to a run and is asked for again.',
      'outcome',
      learningOutcomes,
    ),
    waitsToLearn(change) {
      waiting.inc(change);
    },
  };
}
const learningOutcomes = ['learnt', 'nothing', 'failed', 'left', 'gave_way'] as const;

/** Counts an attempt at a push as begun. Call the returned function with its outcome. */
function pushMetrics({ gauge, counts }: Kinds): () => (outcome: 'delivered' | 'failed' | 'refused') => void {
  const waiting = gauge('pushes_in_flight', 'Pushes that wait for a permit or for their receiver.');
  const ended = counts('push_attempts_total', 'Tries at delivering a push, by how they ended.', 'outcome', [
    'delivered',
    'failed',
    'refused',
  ]);
  return () => {
    waiting.inc();
    return (outcome) => {
      waiting.dec();
      ended(outcome);
    };
  };
}

/**
 * Counts requests to model servers, by the server as the operator named it and the model: their outcomes, durations and
 * the token counts that the servers reported.
 */
function modelMetrics({ counter, histogram, read }: Kinds): {
  modelCall: (
    outcome: 'answered' | 'failed' | 'aborted',
    seconds: number,
    tokens: ModelTokens | undefined,
    of: ModelName,
  ) => void;
  modelLesson: (of: ModelName) => void;
  observeWaiting: (server: string, waiting: () => number) => void;
  /** A run begins to wait until it asks this server again, or ends to. */
  waitsForModel: (server: string, change: 1 | -1) => void;
} {
  const known = new Set<string>();
  /** Agents name models as they like, so only the first of them have labels of their own. */
  const shown = ({ server, model }: ModelName): string => {
    const name = `${server}/${model}`;
    if (known.size < mostModels) known.add(name);
    return known.has(name) ? model : 'other';
  };
  const seconds = histogram(
    'model_request_duration_seconds',
    'Time of one request to a model server, by how it ended.',
    modelBuckets,
    'outcome',
    'server',
    'model',
  );
  const counted = counter(
    'model_tokens_total',
    'Tokens that model servers say they counted; cached_input is the part of input that they read from a prompt cache.',
    'direction',
    'server',
    'model',
  );
  const lessons = counter(
    'model_refusals_learnt_total',
    'What model servers have refused in requests, and are no longer sent.',
    'server',
    'model',
  );
  const waiting = new Map<string, () => number>();
  const runs = new Map<string, number>();
  read(
    'model_waiting_requests',
    'Requests, and runs between two of them, that wait for a model that is away, by its server.',
    'server',
    waiting,
  );
  return {
    modelCall(outcome, took, tokens, of) {
      const { server } = of;
      const name = shown(of);
      seconds.labels(outcome, server, name).observe(took);
      if (!tokens) return;
      counted.labels('input', server, name).inc(tokens.input);
      counted.labels('cached_input', server, name).inc(tokens.cached);
      counted.labels('output', server, name).inc(tokens.output);
    },
    modelLesson(of) {
      lessons.labels(of.server, shown(of)).inc();
    },
    observeWaiting(server, now) {
      waiting.set(server, () => now() + (runs.get(server) ?? 0));
    },
    waitsForModel(server, change) {
      // agents name servers as they like
      if (waiting.has(server)) runs.set(server, (runs.get(server) ?? 0) + change);
    },
  };
}

interface ModelName {
  server: string;
  model: string;
}

/** How many models have labels of their own. */
const mostModels = 100;

interface RouteCells {
  seconds: Histogram.Internal<string>;
  byStatus: Map<number, Counter.Internal>;
}

/**
 * Counts a response; `route` is a path template, or `unmatched`. `seconds` is null for a stream, whose lifetime is
 * not a response time.
 */
function requestMetrics({
  counter,
  histogram,
}: Kinds): (route: string, method: string, status: number, seconds: number | null) => void {
  const total = counter(
    'http_requests_total',
    'HTTP requests answered, by route, method and status.',
    'method',
    'route',
    'status',
  );
  const seconds = histogram(
    'http_request_duration_seconds',
    'Time from the start of a request to the end of its response, in seconds.',
    requestBuckets,
    'method',
    'route',
  );
  const routes = new Map<string, Map<string, RouteCells>>();
  return (route, asked, status, took) => {
    const method = methods.has(asked) ? asked : 'other';
    let byMethod = routes.get(route);
    if (!byMethod) routes.set(route, (byMethod = new Map<string, RouteCells>()));
    let cell = byMethod.get(method);
    if (!cell) byMethod.set(method, (cell = { seconds: seconds.labels(method, route), byStatus: new Map() }));
    let counter = cell.byStatus.get(status);
    if (!counter) cell.byStatus.set(status, (counter = total.labels(method, route, String(status))));
    counter.inc();
    if (took !== null) cell.seconds.observe(took);
  };
}

/** Counts a commit of the store: its outcome and its duration. */
function commitMetrics({
  counts,
  histogram,
}: Kinds): (outcome: 'committed' | 'conflict' | 'failed', seconds: number) => void {
  const ended = counts('commits_total', 'Commits to the store, by outcome.', 'outcome', [
    'committed',
    'conflict',
    'failed',
  ]);
  const seconds = histogram('commit_duration_seconds', 'Time until a commit was durable, in seconds.', commitBuckets);
  return (outcome, took) => {
    ended(outcome);
    if (outcome === 'committed') seconds.observe(took);
  };
}

/** Counts a run that started or resumed, or ended after `steps` steps since its budget began. */
function runMetrics({
  counter,
}: Kinds): (event: 'started' | Exclude<RunStatus, 'pending' | 'running' | 'paused'>, steps: number) => void {
  const started = counter('runs_started_total', 'Runs that started, or continued after a pause or a resume.');
  const ended = counter('runs_ended_total', 'Runs that ended, by status.', 'status');
  const steps = counter('run_steps_total', 'Steps that runs have committed.');
  return (event, count) => {
    if (event === 'started') started.inc();
    else ended.labels(event).inc();
    if (count > 0) steps.inc(count);
  };
}
