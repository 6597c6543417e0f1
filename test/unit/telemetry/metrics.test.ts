import { expect } from 'chai';
import { createMetrics, type ActorFigures } from '../../../src/telemetry/metrics.js';

/** The value of a series, by its full name with labels; undefined where it is not there. */
async function value(metrics: ReturnType<typeof createMetrics>, series: string): Promise<number | undefined> {
  const line = (await metrics.text()).split('\n').find((l) => l.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('metrics', () => {
  it('counts requests by route, method and status, and their time', async () => {
    const metrics = createMetrics();
    metrics.request('/v1/agents/:id', 'GET', 200, 0.002);
    metrics.request('/v1/agents/:id', 'GET', 200, 0.2);
    metrics.request('/v1/agents/:id', 'GET', 404, 0.001);
    metrics.request('/v1/events', 'GET', 200, null);
    expect(await value(metrics, 'hivekeep_http_requests_total{method="GET",route="/v1/events",status="200"}')).to.equal(
      1,
    );
    expect(
      await value(metrics, 'hivekeep_http_request_duration_seconds_count{method="GET",route="/v1/events"}'),
    ).to.equal(undefined);
    expect(
      await value(metrics, 'hivekeep_http_requests_total{method="GET",route="/v1/agents/:id",status="200"}'),
    ).to.equal(2);
    expect(
      await value(metrics, 'hivekeep_http_requests_total{method="GET",route="/v1/agents/:id",status="404"}'),
    ).to.equal(1);
    expect(
      await value(metrics, 'hivekeep_http_request_duration_seconds_count{method="GET",route="/v1/agents/:id"}'),
    ).to.equal(3);
    expect(
      await value(
        metrics,
        'hivekeep_http_request_duration_seconds_bucket{le="0.0025",method="GET",route="/v1/agents/:id"}',
      ),
    ).to.equal(2);
  });

  it('tells the build, refusals, pushes, requests to models, and gauges of others', async () => {
    const metrics = createMetrics({ version: '9.9.9' });
    metrics.refused('NOT_FOUND');
    const ended = metrics.push();
    expect(await value(metrics, 'hivekeep_pushes_in_flight')).to.equal(1);
    ended('delivered');
    const of = { server: 'local', model: 'm' };
    metrics.modelCall('answered', 0.3, { input: 12, cached: 4, output: 5 }, of);
    metrics.modelCall('failed', 0.1, undefined, of);
    metrics.observeGauge('hivekeep_streams_open', 'Open.', () => 7);
    metrics.observeGauge('hivekeep_store_bytes', 'Size.', () => Promise.reject(new Error('the store is away')));
    metrics.outbox('pushes', 3);
    metrics.outbox('pushes', -1);
    const expected: [string, number][] = [
      [`hivekeep_build_info{version="9.9.9",node="${process.versions.node}"}`, 1],
      ['hivekeep_refusals_total{code="NOT_FOUND"}', 1],
      ['hivekeep_pushes_in_flight', 0],
      ['hivekeep_push_attempts_total{outcome="delivered"}', 1],
      ['hivekeep_push_attempts_total{outcome="failed"}', 0],
      ['hivekeep_model_request_duration_seconds_count{outcome="answered",server="local",model="m"}', 1],
      ['hivekeep_model_request_duration_seconds_count{outcome="failed",server="local",model="m"}', 1],
      ['hivekeep_model_tokens_total{direction="input",server="local",model="m"}', 12],
      ['hivekeep_model_tokens_total{direction="cached_input",server="local",model="m"}', 4],
      ['hivekeep_model_tokens_total{direction="output",server="local",model="m"}', 5],
      ['hivekeep_streams_open', 7],
      ['hivekeep_outbox_documents{kind="pushes"}', 2],
      ['hivekeep_outbox_documents{kind="messages"}', 0],
    ];
    for (const [series, number] of expected) expect(await value(metrics, series), series).to.equal(number);
    expect(await value(metrics, 'hivekeep_store_bytes'), 'left out').to.equal(undefined);
  });

  it('stays bounded whatever methods it is given', async () => {
    const metrics = createMetrics();
    for (let i = 0; i < 1000; i++) metrics.request('unmatched', `M${i}`, 200, 0.001);
    expect(
      await value(metrics, 'hivekeep_http_requests_total{method="other",route="unmatched",status="200"}'),
    ).to.equal(1000);
  });

  it('counts commits by outcome', async () => {
    const metrics = createMetrics();
    metrics.commit('committed', 0.001);
    metrics.commit('conflict', 0.001);
    expect(await value(metrics, 'hivekeep_commits_total{outcome="committed"}')).to.equal(1);
    expect(await value(metrics, 'hivekeep_commits_total{outcome="conflict"}')).to.equal(1);
    expect(await value(metrics, 'hivekeep_commits_total{outcome="failed"}')).to.equal(0);
    expect(await value(metrics, 'hivekeep_commit_duration_seconds_count')).to.equal(1);
  });

  it('counts runs, steps and messages', async () => {
    const metrics = createMetrics();
    metrics.run('started', 0);
    metrics.run('completed', 4);
    metrics.message('received', 2);
    metrics.message('wake', 1);
    expect(await value(metrics, 'hivekeep_runs_started_total')).to.equal(1);
    expect(await value(metrics, 'hivekeep_runs_ended_total{status="completed"}')).to.equal(1);
    expect(await value(metrics, 'hivekeep_run_steps_total')).to.equal(4);
    expect(await value(metrics, 'hivekeep_mailbox_messages_total{event="received"}')).to.equal(2);
    expect(await value(metrics, 'hivekeep_mailbox_messages_total{event="read"}')).to.equal(0);
  });

  it('reads the actor figures when they are scraped, as running totals', async () => {
    const metrics = createMetrics();
    const stats: ActorFigures = { active: 1, queued: 2, processed: 3, restarts: 4, faults: 5 };
    metrics.observeActors(() => stats);
    expect(await value(metrics, 'hivekeep_actors_active')).to.equal(1);
    stats.active = 0;
    stats.processed = 30;
    expect(await value(metrics, 'hivekeep_actors_active')).to.equal(0);
    expect(await value(metrics, 'hivekeep_actor_messages_processed_total')).to.equal(30);
    expect(await value(metrics, 'hivekeep_actor_messages_processed_total')).to.equal(30);
    expect(await value(metrics, 'hivekeep_actor_faults_total')).to.equal(5);
  });

  it('has what every process has, and keeps two services apart', async () => {
    const [a, b] = [createMetrics(), createMetrics()];
    a.message('read', 1);
    expect(await value(b, 'hivekeep_mailbox_messages_total{event="read"}')).to.equal(0);
    expect(await value(a, 'process_resident_memory_bytes')).to.be.above(0);
    expect(a.contentType).to.match(/^text\/plain; version=0\.0\.4/);
  });
});
