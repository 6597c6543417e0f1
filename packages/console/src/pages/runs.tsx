import { useState } from 'preact/hooks';
import { path, request, type Agent, type Run } from '../lib/api.js';
import { go, href, place, setFilter } from '../lib/router.js';
import { useStore } from '../lib/store.js';
import { useList } from '../lib/use-query.js';
import { AgentField, AgentLink } from '../ui/agent-link.js';
import { Button, useAction } from '../ui/button.js';
import { TextField } from '../ui/fields.js';
import { Tag, Time } from '../ui/labels.js';
import { ListTable } from '../ui/list.js';
import { RunBadge } from '../ui/run-badge.js';
import { PageHead } from '../ui/page-head.js';
import { Empty, Needs, Problem } from '../ui/states.js';

export const runStatuses: readonly Run['status'][] = [
  'pending',
  'running',
  'paused',
  'completed',
  'failed',
  'timeout',
  'cancelled',
];

/** The runs of all agents. */
export function Runs() {
  const { query } = useStore(place);
  const status = query.get('status') ?? '';
  const agent = query.get('agent') ?? '';
  return (
    <>
      <PageHead title="Runs">
        <p>Every run is a record: what came in, each step, and what came out. It goes on after a crash.</p>
      </PageHead>
      <Needs scope="agent:read">
        <div class="card flush">
          <div class="card-head">
            <div class="filters" role="search">
              <select
                aria-label="Status"
                value={status}
                onChange={(event) => {
                  setFilter('status', event.currentTarget.value);
                }}
              >
                <option value="">Any status</option>
                {runStatuses.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
              <AgentField
                label="Of the agent"
                placeholder="Any agent: type a name and choose"
                value={agent}
                onInput={(id) => {
                  setFilter('agent', id);
                }}
              />
            </div>
          </div>
          <RunRows
            url="/v1/runs"
            query={{ status, ...(agent.startsWith('agent_') && { agent_id: agent }) }}
            everybody
          />
        </div>
      </Needs>
    </>
  );
}

/** The runs of one agent. */
export const RunTable = ({ agent }: { agent: string }) => (
  <section class="card flush" aria-label="Runs">
    <RunRows url={path`/v1/agent-constellations/${agent}/runs`} query={{}} everybody={false} />
  </section>
);

function RunRows({
  url,
  query,
  everybody,
}: {
  url: string;
  query: Readonly<Record<string, string>>;
  everybody: boolean;
}) {
  const list = useList<Run>(url, query, { every: 5 });
  return (
    <ListTable
      list={list}
      noun="runs"
      empty={
        <Empty
          icon="runs"
          title={Object.values(query).some((value) => value !== '') ? 'No run matches' : 'No run yet'}
          command={`curl -X POST ${location.origin}/v1/agent-constellations/$AGENT/runs \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"input": "Plan the launch"}'`}
        >
          <p>Start one on the page of an agent, or from a terminal:</p>
        </Empty>
      }

      columns={[
        {
          title: 'Input',
          kind: 'primary',
          cell: (run) => (
            <>
              <a class="clip" href={href('agents', run.agent_id, 'runs', run.id)}>
                {run.input.trim() === '' ? run.id : run.input}
              </a>
              {run.output !== null && <small class="clip">{run.output}</small>}
              {run.waitingFor !== null && <small class="clip warn-text">{run.waitingFor.question}</small>}
              {run.error !== null && <small class="clip bad-text">{run.error.message}</small>}
            </>
          ),
        },
        {
          title: 'Status',
          labelled: false,
          cell: (run) => (
            <span class="row">
              <RunBadge run={run} />
              {run.triggeredBy !== 'api' && <Tag>{run.triggeredBy}</Tag>}
            </span>
          ),
        },
        ...(everybody ? [{ title: 'Agent', cell: (run: Run) => <AgentLink id={run.agent_id} /> }] : []),
        { title: 'Steps', kind: 'number', cell: (run) => `${run.steps} / ${run.maxSteps}` },
        { title: 'Begun', cell: (run) => <Time at={run.created_at} /> },
      ]}
    />
  );
}

export function StartRun({ agent }: { agent: Agent }) {
  const [input, setInput] = useState('');
  const [steps, setSteps] = useState('');
  const [seconds, setSeconds] = useState('');
  const { run, busy, error } = useAction(async () => {
    const started = await request<Run>('POST', path`/v1/agent-constellations/${agent.id}/runs`, {
      body: {
        input,
        ...(steps !== '' && { maxSteps: Number(steps) }),
        ...(seconds !== '' && { maxRuntimeSeconds: Number(seconds) }),
      },
    });
    go(href('agents', agent.id, 'runs', started.id));
    return null;
  });
  return (
    <form
      class="card form"
      aria-label="Start a run"
      onSubmit={(event) => {
        event.preventDefault();
        if (input.trim() !== '') run();
      }}
    >
      <h2>Start a run</h2>
      <TextField
        label="Input"
        value={input}
        onInput={setInput}
        rows={2}
        placeholder="Remember that Ana is in Rome. Tell Bob: Ana has left"
      />
      <details>
        <summary>Budgets</summary>
        <div class="form-row">
          <TextField
            label="Maximum steps"
            type="number"
            min={1}
            max={100}
            value={steps}
            onInput={setSteps}
            placeholder={String(agent.config.max_steps ?? 10)}
          />
          <TextField
            label="Maximum runtime in seconds"
            type="number"
            min={1}
            max={3600}
            value={seconds}
            onInput={setSeconds}
            placeholder={String(agent.maxRuntimeSeconds ?? 300)}
          />
        </div>
      </details>
      <Problem error={error} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} needs="agent:spawn">
          Start and watch
        </Button>
      </div>
    </form>
  );
}
