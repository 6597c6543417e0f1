/**
 * Writes deploy/grafana/hivekeep.json: `node scripts/write-dashboard.js`. The panels are in the table below; a test fails
 * for one that asks for a metric which the service does not have, and when the file is not what this writes.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const rate = (metric, by, filter = '') =>
  `sum by (${by}) (rate(${metric}{job=~"$job",instance=~"$instance"${filter}}[$__rate_interval]))`;
const value = (metric, by) => `sum by (${by}) (${metric}{job=~"$job",instance=~"$instance"})`;
const quantile = (q, metric, by) =>
  `histogram_quantile(${q}, sum by (le, ${by}) (rate(${metric}_bucket{job=~"$job",instance=~"$instance"}[$__rate_interval])))`;
const p50and99 = (metric, by) => [
  [`p50 {{${by}}}`, quantile(0.5, metric, by)],
  [`p99 {{${by}}}`, quantile(0.99, metric, by)],
];

/** Rows of panels: a title, the unit of its axis, and its series, each a legend and a query. */
const rows = [
  [
    'Requests',
    [
      ['Requests a second, by status', 'reqps', [['{{status}}', rate('hivekeep_http_requests_total', 'status')]]],
      ['Time of requests', 's', p50and99('hivekeep_http_request_duration_seconds', 'instance')],
      [
        'Slowest routes, p99',
        's',
        [['{{route}}', `topk(8, ${quantile(0.99, 'hivekeep_http_request_duration_seconds', 'route')})`]],
      ],
      ['Refusals a second, by code', 'reqps', [['{{code}}', rate('hivekeep_refusals_total', 'code')]]],
      ['Open streams', 'short', [['{{instance}}', value('hivekeep_streams_open', 'instance')]]],
    ],
  ],
  [
    'Runs',
    [
      ['Runs that started, a second', 'ops', [['{{instance}}', rate('hivekeep_runs_started_total', 'instance')]]],
      ['Runs that ended, a second', 'ops', [['{{status}}', rate('hivekeep_runs_ended_total', 'status')]]],
      ['Steps a second', 'ops', [['{{instance}}', rate('hivekeep_run_steps_total', 'instance')]]],
      ['Mailbox, a second', 'ops', [['{{event}}', rate('hivekeep_mailbox_messages_total', 'event')]]],
    ],
  ],
  [
    'Model servers',
    [
      [
        'Requests to models a second',
        'reqps',
        [['{{outcome}}', rate('hivekeep_model_request_duration_seconds_count', 'outcome')]],
      ],
      ['Time of a request to a model', 's', p50and99('hivekeep_model_request_duration_seconds', 'outcome')],
      ['Tokens a second', 'short', [['{{direction}}', rate('hivekeep_model_tokens_total', 'direction')]]],
    ],
  ],
  [
    'Store and deliveries',
    [
      ['Commits a second', 'ops', [['{{outcome}}', rate('hivekeep_commits_total', 'outcome')]]],
      ['Time of a commit', 's', p50and99('hivekeep_commit_duration_seconds', 'instance')],
      [
        'Size of the store',
        'bytes',
        [['{{instance}}', `max by (instance) (hivekeep_store_bytes{job=~"$job",instance=~"$instance"})`]],
      ],
      ['Outboxes', 'short', [['{{kind}}', value('hivekeep_outbox_documents', 'kind')]]],
      ['Attempts at pushes, a second', 'ops', [['{{outcome}}', rate('hivekeep_push_attempts_total', 'outcome')]]],
      ['Pushes in flight', 'short', [['{{instance}}', value('hivekeep_pushes_in_flight', 'instance')]]],
    ],
  ],
  [
    'Actors and cluster',
    [
      ['Actors in memory', 'short', [['{{instance}}', value('hivekeep_actors_active', 'instance')]]],
      [
        'Messages in queues of actors',
        'short',
        [['{{instance}}', value('hivekeep_actor_messages_queued', 'instance')]],
      ],
      [
        'Restarts and faults of actors, a second',
        'ops',
        [
          ['restarts {{instance}}', rate('hivekeep_actor_restarts_total', 'instance')],
          ['faults {{instance}}', rate('hivekeep_actor_faults_total', 'instance')],
        ],
      ],
      ['Shards held', 'short', [['{{instance}}', value('hivekeep_cluster_shards_held', 'instance')]]],
      [
        'Commands to other processes, a second',
        'ops',
        [
          ['sent', rate('hivekeep_cluster_commands_sent_total', 'job')],
          ['sent again', rate('hivekeep_cluster_commands_sent_again_total', 'job')],
        ],
      ],
      [
        'Leases lost',
        'short',
        [
          [
            '{{instance}}',
            `increase(hivekeep_cluster_leases_lost_total{job=~"$job",instance=~"$instance"}[$__rate_interval])`,
          ],
        ],
      ],
    ],
  ],
  [
    'Process',
    [
      ['CPU', 'percentunit', [['{{instance}}', rate('process_cpu_seconds_total', 'instance')]]],
      ['Resident memory', 'bytes', [['{{instance}}', value('process_resident_memory_bytes', 'instance')]]],
      ['Delay of the event loop, p99', 's', [['{{instance}}', value('nodejs_eventloop_lag_p99_seconds', 'instance')]]],
      ['Open descriptors', 'short', [['{{instance}}', value('process_open_fds', 'instance')]]],
    ],
  ],
];

const datasource = { type: 'prometheus', uid: '${datasource}' };
const width = 8;
const height = 7;

/** The dashboard as Grafana imports it. */
export function dashboard() {
  const panels = [];
  let y = 0;
  for (const [title, inRow] of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { h: 1, w: 24, x: 0, y },
      panels: [],
    });
    y += 1;
    inRow.forEach(([name, unit, series], n) => {
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title: name,
        datasource,
        gridPos: { h: height, w: width, x: (n % 3) * width, y: y + Math.floor(n / 3) * height },
        fieldConfig: {
          defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 8, showPoints: 'never' } },
          overrides: [],
        },
        options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
        targets: series.map(([legendFormat, expr], i) => ({
          refId: String.fromCharCode(65 + i),
          datasource,
          expr,
          legendFormat,
        })),
      });
    });
    y += Math.ceil(inRow.length / 3) * height;
  }
  const choose = (name, label, query) => ({
    name,
    label,
    type: 'query',
    datasource,
    query: { query, refId: name },
    refresh: 2,
    includeAll: true,
    multi: true,
    current: { text: 'All', value: '$__all' },
  });
  return {
    uid: 'hivekeep',
    title: 'hivekeep',
    tags: ['hivekeep'],
    schemaVersion: 39,
    editable: true,
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        choose('job', 'Job', 'label_values(hivekeep_build_info, job)'),
        choose('instance', 'Instance', 'label_values(hivekeep_build_info{job=~"$job"}, instance)'),
      ],
    },
    panels,
  };
}

export const file = fileURLToPath(new URL('../deploy/grafana/hivekeep.json', import.meta.url));
export const text = () => `${JSON.stringify(dashboard(), null, 2)}\n`;
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, text());
