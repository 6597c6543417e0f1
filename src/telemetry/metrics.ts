/**
 * Prometheus metrics (GET /metrics). Labels are bounded: methods, statuses, outcomes and route templates only, never a
 * value chosen by a client; beyond `maxRoutes` templates the label is `other`.
 *
 * prom-client's child handles are resolved once for each combination of labels and cached, so a request costs two map
 * look-ups here and allocates no label object.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RunStatus } from '../domain/vocabulary.js';

/** Statistics that the actor system keeps anyway; read at each scrape. */
export interface ActorStats {
  active: number;
  queued: number;
  processed: number;
  restarts: number;
  faults: number;
}

/** Statistics of one process of a cluster. Those whose names end in Total are monotonic. */
export interface ClusterStats {
  shards: number;
  members: number;
  unanswered: number;
  takeoversTotal: number;
  handoversTotal: number;
  lostTotal: number;
  sentTotal: number;
  againTotal: number;
  elsewhereTotal: number;
  repeatsDroppedTotal: number;
  lateTotal: number;
  unreadableTotal: number;
}

export interface ModelTokens {
  input: number;
  /** Those of the input that were read from a prompt cache. */
  cached: number;
  output: number;
}

export interface Metrics {
  /**
   * Counts a response; `route` is a path template, or `unmatched`. `seconds` is null for a stream, whose lifetime is
   * not a response time.
   */
  request(route: string, method: string, status: number, seconds: number | null): void;
  /** Counts a commit of the store: its outcome, the number of documents written or deleted, and its duration. */
  commit(outcome: 'committed' | 'conflict' | 'failed', documents: number, seconds: number): void;
  /** Counts a run that started or resumed, paused, or ended after `steps` steps since its budget began. */
  run(event: 'started' | Exclude<RunStatus, 'pending' | 'running'>, steps: number): void;
  /** Counts mailbox messages accepted, messages read by a run, and runs woken by a message. */
  message(event: 'received' | 'read' | 'wake', count: number): void;
  /** Counts a request that was answered with an error, by the code in its envelope. */
  refused(code: string): void;
  /** The number of documents that wait in the outboxes of loaded agents changes. */
  outbox(kind: 'messages' | 'pushes', change: number): void;
  /** Counts an attempt at a push as begun. Call the returned function with its outcome. */
  push(): (outcome: 'delivered' | 'failed' | 'refused') => void;
  /** Counts a request to a model server: its outcome, its duration, and the token counts that the server reported. */
  modelCall(outcome: 'answered' | 'failed' | 'aborted', seconds: number, tokens?: ModelTokens): void;
  /**
   * Adds a gauge whose value is read at each scrape, and left out if that fails. Call this once for each name.
   */
  observeGauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Sets the source of the actor statistics; a later call replaces it. */
  observeActors(stats: () => ActorStats): void;
  /** Adds the statistics of a cluster. Call this at most once. */
  observeCluster(stats: () => ClusterStats): void;
  /** The whole registry in the Prometheus text format, and its media type. */
  text(): Promise<string>;
  readonly contentType: string;
}

const maxRoutes = 200;
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const modelBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];
const commitBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** `version` is reported by hivekeep_build_info. */
export function createMetrics({ version = 'unknown' }: { version?: string } = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const actors = actorMetrics(registry);
  buildInfo(registry, version);
  return {
    request: requestMetrics(registry),
    commit: commitMetrics(registry),
    run: runMetrics(registry),
    message: messageMetrics(registry),
    refused: refusalMetrics(registry),
    outbox: outboxMetrics(registry),
    push: pushMetrics(registry),
    modelCall: modelMetrics(registry),
    observeGauge: (name, help, read) => {
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
    observeActors: actors,
    observeCluster: (stats) => {
      clusterMetrics(registry, stats);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function buildInfo(registry: Registry, version: string): void {
  new Gauge({
    name: 'hivekeep_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
  })
    .labels(version, process.versions.node)
    .set(1);
}

function refusalMetrics(registry: Registry): Metrics['refused'] {
  const total = new Counter({
    name: 'hivekeep_refusals_total',
    help: 'Requests answered with an error, by its code.',
    labelNames: ['code'],
    registers: [registry],
  });
  return (code) => {
    total.labels(code).inc();
  };
}

function outboxMetrics(registry: Registry): Metrics['outbox'] {
  const waiting = new Gauge({
    name: 'hivekeep_outbox_documents',
    help: 'What waits to be delivered in the outboxes of the agents in memory: messages (with shares) and pushes.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const kinds = { messages: waiting.labels('messages'), pushes: waiting.labels('pushes') };
  for (const cell of Object.values(kinds)) cell.inc(0);
  return (kind, change) => {
    kinds[kind].inc(change);
  };
}

function pushMetrics(registry: Registry): Metrics['push'] {
  const waiting = new Gauge({
    name: 'hivekeep_pushes_in_flight',
    help: 'Pushes that wait for a turn or for their receiver.',
    registers: [registry],
  });
  const total = new Counter({
    name: 'hivekeep_push_attempts_total',
    help: 'Tries at delivering a push, by how they ended.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['delivered', 'failed', 'refused']) total.labels(outcome).inc(0);
  return () => {
    waiting.inc();
    return (outcome) => {
      waiting.dec();
      total.labels(outcome).inc();
    };
  };
}

function modelMetrics(registry: Registry): Metrics['modelCall'] {
  const seconds = new Histogram({
    name: 'hivekeep_model_request_duration_seconds',
    help: 'Time of one request to a model server, by how it ended.',
    labelNames: ['outcome'],
    buckets: modelBuckets,
    registers: [registry],
  });
  const total = new Counter({
    name: 'hivekeep_model_tokens_total',
    help: 'Tokens that model servers say they counted; cached_input is the part of input that they read from a prompt cache.',
    labelNames: ['direction'],
    registers: [registry],
  });
  const directions = {
    input: total.labels('input'),
    cached: total.labels('cached_input'),
    output: total.labels('output'),
  };
  for (const cell of Object.values(directions)) cell.inc(0);
  return (outcome, took, tokens) => {
    seconds.labels(outcome).observe(took);
    if (!tokens) return;
    directions.input.inc(tokens.input);
    directions.cached.inc(tokens.cached);
    directions.output.inc(tokens.output);
  };
}

interface RouteCells {
  seconds: Histogram.Internal<string>;
  byStatus: Map<number, Counter.Internal>;
}

function requestMetrics(registry: Registry): Metrics['request'] {
  const total = new Counter({
    name: 'hivekeep_http_requests_total',
    help: 'HTTP requests answered, by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'hivekeep_http_request_duration_seconds',
    help: 'Time from the start of a request to the end of its response, in seconds.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers: [registry],
  });
  const routes = new Map<string, Map<string, RouteCells>>();

  function cells(askedRoute: string, askedMethod: string): RouteCells {
    const route = routes.has(askedRoute) || routes.size < maxRoutes ? askedRoute : 'other';
    const method = methods.has(askedMethod) ? askedMethod : 'other';
    let byMethod = routes.get(route);
    if (!byMethod) routes.set(route, (byMethod = new Map<string, RouteCells>()));
    let found = byMethod.get(method);
    if (!found) byMethod.set(method, (found = { seconds: seconds.labels(method, route), byStatus: new Map() }));
    return found;
  }

  return (askedRoute, askedMethod, status, took) => {
    const cell = routes.get(askedRoute)?.get(askedMethod) ?? cells(askedRoute, askedMethod);
    let counter = cell.byStatus.get(status);
    if (!counter) {
      const [method, route] = [
        methods.has(askedMethod) ? askedMethod : 'other',
        routes.has(askedRoute) ? askedRoute : 'other',
      ];
      cell.byStatus.set(status, (counter = total.labels(method, route, String(status))));
    }
    counter.inc();
    if (took !== null) cell.seconds.observe(took);
  };
}

function commitMetrics(registry: Registry): Metrics['commit'] {
  const total = new Counter({
    name: 'hivekeep_commits_total',
    help: 'Commits to the store, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const documents = new Counter({
    name: 'hivekeep_commit_documents_total',
    help: 'Documents written or deleted by successful commits.',
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'hivekeep_commit_duration_seconds',
    help: 'Time until a commit was durable, in seconds.',
    buckets: commitBuckets,
    registers: [registry],
  });
  const outcomes = {
    committed: total.labels('committed'),
    conflict: total.labels('conflict'),
    failed: total.labels('failed'),
  };
  for (const cell of Object.values(outcomes)) cell.inc(0);
  return (outcome, count, took) => {
    outcomes[outcome].inc();
    if (outcome !== 'committed') return;
    documents.inc(count);
    seconds.observe(took);
  };
}

function runMetrics(registry: Registry): Metrics['run'] {
  const started = new Counter({
    name: 'hivekeep_runs_started_total',
    help: 'Runs that started, or continued after a pause or a resume.',
    registers: [registry],
  });
  const paused = new Counter({
    name: 'hivekeep_runs_paused_total',
    help: 'Runs that paused to wait for a human.',
    registers: [registry],
  });
  const ended = new Counter({
    name: 'hivekeep_runs_ended_total',
    help: 'Runs that ended, by status.',
    labelNames: ['status'],
    registers: [registry],
  });
  const steps = new Counter({
    name: 'hivekeep_run_steps_total',
    help: 'Steps that runs have committed.',
    registers: [registry],
  });
  return (event, count) => {
    if (event === 'started') started.inc();
    else if (event === 'paused') paused.inc();
    else ended.labels(event).inc();
    if (count > 0) steps.inc(count);
  };
}

function messageMetrics(registry: Registry): Metrics['message'] {
  const total = new Counter({
    name: 'hivekeep_mailbox_messages_total',
    help: 'Mailbox messages received and read, and runs started by a message.',
    labelNames: ['event'],
    registers: [registry],
  });
  const events = { received: total.labels('received'), read: total.labels('read'), wake: total.labels('wake') };
  for (const cell of Object.values(events)) cell.inc(0);
  return (event, count) => events[event].inc(count);
}

function actorMetrics(registry: Registry): Metrics['observeActors'] {
  let read: () => ActorStats = () => ({ active: 0, queued: 0, processed: 0, restarts: 0, faults: 0 });
  const gauge = (name: string, help: string, field: keyof ActorStats) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read()[field]);
      },
    });
  // A prom-client counter can only be incremented, so the source's running total is copied into it at each scrape.
  const counter = (name: string, help: string, field: keyof ActorStats) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read()[field]);
      },
    });
  gauge('hivekeep_actors_active', 'Actors in memory.', 'active');
  gauge('hivekeep_actor_messages_queued', 'Messages waiting in the queues of actors.', 'queued');
  counter('hivekeep_actor_messages_processed_total', 'Messages that actors have handled.', 'processed');
  counter(
    'hivekeep_actor_restarts_total',
    'Actors reloaded after a crash, or because another process had committed to their entity.',
    'restarts',
  );
  counter('hivekeep_actor_faults_total', 'Actors that were stopped because they crashed too often.', 'faults');
  return (stats) => {
    read = stats;
  };
}

function clusterMetrics(registry: Registry, read: () => ClusterStats): void {
  const gauge = (name: string, help: string, field: keyof ClusterStats) =>
    new Gauge({
      name: `hivekeep_cluster_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read()[field]);
      },
    });
  const counter = (name: string, help: string, field: keyof ClusterStats) =>
    new Counter({
      name: `hivekeep_cluster_${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read()[field]);
      },
    });
  gauge('shards_held', 'Shards that this process serves, of 256.', 'shards');
  gauge('members', 'Live processes of the cluster, as this one sees them.', 'members');
  gauge('commands_unanswered', 'Commands and searches sent to other processes and not answered yet.', 'unanswered');
  counter('shards_taken', 'Shards that this process has acquired.', 'takeoversTotal');
  counter('shards_handed_over', 'Shards that this process has handed over.', 'handoversTotal');
  counter('leases_lost', 'Shards whose lease expired before it could be renewed.', 'lostTotal');
  counter('commands_sent', 'Commands sent to other processes, not counting retries.', 'sentTotal');
  counter(
    'commands_sent_again',
    'Commands retried because their shard had moved, or no answer came in time.',
    'againTotal',
  );
  counter('commands_misrouted', 'Commands refused by a process that does not hold their shard.', 'elsewhereTotal');
  counter(
    'repeats_dropped',
    'Duplicate commands that arrived while the first was being processed.',
    'repeatsDroppedTotal',
  );
  counter('commands_late', 'Commands that arrived after their deadline and had no effect.', 'lateTotal');
  counter(
    'messages_unreadable',
    'Foreign or corrupt entries and messages of the bus, which were dropped.',
    'unreadableTotal',
  );
}
