import { useEffect, useState } from 'preact/hooks';
import {
  path,
  rateLimit,
  request,
  requestPage,
  type DeadLetter,
  type Run,
  type Usage,
  type UsageAlerts,
} from '../lib/api.js';
import { bytes, compact, count, percent, plural } from '../lib/format.js';
import { readMetrics, total } from '../lib/metrics.js';
import { href } from '../lib/router.js';
import { can, session } from '../lib/session.js';
import { useStore } from '../lib/store.js';
import { useQuery } from '../lib/use-query.js';
import { AgentLink } from '../ui/agent-link.js';
import { Icon } from '../ui/icons.js';
import { Button, attempt } from '../ui/button.js';
import { Badge, Meter, Time } from '../ui/labels.js';
import { PageHead } from '../ui/page-head.js';
import { Problem, Skeleton, Snippet } from '../ui/states.js';
import { Plot } from '../ui/plot.js';
import { runStatuses } from './runs.js';
import { AlertsPart, useHasAlerts } from './usage-alerts.js';

const asks = {
  human: 'asks you',
  approval: 'asks for approval',
  tools: 'waits for results',
  agent: 'waits for other agents',
};

export function Overview() {
  const who = useStore(session);
  const name = who.key === null ? undefined : who.me.workspace?.name;
  return (
    <>
      <PageHead title="Overview">
        <p>What {name === undefined ? 'the workspace' : `the workspace ${name}`} is doing, and what waits for you.</p>
      </PageHead>
      {can('agent:read') && <NeedsYou />}
      {can('usage:read') ? (
        <UsageCards />
      ) : (
        <p class="note">
          Your key lacks <code>usage:read</code>, so the numbers of this month are not shown.
        </p>
      )}
      {can('agent:read') && <RunsByStatus />}
      <Live />
    </>
  );
}

interface Waiting {
  paused: readonly Run[];
  pausedTotal: number;
  failed: readonly Run[];
  failedTotal: number;
  letters: readonly DeadLetter[];
  lettersTotal: number;
}

async function whatWaits(signal: AbortSignal): Promise<Waiting> {
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const [paused, failed, letters] = await Promise.all([
    requestPage<Run>('/v1/runs', { status: 'paused', page_size: 5 }, signal),
    requestPage<Run>('/v1/runs', { status: 'failed', created_after: since, page_size: 3 }, signal),
    requestPage<DeadLetter>('/v1/push/dead-letters', { page_size: 3 }, signal),
  ]);
  // those that wait for other agents go on by themselves
  const asking = paused.data.filter(({ waitingFor }) => waitingFor?.kind !== 'agent');
  return {
    paused: asking,
    pausedTotal: paused.pagination.total_count - (paused.data.length - asking.length),
    failed: failed.data,
    failedTotal: failed.pagination.total_count,
    letters: letters.data,
    lettersTotal: letters.pagination.total_count,
  };
}

function NeedsYou() {
  const waiting = useQuery('what waits', whatWaits, { every: 10, keep: true });
  const { data, error, reload } = waiting;
  if (data === null) return error === null ? <Skeleton /> : <Problem error={error} retry={reload} />;
  const { paused, failed, letters } = data;
  const open = data.pausedTotal + data.lettersTotal + data.failedTotal;
  if (open === 0)
    return (
      <section class="card calm" aria-label="What needs you">
        <Icon name="result" />
        <div>
          <h2>Nothing needs you</h2>
          <p class="hint">No run waits for a decision, none failed since yesterday, and everything was delivered.</p>
        </div>
      </section>
    );
  return (
    <section class="card attention" aria-label="What needs you">
      <div class="card-head">
        <h2>{plural(open, 'thing')} for you</h2>
      </div>
      <ul class="attention-list">
        {paused.map((run) => (
          <li key={run.id}>
            <div class="what">
              <div class="meta">
                <Badge of="paused">{asks[run.waitingFor?.kind ?? 'approval']}</Badge>
                <AgentLink id={run.agent_id} />
                <Time at={run.updated_at} />
              </div>
              <p class="text clip">{run.waitingFor?.question ?? run.input}</p>
            </div>
            <a class="button primary" href={href('agents', run.agent_id, 'runs', run.id)}>
              Decide
            </a>
          </li>
        ))}
        {data.pausedTotal > paused.length && (
          <li>
            <a href={`${href('runs')}?status=paused`}>All {count(data.pausedTotal)} paused runs</a>
          </li>
        )}
        {letters.map((letter) => (
          <li key={letter.id}>
            <div class="what">
              <div class="meta">
                <Badge of="failed">not delivered</Badge>
                <AgentLink id={letter.agent_id} />
                <Time at={letter.updated_at} />
              </div>
              <p class="text clip">
                {letter.url}: {letter.reason}
              </p>
            </div>
            <Button
              needs="agent:manage"
              label={`Replay the push to ${letter.url}`}
              onClick={() => {
                attempt(
                  request('POST', path`/v1/push/dead-letters/${letter.id}/replay`, { body: {} }).then(reload),
                  'It is tried again, from the first try on.',
                );
              }}
            >
              Replay
            </Button>
          </li>
        ))}
        {data.lettersTotal > letters.length && (
          <li>
            <a href={href('operations', 'dead-letters')}>All {count(data.lettersTotal)} dead letters</a>
          </li>
        )}
        {failed.map((run) => (
          <li key={run.id}>
            <div class="what">
              <div class="meta">
                <Badge of="failed">failed</Badge>
                <AgentLink id={run.agent_id} />
                <Time at={run.updated_at} />
              </div>
              <p class="text clip">{run.error?.message ?? run.input}</p>
            </div>
            <a class="button" href={href('agents', run.agent_id, 'runs', run.id)}>
              Look
            </a>
          </li>
        ))}
        {data.failedTotal > failed.length && (
          <li>
            <a href={`${href('runs')}?status=failed`}>All {count(data.failedTotal)} failed runs</a>
          </li>
        )}
      </ul>
    </section>
  );
}

function UsageCards() {
  const usage = useQuery('usage', (signal) => request<Usage>('GET', '/v1/usage', { signal }), {
    every: 30,
    keep: true,
  });
  const rate = useStore(rateLimit);
  const { data } = usage;
  if (data === null) return usage.error === null ? <Skeleton /> : <Problem error={usage.error} retry={usage.reload} />;
  return (
    <>
      {data.agents === 0 && <FirstSteps />}
      <div class="grid narrow">
        <Stat label="Agents" value={compact(data.agents)} url={href('agents')} />
        <Stat label="Memories" value={compact(data.memories)} url={href('memories')} />
        <Stat label="Hives" value={compact(data.hives)} url={href('hives')} />
        <Stat
          label="Stored"
          value={bytes(data.storage.used)}
          of={data.storage.limit === null ? null : bytes(data.storage.limit)}
        />
        {data.models.requests > 0 && (
          <Stat
            label="Model tokens this month"
            value={compact(data.models.inputTokens + data.models.outputTokens)}
            url={href('operations', 'usage')}
          />
        )}
        {rate !== null && (
          <Stat label="Requests left this minute" value={compact(rate.remaining)} of={compact(rate.limit)} />
        )}
      </div>
      <Quota usage={data} />
    </>
  );
}

const Stat = ({ label, value, of = null, url }: { label: string; value: string; of?: string | null; url?: string }) => (
  <div class="stat">
    <span class="label">{url === undefined ? label : <a href={url}>{label}</a>}</span>
    <span class="value">
      {value}
      {of !== null && <small> of {of}</small>}
    </span>
  </div>
);

const dayOf = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });

/** Where no others are set. */
const usualThresholds = [80, 95];

function Quota({ usage: { used, limit, cycle, agents, by_agent } }: { usage: Usage }) {
  const hasAlerts = useHasAlerts();
  const alerts = useQuery('usage alerts', (signal) => request<UsageAlerts>('GET', '/v1/usage/alerts', { signal }), {
    every: 30,
    keep: true,
    when: hasAlerts,
  });
  const thresholds = alerts.data?.thresholds ?? usualThresholds;
  // where there are more agents than the service lists, those that are listed are not the ones with the most
  const top = (by_agent.length < agents ? [] : by_agent)
    .filter((agent) => agent.used > 0)
    .sort((a, b) => b.used - a.used)
    .slice(0, 5);
  const most = Math.max(1, ...top.map((agent) => agent.used));
  return (
    <section class="card" aria-label="Memories this month">
      <div class="card-head">
        <h2>Memories this month</h2>
        <p>begins anew on {dayOf.format(new Date(cycle.end))}</p>
      </div>
      {limit === null ? (
        <p>
          <strong>{count(used)}</strong> long-term memories, without a limit.
        </p>
      ) : (
        <>
          <p>
            <strong>{count(used)}</strong> of {count(limit)} ({percent(used / limit)})
          </p>
          <Meter share={used / limit} bad={used >= limit * 0.95} marks={thresholds.map((percent) => percent / 100)} />
        </>
      )}
      {top.length > 0 && (
        <>
          <p class="hint">Most used</p>
          <div class="stack tight" role="list" aria-label="Agents that remembered most">
            {top.map((agent) => (
              <div key={agent.agent_id} class="bar" role="listitem">
                <a href={href('agents', agent.agent_id)} title={agent.name}>
                  {agent.name}
                </a>
                <Meter share={agent.used / most} />
                <span class="number">{compact(agent.used)}</span>
              </div>
            ))}
          </div>
        </>
      )}
      <AlertsPart alerts={hasAlerts ? alerts : null} limited={limit !== null} />
    </section>
  );
}

const FirstSteps = () => (
  <section class="card" aria-label="First steps">
    <h2>Begin with two agents</h2>
    <p>
      <a href={`${href('agents')}?spawn=1`}>Spawn one here</a>, or from a terminal with your key in <code>$KEY</code>:
    </p>
    <Snippet
      label="Copy the commands"
      text={['Ada', 'Bob']
        .map(
          (name) => `curl -X POST ${location.origin}/v1/agents/spawn \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "${name}", "wake_on_message": true}'`,
        )
        .join('\n')}
    />
  </section>
);

function RunsByStatus() {
  const counts = useQuery(
    'runs by status',
    (signal) =>
      Promise.all(
        runStatuses.map(async (status) => {
          const { pagination } = await requestPage<Run>('/v1/runs', { status, page_size: 1 }, signal);
          return [status, pagination.total_count] as const;
        }),
      ),
    { every: 30, keep: true },
  );
  const { data } = counts;
  const most = Math.max(1, ...(data ?? []).map(([, n]) => n));
  return (
    <section class="card" aria-label="Runs by status">
      <div class="card-head">
        <h2>Runs</h2>
        <a href={href('runs')}>All runs</a>
      </div>
      {data === null ? (
        counts.error === null ? (
          <Skeleton />
        ) : (
          <Problem error={counts.error} retry={counts.reload} />
        )
      ) : (
        <div class="stack tight" role="list">
          {data.map(([status, n]) => (
            <div key={status} class="bar" role="listitem">
              <a href={`${href('runs')}?status=${status}`}>
                <Badge of={status} />
              </a>
              <Meter share={n / most} />
              <span class="number">{compact(n)}</span>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

const every = 3;
const kept = 100;
const watched = [
  ['requests', 'Requests', 'a second', 'hivekeep_http_requests_total', {}],
  ['mail', 'Messages between agents', 'a second', 'hivekeep_mailbox_messages_total', { event: 'received' }],
  ['pushes', 'Push deliveries', 'a second', 'hivekeep_push_attempts_total', {}],
] as const;

interface Series {
  times: number[];
  values: Record<string, (number | null)[]>;
}

/** What the server that answers does now: rates of its counters, of all workspaces. */
function Live() {
  const metrics = useQuery('metrics', readMetrics, { every, keep: true });
  const [series, setSeries] = useState<Series>({ times: [], values: {} });
  const [before, setBefore] = useState<{ at: number; counters: Record<string, number | null> } | null>(null);
  const { data } = metrics;
  useEffect(() => {
    if (data === null) return;
    const at = Date.now() / 1000;
    const counters = Object.fromEntries(watched.map(([id, , , name, labels]) => [id, total(data, name, labels)]));
    setBefore({ at, counters });
    if (before === null) return;
    setSeries(({ times, values }) => ({
      times: [...times, at].slice(-kept),
      values: Object.fromEntries(
        watched.map(([id]) => {
          const [now, then] = [counters[id] ?? null, before.counters[id] ?? null];
          // a counter that went back is one of a server that was started anew
          const rate = now === null || then === null || now < then ? null : (now - then) / (at - before.at);
          return [id, [...(values[id] ?? []), rate].slice(-kept)];
        }),
      ),
    }));
  }, [data]);
  if (metrics.data === null) return null;
  return (
    <section class="stack" aria-label="This server, live">
      <h2>This server, live</h2>
      <div class="grid">
        {watched.map(([id, title, unit]) => (
          <Plot key={id} title={title} unit={unit} times={series.times} values={series.values[id] ?? []} />
        ))}
      </div>
    </section>
  );
}
